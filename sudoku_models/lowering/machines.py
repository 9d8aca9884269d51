"""Constraints read variable by variable: state machines, the tables that their steps become, and plain tables.

The machines are deterministic; their states are any hashable values. Unrolled over the variables, a machine is a
decision diagram. States from which nothing is accepted are omitted, and states that accept the same continuations are
merged, so the tables are as small as this order of the variables allows. The variables before a state determine it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
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
from .rewrite import Rewrite, Scratch

Step = Callable[[int, Any, int], Any]
"""From (position of the variable, state, value) to the next state; None is a dead end."""

Arrows = dict[int, int]
"""From each value that may follow to the class of the next state."""

Edge = tuple[int, int, int]
"""(class before the variable, value, class after it)"""


@dataclass(frozen=True)
class StateMachine:
    """A constraint as a deterministic automaton that reads the values of its ``variables`` in this order."""

    variables: tuple[str, ...]
    start: Hashable
    step: Step
    accepts: Callable[[Any], bool]

    def judged(self, name: str) -> StateMachine:
        """Return a machine that also reads a variable which must be 1 if this machine accepts, otherwise 0."""
        last = len(self.variables)

        def step(place: int, state: Any, value: int) -> Any:
            if place < last:
                return _DEAD if state is _DEAD or (after := self.step(place, state, value)) is None else after
            return True if (state is not _DEAD and self.accepts(state)) == bool(value) else None

        return StateMachine((*self.variables, name), self.start, step, lambda state: state is True)


class _Dead:
    """The state after a dead end, for a machine that reads on to its last variable."""


_DEAD = _Dead()


class TooLong(Exception):
    """A machine has more steps than the limit allows."""


def steps(machine: StateMachine, domains: Mapping[str, Domain], most: int) -> int | None:
    """Return the number of steps of a machine over these domains; None above ``most``."""
    try:
        return sum(len(arrows) for layer in _explored(machine, domains, most) for arrows in layer.values())
    except TooLong:
        return None


def unrolled(machine: StateMachine, scratch: Scratch, most: int, hint: str = "state") -> list[Constraint]:
    """State a machine by tables over each variable and the states before and after it."""
    if not machine.variables:
        return [] if machine.accepts(machine.start) else [Table((), ())]
    layers = _merged(machine, _explored(machine, scratch.watched, most), scratch.check)
    if not layers[0]:
        return [InDomain(machine.variables[0], ())]
    return _Tables(machine.variables, layers, scratch, hint).made()


def _explored(machine: StateMachine, domains: Mapping[str, Domain], most: int) -> list[dict[Any, dict[int, Any]]]:
    """Return the steps that a machine may take over these domains: for each variable, those from each state."""
    layers: list[dict[Any, dict[int, Any]]] = []
    states, left = [machine.start], most
    for place, variable in enumerate(machine.variables):
        layer: dict[Any, dict[int, Any]] = {}
        for state in states:
            left -= len(domains[variable])
            if left < 0:
                raise TooLong
            after = ((value, machine.step(place, state, value)) for value in domains[variable])
            layer[state] = {value: reached for value, reached in after if reached is not None}
        layers.append(layer)
        states = list(dict.fromkeys(reached for arrows in layer.values() for reached in arrows.values()))
    return layers


def _merged(
    machine: StateMachine, layers: Sequence[Mapping[Any, Mapping[int, Any]]], check: Callable[[], object]
) -> list[list[Arrows]]:
    """Return for each variable the classes of states before it, each by its arrows; dead states belong to none."""
    ends = {reached for arrows in layers[-1].values() for reached in arrows.values()}
    class_of = {state: 0 for state in ends if machine.accepts(state)}
    found: list[list[Arrows]] = []
    for layer in reversed(layers):
        numbers: dict[tuple[tuple[int, int], ...], int] = {}
        before: dict[Any, int] = {}
        for state, arrows in layer.items():
            check()
            live = tuple((value, class_of[reached]) for value, reached in arrows.items() if reached in class_of)
            if live:
                before[state] = numbers.setdefault(live, len(numbers))
        found.append([dict(live) for live in numbers])
        class_of = before
    return found[::-1]


class _Tables:
    """Writes the layers as tables; a state that is unique, or equals the first variable's value, needs no variable."""

    def __init__(
        self, variables: Sequence[str], layers: Sequence[Sequence[Arrows]], scratch: Scratch, hint: str
    ) -> None:
        self.variables, self.layers, self.scratch, self.hint = variables, layers, scratch, hint
        self.first = self._first_values()

    def _first_values(self) -> dict[int, int] | None:
        """Return the first variable's value in each state after it, if every state has a different one."""
        after = self.layers[0][0]
        several = len(self.layers) > 1 and len(self.layers[1]) > 1
        return (
            {state: value for value, state in after.items()}
            if several and len(set(after.values())) == len(after)
            else None
        )

    def made(self) -> list[Constraint]:
        """Return the tables; a variable on which nothing depends has none."""
        names: list[str | None] = [None, *map(self._name, range(1, len(self.layers))), None]
        found: list[Constraint] = []
        for place, variable in enumerate(self.variables):
            edges = [(a, v, b) for a, arrows in enumerate(self.layers[place]) for v, b in arrows.items()]
            if place <= 1 and self.first is not None:
                edges = [self._by_value(place, edge) for edge in edges]
            found += _table(names[place], variable, names[place + 1], edges, self.scratch)
        return found

    def _name(self, place: int) -> str | None:
        if place == 1 and self.first is not None:
            return self.variables[0]
        count = len(self.layers[place])
        return self.scratch.auxiliary(self.hint, tuple(range(count))) if count > 1 else None

    def _by_value(self, place: int, edge: Edge) -> Edge:
        assert self.first is not None
        a, value, b = edge
        return (a, value, self.first[b]) if place == 0 else (self.first[a], value, b)


def _table(
    before: str | None, variable: str, after: str | None, edges: list[Edge], scratch: Scratch
) -> list[Constraint]:
    names = (before, variable, None if after == variable else after)
    places = [i for i, name in enumerate(names) if name is not None]
    rows = {tuple(edge[i] for i in places) for edge in edges}
    if len(places) > 1:
        return [Table([names[i] for i in places if names[i]], rows)]  # type: ignore[misc]
    values = {row[0] for row in rows}
    return [] if values.issuperset(scratch.domains[variable]) else [InDomain(variable, values)]


# ---------------------------------------------------------------- the machine of each kind


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


def _transition_table(constraint: Table, domains: Domains) -> StateMachine:
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
    Table: _transition_table,
    Count: _count,
    NValue: _n_value,
    Regular: _regular,
    LexLess: _lex_less,
    Element: _element,
    MinMax: _min_max,
}


# ---------------------------------------------------------------- rewrites to tables


LARGEST = 20_000
"""The most assignments that are tried to list the tuples of one constraint."""

LARGEST_OR = 2_000
"""The same for an Or, whose parts may be stated separately."""


def size(constraint: Constraint, domains: Mapping[str, Domain]) -> float | None:
    """Return the number of assignments to try; None above LARGEST."""
    assignments = prod(len(domains[x]) for x in constraint.scope)
    return assignments if assignments <= (LARGEST_OR if isinstance(constraint, Or) else LARGEST) else None


def tabulated(constraint: Constraint, scratch: Scratch) -> list[Constraint]:
    """Return one Table over the scope: the allowed tuples, or the forbidden ones if there are fewer."""
    xs = constraint.scope
    rows = list(product(*(scratch.domains[x] for x in xs)))
    good = [row for row in rows if constraint.holds(dict(zip(xs, row, strict=True)))]
    if 2 * len(good) <= len(rows):
        return [Table(xs, good)]
    allowed = set(good)
    return [Table(xs, [row for row in rows if row not in allowed], allowed=False)]


def tables(kind: type[Constraint]) -> Rewrite:
    """Return the rewrite of one kind to tables."""
    return Rewrite(f"{kind.__name__} to a table", kind, frozenset({Table}), size, tabulated)


MOST = 1_000_000
"""The most rows that the tables of one constraint may have."""


MOST_SETS = 20_000
"""The same if states are sets of values: there is a better rewrite for large ones."""


def _cost(constraint: Constraint, domains: Mapping[str, Domain]) -> float | None:
    machine = machine_of(constraint, domains)
    return None if machine is None else steps(machine, domains, MOST_SETS if isinstance(constraint, NValue) else MOST)


def _long_cost(constraint: Constraint, domains: Mapping[str, Domain]) -> float | None:
    assert isinstance(constraint, Linear)
    return _cost(constraint, domains) if len(merged(constraint)) > 2 else None


def _apply(hint: str) -> Callable[[Constraint, Scratch], list[Constraint]]:
    def apply(constraint: Constraint, scratch: Scratch) -> list[Constraint]:
        machine = machine_of(constraint, scratch.domains)
        assert machine is not None
        return unrolled(machine, scratch, MOST, hint)

    return apply


def chain(name: str, kind: type[Constraint], hint: str) -> Rewrite:
    """Return the rewrite of one kind to the tables of its automaton."""
    cost = _long_cost if kind is Linear else _cost
    return Rewrite(name, kind, frozenset({Table, InDomain}), cost, _apply(hint))
