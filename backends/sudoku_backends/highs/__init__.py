"""The backend ``highs``: linear programs over 0 and 1, by HiGHS.

HiGHS and OR-tools cannot be loaded in one process, so every run belongs into a child process; this package imports the
engine only where a program is solved.
"""

from .backend import BACKEND, Highs

__all__ = ["BACKEND", "Highs"]
