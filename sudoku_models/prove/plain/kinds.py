"""Each kind of constraint in clauses, as the second encoder writes it: that it is true, or that it is false."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ...model import (
    AllDifferent,
    And,
    Compare,
    Constraint,
    Element,
    Implies,
    InDomain,
    LexLess,
    MinMax,
    Not,
    Or,
    Regular,
    Table,
)
from .clauses import PlainClauses, Unstatable
from .groups import group
from .totals import distinct, number_of, same_multiset, total, true_of
from .word_clauses import Letter, read

Unless = tuple[int, ...]
Parts = Iterable[tuple[Constraint, bool]]


def state(clauses: PlainClauses, c: Constraint, true: bool, unless: Unless) -> None:
    """Write that a constraint is true, or that it is false, unless a literal of ``unless`` is true."""
    match c:
        case Not():
            state(clauses, c.part, not true, unless)
        case And():
            _logic(clauses, [(part, true) for part in c.parts], true, unless)
        case Or():
            _logic(clauses, [(part, true) for part in c.parts], not true, unless)
        case Implies():
            _logic(clauses, [(c.condition, not true), (c.result, true)], not true, unless)
        case _:
            _simple(clauses, c, true, unless)


def _simple(clauses: PlainClauses, c: Constraint, true: bool, unless: Unless) -> None:
    writer = WRITERS.get(type(c).__name__)
    if writer is None:
        raise Unstatable(f"the kind {type(c).__name__} cannot be stated again")
    names = tuple(c.variables())
    clauses.repeats = len(set(names)) < len(names)
    writer(clauses, c, true, unless)


def _logic(clauses: PlainClauses, parts: Parts, all_of_them: bool, unless: Unless) -> None:
    """Write that all parts are as they should be, or that one is: with a new variable for each but plain domains."""
    parts = list(parts)
    if all_of_them:
        for part, true in parts:
            state(clauses, part, true, unless)
        return
    options: list[int] = []
    chosen: list[tuple[Constraint, bool, int]] = []
    for part, true in parts:
        if isinstance(part, InDomain):
            options.extend(_values(clauses, part, true))
        else:
            chosen.append((part, true, clauses.new()))
            options.append(chosen[-1][2])
    clauses.say(*unless, *dict.fromkeys(options))
    for part, true, choice in chosen:
        state(clauses, part, true, (*unless, -choice))


def _values(clauses: PlainClauses, c: InDomain, true: bool) -> list[int]:
    wanted = frozenset(c.values)
    return [x for value, x in clauses.values(c.x) if (value in wanted) is true]


def _in_domain(clauses: PlainClauses, c: InDomain, true: bool, unless: Unless) -> None:
    clauses.say(*unless, *_values(clauses, c, true))


def _all_different(clauses: PlainClauses, c: AllDifferent, true: bool, unless: Unless) -> None:
    """No two have the same value, and each value occurs if there are no more values than variables."""
    if not true:
        letters = [clauses.values(x) for x in c.xs]
        read(clauses, letters, frozenset(), _met, lambda _: True, False, unless)
        return
    places: dict[int, list[int]] = {}
    for x in c.xs:
        for value, literal in clauses.values(x):
            places.setdefault(value, []).append(literal)
    for literals in places.values():
        for k, one in enumerate(literals):
            for other in literals[k + 1 :]:
                clauses.say(*unless, -one, -other)
    if len(places) == len(c.xs):
        for literals in places.values():
            clauses.say(*unless, *literals)


def _met(_: int, seen: object, value: int) -> frozenset[int] | None:
    assert isinstance(seen, frozenset)
    return None if value in seen else seen.union((value,))


def _compare(clauses: PlainClauses, c: Compare, true: bool, unless: Unless) -> None:
    """Forbid each pair of values that violates the comparison."""
    others = clauses.values(c.y)
    for a, x in clauses.values(c.x):
        clauses.step(len(others))
        for b, y in [(a, x)] if c.y == c.x else others:
            if true_of(a, c.op, b + c.c) is not true:
                clauses.say(*unless, -x, -y)


def _table(clauses: PlainClauses, c: Table, true: bool, unless: Unless) -> None:
    """Forbid each tuple, or state that the word of the values is one of the tuples."""
    if c.allowed is not true:
        for row in c.tuples:
            clauses.step(len(row))
            if all(value in clauses.domains[x] for x, value in zip(c.xs, row, strict=True)):
                clauses.say(*unless, *(-clauses.number[x, value] for x, value in zip(c.xs, row, strict=True)))
        return
    starts: set[object] = {()}
    for row in c.tuples:
        starts.update(row[:length] for length in range(1, len(row) + 1))

    def reading(_: int, so_far: object, value: int) -> tuple[int, ...] | None:
        """Append a value to those read; None if no tuple starts so."""
        assert isinstance(so_far, tuple)
        return (*so_far, value) if (*so_far, value) in starts else None

    read(clauses, [clauses.values(x) for x in c.xs], (), reading, starts.__contains__, True, unless)


def _element(clauses: PlainClauses, c: Element, true: bool, unless: Unless) -> None:
    """For each index and each value found there: the result is this value, or is not."""
    for index, i in clauses.values(c.i):
        if index < 0 or index >= len(c.xs):
            if true:
                clauses.say(*unless, -i)
            continue
        clauses.step(len(clauses.domains[c.xs[index]]))
        for value, x in clauses.values(c.xs[index]):
            if isinstance(c.y, str):
                y = clauses.number.get((c.y, value))
                if true or y:
                    clauses.say(*unless, -i, -x, *([] if y is None else [y if true else -y]))
            elif (c.y == value) is not true:
                clauses.say(*unless, -i, -x)


def _min_max(clauses: PlainClauses, c: MinMax, true: bool, unless: Unless) -> None:
    """The least and the greatest; the negation: one of them is something else."""
    ends: list[tuple[str | int, Callable[[int, int], int]]] = []
    if c.lo is not None:
        ends.append((c.lo, min))
    if c.hi is not None:
        ends.append((c.hi, max))
    if true or len(ends) == 1:
        for end, better in ends:
            _end(clauses, c.xs, end, better, true, unless)
    elif not ends:
        clauses.say(*unless)
    else:
        choices = [clauses.new(), clauses.new()]
        clauses.say(*unless, *choices)
        for (end, better), choice in zip(ends, choices, strict=True):
            _end(clauses, c.xs, end, better, False, (*unless, -choice))


def _end(
    clauses: PlainClauses,
    xs: Sequence[str],
    end: str | int,
    better: Callable[[int, int], int],
    true: bool,
    unless: Unless,
) -> None:
    letters = [clauses.values(x) for x in xs]
    if isinstance(end, str):
        letters.append(clauses.values(end))

    def reading(at: int, best: object, value: int) -> object:
        """Keep the better of two; at the last place compare the end with it."""
        if at == len(xs):
            return True if best == value else None
        return value if not isinstance(best, int) else better(best, value)

    read(clauses, letters, "none yet", reading, lambda s: isinstance(end, str) or s == end, true, unless)


def _regular(clauses: PlainClauses, c: Regular, true: bool, unless: Unless) -> None:
    """The word of the automaton."""
    arrows = {(before, value): after for before, value, after in c.automaton.arrows}
    letters = [clauses.values(x) for x in c.xs]
    accepting = set(c.automaton.accepting)

    def reading(_: int, s: object, value: int) -> int | None:
        """Follow an arrow; None if there is none."""
        assert isinstance(s, int)
        return arrows.get((s, value))

    read(clauses, letters, c.automaton.start, reading, accepting.__contains__, true, unless)


def _lex_less(clauses: PlainClauses, c: LexLess, true: bool, unless: Unless) -> None:
    """Pair after pair: equal so far, or less already."""
    letters: list[Letter] = []
    for x, y in zip(c.xs, c.ys, strict=True):
        letters += [clauses.values(x), clauses.values(y)]

    def reading(at: int, s: object, value: int) -> object:
        """Keep the first of a pair, then compare the second with it."""
        if s == "less":
            return s
        if at % 2 == 0:
            return (value,)
        assert isinstance(s, tuple)
        return None if s[0] > value else "less" if s[0] < value else "equal"

    read(clauses, letters, "equal", reading, lambda s: s == "less" or not c.strict, true, unless)


WRITERS: dict[str, Callable[..., None]] = {
    "AllDifferent": _all_different,
    "Compare": _compare,
    "Connected": group,
    "Count": number_of,
    "Element": _element,
    "InDomain": _in_domain,
    "LexLess": _lex_less,
    "Linear": total,
    "MinMax": _min_max,
    "MultisetEqual": same_multiset,
    "NValue": distinct,
    "Regular": _regular,
    "Table": _table,
}
"""The kinds without parts, by name."""
