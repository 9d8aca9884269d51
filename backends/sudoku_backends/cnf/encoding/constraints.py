"""Compare and Table as clauses over candidates.

Every auxiliary literal is determined by the candidates, so that each solution of the model is one model of the clauses.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import product
from math import prod

from sudoku_models.model import OPERATORS, Compare, Constraint, InDomain, Model, Or, Table

from .clauses import ClauseList
from .space import Space

LARGEST = 2_000_000
"""The largest number of pairs of values for which a Compare is written out."""

WIDEST = 4_000
"""The largest number of values of a variable: a clause is needed for every two of them."""


def clauses_of(constraint: Constraint, space: Space, out: ClauseList) -> None:
    """Add the clauses of a Compare, a Table or an Or of domains to ``out``."""
    if isinstance(constraint, Compare):
        _compare(constraint, space, out)
    elif isinstance(constraint, Table):
        _table(constraint, space, out)
    elif isinstance(constraint, Or):
        clause(constraint, space, out)
    else:
        raise TypeError(f"{type(constraint).__name__} has no direct encoding")


def clause(constraint: Or, space: Space, out: ClauseList) -> None:
    """Add the clause that some variable has one of the values of its part; add nothing if a part is always true."""
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


def too_large(model: Model) -> str | None:
    """Return why a model is too large to be encoded, or None."""
    for variable in model.variables:
        if len(variable.domain) > WIDEST:
            return f"{variable.name} has {len(variable.domain)} values: at most {WIDEST} are encoded one by one"
    for constraint in model.constraints:
        if isinstance(constraint, Compare) and constraint.op != "!=":
            pairs = len(model.domains[constraint.x]) * len(model.domains[constraint.y])
            if pairs > LARGEST:
                return f"a Compare between domains of {pairs} pairs of values is too large for clauses"
    return None


def _compare(constraint: Compare, space: Space, out: ClauseList) -> None:
    x, y = space.index[constraint.x], space.index[constraint.y]
    holds, c = OPERATORS[constraint.op], constraint.c
    if x == y:
        if not holds(0, c):
            out.add()
    elif constraint.op == "!=":
        for value in space.domains[y]:
            if value + c in space.domains[x]:
                out.add(*(-literal for literal in _literals(space, ((x, value + c), (y, value)))))
    else:
        pairs = [(a, b) for a in space.domains[x] for b in space.domains[y] if holds(a, b + c)]
        _supports(space, (x, y), pairs, out)


def _literals(space: Space, candidates: Iterable[tuple[int, int]]) -> list[int]:
    """Return the literals of candidates (cell, value); those outside the domains are left out."""
    numbers = (space.candidate(cell, value) for cell, value in candidates)
    return [number + 1 for number in numbers if number is not None]


def _supports(space: Space, cells: tuple[int, int], pairs: Sequence[tuple[int, int]], out: ClauseList) -> None:
    """Require for each value of either variable a partner among the allowed pairs; trivial clauses are left out."""
    for at, (cell, other) in enumerate((cells, cells[::-1])):
        partners: dict[int, list[int]] = defaultdict(list)
        for pair in pairs:
            partners[pair[at]].append(pair[1 - at])
        for value in space.domains[cell]:
            if len(partners[value]) < len(space.domains[other]):
                literals = _literals(space, ((other, partner) for partner in partners[value]))
                out.add(-_literals(space, [(cell, value)])[0], *literals)


def _table(table: Table, space: Space, out: ClauseList) -> None:
    """Add a table; tuples outside the domains, or with two values for a repeated variable, are ignored."""
    cells = tuple(space.index[x] for x in table.scope)
    rows = [row for row in _rows(table) if all(v in space.domains[i] for i, v in zip(cells, row, strict=True))]
    if not table.allowed:
        _forbid(space, cells, rows, out)
    elif len(cells) == 2:
        _supports(space, (cells[0], cells[1]), [(row[0], row[1]) for row in rows], out)
    elif len(cells) < 2 or not rows:
        _one_of(space, cells, rows, out)
    else:
        _select(space, cells, rows, out)


def _rows(table: Table) -> Iterable[tuple[int, ...]]:
    if len(table.scope) == len(table.xs):
        return table.tuples
    rows = (dict(zip(table.xs, row, strict=True)) for row in table.tuples if _agrees(table.xs, row))
    return [tuple(row[x] for x in table.scope) for row in rows]


def _agrees(xs: Sequence[str], row: Sequence[int]) -> bool:
    return len(set(zip(xs, row, strict=True))) == len(set(xs))


def _forbid(space: Space, cells: Sequence[int], rows: Iterable[Sequence[int]], out: ClauseList) -> None:
    for row in rows:
        out.add(*(-literal for literal in _literals(space, zip(cells, row, strict=True))))


def _one_of(space: Space, cells: Sequence[int], rows: Sequence[Sequence[int]], out: ClauseList) -> None:
    """Add a table with one variable, with no variables, or without tuples."""
    if not cells and rows:
        return
    out.add(*(literal for row in rows for literal in _literals(space, zip(cells, row, strict=True))))


def _select(space: Space, cells: Sequence[int], rows: Sequence[Sequence[int]], out: ClauseList) -> None:
    """Add one auxiliary for each tuple, true if all its values are taken; each value needs a tuple that has it.

    When few tuples are missing, forbid these instead.
    """
    size = prod(len(space.domains[i]) for i in cells)
    if 4 * (size - len(rows)) < len(rows):
        _forbid(space, cells, _missing(space, cells, rows), out)
        return
    having: dict[tuple[int, int], list[int]] = defaultdict(list)
    for row in rows:
        chosen = out.fresh()
        for cell, value in zip(cells, row, strict=True):
            out.add(-chosen, *_literals(space, [(cell, value)]))
            having[cell, value].append(chosen)
    for cell in cells:
        for value in space.domains[cell]:
            out.add(-_literals(space, [(cell, value)])[0], *having[cell, value])


def _missing(space: Space, cells: Sequence[int], rows: Sequence[Sequence[int]]) -> Iterable[tuple[int, ...]]:
    present = frozenset(map(tuple, rows))
    return (row for row in product(*(space.domains[i] for i in cells)) if row not in present)
