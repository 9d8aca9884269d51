"""Known faults of OR-tools, with workarounds; tests/quirks has the smallest cases, also without the library."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sudoku_models.engine.quirk import Quirk
from sudoku_models.model import AllDifferent, Constraint, Count, Model, MultisetEqual, NValue, Or, Table

VERSIONS = "OR-tools 9.12 to 9.15"
"""Releases that have the fault, including some older than this package accepts."""

CLAUSES: tuple[type[Constraint], ...] = (Or, Count, NValue, MultisetEqual)
"""The kinds that are stated over literals of single values."""


def _meets(kinds: tuple[type[Constraint], ...]) -> Callable[[Model], bool]:
    """Return the test of whether a Table shares a variable of more than two values with a constraint of some kinds."""

    def touches(model: Model) -> bool:
        tabled = {x for table in _tables(model.constraints) for x in table.scope if len(model.domains[x]) > 2}
        return any(not tabled.isdisjoint(c.scope) for c in model.constraints if isinstance(c, kinds))

    return touches


def _tables(constraints: tuple[Constraint, ...]) -> Iterator[Table]:
    for constraint in constraints:
        if isinstance(constraint, Table):
            yield constraint
        elif isinstance(constraint, Or):
            yield from _tables(constraint.parts)


def _quirk(kinds: tuple[type[Constraint], ...]) -> Quirk:
    return Quirk(
        "tables beside clauses",
        "presolve loses solutions where a table meets a clause over several values of one of its variables",
        VERSIONS,
        "forbidden tuples and tables of one variable are no tables of the engine's, and the values of one variable in"
        " a clause are one literal; what is left is confirmed",
        _meets(kinds),
        "presolve=false",
    )


QUIRKS = {"integers": (_quirk(CLAUSES),), "booleans": (_quirk((*CLAUSES, AllDifferent)),)}
"""The quirks of each form; without presolve there are none."""
