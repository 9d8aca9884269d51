"""Constraints read variable by variable: state machines, the tables that their steps become, and plain tables.

The machines are deterministic; their states are any hashable values. Unrolled over the variables, a machine is a
decision diagram. States from which nothing is accepted are omitted, and states that accept the same continuations are
merged, so the tables are as small as this order of the variables allows. The variables before a state determine it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import product
from math import prod
from typing import Any

from ..dataclass import dataclass
from ..model import OPERATORS, Domain
from ..model.constraint import Constraint, within
from ..model.kinds import *
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


_DEAD = object()
"""The state after a dead end, for a machine that reads on to its last variable."""


def steps(machine: StateMachine, scratch: Scratch, most: int) -> int | None:
    """Return the number of steps of a machine over the present domains; None above ``most``."""
    layers = _explored(machine, scratch.domains, most, scratch.check)
    return None if layers is None else sum(len(arrows) for layer in layers for arrows in layer.values())


def unrolled(machine: StateMachine, scratch: Scratch, most: int, hint: str = "state") -> list[Constraint]:
    """State a machine of at most ``most`` steps by tables over each variable and the states before and after it."""
    if not machine.variables:
        return [] if machine.accepts(machine.start) else [Table((), ())]
    layers = classes(machine, scratch.domains, most, scratch.check)
    assert layers is not None
    return _tables(machine.variables, layers, scratch, hint) if layers[0] else [InDomain(machine.variables[0], ())]


def classes(
    machine: StateMachine, domains: Mapping[str, Domain], most: int, check: Callable[[], object] = bool
) -> list[list[Arrows]] | None:
    """Return for each variable the classes of states before it, each by its arrows; None above ``most`` steps.

    The first variable has one class, or none if nothing is accepted; the only one after the last variable is 0.
    """
    layers = _explored(machine, domains, most, check)
    return None if layers is None else _merged(machine, layers, check)


def _explored(
    machine: StateMachine, domains: Mapping[str, Domain], most: int, check: Callable[[], object]
) -> list[dict[Any, dict[int, Any]]] | None:
    """Return the steps that a machine may take over these domains: for each variable, those from each state.

    Returns None if there are more than ``most``.
    """
    layers: list[dict[Any, dict[int, Any]]] = []
    states, left = [machine.start], most
    for place, variable in enumerate(machine.variables):
        layer: dict[Any, dict[int, Any]] = {}
        for state in states:
            check()
            left -= len(domains[variable])
            if left < 0:
                return None
            after = ((value, machine.step(place, state, value)) for value in domains[variable])
            layer[state] = {value: reached for value, reached in after if reached is not None}
        layers.append(layer)
        states = list(dict.fromkeys(reached for arrows in layer.values() for reached in arrows.values()))
    return layers


def _merged(
    machine: StateMachine, layers: Sequence[Mapping[Any, Mapping[int, Any]]], check: Callable[[], object]
) -> list[list[Arrows]]:
    """Merge the states before each variable that accept the same continuations; dead states belong to no class."""
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


def _tables(
    variables: Sequence[str], layers: Sequence[Sequence[Arrows]], scratch: Scratch, hint: str
) -> list[Constraint]:
    """Write the layers as tables; a variable on which nothing depends has none.

    A state that is the only one, or that equals the first variable's value, needs no variable.
    """
    first = {state: value for value, state in layers[0][0].items()}
    if len(layers) == 1 or len(layers[1]) < 2 or len(first) < len(layers[0][0]):
        first = {}
    names: list[str | None] = [None]
    for place, layer in enumerate(layers[1:]):
        counted = (
            None if len(layer) == 1 or (first and not place) else scratch.auxiliary(hint, tuple(range(len(layer))))
        )
        names.append(variables[0] if first and not place else counted)
    found: list[Constraint] = []
    for place, (variable, layer) in enumerate(zip(variables, layers, strict=True)):
        edges = [(a, v, b) for a, arrows in enumerate(layer) for v, b in arrows.items()]
        if first and place <= 1:
            edges = [(a, v, first[b]) if place == 0 else (first[a], v, b) for a, v, b in edges]
        after = names[place + 1] if place + 1 < len(names) else None
        found += _table((names[place], variable, None if after == variable else after), edges, scratch)
    return found


def _table(names: tuple[str | None, str, str | None], edges: list[Edge], scratch: Scratch) -> list[Constraint]:
    """Return a table over the state before a variable, the variable, and the state after it, where they have names."""
    places = [i for i, name in enumerate(names) if name is not None]
    rows = {tuple(edge[i] for i in places) for edge in edges}
    if len(places) > 1:
        return [Table([names[i] for i in places if names[i]], rows)]  # type: ignore[misc]
    values = {row[0] for row in rows}
    return [] if values.issuperset(scratch.domains[names[1]]) else [InDomain(names[1], values)]


# ---------------------------------------------------------------- the machine of each kind


Domains = Mapping[str, Domain]

SURE = "sure"
"""The state from which every continuation is accepted."""


def machine_of(constraint: Constraint, domains: Domains) -> StateMachine | None:
    """Return the state machine of a constraint; None for a kind (or an Or of kinds) that has none."""
    make = _MACHINES.get(type(constraint))
    return make(constraint, domains) if make else None


def _linear(constraint: Linear, domains: Domains) -> StateMachine:
    """The state is the sum so far, or SURE; a state is dropped as soon as no continuation can satisfy the sum.

    The greatest terms come first: then few sums can still be right, which makes words as numbers (SEND + MORE) small.
    """
    terms = sorted(merged(constraint).items(), key=lambda term: -abs(term[1]))
    rest = _rests(terms, domains)
    op, k = constraint.op, constraint.k

    def judge(place: int, total: int) -> Any:
        low, high = total + rest[place][0], total + rest[place][1]
        if not within(low, high, op, k):
            return None
        return total if within(low, high, NEGATED[op], k) else SURE

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


def _in_domain(c: InDomain, domains: Domains) -> StateMachine:
    values = frozenset(c.values)
    return StateMachine((c.x,), 0, lambda place, state, value: value in values or None, lambda state: state is True)


def _clause(constraint: Or, domains: Domains) -> StateMachine | None:
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


def _compared(variables: tuple[str, ...], start: Any, step: Any, number: Callable[[Any], int], c: Any) -> StateMachine:
    """Read ``variables``, then compare the number that the state represents with the number or variable ``c.y``."""
    holds, y, last = OPERATORS[c.op], c.y, len(variables)
    if not isinstance(y, str):
        return StateMachine(variables, start, step, lambda state: bool(holds(number(state), y)))

    def longer(place: int, state: Any, value: int) -> Any:
        return step(place, state, value) if place < last else SURE if holds(number(state), value) else None

    return StateMachine((*variables, y), start, longer, lambda state: state is SURE)


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
    result = (y,) if isinstance(y, str) else ()
    return StateMachine((constraint.i, *xs, *result), "start", step, lambda state: state in (SURE, fixed))


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


def _multiset(constraint: MultisetEqual, domains: Domains) -> StateMachine:
    """The state is how often each value is still to come on the other side, as sorted pairs."""
    turn = len(constraint.xs)

    def step(place: int, state: Any, value: int) -> Any:
        owed = dict(state)
        owed[value] = owed.get(value, 0) + (1 if place < turn else -1)
        return tuple(sorted((v, n) for v, n in owed.items() if n))

    return StateMachine((*constraint.xs, *constraint.ys), (), step, lambda state: state == ())


_MACHINES: dict[type[Constraint], Callable[[Any, Domains], StateMachine | None]] = {
    Or: _clause,
    Linear: _linear,
    Compare: lambda c, domains: _linear(Linear((1, -1), (c.x, c.y), c.op, c.c), domains),
    InDomain: _in_domain,
    Table: _transition_table,
    # the state is the count so far
    Count: lambda c, domains: _compared(
        c.xs, 0, lambda _, state, value, own=frozenset(c.values): state + (value in own), int, c
    ),
    # the state is the set of the values so far
    NValue: lambda c, domains: _compared(c.xs, frozenset(), lambda place, state, value: state | {value}, len, c),
    Regular: lambda c, domains: StateMachine(
        c.xs,
        c.automaton.start,
        lambda place, state, value: c.automaton.next.get((state, value)),
        frozenset(c.automaton.accepting).__contains__,
    ),
    LexLess: _lex_less,
    Element: _element,
    MinMax: _min_max,
    MultisetEqual: _multiset,
}


# ---------------------------------------------------------------- rewrites to tables


LARGEST = 20_000
"""The most assignments that are tried to list the tuples of one constraint."""

LARGEST_OR = 2_000
"""The same for an Or, whose parts may be stated separately."""


def size(constraint: Constraint, scratch: Scratch) -> float | None:
    """Return the number of assignments to try; None above LARGEST."""
    assignments = prod(len(scratch.domains[x]) for x in constraint.scope)
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
    return Rewrite(f"{kind.__name__} to a table", kind, frozenset({Table}), size, tabulated)


MOST = 1_000_000
"""The most rows that the tables of one constraint may have."""

FEWER: dict[type[Constraint], int] = {NValue: 20_000, Or: 20_000}
"""The same for kinds that have a better rewrite if they are large."""


def chain(name: str, kind: type[Constraint], hint: str) -> Rewrite:
    """Return the rewrite of one kind to the tables of its automaton."""

    def cost(constraint: Constraint, scratch: Scratch) -> float | None:
        if isinstance(constraint, Linear) and len(merged(constraint)) <= 2:
            return None
        machine = machine_of(constraint, scratch.domains)
        return None if machine is None else steps(machine, scratch, FEWER.get(kind, MOST))

    def apply(constraint: Constraint, scratch: Scratch) -> list[Constraint]:
        machine = machine_of(constraint, scratch.domains)
        assert machine is not None
        return unrolled(machine, scratch, MOST, hint)

    return Rewrite(name, kind, frozenset({Table, InDomain}), cost, apply)
