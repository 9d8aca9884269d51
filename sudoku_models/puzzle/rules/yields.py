"""Small makers of core constraints that rules share. Each takes care of a cell that is named twice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations

from ...model import OPERATORS, AllDifferent, And, Compare, Constraint, InDomain, Linear, Or, Table
from .board import Board

Relation = Callable[[int, int], bool]
Pairs = tuple[tuple[int, int], ...]


def never(cell: str) -> Constraint:
    """Return a constraint that does not hold, whatever the cell's value."""
    return InDomain(cell, ())


def different(board: Board, cells: Iterable[str]) -> Iterator[Constraint]:
    """Yield that the distinct cells among these differ; nothing where a house says so already."""
    names = tuple(dict.fromkeys(cells))
    if len(names) > 1 and not board.same_house(names):
        yield AllDifferent(names)


def compare(x: str, op: str, y: str, c: int = 0) -> Iterator[Constraint]:
    """Yield ``x op y + c``."""
    if x != y:
        yield Compare(x, op, y, c)
    elif not OPERATORS[op](0, c):
        yield never(x)


def linear(terms: Iterable[tuple[int, str]], op: str, k: int) -> Constraint:
    """Return ``sum(c * x) op k``; the coefficients of a cell named twice add up."""
    total: dict[str, int] = {}
    for c, x in terms:
        total[x] = total.get(x, 0) + c
    kept = {x: c for x, c in total.items() if c} or dict.fromkeys(list(total)[:1], 0)
    return Linear(kept.values(), kept, op, k)


def sums(left: Iterable[str], op: str, right: Iterable[str], k: int = 0) -> Constraint:
    """Return that the sum of the left cells is ``op`` the sum of the right cells plus ``k``."""
    return linear([*((1, x) for x in left), *((-1, x) for x in right)], op, k)


def among(board: Board, cell: str, allowed: Callable[[int], bool]) -> Iterator[Constraint]:
    """Yield that a cell takes one of its values that are allowed; nothing when all are."""
    values = board.domain(cell)
    kept = tuple(v for v in values if allowed(v))
    if kept != values:
        yield InDomain(cell, kept)


def pair(board: Board, a: str, b: str, relation: Relation) -> Iterator[Constraint]:
    """Yield that a relation holds between two cells: the table of what is allowed, or of what is not if shorter."""
    if a == b:
        yield from among(board, a, lambda v: relation(v, v))
        return
    left, right = board.domain(a), board.domain(b)
    allowed = [(v, w) for v in left for w in right if relation(v, w)]
    if 2 * len(allowed) <= len(left) * len(right):
        yield Table((a, b), allowed)
    elif len(allowed) < len(left) * len(right):
        members = frozenset(allowed)
        yield Table((a, b), [(v, w) for v in left for w in right if (v, w) not in members], allowed=False)


def pairs(board: Board, couples: Iterable[tuple[str, str]], relation: Relation) -> Iterator[Constraint]:
    """Yield that a relation holds between the cells of every couple, the relation tabulated once."""
    known = lru_cache(maxsize=None)(relation)
    for a, b in couples:
        yield from pair(board, a, b, known)


def every_pair(board: Board, cells: Sequence[str], relation: Relation) -> Iterator[Constraint]:
    """Yield that a symmetric relation holds between any two places in a list of cells."""
    return pairs(board, dict.fromkeys(combinations(cells, 2)), relation)


def together(constraints: Iterable[Constraint]) -> Constraint:
    """Return one constraint that holds when all do."""
    found = tuple(constraints)
    return found[0] if len(found) == 1 else And(found)


def one_of(branches: Iterable[Iterable[Constraint]]) -> Constraint:
    """Return that all constraints of at least one branch hold."""
    return Or([together(branch) for branch in branches])
