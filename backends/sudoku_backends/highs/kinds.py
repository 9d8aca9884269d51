"""Which sums are small enough to be exact in floating point."""

from __future__ import annotations

from sudoku_models.engine.numbers import Numbers
from sudoku_models.model import Count, Linear, Objective

SPREAD = 200_000
"""The most that a sum may vary by: rows hold up to a tolerance of 1e-6, relative to such numbers."""

NUMBERS = Numbers(spreads=dict.fromkeys((Linear, Count, Objective), SPREAD))
"""Offsets do not matter: the least value of each variable is taken out of the rows."""
