"""Core constraints as words that an automaton accepts, so that exactly the possible values of each cell are kept.

A state contains all that matters about the values so far: a count, the values seen, the least and the greatest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..model import Constraint, Count, Domain, LexLess, MinMax, MultisetEqual, NValue, Regular
from ..model.constraint import OPERATORS
from .atoms import AutomatonAtom

MOST_STATES = 20_000
"""The most states between two positions."""

State = Any
Step = Callable[[State, int], State]
"""From a state and a value to the next state; None if the value is impossible."""
Accepts = Callable[[State], bool]
Machine = tuple[Sequence[tuple[str, Step]], State, Accepts]
"""What happens at each position (the variable there, the step), the initial state, and whether a final one accepts."""


def automaton_atom(constraint: Constraint, domains: Mapping[str, Domain], low: int) -> AutomatonAtom | None:
    """Return a constraint as an automaton over its scope; None for other kinds, or if there are too many states."""
    if type(constraint) not in MACHINES or not constraint.scope:
        return None
    positions, start, accepts = MACHINES[type(constraint)](constraint)
    place = {x: i for i, x in enumerate(dict.fromkeys(constraint.scope))}
    numbers: dict[State, int] = {start: 0}
    layers: list[dict[int, list[tuple[int, int]]]] = []
    for x, step in positions:
        arrows: dict[int, list[tuple[int, int]]] = {}
        after: dict[State, int] = {}
        for state, number in numbers.items():
            for value in domains[x]:
                found = step(state, value)
                if found is not None:
                    arrows.setdefault(number, []).append((value - low, after.setdefault(found, len(after))))
        if len(after) > MOST_STATES:
            return None
        layers.append(arrows)
        numbers = after
    accepting = frozenset(number for state, number in numbers.items() if accepts(state))
    return AutomatonAtom(tuple(layers), 0, accepting, tuple(place[x] for x, _ in positions))


def _compared(op: str, y: str | int, size: Callable[[State], int]) -> tuple[list[tuple[str, Step]], Accepts]:
    """Return the end of a machine, which compares the result with a variable or a number."""

    def step(state: State, value: int) -> State:
        return () if OPERATORS[op](size(state), value) else None

    if isinstance(y, str):
        return [(y, step)], lambda state: state == ()
    return [], lambda state: OPERATORS[op](size(state), y)


def _count(c: Count) -> Machine:
    wanted = frozenset(c.values)
    end, accepts = _compared(c.op, c.y, int)
    return [*((x, lambda state, value: state + (value in wanted)) for x in c.xs), *end], 0, accepts


def _nvalue(c: NValue) -> Machine:
    end, accepts = _compared(c.op, c.y, len)
    return [*((x, lambda state, value: state | {value}) for x in c.xs), *end], frozenset(), accepts


def _min_max(c: MinMax) -> Machine:
    """The state is the least value and the greatest one, each 0 if it is not needed."""

    def seen(state: State, value: int) -> State:
        low, high = (value, value) if state == () else (min(state[0], value), max(state[1], value))
        return (low if c.lo is not None else 0), (high if c.hi is not None else 0)

    def least(state: State, value: int) -> State:
        return state if state[0] == value else None

    def greatest(state: State, value: int) -> State:
        return state if state[1] == value else None

    def accepts(state: State) -> bool:
        fine = not isinstance(c.lo, int) or state[0] == c.lo
        return fine and (not isinstance(c.hi, int) or state[1] == c.hi)

    ends = [(y, check) for y, check in ((c.lo, least), (c.hi, greatest)) if isinstance(y, str)]
    return [*((x, seen) for x in c.xs), *ends], (), accepts


def _lex_less(c: LexLess) -> Machine:
    """The state is "less" when that is settled, () while both are equal, or the value to be compared."""

    def first(state: State, value: int) -> State:
        return state if state == "less" else (value,)

    def second(state: State, value: int) -> State:
        if state == "less" or state[0] < value:
            return "less"
        return () if state[0] == value else None

    pairs = [pair for x, y in zip(c.xs, c.ys, strict=True) for pair in ((x, first), (y, second))]
    return pairs, (), lambda state: state == "less" or (not c.strict and state == ())


def _multiset(c: MultisetEqual) -> Machine:
    """The state is the outstanding number of each value, as sorted pairs."""

    def changed(by: int) -> Step:
        def step(state: State, value: int) -> State:
            owed = {**dict(state), value: dict(state).get(value, 0) + by}
            return tuple(sorted((v, n) for v, n in owed.items() if n))

        return step

    more, less = changed(1), changed(-1)
    return [*((x, more) for x in c.xs), *((y, less) for y in c.ys)], (), lambda state: state == ()


def _regular(c: Regular) -> Machine:
    arrows = {(state, value): after for state, value, after in c.automaton.arrows}
    accepting = frozenset(c.automaton.accepting)

    def step(state: State, value: int) -> State:
        return arrows.get((state, value))

    return [(x, step) for x in c.xs], c.automaton.start, accepting.__contains__


MACHINES: Mapping[type[Constraint], Callable[[Any], Machine]] = {
    Count: _count,
    NValue: _nvalue,
    MinMax: _min_max,
    LexLess: _lex_less,
    MultisetEqual: _multiset,
    Regular: _regular,
}
