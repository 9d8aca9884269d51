"""Atoms, the units of deduction: each makes the candidates of its cells consistent with one stated thing.

Candidates of a cell are the bits of an integer of any width (bit i: the value ``low`` + i). An atom gets them as a
snapshot and returns them narrowed, or None if nothing is left: its result never depends on the order of cells, values
or atoms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from itertools import combinations
from math import comb
from operator import or_
from typing import Any, Protocol

import numpy as np

from ..lowering.machines import StateMachine, classes, machine_of
from ..model import Constraint, Count, Domain, Element, LexLess, Linear, MinMax, MultisetEqual, NValue, Regular

PULSE: ContextVar[Callable[[], object]] = ContextVar("PULSE", default=lambda: None)
"""Called during long work; it may raise LimitReached."""

Masks = Sequence[int]
Narrowed = list[int] | None


class Revising(Protocol):
    """Narrows the candidates of some cells; with ``strong`` houses apply everything that follows, not only singles."""

    def revise(self, masks: Masks, strong: bool) -> Narrowed:
        """Return the candidates that are left; None if some cell has none."""


@dataclass(frozen=True)
class Atom:
    """An atom: ``label`` names what was stated, ``cells`` are the numbers of its cells, ``how`` does the work.

    ``stated`` are the constraints of the atom, including definitions of auxiliary variables. ``rows`` is
    the number of its solutions, if they are listed. ``part`` is the rule or the name of the house that it belongs to.
    """

    label: str
    cells: tuple[int, ...]
    how: Revising
    stated: tuple[Constraint, ...]
    part: object = None
    rows: int = 0

    @property
    def house(self) -> HouseAtom | None:
        """The house, if the atom only states that its cells differ."""
        return self.how if isinstance(self.how, HouseAtom) else None


def bits(mask: int) -> Iterator[int]:
    """Yield the indexes of the set bits of a mask."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def union(masks: Iterable[int]) -> int:
    """Return the set bits of masks together."""
    return reduce(or_, masks, 0)


@dataclass(frozen=True)
class HouseAtom:
    """Cells that differ. ``exact``: they contain each of their ``values`` (a mask), one for each cell."""

    values: int
    exact: bool

    def revise(self, masks: Masks, strong: bool) -> Narrowed:
        """Apply the singles of this snapshot; with ``strong`` return exactly the candidates that occur in a
        solution.
        """
        return self._matched(masks) if strong else self._singles(masks)

    def _singles(self, masks: Masks) -> Narrowed:
        seen = once = twice = 0
        for mask in masks:
            twice |= once & mask
            once |= mask
            if not mask & (mask - 1):
                if seen & mask or not mask:
                    return None
                seen |= mask
        if self.exact and once != self.values:
            return None
        hidden = once & ~twice if self.exact else 0
        found = []
        for mask in masks:
            if own := mask & hidden:
                if own & (own - 1):
                    return None
                mask = own
            elif mask & (mask - 1):
                mask &= ~seen
            if not mask:
                return None
            found.append(mask)
        return found

    def _matched(self, masks: Masks) -> Narrowed:
        """Keep a value of a cell if the other cells can differ with it: one matching, then one path for each value."""
        owner: dict[int, int] = {}
        for cell in range(len(masks)):
            if not _augmented(masks, cell, owner, set(), -1):
                return None
        value_of = {cell: bit for bit, cell in owner.items()}
        found = []
        for cell, mask in enumerate(masks):
            kept = 1 << value_of[cell]
            for bit in bits(mask & ~kept):
                if bit not in owner or _augmented(masks, owner[bit], {**owner, bit: cell}, {bit}, value_of[cell]):
                    kept |= 1 << bit
            found.append(kept)
        return found

    def subsets(self, masks: Masks, size: int) -> list[int]:
        """Remove what ``size`` cells confined to as many values take from the others, and likewise for values in
        cells.
        """
        found = list(masks)
        for chosen in combinations(range(len(masks)), size):
            values = union(masks[i] for i in chosen)
            if values.bit_count() == size:
                found = [mask if i in chosen else mask & ~values for i, mask in enumerate(found)]
        if self.exact:
            self._hidden(masks, size, found)
        return found

    def _hidden(self, masks: Masks, size: int, found: list[int]) -> None:
        places = {bit: sum(1 << i for i, mask in enumerate(masks) if mask >> bit & 1) for bit in bits(self.values)}
        few = [bit for bit, where in places.items() if where.bit_count() <= size]
        for chosen in combinations(few, size):
            where, kept = union(places[bit] for bit in chosen), sum(1 << bit for bit in chosen)
            if where.bit_count() == size:
                for i in bits(where):
                    found[i] &= kept


def _augmented(masks: Masks, cell: int, owner: dict[int, int], visited: set[int], free: int) -> bool:
    """Give a cell a value, moving others; return whether that is possible. ``free`` is a value that counts as not
    taken.
    """
    for bit in bits(masks[cell]):
        if bit in visited:
            continue
        visited.add(bit)
        if bit not in owner or bit == free or _augmented(masks, owner[bit], owner, visited, free):
            owner[bit] = cell
            return True
    return False


class Listed:
    """All solutions of a rule, as a set of row numbers for each value of each cell (the bits of an integer)."""

    def __init__(self, rows: Any, width: int) -> None:
        """Store the rows, each with the index of the bit of every cell; ``width`` is the number of cells."""
        self.rows = np.asarray(rows, np.int64).reshape(-1, width)
        self.every = (1 << len(self.rows)) - 1

    @cached_property
    def support(self) -> list[dict[int, int]]:
        """By cell and value: the rows that contain it."""
        found = []
        for column in self.rows.T:
            marks = {int(bit): np.packbits(column == bit, bitorder="little") for bit in np.unique(column)}
            found.append({bit: int.from_bytes(mark.tobytes(), "little") for bit, mark in marks.items()})
        return found

    def revise(self, masks: Masks, strong: bool) -> Narrowed:
        """Keep the values of the remaining rows."""
        alive = self.every
        for support, mask in zip(self.support, masks, strict=True):
            allowed = 0
            for bit, rows in support.items():
                if mask >> bit & 1:
                    allowed |= rows
            alive &= allowed
            if not alive:
                return None
        return [
            sum(1 << bit for bit, rows in support.items() if mask >> bit & 1 and alive & rows)
            for support, mask in zip(self.support, masks, strict=True)
        ]


Arrows = Sequence[tuple[int, int]]
"""The bits of values, each with the next state."""


@dataclass(frozen=True)
class AutomatonAtom:
    """Values along a line that an automaton accepts; works with the states reachable from both ends.

    ``layers`` are the arrows from each state at each position, from the state 0 at first to the state 0 at last;
    ``places`` are the numbers of the cells there; a cell may occur twice.
    """

    layers: tuple[tuple[Arrows, ...], ...]
    places: tuple[int, ...]

    def revise(self, masks: Masks, strong: bool) -> Narrowed:
        """Keep the values of accepted words."""
        reached, found = [{0}], list(masks)
        for states, place in zip(self.layers, self.places, strict=True):
            mask = masks[place]
            reached.append({t for s in reached[-1] for bit, t in states[s] if mask >> bit & 1})
        good = reached[-1]
        for i in range(len(self.places) - 1, -1, -1):
            kept, earlier, mask = 0, set(), masks[self.places[i]]
            for state in reached[i]:
                for bit, after in self.layers[i][state]:
                    if mask >> bit & 1 and after in good:
                        kept |= 1 << bit
                        earlier.add(state)
            found[self.places[i]] &= kept
            good = earlier
        return found if all(found) else None


@dataclass(frozen=True)
class Either:
    """At least one of several parts: the union of what each part leaves of the cells."""

    parts: tuple[tuple[tuple[int, ...], Revising], ...]

    def revise(self, masks: Masks, strong: bool) -> Narrowed:
        """Keep the values that some part keeps."""
        if not all(masks):
            return None
        kept = [0] * len(masks)
        for places, how in self.parts:
            found = how.revise([masks[i] for i in places], True)
            if found is not None:
                left = {**dict(enumerate(masks)), **dict(zip(places, found, strict=True))}
                kept = [mask | left[i] for i, mask in enumerate(kept)]
        return kept if all(kept) else None


@dataclass(frozen=True)
class Loose:
    """A constraint that tests, value by value, what is still possible: sound, but it may miss consequences."""

    constraint: Constraint
    names: tuple[str, ...]
    low: int

    def revise(self, masks: Masks, strong: bool) -> Narrowed:
        """Remove each value that the constraint reports as impossible."""
        domains = {x: tuple(b + self.low for b in bits(m)) for x, m in zip(self.names, masks, strict=True)}
        found = []
        for x, mask in zip(self.names, masks, strict=True):
            tried = (b for b in bits(mask) if self.constraint.possible({**domains, x: (b + self.low,)}))
            found.append(sum(1 << b for b in tried))
        return found if all(found) else None


@dataclass(frozen=True)
class GroupAtom:
    """Atoms linked by hidden variables, applied until nothing changes (in any order)."""

    visible: int
    hidden: tuple[int, ...]
    inner: tuple[tuple[tuple[int, ...], Revising], ...]
    users: Mapping[int, tuple[int, ...]] = field(hash=False)

    def revise(self, masks: Masks, strong: bool) -> Narrowed:
        """Apply the atoms inside."""
        state = [*masks, *self.hidden]
        dirty, look = dict.fromkeys(range(len(self.inner))), PULSE.get()
        while dirty:
            look()
            number = next(iter(dirty))
            del dirty[number]
            places, how = self.inner[number]
            found = how.revise([state[i] for i in places], True)
            if found is None:
                return None
            for i, mask in zip(places, found, strict=True):
                if mask != state[i]:
                    state[i] = mask
                    dirty.update(dict.fromkeys(self.users[i]))
        return state[: self.visible]


# ----------------------------------------------------------------------------
# Core constraints as words that an automaton accepts, so that exactly the possible values of each cell are kept.


MOST_STEPS = 800_000
"""The most steps of an automaton: from the states at each position, by each value there."""

MOST_LISTS = 20_000
"""The most lists of values, up to their order, between which an automaton distinguishes."""

READ = (Count, Element, Linear, LexLess, MinMax, MultisetEqual, NValue, Regular)
"""The kinds of constraints that become automata, unless all their solutions are listed."""


def automaton_atom(constraint: Constraint, domains: Mapping[str, Domain], low: int) -> Revising | None:
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


def _read(machine: StateMachine, scope: Sequence[str], domains: Mapping[str, Domain], low: int) -> AutomatonAtom | None:
    layers = classes(machine, domains, MOST_STEPS) if machine.variables else None
    if layers is None:
        return None
    place = {x: i for i, x in enumerate(dict.fromkeys(scope))}
    states = (tuple(tuple((value - low, t) for value, t in s.items()) for s in layer or [{}]) for layer in layers)
    return AutomatonAtom(tuple(states), tuple(place[x] for x in machine.variables))


def _value_by_value(
    c: MultisetEqual, values: Iterable[int], domains: Mapping[str, Domain], low: int
) -> GroupAtom | None:
    """Return that each value is equally often on both sides; the state is how much more often it is on the first."""
    every, turn = tuple(range(len(set(c.scope)))), len(c.xs)
    inner = []
    for wanted in values:

        def step(place: int, state: int, value: int, wanted: int = wanted) -> int:
            return state + (value == wanted) * (1 if place < turn else -1)

        found = _read(StateMachine((*c.xs, *c.ys), 0, step, lambda state: state == 0), c.scope, domains, low)
        if found is None:
            return None
        inner.append((every, found))
    return GroupAtom(len(every), (), tuple(inner), dict.fromkeys(every, tuple(range(len(inner)))))
