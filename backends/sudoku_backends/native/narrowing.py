"""Each kind of constraint over wide variables, stated over their digits and over hidden variables that they determine.

The new statement holds exactly when the constraint does, so it may stand within others, even under a Not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations
from typing import Any

from sudoku_models.model import (
    AllDifferent,
    And,
    Automaton,
    Compare,
    Connected,
    Constraint,
    Count,
    Domain,
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
    Variable,
)
from sudoku_models.model.regular import MOST_STATES

from .digits import Digits, TooWide, Tuples

FEW = 30
"""The most values, or kinds of letters, that a hidden variable numbers from 0; the window has all these numbers."""


class Narrowing:
    """States constraints without wide variables. ``added`` are the hidden variables, ``stated`` what defines them."""

    def __init__(self, domains: Mapping[str, Domain], wide: frozenset[str], digits: Digits) -> None:
        """Give each wide variable its digits, which have its values and no others."""
        self.domains, self.digits = domains, digits
        self.added: dict[str, Domain] = {}
        self.stated: list[Constraint] = []
        self.parts: dict[str, tuple[str, ...]] = {}
        self._derived: dict[Any, str] = {}
        self._tables: dict[Any, tuple[Table, Tuples]] = {}
        for x in sorted(wide, key=[*domains].index):
            self._write(x, domains[x])

    def _write(self, x: str, values: Domain) -> None:
        rows = [self.digits.written(value) for value in values]
        columns = [tuple(sorted(set(column))) for column in zip(*rows, strict=True)]
        self.parts[x] = tuple(self._hidden(f"{x} digit {i}", column) for i, column in enumerate(columns))
        every = 1
        for column in columns:
            every *= len(column)
        if every == len(rows):
            return
        if values[-1] - values[0] + 1 == len(values):
            self.stated += [self(Linear((1,), (x,), op, end)) for op, end in ((">=", values[0]), ("<=", values[-1]))]
        else:
            self.stated.append(Table(self.parts[x], rows))

    def _hidden(self, name: str, values: Iterable[int]) -> str:
        while name in self.domains or name in self.added:
            name += "'"
        self.added[name] = tuple(sorted(set(values)))
        return name

    def variables(self) -> list[Variable]:
        """Return the hidden variables."""
        return [Variable(name, values) for name, values in self.added.items()]

    def __call__(self, c: Constraint) -> Constraint:
        """Return what states a constraint without wide variables."""
        return _STATE[type(c)](self, c) if not self.parts.keys().isdisjoint(c.scope) else c

    def derived(self, x: str, what: Any, of: Callable[[int], int]) -> str:
        """Return a variable that has a number for each value of another one."""
        if (x, what) not in self._derived:
            rows = [(value, of(value)) for value in self.domains[x]]
            name = self._derived[x, what] = self._hidden(f"{x} seen {len(self._derived)}", (row[1] for row in rows))
            self.stated.append(self(Table((x, name), rows)))
        return self._derived[x, what]

    def truth(self, holds: Constraint, fails: Constraint) -> str:
        """Return a variable that is 1 if a constraint holds, and 0 if the other one, its opposite, does."""
        name = self._hidden(f"truth {len(self.added)}", (0, 1))
        self.stated.append(Or(And(InDomain(name, (1,)), self(holds)), And(InDomain(name, (0,)), self(fails))))
        return name

    def terms(self, coeffs: Iterable[int], xs: Iterable[str]) -> tuple[list[int], list[str], int]:
        """Return the terms of a sum over the digits, and what is to be added to it."""
        pairs, beside = [], 0
        for a, x in zip(coeffs, xs, strict=True):
            if x in self.parts:
                pairs += [(a * w, part) for w, part in zip(self.digits.weights, self.parts[x], strict=True)]
                beside += a * self.digits.offset
            else:
                pairs.append((a, x))
        return [a for a, _ in pairs], [x for _, x in pairs], beside

    def table(self, c: Table) -> Constraint:
        """Write the columns of wide variables as digits; what cannot be written occurs in no solution."""
        wide = tuple(x in self.parts for x in c.xs)
        key = (id(c.tuples), wide, c.allowed)
        over = [*chain.from_iterable(self.parts.get(x, (x,)) for x in c.xs)]
        if key not in self._tables:
            names = map(str, range(len(over)))
            self._tables[key] = Table(names, self._rows(c.tuples, wide), c.allowed), c.tuples
        return self._tables[key][0].over(*over)

    def _rows(self, tuples: Tuples, wide: Sequence[bool]) -> Iterator[tuple[int, ...]]:
        written, places = self.digits.written, [i for i, is_wide in enumerate(wide) if is_wide]
        for row in tuples:
            if all(self.digits.fits(row[i]) for i in places):
                yield tuple(chain.from_iterable(written(v) if w else (v,) for v, w in zip(row, wide, strict=True)))


def _same(x: str, y: str | int) -> Constraint:
    return Compare(x, "==", y) if isinstance(y, str) else InDomain(x, (y,))


def _related(x: str, op: str, y: str | int) -> Constraint:
    return Compare(x, op, y) if isinstance(y, str) else Linear((1,), (x,), op, y)


def _in_domain(to: Narrowing, c: InDomain) -> Constraint:
    return to.table(Table((c.x,), [(value,) for value in c.values]))


def _all_different(to: Narrowing, c: AllDifferent) -> Constraint:
    pairs: list[Constraint] = [Compare(x, "!=", y) for x, y in combinations(c.xs, 2)]
    return And(*map(to, pairs))


def _linear(to: Narrowing, c: Linear) -> Constraint:
    coeffs, xs, beside = to.terms(c.coeffs, c.xs)
    return Linear(coeffs, xs, c.op, c.k - beside)


def _compare(to: Narrowing, c: Compare) -> Constraint:
    if c.op == "==" and not c.c and c.x in to.parts and c.y in to.parts:
        return And(*(Compare(x, "==", y) for x, y in zip(to.parts[c.x], to.parts[c.y], strict=True)))
    return to(Linear((1, -1), (c.x, c.y), c.op, c.c))


def _table(to: Narrowing, c: Table) -> Constraint:
    return to.table(c)


def _counted(to: Narrowing, flags: Sequence[str], op: str, y: str | int) -> Constraint:
    """State the number of some variables that are 1."""
    if y in to.parts:
        return to(Linear((*([1] * len(flags)), -1), (*flags, str(y)), op, 0))
    return Count(flags, (1,), op, y)


def _count(to: Narrowing, c: Count) -> Constraint:
    inside = frozenset(c.values)
    return _counted(to, [to.derived(x, inside, lambda v: int(v in inside)) for x in c.xs], c.op, c.y)


def _n_value(to: Narrowing, c: NValue) -> Constraint:
    """Count the first of each value: those that differ from all before them."""
    flags = []
    for at, x in enumerate(c.xs):
        before = c.xs[:at]
        new = And(*(Compare(x, "!=", y) for y in before))
        flags.append(to.truth(new, Or(*(Compare(x, "==", y) for y in before))))
    return _counted(to, flags, c.op, c.y)


def _element(to: Narrowing, c: Element) -> Constraint:
    if isinstance(c.y, str) and c.i not in to.parts and to.parts.keys() >= {*c.xs, c.y}:
        rows = zip(*(to.parts[x] for x in c.xs), strict=True)
        return And(*(Element(xs, c.i, y) for xs, y in zip(rows, to.parts[c.y], strict=True)))
    inside = [i for i in to.domains[c.i] if 0 <= i < len(c.xs)]
    return Or(*(And(to(InDomain(c.i, (i,))), to(_same(c.xs[i], c.y))) for i in inside))


def _min_max(to: Narrowing, c: MinMax) -> Constraint:
    parts: list[Constraint] = []
    for end, op in ((c.lo, ">="), (c.hi, "<=")):
        if end is not None:
            parts += [to(_related(x, op, end)) for x in c.xs]
            parts.append(Or(*(to(_same(x, end)) for x in c.xs)))
    return And(*parts)


def _regular(to: Narrowing, c: Regular) -> Constraint:
    """Read kinds of letters, one kind for equal arrows; write many kinds as words of numbers below FEW."""
    arrows: dict[int, list[tuple[int, int]]] = {}
    for state, value, following in c.automaton.arrows:
        arrows.setdefault(value, []).append((state, following))
    kinds: dict[tuple[tuple[int, int], ...], int] = {}
    kind_of = {value: kinds.setdefault(tuple(some), len(kinds)) for value, some in arrows.items()}
    length = 1
    while FEW**length <= len(kinds):
        length += 1
    words = [tuple(kind // FEW**i % FEW for i in range(length)) for kind in range(len(kinds) + 1)]
    automaton = _spelled(c.automaton, kinds, words)
    key, last = ("letters", c.automaton), len(kinds)
    xs = [to.derived(x, (*key, i), lambda v, i=i: words[kind_of.get(v, last)][i]) for x in c.xs for i in range(length)]  # type: ignore[misc]
    return Regular(xs, automaton)


def _spelled(
    before: Automaton, kinds: Mapping[tuple[tuple[int, int], ...], int], words: Sequence[tuple[int, ...]]
) -> Automaton:
    """Return an automaton that reads a word in place of each letter of a kind that another automaton reads."""
    between: dict[tuple[int, int], int] = {}
    read: set[tuple[int, int, int]] = set()
    for some, kind in kinds.items():
        *begin, end = words[kind]
        for state, following in some:
            at = state
            for number in begin:
                into = between.setdefault((at, number), before.states + len(between))
                read.add((at, number, into))
                at = into
            read.add((at, end, following))
    states = before.states + len(between)
    if states > MOST_STATES:
        raise TooWide(f"an automaton of {states} states would be needed to read values so far apart")
    return Automaton(states, before.start, before.accepting, read)


def _connected(to: Narrowing, c: Connected) -> Constraint:
    inside = frozenset(c.values)
    return Connected([to.derived(x, inside, lambda v: int(v in inside)) for x in c.xs], c.edges, (1,))


def _lex_less(to: Narrowing, c: LexLess) -> Constraint:
    pairs = [*zip(c.xs, c.ys, strict=True)]
    if all((x in to.parts) == (y in to.parts) for x, y in pairs):
        xs, ys = (chain.from_iterable(to.parts.get(x, (x,)) for x in side) for side in (c.xs, c.ys))
        return LexLess(xs, ys, c.strict)
    (x, y), *others = reversed(pairs)
    found = to(Compare(x, "<" if c.strict else "<=", y))
    for x, y in others:
        found = Or(to(Compare(x, "<", y)), And(to(Compare(x, "==", y)), found))
    return found


def _same_bag(to: Narrowing, c: MultisetEqual) -> Constraint:
    """Number the values if they are few; otherwise state that each of ``xs`` occurs equally often on both sides."""
    values = sorted({v for x in (*c.xs, *c.ys) for v in to.domains[x]})
    if len(values) <= FEW:
        numbers = {v: i for i, v in enumerate(values)}
        sides = ([to.derived(x, tuple(values), numbers.__getitem__) for x in side] for side in (c.xs, c.ys))
        return MultisetEqual(*sides)
    parts = []
    for x in c.xs:
        here, there = ([to.truth(Compare(x, "==", y), Compare(x, "!=", y)) for y in side] for side in (c.xs, c.ys))
        parts.append(Linear((*([1] * len(here)), *([-1] * len(there))), (*here, *there), "==", 0))
    return And(*parts)


def _logic(to: Narrowing, c: And | Or) -> Constraint:
    return type(c)(*map(to, c.parts))


def _not(to: Narrowing, c: Not) -> Constraint:
    return Not(to(c.part))


def _implies(to: Narrowing, c: Implies) -> Constraint:
    return Implies(to(c.condition), to(c.result))


_STATE: dict[type[Constraint], Callable[[Narrowing, Any], Constraint]] = {
    InDomain: _in_domain, AllDifferent: _all_different, Linear: _linear, Compare: _compare, Table: _table,
    Count: _count, NValue: _n_value, Element: _element, MinMax: _min_max, Regular: _regular, Connected: _connected,
    LexLess: _lex_less, MultisetEqual: _same_bag, And: _logic, Or: _logic, Not: _not, Implies: _implies,
}  # fmt: skip
