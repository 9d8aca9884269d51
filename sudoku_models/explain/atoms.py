"""Atoms, the units of deduction: each makes the candidates of its cells consistent with one stated thing.

Candidates of a cell are the bits of an integer of any width (bit i: the value ``low`` + i). What an atom states has one
of a few forms, and is packed into arrays for the kernels, which narrow candidates: always those of a snapshot, so the
result never depends on the order of cells, values or atoms.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import accumulate
from math import comb
from operator import or_
from typing import Any, NamedTuple

import numpy as np

from ..engine.machine_code.language import Layout, place_of, size_of
from ..lowering.machines import StateMachine, classes, machine_of
from ..model import (
    Connected,
    Constraint,
    Count,
    Domain,
    Element,
    LexLess,
    Linear,
    MinMax,
    MultisetEqual,
    NValue,
    Regular,
)
from .kernel import layout
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


# ----------------------------------------------------------------------------
# Atoms as arrays, for the kernels.


MOST_VARIABLES = 4000
"""The most variables of a group for machine code, hidden ones included."""
MOST_LOGGED = 64
"""The most stages in a log."""
MOST_LOG = 1 << 18
"""The most numbers in a log of several stages."""
MOST_CHOICES = 20_000
"""The most choices of cells that are read; an atom with more is left to level 1.all."""
CHOSEN = (0, 1, 2, 3)
"""The numbers of cells that are chosen to be read."""

Node = tuple[tuple[int, int], ...]
"""The edges of a node of a diagram: the number of a node in the next layer, and the mask of the values."""
Layers = Sequence[Sequence[Node]]


def _edges(arrows: Iterable[Sequence[int]]) -> Node:
    """Return arrows, each a bit and the number of a node, as edges."""
    masks: dict[int, int] = {}
    for bit, after in arrows:
        masks[after] = masks.get(after, 0) | 1 << bit
    return tuple(sorted(masks.items()))


def of_rows(listed: Listed, cells: int) -> Layers:
    """Return the diagram of listed rows: prefixes with the same continuations lead to one node."""
    if not len(listed.rows):
        return [()] * cells
    rows = np.unique(listed.rows, axis=0)
    kinds: Any = np.zeros(len(rows), np.int64)
    layers: list[list[Node]] = []
    for i in range(cells - 1, -1, -1):
        fresh = np.ones(len(rows), bool)
        fresh[1:] = (rows[1:, :i] != rows[:-1, :i]).any(axis=1)
        starts, seen = np.flatnonzero(fresh), dict[bytes, int]()
        arrows, ends = np.column_stack([rows[:, i], kinds]), [*starts[1:].tolist(), len(rows)]
        same = (arrows[begin:end].tobytes() for begin, end in zip(starts.tolist(), ends, strict=True))
        kinds = np.array([seen.setdefault(node, len(seen)) for node in same], np.int64)
        layers.append([_edges(np.frombuffer(node, np.int64).reshape(-1, 2).tolist()) for node in seen])
        rows = rows[starts]
    return layers[::-1]


class NotPacked(Exception):
    """An atom, or a value, for which machine code has no form."""


Fields = Mapping[str, Any]
"""Where the fields of a layout lie: the index of a number, the slice of a section."""


class Packed(NamedTuple):
    """Packed atoms: the words of the problem (``net``); the ``fields`` of a walk, its ``first`` words and their number.

    ``members`` are the cells of all atoms, ``starts`` says where those of each begin. A stage takes ``entry`` words of
    a log. ``loose`` are the constraints that plain Python makes consistent. If ``is_wide``, words are integers of any
    size, and the kernels run as plain Python.
    """

    net: Any
    fields: Fields
    first: Sequence[int]
    size: int
    members: Any
    starts: Sequence[int]
    entry: int
    loose: Sequence[Loose]
    is_wide: bool
    heaviest: int
    bits: int


def laid_out(kind: type[Layout], sections: Mapping[str, int]) -> tuple[Fields, list[int], int]:
    """Return where the fields of a layout lie, its first words, which say where sections begin, and its size."""
    fields: dict[str, Any] = {name: place_of(kind, name) for name in kind.__annotations__}
    end = size_of(kind) // 8
    first = [0] * end
    for name, size in sections.items():
        first[place_of(kind, name)] = end
        fields[name] = slice(end, end + size)
        end += size
    return fields, first, end


def words_of(first: Sequence[int], size: int, kind: Any) -> Any:
    """Return words of which only the first are written."""
    words = np.zeros(size, kind)
    words[: len(first)] = first
    return words


def packed(
    atoms: Sequence[Atom], full: Masks, low: int, users: Sequence[Sequence[int]], bands: Sequence[Sequence[int]]
) -> Packed:
    """Return atoms over cells with all their candidates ``full``, for machine code if it has a form for all of them.

    ``bands`` are the distinguished rounds, by kind of trial.
    """
    try:
        packing = _Packing(atoms, full, low, False)
    except NotPacked:
        packing = _Packing(atoms, full, low, True)
    return packing.packed(users, bands)


class _Packing:
    """Packs atoms; ``packed`` makes the memory. If ``wide``, masks may have any number of bits."""

    def __init__(self, atoms: Sequence[Atom], full: Masks, low: int, wide: bool) -> None:
        self.atoms, self.full, self.low, self.wide = atoms, full, low, wide
        self.bits = union(full).bit_length()
        if self.bits > layout.WORD and not wide:
            raise NotPacked(f"{self.bits} values")
        self.kinds, self.widths, self.costs = ([0] * len(atoms) for _ in range(3))
        self.records: list[list[int]] = [[] for _ in atoms]
        self.loose: list[Loose] = []
        self.room = 0
        self.made: dict[int, tuple[int, list[int], int, int]] = {}
        for number, atom in enumerate(atoms):
            self._fill(number, atom.how, len(atom.cells))

    def _fill(self, number: int, how: Form, cells: int) -> None:
        if id(how) not in self.made:
            self.made[id(how)] = self._packed(how, cells)
        self.kinds[number], self.records[number], self.costs[number], room = self.made[id(how)]
        self.widths[number] = cells
        self.room = max(self.room, room + cells)

    def _packed(self, how: Form, cells: int) -> tuple[int, list[int], int, int]:
        """Return the kind of a node, its record, an estimate of its work, and the room that it needs for this."""
        if isinstance(how, House):
            return self._house(how, cells)
        if isinstance(how, Listed):
            return self._diagram(of_rows(how, cells), range(cells))
        if isinstance(how, Word):
            return self._diagram([[_edges(arrows) for arrows in states] for states in how.layers], how.places)
        if isinstance(how, Loose):
            return self._loose(how, cells)
        if isinstance(how, Group):
            return self._group(how, cells)
        record, cost, room = self._parts(how.parts)
        return layout.EITHER, record, cost, room + 3 * cells

    def _house(self, how: House, cells: int) -> tuple[int, list[int], int, int]:
        width = how.values.bit_length()
        if not self.wide and max(width, cells) > layout.WORD:
            raise NotPacked("a house of many values or cells")
        return layout.HOUSE, [how.values, int(how.exact), width], 4 * cells, 2 * width + 4 * cells

    def _diagram(self, layers: Layers, places: Sequence[int]) -> tuple[int, list[int], int, int]:
        """Number the nodes through all layers, 0 to the end; each has the position of its edges, counted in pairs."""
        length, nodes = len(layers), 1 + sum(max(len(layer), 1) for layer in layers)
        padding = (length + nodes + 3) % 2
        begin, edges, then = [(length + nodes + 3 + padding) // 2], list[int](), 0
        for layer in layers:
            then += max(len(layer), 1)
            for node in layer or [()]:
                edges += [number for after, mask in node for number in (then + after, mask)]
                begin.append(begin[0] + len(edges) // 2)
        begin.append(begin[-1])
        record = [length, nodes, *places, *begin, *[0] * padding, *edges]
        return layout.DIAGRAM, record, nodes + len(edges), nodes + length + 1

    def _group(self, how: Group, cells: int) -> tuple[int, list[int], int, int]:
        every = cells + len(how.hidden)
        if not self.wide and (union(how.hidden).bit_length() > layout.WORD or every > MOST_VARIABLES):
            raise NotPacked("a hidden variable of many values")
        record, cost, room = self._parts(how.parts)
        head = [how.visible, len(how.hidden), *how.hidden]
        return layout.GROUP, [*head, *record], 3 * cost, room + 3 * every + len(how.parts)

    def _loose(self, how: Loose, cells: int) -> tuple[int, list[int], int, int]:
        constraint = how.constraint
        if isinstance(constraint, Connected) and len(set(constraint.xs)) == cells:
            return self._connected(constraint, cells)
        if not self.wide:
            raise NotPacked(type(constraint).__name__)
        self.loose.append(how)
        return layout.LOOSE, [len(self.loose) - 1], 1000 * cells, 0

    def _connected(self, constraint: Connected, cells: int) -> tuple[int, list[int], int, int]:
        values = sum(1 << (v - self.low) for v in constraint.values if 0 <= v - self.low < self.bits)
        around = [constraint.neighbours[i] for i in range(cells)]
        begin = accumulate(map(len, around), initial=0)
        record = [values, *begin, *(other for others in around for other in others)]
        return layout.JOINED, record, 8 * cells, 3 * cells + 1

    def _parts(self, parts: Iterable[Part]) -> tuple[list[int], int, int]:
        """Return the record of the parts of a node, each a node of its own, with their cost and their room."""
        record, cost, before = [0], 0, self.room
        self.room = 0
        for places, how in parts:
            node = len(self.kinds)
            for column in (self.kinds, self.widths, self.costs):
                column.append(0)
            self.records.append([])
            self._fill(node, how, len(places))
            record += [node, len(places), *places]
            record[0] += 1
            cost += self.costs[node] + 4
        room, self.room = self.room, before
        return record, cost, room

    def packed(self, users: Sequence[Sequence[int]], bands: Sequence[Sequence[int]]) -> Packed:
        """Return the memory of the problem, and the sizes of the sections of a walk."""
        begin, body = list[int](), list[int]()
        known: dict[int, int] = {}
        for record in self.records:
            if id(record) not in known:
                known[id(record)] = len(body)
                body += record
            begin.append(known[id(record)])
        members = [cell for atom in self.atoms for cell in atom.cells]
        starts = [0, *accumulate(len(atom.cells) for atom in self.atoms)]
        contents = {
            "full": self.full,
            "kind": self.kinds,
            "record": begin,
            "width": self.widths,
            "cost": self.costs,
            "start": starts,
            "members": members,
            "users_at": [0, *accumulate(map(len, users))],
            "users": [a for found in users for a in found],
            "bands": [number for kind in bands for number in [*kind, *[layout.FAR] * (16 - len(kind))]],
            "reads": [max(k for k in CHOSEN if comb(len(atom.cells), k) <= MOST_CHOICES) for atom in self.atoms],
            "records": body,
        }
        fields, first, size = laid_out(layout.Net, {name: len(numbers) for name, numbers in contents.items()})
        contents["record"] = [fields["records"].start + place for place in begin]
        net = words_of(first, size, object if self.wide else np.int64)
        for name, numbers in contents.items():
            net[fields[name]] = numbers
        entry, heaviest = 1 + len(self.full) + len(members), max(self.costs[: len(self.atoms)], default=0)
        for name, number in {"cells": len(self.full), "atoms": len(self.atoms), "bits": self.bits}.items():
            net[fields[name]] = number
        walk, where = laid_out(layout.Mem, self._sections(len(members), entry)), (np.array(members, np.int64), starts)
        return Packed(net, *walk, *where, entry, self.loose, self.wide, heaviest, self.bits)

    def _sections(self, members: int, entry: int) -> dict[str, int]:
        """Return the sizes of the sections of a walk."""
        cells, atoms, values = len(self.full), len(self.atoms), len(self.full) * self.bits
        widest = max((len(atom.cells) for atom in self.atoms), default=0)
        return {
            **dict.fromkeys(("dom", "tried", "new", "touched", "is_touched"), cells),
            **dict.fromkeys(("flags", "queue", "next", "able", "use"), atoms),
            **dict.fromkeys(("out", "number"), values),
            "left": members, "choice": 16, "open": widest,
            "log": entry * max(1, min(MOST_LOGGED, MOST_LOG // entry)),
            "scratch": widest + self.room + 64,
        }  # fmt: skip
