"""Known faults of MiniZinc's solvers; tests/quirks has the smallest cases, also without the library."""

from __future__ import annotations

from collections.abc import Iterator

from sudoku_models.engine.quirk import Quirk
from sudoku_models.model import Constraint, Count, Model, MultisetEqual, NValue, kinds

COUNTS: tuple[type[Constraint], ...] = (Count, NValue, MultisetEqual)


def _parts(constraint: Constraint) -> Iterator[Constraint]:
    """Yield the parts of a constraint, and the parts of each part."""
    match constraint:
        case kinds.Or(parts=parts) | kinds.And(parts=parts):
            inside = parts
        case kinds.Not(part=part):
            inside = (part,)
        case kinds.Implies(condition=condition, result=result):
            inside = (condition, result)
        case _:
            return
    for part in inside:
        yield part
        yield from _parts(part)


def _nested_counts(model: Model) -> bool:
    return any(isinstance(part, COUNTS) for c in model.constraints for part in _parts(c))


GECODE = (
    Quirk(
        "counts within other constraints",
        "a != between sums that is a part of another constraint ignores the factors of the sums",
        "Gecode 6.2 with MiniZinc 2.6",
        "such a != is written as < or >; what else counts within another constraint is confirmed",
        _nested_counts,
    ),
)
