"""Sums in clauses, as the second encoder writes them: Linear; Count, NValue, MultisetEqual as sums of 0 and 1."""

from __future__ import annotations

from collections.abc import Sequence

from ...model import Count, Linear, MultisetEqual, NValue
from .clauses import PlainClauses
from .word_clauses import Letter, read

Unless = tuple[int, ...]


def true_of(a: int, op: str, b: int) -> bool:
    """Return whether ``a op b``."""
    return {"==": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[op]


def total(clauses: PlainClauses, c: Linear, true: bool, unless: Unless) -> None:
    """The sum of multiples of variables, each variable once."""
    names = list(dict.fromkeys(c.xs))
    factors = [sum(k for k, y in zip(c.coeffs, c.xs, strict=True) if y == x) for x in names]
    letters = [[(k * value, x) for value, x in clauses.values(name)] for k, name in zip(factors, names, strict=True)]
    _sum(clauses, letters, c.op, c.k, true, unless)


def number_of(clauses: PlainClauses, c: Count, true: bool, unless: Unless) -> None:
    """One for each variable that has one of the values."""
    wanted = frozenset(c.values)
    letters = [[(1 if value in wanted else 0, x) for value, x in clauses.values(name)] for name in c.xs]
    _against(clauses, letters, c.op, c.y, true, unless)


def distinct(clauses: PlainClauses, c: NValue, true: bool, unless: Unless) -> None:
    """One for each value that some variable has, by a new variable."""
    owners: dict[int, list[int]] = {}
    for name in c.xs:
        for value, x in clauses.values(name):
            owners.setdefault(value, []).append(x)
    letters: list[Letter] = []
    for literals in owners.values():
        there = clauses.new()
        for x in literals:
            clauses.say(-x, there)
        clauses.say(-there, *literals)
        letters.append([(1, there), (0, -there)])
    _against(clauses, letters, c.op, c.y, true, unless)


def same_multiset(clauses: PlainClauses, c: MultisetEqual, true: bool, unless: Unless) -> None:
    """For each value the same number on both sides; the negation: for one value the numbers differ."""
    values = list(dict.fromkeys(value for name in c.scope for value in clauses.domains[name]))
    if true:
        for value in values:
            _sum(clauses, _surplus(clauses, c, value), "==", 0, True, unless)
        return
    choices = [clauses.new() for _ in values]
    clauses.say(*unless, *choices)
    for value, choice in zip(values, choices, strict=True):
        _sum(clauses, _surplus(clauses, c, value), "!=", 0, True, (*unless, -choice))


def _surplus(clauses: PlainClauses, c: MultisetEqual, wanted: int) -> list[Letter]:
    clauses.step(sum(len(clauses.domains[name]) for name in (*c.xs, *c.ys)))
    signs = [(name, 1) for name in c.xs] + [(name, -1) for name in c.ys]
    return [[(sign if value == wanted else 0, x) for value, x in clauses.values(name)] for name, sign in signs]


def _against(clauses: PlainClauses, letters: list[Letter], op: str, y: str | int, true: bool, unless: Unless) -> None:
    """Compare a sum with a number, or with a variable, which is then subtracted."""
    if isinstance(y, int):
        _sum(clauses, letters, op, y, true, unless)
    else:
        _sum(clauses, [*letters, [(-value, x) for value, x in clauses.values(y)]], op, 0, true, unless)


def _sum(clauses: PlainClauses, letters: Sequence[Letter], op: str, k: int, true: bool, unless: Unless) -> None:
    """Read the sum so far; "sure" once the result can only be true, lost once it can only be false."""
    rest = [(0, 0)]
    for letter in reversed(letters):
        values = [value for value, _ in letter] or [0]
        rest.append((rest[-1][0] + min(values), rest[-1][1] + max(values)))
    rest.reverse()

    def now(at: int, so_far: int) -> object:
        """Return the state of a sum so far: itself, "sure", or None if it can only be false."""
        low, high = so_far + rest[at][0], so_far + rest[at][1]
        if op in ("==", "!="):
            hit, sure = low <= k <= high, low == k == high
            possible, certain = (hit, sure) if op == "==" else (not sure, not hit)
        else:
            ends = [true_of(low, op, k), true_of(high, op, k)]
            possible, certain = any(ends), all(ends)
        return "sure" if certain else so_far if possible else None

    def reading(at: int, s: object, value: int) -> object:
        """Add a value."""
        return now(at + 1, s + value) if isinstance(s, int) else s

    read(clauses, letters, now(0, 0), reading, lambda s: s == "sure", true, unless)
