"""Known faults of the programs; tests/quirks has the smallest cases, also without the library."""

from __future__ import annotations

from sudoku_models.engine.quirk import Quirk
from sudoku_models.model import Count, Model, NValue


def _n_values(model: Model) -> bool:
    return any(isinstance(constraint, NValue) for constraint in model.constraints)


def _repeated_counts(model: Model) -> bool:
    return any(isinstance(c, Count) and len(set(c.xs)) < len(c.xs) for c in model.constraints)


ACE = (
    Quirk(
        "counts of a variable twice",
        "a Count in which a variable appears twice is miscounted",
        "ACE 2.6",
        "such a Count is written as other constraints",
        _repeated_counts,
    ),
)
CHOCO = (
    Quirk(
        "numbers of values",
        "an NValue that is compared with a variable by < > or != loses solutions, or repeats them",
        "Choco 4.10.15, in XCSP3",
        "NValue is written as other constraints for it",
        _n_values,
    ),
)
