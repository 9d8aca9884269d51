"""Constraints as state machines that read the variables one after another."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..model import (
    OPERATORS,
    Compare,
    Constraint,
    Count,
    Domain,
    Element,
    InDomain,
    LexLess,
    Linear,
    MinMax,
    NValue,
    Or,
    Regular,
    Table,
)
from .arithmetic import merged
from .negation import NEGATED
from .unrolling import StateMachine

Domains = Mapping[str, Domain]

SURE = "sure"
"""The state from which every continuation is accepted."""


def machine_of(constraint: Constraint, domains: Domains) -> StateMachine | None:
    """Return the state machine of a constraint; None for a kind (or an Or of kinds) that has none."""
    if isinstance(constraint, Or):
        return _clause(constraint)
    make = _MACHINES.get(type(constraint))
    return make(constraint, domains) if make else None


def _linear(constraint: Linear, domains: Domains) -> StateMachine:
    """The state is the sum so far, or SURE; a state is dropped as soon as no continuation can satisfy the sum."""
    terms = list(merged(constraint).items())
    rest = _rests(terms, domains)
    op, k = constraint.op, constraint.k

    def judge(place: int, total: int) -> Any:
        low, high = total + rest[place][0], total + rest[place][1]
        if not _may(low, high, op, k):
            return None
        return total if _may(low, high, NEGATED[op], k) else SURE

    def step(place: int, state: Any, value: int) -> Any:
        return SURE if state is SURE else judge(place + 1, state + terms[place][1] * value)

    variables = tuple(x for x, _ in terms)
    return StateMachine(variables, 0, step, lambda state: state is SURE or bool(OPERATORS[op](state, k)))


def _rests(terms: list[tuple[str, int]], domains: Domains) -> list[tuple[int, int]]:
    """Return the least and the greatest sum of the remaining terms from each position."""
    found = [(0, 0)]
    for x, c in reversed(terms):
        values = [c * value for value in domains[x]] or [0]
        found.append((found[-1][0] + min(values), found[-1][1] + max(values)))
    return found[::-1]


def _may(low: int, high: int, op: str, k: int) -> bool:
    """Return whether some number from ``low`` to ``high`` is ``op k``."""
    holds = OPERATORS[op]
    return any(holds(n, k) for n in ({low, high, k} if low <= k <= high else {low, high}))


def _compare(constraint: Compare, domains: Domains) -> StateMachine:
    terms = Linear((1, -1), (constraint.x, constraint.y), constraint.op, constraint.c)
    return _linear(terms, domains)


def _in_domain(constraint: InDomain, domains: Domains) -> StateMachine:
    values = frozenset(constraint.values)
    step = lambda place, state, value: value in values or None  # noqa: E731
    return StateMachine((constraint.x,), 0, step, lambda state: state is True)


def _clause(constraint: Or) -> StateMachine | None:
    """An Or of domains: the state is whether one of them was satisfied."""
    parts = [part for part in constraint.parts if isinstance(part, InDomain)]
    if len(parts) < len(constraint.parts):
        return None
    wanted = [frozenset(part.values) for part in parts]
    variables = tuple(part.x for part in parts)
    return StateMachine(variables, False, lambda place, state, value: state or value in wanted[place], bool)


def _table(constraint: Table, domains: Domains) -> StateMachine:
    """The state is the sequence read so far, as long as some tuple starts with it."""
    beginnings = {row[:n] for row in constraint.tuples for n in range(len(row) + 1)}
    allowed = constraint.allowed

    def step(place: int, state: Any, value: int) -> Any:
        if state is SURE or (*state, value) not in beginnings:
            return None if allowed else SURE
        return (*state, value)

    start = () if () in beginnings else SURE
    return StateMachine(constraint.xs, start, step, lambda state: (state in constraint.members) == allowed)


def _then(term: str | int | None) -> tuple[str, ...]:
    return (term,) if isinstance(term, str) else ()


def _compared(variables: tuple[str, ...], start: Any, step: Any, number: Callable[[Any], int], c: Any) -> StateMachine:
    """Read ``variables``, then compare the number that the state represents with the number or variable ``c.y``."""
    holds, y, last = OPERATORS[c.op], c.y, len(variables)
    if not isinstance(y, str):
        return StateMachine(variables, start, step, lambda state: bool(holds(number(state), y)))

    def longer(place: int, state: Any, value: int) -> Any:
        return step(place, state, value) if place < last else SURE if holds(number(state), value) else None

    return StateMachine((*variables, y), start, longer, lambda state: state is SURE)


def _count(constraint: Count, domains: Domains) -> StateMachine:
    """The state is the count so far."""
    values = frozenset(constraint.values)
    return _compared(constraint.xs, 0, lambda place, state, value: state + (value in values), int, constraint)


def _n_value(constraint: NValue, domains: Domains) -> StateMachine:
    """The state is the set of the values so far."""
    return _compared(constraint.xs, frozenset(), lambda place, state, value: state | {value}, len, constraint)


def _regular(constraint: Regular, domains: Domains) -> StateMachine:
    automaton = constraint.automaton
    accepting, arrows = frozenset(automaton.accepting), automaton.next
    step = lambda place, state, value: arrows.get((state, value))  # noqa: E731
    return StateMachine(constraint.xs, automaton.start, step, accepting.__contains__)


def _lex_less(constraint: LexLess, domains: Domains) -> StateMachine:
    """Read in pairs; the state is the first of a pair, "equal" between two pairs, SURE after a smaller one."""
    variables = tuple(x for pair in zip(constraint.xs, constraint.ys, strict=True) for x in pair)

    def step(place: int, state: Any, value: int) -> Any:
        if state is SURE or place % 2 == 0:
            return SURE if state is SURE else value
        return None if state > value else SURE if state < value else "equal"

    return StateMachine(variables, "equal", step, lambda state: state is SURE or not constraint.strict)


def _element(constraint: Element, domains: Domains) -> StateMachine:
    """The state is the index until its place has passed, then the value at that place."""
    xs, y = constraint.xs, constraint.y
    last = len(xs)

    def step(place: int, state: Any, value: int) -> Any:
        if place == 0:
            return ("at", value) if 0 <= value < last else None
        if place <= last:
            return ("is", value) if state == ("at", place - 1) else state
        return SURE if state == ("is", value) else None

    fixed = None if isinstance(y, str) else ("is", y)
    return StateMachine((constraint.i, *xs, *_then(y)), "start", step, lambda state: state in (SURE, fixed))


def _min_max(constraint: MinMax, domains: Domains) -> StateMachine:
    """The state is the least and the greatest value so far (as far as needed); at the end they are compared."""
    xs, lo, hi = constraint.xs, constraint.lo, constraint.hi
    ends = [(at, end) for at, end in enumerate((lo, hi)) if isinstance(end, str)]
    fixed = [(at, end) for at, end in enumerate((lo, hi)) if isinstance(end, int)]
    last = len(xs)

    def step(place: int, state: Any, value: int) -> Any:
        if place < last:
            low, high = state or (value, value)
            return (0 if lo is None else min(low, value), 0 if hi is None else max(high, value))
        return state if state[ends[place - last][0]] == value else None

    variables = (*xs, *(name for _, name in ends))
    return StateMachine(variables, None, step, lambda state: all(state[at] == end for at, end in fixed))


_MACHINES: dict[type[Constraint], Callable[[Any, Domains], StateMachine]] = {
    Linear: _linear,
    Compare: _compare,
    InDomain: _in_domain,
    Table: _table,
    Count: _count,
    NValue: _n_value,
    Regular: _regular,
    LexLess: _lex_less,
    Element: _element,
    MinMax: _min_max,
}
