"""How each kind of constraint is stated in the formula of a certificate: as itself, or as its negation."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

from ..errors import Unsupported
from ..model import (
    OPERATORS,
    AllDifferent,
    And,
    Compare,
    Connected,
    Constraint,
    Count,
    Element,
    Implies,
    InDomain,
    LexLess,
    Linear,
    MinMax,
    MultisetEqual,
    Not,
    NValue,
    Or,
    Regular,
    Table,
)
from . import sum_clauses
from .formula import Clause, FlatFormula
from .formula_place import Domains, Place
from .group import connected


def encode(
    formula: FlatFormula, domains: Domains, constraint: Constraint, guard: Clause = (), holds: bool = True
) -> None:
    """Add the clauses of a constraint, or with ``holds=False`` of its negation.

    ``guard`` is part of each clause: they bind if all its literals are false. Unsupported for a kind without an
    encoding.
    """
    encoder = ENCODERS.get(type(constraint))
    if encoder is None:
        raise Unsupported(f"certificates cannot state the kind {type(constraint).__name__}")
    encoder(Place(formula, domains, guard, holds, encode), constraint)


def _in_domain(place: Place, c: InDomain) -> None:
    place.add(*(x for value, x in place.digit(c.x) if (value in c.values) == place.holds))


def _all_different(place: Place, c: AllDifferent) -> None:
    """No two variables have the same value; if there are as many values as variables, each value occurs."""
    if not place.holds:
        place.word([place.digit(x) for x in c.xs], frozenset(), _new_value, lambda _: True)
        return
    holders: dict[int, list[int]] = {}
    for x in c.xs:
        for value, literal in place.digit(x):
            holders.setdefault(value, []).append(literal)
    for literals in holders.values():
        for a, b in combinations(literals, 2):
            place.add(-a, -b)
    if len(holders) == len(c.xs):
        for literals in holders.values():
            place.add(*literals)


def _new_value(_: int, seen: frozenset[int], value: int) -> frozenset[int] | None:
    return None if value in seen else seen | {value}


def _compare(place: Place, c: Compare) -> None:
    """Forbid each pair of values that violates the comparison."""
    relation = OPERATORS[c.op]
    for value, a in place.digit(c.x):
        for other, b in place.digit(c.y) if c.x != c.y else ((value, a),):
            if bool(relation(value, other + c.c)) != place.holds:
                place.add(-a, -b)


def _table(place: Place, c: Table) -> None:
    """Forbid tuples one by one, or read the word by the prefixes of the allowed ones."""
    if place.holds != c.allowed:
        for row in c.tuples:
            literals = [place.formula.literals.get(pair, 0) for pair in zip(c.xs, row, strict=True)]
            if all(literals):
                place.add(*(-literal for literal in literals))
        return
    beginnings = {row[:k] for row in c.tuples for k in range(len(c.xs) + 1)}

    def step(_: int, read: tuple[int, ...], value: int) -> tuple[int, ...] | None:
        """Append a value to those read; None if no tuple starts so."""
        return (*read, value) if (*read, value) in beginnings else None

    allowed = Place(place.formula, place.domains, place.guard, True, place.encode)
    allowed.word([place.digit(x) for x in c.xs], (), step, c.members.__contains__)


def _element(place: Place, c: Element) -> None:
    """For each index: the value found there is the stated one or, for the negation, is not."""
    for index, i in place.digit(c.i):
        if not 0 <= index < len(c.xs):
            if place.holds:
                place.add(-i)
            continue
        for value, x in place.digit(c.xs[index]):
            if isinstance(c.y, int):
                if (value == c.y) != place.holds:
                    place.add(-i, -x)
                continue
            same = place.formula.literals.get((c.y, value), 0)
            if place.holds:
                place.add(-i, -x, *((same,) if same else ()))
            elif same:
                place.add(-i, -x, -same)


def _min_max(place: Place, c: MinMax) -> None:
    """Each end is the least or the greatest value so far, at the end of the word."""
    ends = [(c.lo, min), (c.hi, max)]
    asked = [(end, choose) for end, choose in ends if end is not None]
    if place.holds or len(asked) == 1:
        for end, choose in asked:
            _end(place, c, end, choose)
    elif not asked:
        place.add()
    else:
        place.any_of([(MinMax(c.xs, lo=c.lo), False), (MinMax(c.xs, hi=c.hi), False)])


def _end(place: Place, c: MinMax, end: str | int, choose: Callable[[int, int], int]) -> None:
    digits = [place.digit(x) for x in c.xs]
    if isinstance(end, str):
        digits.append(place.digit(end))

    def step(at: int, found: int | str, value: int) -> int | str | None:
        """Keep the better of two; at the last place compare the end with it."""
        if at == len(c.xs):
            return found if found == value else None
        return value if found == "" else choose(int(found), value)

    place.word(digits, "", step, lambda found: isinstance(end, str) or found == end)


def _regular(place: Place, c: Regular) -> None:
    """The states are those of the automaton."""
    arrows = c.automaton.next
    accepting = frozenset(c.automaton.accepting)
    word = [place.digit(x) for x in c.xs]
    place.word(word, c.automaton.start, lambda _, state, value: arrows.get((state, value)), accepting.__contains__)


def _lex_less(place: Place, c: LexLess) -> None:
    """Read the lists in turn: the states are "equal so far", the left value of a pair, and "less"."""
    digits = [place.digit(x) for pair in zip(c.xs, c.ys, strict=True) for x in pair]

    def step(at: int, state: int | str, value: int) -> int | str | None:
        """Keep the left value of a pair, then compare the right one with it."""
        if state == "less" or at % 2 == 0:
            return "less" if state == "less" else value
        return "less" if int(state) < value else "equal" if state == value else None

    place.word(digits, "equal", step, lambda state: state == "less" or not c.strict)


def _not(place: Place, c: Not) -> None:
    place.all_of([(c.part, not place.holds)])


def _and(place: Place, c: And) -> None:
    parts = [(part, place.holds) for part in c.parts]
    (place.all_of if place.holds else place.any_of)(parts)


def _or(place: Place, c: Or) -> None:
    parts = [(part, place.holds) for part in c.parts]
    (place.any_of if place.holds else place.all_of)(parts)


def _implies(place: Place, c: Implies) -> None:
    parts = [(c.condition, not place.holds), (c.result, place.holds)]
    (place.any_of if place.holds else place.all_of)(parts)


ENCODERS: dict[type[Constraint], Callable[[Place, Any], None]] = {
    AllDifferent: _all_different,
    And: _and,
    Compare: _compare,
    Connected: connected,
    Count: sum_clauses.count,
    Element: _element,
    Implies: _implies,
    InDomain: _in_domain,
    LexLess: _lex_less,
    Linear: sum_clauses.linear,
    MinMax: _min_max,
    MultisetEqual: sum_clauses.multiset_equal,
    Not: _not,
    NValue: sum_clauses.n_value,
    Or: _or,
    Regular: _regular,
    Table: _table,
}
"""Every kind of constraint that a certificate can state."""
