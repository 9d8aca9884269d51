"""What HiGHS computes exactly, and its known faults; tests/quirks has the smallest cases, also without the library."""

from __future__ import annotations

from sudoku_models.engine.numbers import Numbers, measured, sums_of
from sudoku_models.engine.quirk import Quirk
from sudoku_models.model import Count, Linear, Model, Objective

SPREAD = 200_000
"""The largest range of a sum: rows hold up to a tolerance of 1e-6, relative to such numbers."""

NUMBERS = Numbers(spreads=dict.fromkeys((Linear, Count, Objective), SPREAD))
"""Offsets do not matter: the least value of each variable is taken out of the rows."""

NEAR = 1_000
"""Sums whose range is no larger are far from any tolerance."""


def _wide_sums(model: Model) -> bool:
    return any(measured(stated, model.domains)[1] > NEAR for stated in sums_of(model))


QUIRKS = (
    Quirk(
        "floating point",
        "rows hold up to a tolerance, so that from 10^11 on solutions are lost, and from 10^14 on optima are wrong",
        "HiGHS 1.11 to 1.15 (older ones crash on objectives)",
        "the least value of each variable is taken out of the rows, a sum may vary by 200,000, and what is wide is"
        " confirmed",
        _wide_sums,
    ),
)
