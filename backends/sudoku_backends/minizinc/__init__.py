"""The backend ``minizinc``: the program of that name, with any of the solvers that it knows.

Each run is a separate process, which ends with this one. The package ``minizinc`` of Python is not needed.
"""

from .backend import BACKEND, MiniZinc, MiniZincOptions

__all__ = ["BACKEND", "MiniZinc", "MiniZincOptions"]
