"""The backend ``pumpkin``: Pumpkin, a solver by lazy clause generation, by its package ``pumpkin-solver``.

On anything that it does not expect it ends the whole process, so every run belongs in a child process.
"""

from .backend import BACKEND, Pumpkin

__all__ = ["BACKEND", "Pumpkin"]
