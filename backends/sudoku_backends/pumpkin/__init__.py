"""The backend ``pumpkin``: Pumpkin, a solver by lazy clause generation, by its package ``pumpkin-solver``.

Where it meets what it does not expect it ends the whole process, so every run belongs into a child process.
"""

from .backend import BACKEND, Pumpkin

__all__ = ["BACKEND", "Pumpkin"]
