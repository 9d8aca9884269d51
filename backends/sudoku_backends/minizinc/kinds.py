"""How large numbers may be: solvers count in 32 bits."""

from __future__ import annotations

from sudoku_models.engine.numbers import Numbers
from sudoku_models.model import Compare, Count, Linear, NValue, Objective

LARGEST = 2**31 - 2
"""The largest value, and the largest sum on the way to one, on both sides of 0."""

NUMBERS = Numbers(value=LARGEST, sums=dict.fromkeys((Compare, Count, Linear, NValue, Objective), LARGEST))
