"""State machines that read variables one after another, and the tables that their steps become.

The machines are deterministic; their states are any hashable values. Unrolled over the variables, a machine is a
decision diagram. States from which nothing is accepted are omitted, and states that accept the same continuations are
merged, so the tables are as small as this order of the variables allows. The variables before a state determine it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..model import Constraint, Domain, InDomain, Table
from .rewrite import Scratch

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
