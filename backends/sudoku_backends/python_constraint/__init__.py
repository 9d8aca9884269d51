"""The backend ``python-constraint``: the package python-constraint2, imported as ``constraint``."""

from .backend import BACKEND, PythonConstraint, PythonConstraintOptions

__all__ = ["BACKEND", "PythonConstraint", "PythonConstraintOptions"]
