"""The backend ``native``: a compiled finite-domain engine for every declared model."""

from .backend import BACKEND, Native, NativeOptions

__all__ = ["BACKEND", "Native", "NativeOptions"]
