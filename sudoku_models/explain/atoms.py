"""Atoms, the units of deduction: each makes the candidates of its cells consistent with one stated thing.

Candidates of a cell are the bits of an integer of any width (bit i: the value ``low`` + i). What an atom states has one
of a few forms; ``memory`` writes them for the kernels, which narrow candidates: always those of a snapshot, so the
result never depends on the order of cells, values or atoms.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from math import comb
from operator import or_
from typing import Any

from ..lowering.machines import StateMachine, classes, machine_of
from ..model import Constraint, Count, Domain, Element, LexLess, Linear, MinMax, MultisetEqual, NValue, Regular
from .uniqueness import Assumption

Masks = Sequence[int]
Narrowed = list[int] | None


@dataclass(frozen=True)
class House:
    """Cells that differ. ``exact``: they contain each of their ``values`` (a mask), one for each cell."""

    values: int
    exact: bool


@dataclass(frozen=True, eq=False)
class Listed:
    """All solutions of a rule: ``rows`` with the index of the bit of each cell."""

    rows: Any


Arrows = Sequence[tuple[int, int]]
"""The bits of values, each with the next state."""


@dataclass(frozen=True)
class Word:
    """Values along a line that an automaton accepts.

    ``layers`` are the arrows from each state at each position, from the state 0 at first to the state 0 at last;
    ``places`` are the numbers of the cells there; a cell may occur twice.
    """

    layers: tuple[tuple[Arrows, ...], ...]
    places: tuple[int, ...]


@dataclass(frozen=True)
class Either:
    """At least one of several parts: the union of what each part leaves of the cells."""

    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Loose:
    """A constraint that tests, value by value, what is still possible: sound, but it may miss consequences."""

    constraint: Constraint
    names: tuple[str, ...]
    low: int

    def revise(self, masks: Masks) -> Narrowed:
        """Remove each value that the constraint reports as impossible; None if some cell has none left."""
        domains = {x: tuple(b + self.low for b in bits(m)) for x, m in zip(self.names, masks, strict=True)}
        found = []
        for x, mask in zip(self.names, masks, strict=True):
            tried = (b for b in bits(mask) if self.constraint.possible({**domains, x: (b + self.low,)}))
            found.append(sum(1 << b for b in tried))
        return found if all(found) else None


@dataclass(frozen=True)
class Group:
    """Parts over the ``visible`` cells and ``hidden`` variables (their masks), applied until nothing changes."""

    visible: int
    hidden: tuple[int, ...]
    parts: tuple[Part, ...]


Form = House | Listed | Word | Either | Loose | Group
Part = tuple[tuple[int, ...], Form]
"""The numbers of the cells of a part among those of the whole, and what it states."""


@dataclass(frozen=True)
class Atom:
    """An atom: ``label`` names what was stated, ``cells`` are the numbers of its cells, ``how`` is what they obey.

    ``stated`` are the constraints of the atom, including definitions of auxiliary variables. ``part`` is the rule or
    the name of the house that it belongs to.
    """

    label: str
    cells: tuple[int, ...]
    how: Form
    stated: tuple[Constraint, ...]
    part: object = None

    @property
    def house(self) -> House | None:
        """The house, if the atom only states that its cells differ."""
        return self.how if isinstance(self.how, House) else None

    @property
    def is_assumed(self) -> bool:
        """Whether it holds only in a puzzle with one solution."""
        return isinstance(self.part, Assumption)


def bits(mask: int) -> Iterator[int]:
    """Yield the indexes of the set bits of a mask."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def union(masks: Iterable[int]) -> int:
    """Return the set bits of masks together."""
    return reduce(or_, masks, 0)


# ----------------------------------------------------------------------------
# Core constraints as words that an automaton accepts, so that exactly the possible values of each cell are kept.


MOST_STEPS = 800_000
"""The most steps of an automaton: from the states at each position, by each value there."""

MOST_LISTS = 20_000
"""The most lists of values, up to their order, between which an automaton distinguishes."""

READ = (Count, Element, Linear, LexLess, MinMax, MultisetEqual, NValue, Regular)
"""The kinds of constraints that become automata, unless all their solutions are listed."""


def as_words(constraint: Constraint, domains: Mapping[str, Domain], low: int) -> Word | Group | None:
    """Return a constraint as an automaton over its scope, or for two long lists of values as one for each value.

    None for other kinds, and above ``MOST_STEPS`` steps.
    """
    machine = machine_of(constraint, domains) if isinstance(constraint, READ) else None
    if machine is None:
        return None
    if isinstance(constraint, Count) and isinstance(most := constraint.y, int):  # all greater numbers are alike
        read = machine.step
        machine = replace(machine, step=lambda place, state, value: min(read(place, state, value), most + 1))
    if isinstance(constraint, MultisetEqual):
        values = sorted({value for x in constraint.scope for value in domains[x]})
        if comb(len(constraint.xs) + len(values) - 1, len(constraint.xs)) > MOST_LISTS:
            return _value_by_value(constraint, values, domains, low)
    return _read(machine, constraint.scope, domains, low)


def _read(machine: StateMachine, scope: Sequence[str], domains: Mapping[str, Domain], low: int) -> Word | None:
    layers = classes(machine, domains, MOST_STEPS) if machine.variables else None
    if layers is None:
        return None
    place = {x: i for i, x in enumerate(dict.fromkeys(scope))}
    states = (tuple(tuple((value - low, t) for value, t in s.items()) for s in layer or [{}]) for layer in layers)
    return Word(tuple(states), tuple(place[x] for x in machine.variables))


def _value_by_value(c: MultisetEqual, values: Iterable[int], domains: Mapping[str, Domain], low: int) -> Group | None:
    """Return that each value is equally often on both sides; the state is how much more often it is on the first."""
    every, turn = tuple(range(len(set(c.scope)))), len(c.xs)
    parts = []
    for wanted in values:

        def step(place: int, state: int, value: int, wanted: int = wanted) -> int:
            return state + (value == wanted) * (1 if place < turn else -1)

        found = _read(StateMachine((*c.xs, *c.ys), 0, step, lambda state: state == 0), c.scope, domains, low)
        if found is None:
            return None
        parts.append((every, found))
    return Group(len(every), (), tuple(parts))
