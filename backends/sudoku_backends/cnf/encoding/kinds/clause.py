"""An Or of domains: one clause."""

from __future__ import annotations

from sudoku_models.model import InDomain, Or

from ..clauses import ClauseList
from ..space import Space


def clause(constraint: Or, space: Space, out: ClauseList) -> None:
    """Add the clause that some variable has one of the values of its part; none when a part is always true."""
    literals: set[int] = set()
    for part in constraint.parts:
        if not isinstance(part, InDomain):
            raise TypeError(f"a clause has no part {part}")
        cell = space.index[part.x]
        inside = space.candidates(cell, part.values)
        if len(inside) == len(space.domains[cell]):
            return
        literals.update(candidate + 1 for candidate in inside)
    out.add(*sorted(literals))
