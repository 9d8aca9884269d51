"""Helpers that make core constraints for rules. Each handles repeated cells."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import chain, combinations, pairwise

from ...model import (
    OPERATORS,
    AllDifferent,
    And,
    Compare,
    Constraint,
    Domain,
    InDomain,
    Linear,
    Or,
    Table,
    VariableLike,
    name_of,
)
from .board import Board

Relation = Callable[..., bool]
Couple = tuple[VariableLike, VariableLike]


def never(cell: str) -> Constraint:
    """Return a constraint that does not hold, whatever the cell's value."""
    return InDomain(cell, ())


def different(board: Board, cells: Iterable[str]) -> Iterator[Constraint]:
    """Require that the distinct cells among these differ, unless a house already does."""
    names = tuple(dict.fromkeys(cells))
    if len(names) > 1 and not board.same_house(names):
        yield AllDifferent(names)


def compare(x: VariableLike, op: str, y: VariableLike, c: int = 0) -> Iterator[Constraint]:
    """Yield ``x op y + c``."""
    x, y = name_of(x), name_of(y)
    if x != y:
        yield Compare(x, op, y, c)
    elif not OPERATORS[op](0, c):
        yield never(x)


def along(cells: Sequence[str], op: str, c: int = 0) -> Iterator[Constraint]:
    """Yield ``x op y + c`` for each cell x of a line and the next one, y."""
    return chain.from_iterable(compare(x, op, y, c) for x, y in pairwise(cells))


def linear(terms: Iterable[tuple[int, str]], op: str, k: int) -> Constraint:
    """Return ``sum(c * x) op k``; the coefficients of a cell named twice add up."""
    total: dict[str, int] = {}
    for c, x in terms:
        total[x] = c + total[x] if x in total else c
    kept = total
    if not all(total.values()):
        kept = {x: c for x, c in total.items() if c} or dict.fromkeys(list(total)[:1], 0)
    return Linear(tuple(kept.values()), tuple(kept), op, k)


def sums(left: Iterable[str], op: str, right: Iterable[str], k: int = 0) -> Constraint:
    """Return that the sum of the left cells is ``op`` the sum of the right cells plus ``k``."""
    return linear([*((1, x) for x in left), *((-1, x) for x in right)], op, k)


MOST_KEPT = 1_000
"""The largest number of pairs of values whose table is kept for other rules and puzzles."""

LONG = 9
"""Sums of more cells than this are split into parts, each within one house."""


def parts(board: Board, cells: Sequence[str]) -> list[str]:
    """Return terms that add up to a sum of cells; the terms of a long one are the sums of its cells in each house.

    Such a part is an auxiliary variable with tight bounds, since the values in a house differ. Of rows, columns and
    regions, the division with the narrowest bounds is used. (The bounds of single cells say little about a long sum.)
    """
    if not board.divide or len(cells) <= LONG or len(set(cells)) < len(cells) or any(board.place(x)[0] for x in cells):
        return list(cells)
    rows = board.shape.height if board.shape.lines else 0
    columns = rows and board.shape.width
    houses = board.houses
    families = (houses[rows + columns :], houses[:rows], houses[rows : rows + columns])
    divisions = [_division(cells, family) for family in families if family]
    best = min(divisions, key=partial(_width, board), default=[])
    if board.turnable and rows and best is divisions[-2] and _width(board, best) == _width(board, divisions[-1]):
        return list(cells)
    return [_part(board, part) for part in best] or list(cells)


def _width(board: Board, division: Sequence[Sequence[str]]) -> int:
    """Return how far apart the bounds of the parts are, in total."""
    return sum(high - low for low, high in (_reach(board, part) for part in division))


def _division(cells: Sequence[str], houses: Sequence[Sequence[str]]) -> list[list[str]]:
    left, found = list(cells), []
    for house in houses:
        inside = [x for x in left if x in house]
        if len(inside) > 1:
            found.append(inside)
            left = [x for x in left if x not in inside]
    return [*found, *([x] for x in left)]


def _reach(board: Board, different_cells: Sequence[str]) -> tuple[int, int]:
    """Return the smallest and the largest sum of cells that all differ."""
    size = len(different_cells)
    return sum(board.values[:size]), sum(board.values[len(board.values) - size :])


def _part(board: Board, cells: Sequence[str]) -> str:
    if len(cells) == 1:
        return cells[0]
    name, (low, high) = "+".join(cells), _reach(board, cells)
    definition = linear([(1, name), *((-1, x) for x in cells)], "==", 0)
    return board.auxiliary(name, range(low, high + 1), definition)


def among(board: Board, cell: str, allowed: Callable[[int], bool]) -> Iterator[Constraint]:
    """Require that a cell takes an allowed value; yield nothing if all its values are allowed."""
    values = board.domain(cell)
    kept = tuple(filter(allowed, values))
    if kept != values:
        yield InDomain(cell, kept)


def pairs(board: Board, couples: Iterable[Couple], relation: Relation, *settings: Hashable) -> Iterator[Constraint]:
    """Require a relation between the cells of every couple: ``relation(a, b, *settings)``, a function of a module.

    One table serves all couples with the same values, and other rules with the same relation and settings.
    """
    made: dict[tuple[Domain, Domain], Table | None] = {}
    for a, b in [(name_of(a), name_of(b)) for a, b in couples]:
        if a == b:
            yield from among(board, a, lambda v: relation(v, v, *settings))
            continue
        domains = board.domain(a), board.domain(b)
        if domains not in made:
            few = len(domains[0]) * len(domains[1]) <= MOST_KEPT
            made[domains] = (_kept_table if few else _tabulated)(*domains, relation, settings)
        table = made[domains]
        if table is not None:
            yield table.over(a, b)


@lru_cache(maxsize=256)
def _kept_table(left: Domain, right: Domain, relation: Relation, settings: tuple[Hashable, ...]) -> Table | None:
    return _tabulated(left, right, relation, settings)


def _tabulated(left: Domain, right: Domain, relation: Relation, settings: tuple[Hashable, ...]) -> Table | None:
    """Return the table of allowed pairs, or of forbidden pairs if shorter; None if all pairs are allowed."""
    allowed = [(v, w) for v in left for w in right if relation(v, w, *settings)]
    if 2 * len(allowed) <= len(left) * len(right):
        return Table(("a", "b"), allowed)
    barred = sorted({(v, w) for v in left for w in right}.difference(allowed))
    return Table(("a", "b"), barred, allowed=False) if barred else None


def every_pair(board: Board, cells: Sequence[str], relation: Relation, *settings: Hashable) -> Iterator[Constraint]:
    """Require a symmetric relation between any two positions in a list of cells; see ``pairs``."""
    return pairs(board, dict.fromkeys(combinations(cells, 2)), relation, *settings)


def at_least_apart(a: int, b: int, least: int) -> bool:
    """Return whether two values differ by at least a number: a relation for ``pairs``."""
    return abs(a - b) >= least


def not_apart(a: int, b: int, number: int) -> bool:
    """Return whether two values do not differ by exactly a number: a relation for ``pairs``."""
    return abs(a - b) != number


def not_adding_up(a: int, b: int, sums: tuple[int, ...]) -> bool:
    """Return whether two values do not add up to one of some sums: a relation for ``pairs``."""
    return a + b not in sums


def together(constraints: Iterable[Constraint]) -> Constraint:
    """Return one constraint that holds if all do."""
    found = tuple(constraints)
    return found[0] if len(found) == 1 else And(found)


def one_of(branches: Iterable[Iterable[Constraint]]) -> Constraint:
    """Return that all constraints of at least one branch hold."""
    return Or([together(branch) for branch in branches])
