"""The reference backend: backtracking in plain Python, written to be read and trusted."""

from .backend import BACKEND, STRATEGIES, Backtracking, BacktrackingOptions

__all__ = ["BACKEND", "STRATEGIES", "Backtracking", "BacktrackingOptions"]
