"""The encoder of certificates: each constraint of a model in clauses, one after another, as simply as possible.

It writes what ``docs/certificates.md`` describes. A formula is unsatisfiable only if the claim holds, provided that
each solution of the model extends to an assignment that satisfies the clauses of every constraint; only this direction
matters, and it is what has to be trusted here. Nothing is shared with the encodings and rewrites that the solvers use.
The tests hold its formulas against brute force.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Sequence
from itertools import combinations
from typing import Any

from .. import model as m
from ..errors import Unsupported
from ..model import OPERATORS, Constraint, Model
from .certificate import Claim, Statement
from .formula import Clause, Clauses, Formula, TooLarge
from .looking import Look, never

Unless = Clause
"""Literals that are part of each clause of a constraint: it binds if all of them are false."""

LADDER = 41
"""From this number of values on, a ladder states that no two are true together."""

MOST_STATES = 200_000
"""The most states of a word."""

AT_MOST_ONE = 8
"""If there are more states than this, it is not stated that no two hold together."""


def formula_of(model: Model, look: Look = never) -> Formula:
    """Return the formula of a model: its domains, then its constraints in order, without the objective.

    Unsupported for a constraint that has no encoding, TooLarge for a formula beyond bounds. ``look`` is called
    repeatedly; an exception from it ends the work.
    """
    base, numbers = of_model(model, look)
    return Formula(base.literals, numbers, base.variables, len(base.all))


def claim_formula(statement: Statement, claim: Claim, found: Sequence[Sequence[int]], look: Look = never) -> Formula:
    """Return the formula that is unsatisfiable if a claim holds.

    It states that there is a solution other than those in ``found`` (values of all variables, in the model's order),
    or, for the claim "optimal", a better one.
    """
    return restated(statement, claim, found, look)[1]


def restated(
    statement: Statement, claim: Claim, found: Sequence[Sequence[int]], look: Look
) -> tuple[list[Clause], Formula]:
    """Return the clauses of ``claim_formula`` one by one, and the formula."""
    base, numbers = of_model(statement.model, look)
    more = of_claim(base, statement, claim, found, look)
    clauses = base.all + more.all
    return clauses, Formula(base.literals, numbers + more.flat(), more.variables, len(clauses))


def of_claim(base: Clauses, statement: Statement, claim: Claim, found: Sequence[Sequence[int]], look: Look) -> Clauses:
    """Return the clauses after those of the model: the narrowed variables, and the negation of the claim."""
    model, clauses = statement.model, base.beyond(look)
    for x, values in statement.domains.items():
        wanted = frozenset(values)
        allowed = [value for value in model.domains[x] if value in wanted]
        if len(allowed) == 1:
            clauses.say(clauses.literals[x, allowed[0]])
        else:
            for value in model.domains[x]:
                if value not in wanted:
                    clauses.say(-clauses.literals[x, value])
    rows = [dict(zip(model.names, row, strict=True)) for row in found]
    if claim is Claim.OPTIMAL and model.objective is not None:
        better = model.objective.better_than(model.objective.value(rows[0]))
        state(clauses, better, True, ())
    elif claim is not Claim.OPTIMAL:
        for row in rows:
            clauses.say(*(-clauses.literals[x, row[x]] for x in statement.keep))
    return clauses


def of_model(model: Model, look: Look) -> tuple[Clauses, array[int]]:
    """Return the clauses of a model without its objective, and their numbers; kept on the model."""
    kept = model.memo.get("certificate formula")
    if isinstance(kept, tuple):
        return kept
    clauses = Clauses(model.domains, look)
    for x in model.names:
        _one_value(clauses, [number for _, number in clauses.values(x)])
    for constraint in model.constraints:
        try:
            state(clauses, constraint, True, ())
        except RecursionError:
            raise Unsupported(f"a constraint is nested too deeply for a certificate: {str(constraint)[:200]}") from None
        look()
    clauses.look = never
    made = clauses, clauses.flat()
    model.memo["certificate formula"] = made
    return made


def _one_value(clauses: Clauses, numbers: list[int]) -> None:
    clauses.say(*numbers)
    if len(numbers) < LADDER:
        for one, other in combinations(numbers, 2):
            clauses.say(-one, -other)
        return
    so_far = 0
    for number in numbers:
        now = clauses.new()
        clauses.say(-number, now)
        if so_far:
            clauses.say(-so_far, now)
            clauses.say(-so_far, -number)
        so_far = now


def state(clauses: Clauses, c: Constraint, true: bool, unless: Unless) -> None:
    """Write that a constraint is true, or that it is false, unless a literal of ``unless`` is true."""
    kind = type(c)
    if kind not in WRITERS:
        raise Unsupported(f"certificates cannot state the kind {kind.__name__}")
    if kind not in (m.And, m.Or, m.Not, m.Implies):
        names = tuple(c.variables())
        clauses.repeats = len(set(names)) < len(names)
    WRITERS[kind](clauses, c, true, unless)


def _implies(clauses: Clauses, c: m.Implies, true: bool, unless: Unless) -> None:
    _logic(clauses, [(c.condition, not true), (c.result, true)], not true, unless)


def _of_parts(clauses: Clauses, c: m.And | m.Or, true: bool, unless: Unless) -> None:
    _logic(clauses, [(part, true) for part in c.parts], true == isinstance(c, m.And), unless)


def _logic(clauses: Clauses, parts: Sequence[tuple[Constraint, bool]], all_of_them: bool, unless: Unless) -> None:
    """Write that all parts are as they should be, or that one is: with a new variable for each but plain domains."""
    if all_of_them:
        for part, true in parts:
            state(clauses, part, true, unless)
        return
    options: list[int] = []
    chosen: list[tuple[Constraint, bool, int]] = []
    for part, true in parts:
        if isinstance(part, m.InDomain):
            options.extend(_values(clauses, part, true))
        else:
            chosen.append((part, true, clauses.new()))
            options.append(chosen[-1][2])
    clauses.say(*unless, *dict.fromkeys(options))
    for part, true, choice in chosen:
        state(clauses, part, true, (*unless, -choice))


def _values(clauses: Clauses, c: m.InDomain, true: bool) -> list[int]:
    wanted = frozenset(c.values)
    return [x for value, x in clauses.values(c.x) if (value in wanted) is true]


def _in_domain(clauses: Clauses, c: m.InDomain, true: bool, unless: Unless) -> None:
    clauses.say(*unless, *_values(clauses, c, true))


def _all_different(clauses: Clauses, c: m.AllDifferent, true: bool, unless: Unless) -> None:
    """No two have the same value, and each value occurs if there are no more values than variables."""
    if not true:
        letters = [clauses.values(x) for x in c.xs]

        def fresh(_: int, seen: frozenset[int], value: int) -> frozenset[int] | None:
            return None if value in seen else seen | {value}

        _read(clauses, letters, frozenset(), fresh, lambda _: True, False, unless)
        return
    places: dict[int, list[int]] = {}
    for x in c.xs:
        for value, literal in clauses.values(x):
            places.setdefault(value, []).append(literal)
    for literals in places.values():
        for one, other in combinations(literals, 2):
            clauses.say(*unless, -one, -other)
    if len(places) == len(c.xs):
        for literals in places.values():
            clauses.say(*unless, *literals)


def _compare(clauses: Clauses, c: m.Compare, true: bool, unless: Unless) -> None:
    others = clauses.values(c.y)
    for a, x in clauses.values(c.x):
        clauses.step(len(others))
        for b, y in [(a, x)] if c.y == c.x else others:
            if bool(OPERATORS[c.op](a, b + c.c)) is not true:
                clauses.say(*unless, -x, -y)


def _table(clauses: Clauses, c: m.Table, true: bool, unless: Unless) -> None:
    """Forbid each tuple, or state that the word of the values is one of the tuples."""
    if c.allowed is not true:
        for row in c.tuples:
            clauses.step(len(row))
            if all(value in clauses.domains[x] for x, value in zip(c.xs, row, strict=True)):
                clauses.say(*unless, *(-clauses.literals[x, value] for x, value in zip(c.xs, row, strict=True)))
        return
    starts: set[object] = {()}
    for row in c.tuples:
        starts.update(row[:length] for length in range(1, len(row) + 1))

    def reading(_: int, so_far: Any, value: int) -> tuple[int, ...] | None:
        return (*so_far, value) if (*so_far, value) in starts else None

    _read(clauses, [clauses.values(x) for x in c.xs], (), reading, starts.__contains__, True, unless)


def _element(clauses: Clauses, c: m.Element, true: bool, unless: Unless) -> None:
    """For each index and each value found there: the result is this value, or is not."""
    for index, i in clauses.values(c.i):
        if index < 0 or index >= len(c.xs):
            if true:
                clauses.say(*unless, -i)
            continue
        clauses.step(len(clauses.domains[c.xs[index]]))
        for value, x in clauses.values(c.xs[index]):
            if isinstance(c.y, str):
                y = clauses.literals.get((c.y, value))
                if true or y:
                    clauses.say(*unless, -i, -x, *([] if y is None else [y if true else -y]))
            elif (c.y == value) is not true:
                clauses.say(*unless, -i, -x)


def _min_max(clauses: Clauses, c: m.MinMax, true: bool, unless: Unless) -> None:
    """The least and the greatest; the negation: one of them is something else."""
    both: tuple[tuple[str | int | None, Better], ...] = ((c.lo, min), (c.hi, max))
    ends = [(end, better) for end, better in both if end is not None]
    bound = [unless] * len(ends) if true or len(ends) == 1 else _one_of(clauses, len(ends), unless)
    for (end, better), escape in zip(ends, bound, strict=True):
        _end(clauses, c.xs, end, better, true, escape)


def _one_of(clauses: Clauses, number: int, unless: Unless) -> list[Unless]:
    """Write that one of some statements holds; return under which literals each need not."""
    choices = [clauses.new() for _ in range(number)]
    clauses.say(*unless, *choices)
    return [(*unless, -choice) for choice in choices]


Better = Callable[[int, int], int]


def _end(clauses: Clauses, xs: Sequence[str], end: str | int, better: Better, true: bool, unless: Unless) -> None:
    letters = [clauses.values(x) for x in xs]
    if isinstance(end, str):
        letters.append(clauses.values(end))

    def reading(at: int, best: object, value: int) -> object:
        """Keep the better of two; at the last place compare the end with it."""
        if at == len(xs):
            return True if best == value else None
        return value if not isinstance(best, int) else better(best, value)

    _read(clauses, letters, "none yet", reading, lambda s: isinstance(end, str) or s == end, true, unless)


def _regular(clauses: Clauses, c: m.Regular, true: bool, unless: Unless) -> None:
    arrows = {(before, value): after for before, value, after in c.automaton.arrows}
    letters = [clauses.values(x) for x in c.xs]
    accepting = set(c.automaton.accepting)

    def reading(_: int, s: int, value: int) -> int | None:
        return arrows.get((s, value))

    _read(clauses, letters, c.automaton.start, reading, accepting.__contains__, true, unless)


def _lex_less(clauses: Clauses, c: m.LexLess, true: bool, unless: Unless) -> None:
    """Pair after pair: equal so far, or less already."""
    letters = [clauses.values(x) for pair in zip(c.xs, c.ys, strict=True) for x in pair]

    def reading(at: int, s: Any, value: int) -> object:
        """Keep the first of a pair, then compare the second with it."""
        if s == "less":
            return s
        if at % 2 == 0:
            return (value,)
        return None if s[0] > value else "less" if s[0] < value else "equal"

    _read(clauses, letters, "equal", reading, lambda s: s == "less" or not c.strict, true, unless)


# Sums


def _total(clauses: Clauses, c: m.Linear, true: bool, unless: Unless) -> None:
    names = list(dict.fromkeys(c.xs))
    factors = [sum(k for k, y in zip(c.coeffs, c.xs, strict=True) if y == x) for x in names]
    letters = [[(k * value, x) for value, x in clauses.values(name)] for k, name in zip(factors, names, strict=True)]
    _sum(clauses, letters, c.op, c.k, true, unless)


def _number_of(clauses: Clauses, c: m.Count, true: bool, unless: Unless) -> None:
    """One for each variable that has one of the values."""
    wanted = frozenset(c.values)
    letters = [[(1 if value in wanted else 0, x) for value, x in clauses.values(name)] for name in c.xs]
    _against(clauses, letters, c.op, c.y, true, unless)


def _distinct(clauses: Clauses, c: m.NValue, true: bool, unless: Unless) -> None:
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


def _same_multiset(clauses: Clauses, c: m.MultisetEqual, true: bool, unless: Unless) -> None:
    """For each value the same number on both sides; the negation: for one value the numbers differ."""
    values = list(dict.fromkeys(value for name in c.scope for value in clauses.domains[name]))
    bound = [unless] * len(values) if true else _one_of(clauses, len(values), unless)
    for value, escape in zip(values, bound, strict=True):
        _sum(clauses, _surplus(clauses, c, value), "==", 0, true, escape)


def _surplus(clauses: Clauses, c: m.MultisetEqual, wanted: int) -> list[Letter]:
    clauses.step(sum(len(clauses.domains[name]) for name in (*c.xs, *c.ys)))
    signs = [(name, 1) for name in c.xs] + [(name, -1) for name in c.ys]
    return [[(sign if value == wanted else 0, x) for value, x in clauses.values(name)] for name, sign in signs]


def _against(clauses: Clauses, letters: list[Letter], op: str, y: str | int, true: bool, unless: Unless) -> None:
    """Compare a sum with a number, or with a variable, which is then subtracted."""
    if isinstance(y, int):
        _sum(clauses, letters, op, y, true, unless)
    else:
        _sum(clauses, [*letters, [(-value, x) for value, x in clauses.values(y)]], op, 0, true, unless)


def _sum(clauses: Clauses, letters: Sequence[Letter], op: str, k: int, true: bool, unless: Unless) -> None:
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
            ends = [OPERATORS[op](low, k), OPERATORS[op](high, k)]
            possible, certain = any(ends), all(ends)
        return "sure" if certain else so_far if possible else None

    def reading(at: int, s: object, value: int) -> object:
        return now(at + 1, s + value) if isinstance(s, int) else s

    _read(clauses, letters, now(0, 0), reading, lambda s: s == "sure", true, unless)


def _demands(clauses: Clauses, c: m.Cumulative, true: bool, unless: Unless) -> None:
    """What runs at each time fits the capacity; the negation: at one time it does not."""
    times = []
    for tasks in c.running(clauses.domains):
        windows = [(need, x, frozenset(window)) for need, x, window in tasks]
        times.append([[(need if v in w else 0, lit) for v, lit in clauses.values(x)] for need, x, w in windows])
    bound = [unless] * len(times) if true else _one_of(clauses, len(times), unless)
    for letters, escape in zip(times, bound, strict=True):
        _sum(clauses, letters, "<=" if true else ">", c.capacity, True, escape)


# Routes


def _round_trip(clauses: Clauses, c: m.Circuit, true: bool, unless: Unless) -> None:
    """Read the successors: each another place; at the end, one trip through all of them."""
    letters = [clauses.values(x) for x in c.xs]

    def reading(_: int, so_far: Any, value: int) -> tuple[int, ...] | None:
        return None if value in so_far or not 0 <= value < len(letters) else (*so_far, value)

    def good(after: Any) -> bool:
        return c.holds(dict(zip(c.xs, after, strict=True)))

    _read(clauses, letters, (), reading, good, true, unless)


def _in_parts(clauses: Clauses, c: Any, true: bool, unless: Unless) -> None:
    _logic(clauses, [(part, true) for part in c.parts(clauses.domains)], true, unless)


# m.Connected groups


def _group(clauses: Clauses, c: m.Connected, true: bool, unless: Unless) -> None:
    """Write that the places inside are connected, or that they fall into two parts without a connection."""
    inside, wanted = [], frozenset(c.values)
    for name in c.xs:
        member = clauses.new()
        literals = [x for value, x in clauses.values(name) if value in wanted]
        for x in literals:
            clauses.say(-x, member)
        clauses.say(-member, *literals)
        inside.append(member)
    if true:
        _one_part(clauses, c, inside, unless)
    else:
        _two_parts(clauses, c, inside, unless)


def _one_part(clauses: Clauses, c: m.Connected, inside: list[int], unless: Unless) -> None:
    """A place inside is 0, 1, 2 ... steps away: 0 only for the first, otherwise a neighbour is one step nearer."""
    size = len(inside)
    clauses.step(size * size)
    away = [[clauses.new() for _ in range(size)] for _ in range(size)]
    for place in range(size):
        clauses.say(*unless, -inside[place], *away[place])
        for steps in away[place]:
            clauses.say(*unless, -steps, inside[place])
        for earlier in range(place):
            clauses.say(*unless, -away[place][0], -inside[earlier])
        beside = dict.fromkeys(c.neighbours[place])
        for steps in range(1, size):
            nearer = [away[other][steps - 1] for other in beside]
            clauses.say(*unless, -away[place][steps], *nearer)


def _two_parts(clauses: Clauses, c: m.Connected, inside: list[int], unless: Unless) -> None:
    """Each place has a colour: one place inside is coloured, one is not, and neighbours inside are alike."""
    colour, ones, others = [], [], []
    for member in inside:
        painted, one, other = clauses.new(), clauses.new(), clauses.new()
        clauses.say(*unless, -one, member)
        clauses.say(*unless, -one, painted)
        clauses.say(*unless, -other, member)
        clauses.say(*unless, -other, -painted)
        colour.append(painted)
        ones.append(one)
        others.append(other)
    clauses.say(*unless, *ones)
    clauses.say(*unless, *others)
    for a, b in c.edges:
        if a != b:
            clauses.say(*unless, -inside[a], -inside[b], -colour[a], colour[b])
            clauses.say(*unless, -inside[a], -inside[b], colour[a], -colour[b])


# Words

Letter = list[tuple[int, int]]
"""What may be read at a place: values with their literals, exactly one of which is true."""

Reading = Callable[[int, Any, int], Hashable]
"""From a place, a state and a value to the next state; None if the word is lost."""

Rows = list[list[tuple[int, ...]]]
"""By place and state: where each value leads, as the number of a state of the next place; LOST if nowhere."""

LOST = -1


def _read(
    clauses: Clauses, word: Sequence[Letter], start: Hashable, reading: Reading, good: Callable[[Any], bool],
    wanted: bool, unless: Unless,
) -> None:  # fmt: skip
    """Write that the word ends well (``wanted`` false: that it does not), unless a literal of ``unless`` is true."""

    def fine(state: Hashable) -> bool:
        return (state is not None and good(state)) == wanted

    rows = _in_order(_rows(clauses, word, start, reading, fine))
    if rows is None:
        clauses.say(*unless)
        return
    sizes = [len(row) for row in rows[1:]]
    states = [[clauses.new() for _ in range(size)] if size > 1 else [] for size in sizes]
    names: list[list[int]] = [[], *states, []]
    for at, letter in enumerate(word):
        after = len(rows[at + 1]) if at + 1 < len(word) else 1
        _write(clauses, letter, rows[at], names[at], names[at + 1], after, unless)


def _rows(
    clauses: Clauses, word: Sequence[Letter], start: Hashable, reading: Reading, fine: Callable[[Hashable], bool]
) -> Rows | None:
    """Return the continuations from each place, with the start as the only first state; None if none ends well."""
    met: list[set[Hashable]] = [{start}]
    room = MOST_STATES
    for at, letter in enumerate(word):
        values = {value for value, _ in letter}
        after: set[Hashable] = set()
        for s in met[-1]:
            clauses.look()
            clauses.step(len(values))
            after.update(None if s is None else reading(at, s, value) for value in values)
            if room < len(after):
                raise TooLarge(
                    f"a constraint has more than {MOST_STATES:,} states, which is more than a certificate may have"
                )
        met.append(after)
        room -= len(after)
    kind = {state: 0 if fine(state) else LOST for state in met[-1]}
    found: Rows = []
    for at in range(len(word) - 1, -1, -1):
        numbers: dict[tuple[int, ...], int] = {}
        before = {}
        for state in met[at]:
            clauses.step(len(word[at]))
            ways = tuple(kind[None if state is None else reading(at, state, value)] for value, _ in word[at])
            before[state] = LOST if set(ways) <= {LOST} else numbers.setdefault(ways, len(numbers))
        found.insert(0, list(numbers))
        kind = before
    return None if kind[start] == LOST else found


def _in_order(rows: Rows | None) -> Rows | None:
    """Number the states of each place in the order in which they are met: state by state, value by value."""
    if not rows:
        return rows
    order, found = [0], []
    for at, row in enumerate(rows):
        ways = [row[old] for old in order]
        order = list(dict.fromkeys(to for way in ways for to in way if to != LOST))
        new = {old: number for number, old in enumerate(order)} if at + 1 < len(rows) else {0: 0}
        found.append([tuple(new.get(to, LOST) for to in way) for way in ways])
    return found


def _write(
    clauses: Clauses, letter: Letter, rows: list[tuple[int, ...]], here: list[int], there: list[int], after: int,
    unless: Unless,
) -> None:  # fmt: skip
    """Write how the states before a letter (named unless there is only one) and those after it are related."""
    for s, row in enumerate(rows):
        source = [-here[s]] if here else []
        for (_, x), to in zip(letter, row, strict=True):
            if to == LOST:
                clauses.say(*unless, *source, -x)
            elif there:
                clauses.say(*unless, *source, -x, there[to])
    if here:
        for k, (_, x) in enumerate(letter):
            clauses.step(len(rows))
            clauses.say(*unless, -x, *(here[s] for s, row in enumerate(rows) if row[k] != LOST))
    if there:
        clauses.say(*unless, *there)
        for k, one in enumerate(there if len(there) <= AT_MOST_ONE else ()):
            for other in there[:k]:
                clauses.say(*unless, -one, -other)
        for to in range(after if here else 0):
            clauses.step(len(rows) * len(letter))
            clauses.say(*unless, -there[to], *(here[s] for s, row in enumerate(rows) if to in row))


WRITERS: dict[type[Constraint], Callable[[Clauses, Any, bool, Unless], None]] = {
    m.AllDifferent: _all_different,
    m.And: _of_parts,
    m.Circuit: _round_trip,
    m.Compare: _compare,
    m.Connected: _group,
    m.Count: _number_of,
    m.Cumulative: _demands,
    m.Element: _element,
    m.GlobalCardinality: _in_parts,
    m.Implies: _implies,
    m.InDomain: _in_domain,
    m.Inverse: _in_parts,
    m.LexLess: _lex_less,
    m.LexLessWhere: _in_parts,
    m.Linear: _total,
    m.MinMax: _min_max,
    m.MultisetEqual: _same_multiset,
    m.NoOverlap: _in_parts,
    m.NoSubsetSum: _in_parts,
    m.Not: lambda clauses, c, true, unless: state(clauses, c.part, not true, unless),
    m.NValue: _distinct,
    m.Or: _of_parts,
    m.Regular: _regular,
    m.Table: _table,
}
"""Every kind of constraint that a certificate can state."""
