"""Convert the atoms of a ladder to the arrays of the kernels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np

from ..engine.machine_code.language import memory_of
from ..model import Connected
from .atoms import (
    Atom,
    AutomatonAtom,
    Either,
    GroupAtom,
    HouseAtom,
    Listed,
    Loose,
    Revising,
    bits,
)
from .kernel import layout

Ways = Sequence[Mapping[int, int]]
"""By cell: the kernel's bit for each bit of the ladder; bits that are absent cannot be used."""
Node = tuple[tuple[int, int], ...]
"""The edges of a node of a diagram: the number of a node in the next layer, and the mask of the values."""
Layers = Sequence[Sequence[Node]]


def of_automaton(automaton: AutomatonAtom, ways: Ways) -> Layers:
    """Return the diagram of an automaton."""
    layers: list[list[Node]] = []
    for states, place in zip(automaton.layers, automaton.places, strict=True):
        layers.append([])
        for arrows in states:
            masks: dict[int, int] = {}
            for bit, after in arrows:
                if bit in ways[place]:
                    masks[after] = masks.get(after, 0) | 1 << ways[place][bit]
            layers[-1].append(tuple(sorted(masks.items())))
    return layers


def of_rows(listed: Listed, ways: Ways) -> Layers:
    """Return the diagram of listed rows: prefixes with the same continuations lead to one node."""
    width = listed.rows.shape[1]
    if not len(listed.rows):
        return [()] * width
    rows = np.unique(listed.rows, axis=0)
    kinds: Any = np.zeros(len(rows), np.int64)
    layers: list[list[Node]] = []
    for i in range(width - 1, -1, -1):
        fresh = np.ones(len(rows), bool)
        fresh[1:] = (rows[1:, :i] != rows[:-1, :i]).any(axis=1)
        seen: dict[Node, int] = {}
        starts = np.flatnonzero(fresh)
        made, way = [], ways[i]
        last, after = rows[:, i].tolist(), kinds.tolist()
        for begin, end in zip(starts.tolist(), [*starts[1:].tolist(), len(rows)], strict=True):
            masks: dict[int, int] = {}
            for r in range(begin, end):
                if last[r] in way:
                    masks[after[r]] = masks.get(after[r], 0) | 1 << way[last[r]]
            made.append(seen.setdefault(tuple(sorted(masks.items())), len(seen)))
        layers.append(list(seen))
        rows, kinds = rows[starts], np.array(made, np.int64)
    return layers[::-1]


# ----------------------------------------------------------------------------
# Convert the atoms of a ladder to the arrays of the kernels.


MOST_VARIABLES = 4000
"""The most variables of a group, hidden ones included."""
MOST_LOGGED = 64
"""The most stages in a log."""
MOST_LOG = 1 << 18
"""The most numbers in a log of several stages."""


class NotPacked(Exception):
    """An atom, or a value, for which the kernels have no form."""


class Packed(NamedTuple):
    """Packed atoms: the kernels' bits for those of the ladder, the words of the problem, the sections of a walk.

    ``spare`` are memories of walks that are over, which others use again.
    """

    bit_of: Mapping[int, int]
    net: Any
    sections: Mapping[str, int]
    spare: list[Any]


class Packing:
    """Packs atoms. ``bit_of`` has the kernel's bit for each bit of a cell; ``packed`` makes the memory."""

    def __init__(self, atoms: Sequence[Atom], full: Sequence[int], low: int) -> None:
        """Pack atoms over cells with all their candidates ``full``. NotPacked if one cannot be packed."""
        self.low, self.full = low, full
        used = 0
        for mask in full:
            used |= mask
        if used.bit_count() > layout.WORD:
            raise NotPacked(f"{used.bit_count()} different values")
        self.bit_of = {bit: i if used.bit_length() > layout.WORD else bit for i, bit in enumerate(bits(used))}
        self.bits = max(self.bit_of.values(), default=0) + 1
        self.kinds: list[int] = []
        self.records: list[list[int]] = []
        self.widths: list[int] = []
        self.costs: list[int] = []
        self.room = 0
        for _ in atoms:
            self._reserved()
        self.made: dict[int, tuple[int, list[int], int, int]] = {}
        for number, atom in enumerate(atoms):
            self._fill(number, atom.how, [self.bit_of] * len(atom.cells))
        self.atoms = atoms

    def _reserved(self) -> int:
        for column in (self.kinds, self.widths, self.costs):
            column.append(0)
        self.records.append([])
        return len(self.kinds) - 1

    def _node(self, how: Revising, ways: Ways) -> int:
        number = self._reserved()
        self._fill(number, how, ways)
        return number

    def _fill(self, number: int, how: Revising, ways: Ways) -> None:
        common = all(way is self.bit_of for way in ways)
        known = self.made.get(id(how)) if common else None
        if known is None:
            for kind, make in MAKERS.items():
                if isinstance(how, kind):
                    known = make(self, how, ways)
                    break
            else:
                raise NotPacked(type(how).__name__)
            if common:
                self.made[id(how)] = known
        self.kinds[number], self.records[number], self.costs[number], room = known
        self.widths[number] = len(ways)
        self.room = max(self.room, room + len(ways))

    def _house(self, how: HouseAtom, ways: Ways) -> tuple[int, list[int], int, int]:
        if any(way != ways[0] for way in ways) or len(ways) > layout.WORD:
            raise NotPacked("a house of variables of several kinds")
        return layout.HOUSE, [self._mask(how.values, ways[0]), int(how.exact)], 4 * len(ways), 2 * layout.WORD + 140

    def _mask(self, mask: int, way: Mapping[int, int]) -> int:
        return sum(1 << way[bit] for bit in bits(mask) if bit in way)

    def _automaton(self, how: AutomatonAtom, ways: Ways) -> tuple[int, list[int], int, int]:
        return self._diagram(of_automaton(how, ways), how.places)

    def _listed(self, how: Listed, ways: Ways) -> tuple[int, list[int], int, int]:
        return self._diagram(of_rows(how, ways), range(len(ways)))

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

    def _either(self, how: Either, ways: Ways) -> tuple[int, list[int], int, int]:
        record, cost, room = self._parts(how.parts, ways)
        return layout.EITHER, record, cost, room + 3 * len(ways)

    def _group(self, how: GroupAtom, ways: Ways) -> tuple[int, list[int], int, int]:
        hidden = [{bit: i for i, bit in enumerate(bits(mask))} for mask in how.hidden]
        every = [*ways, *hidden]
        if max(map(len, hidden), default=0) > layout.WORD or len(every) > MOST_VARIABLES:
            raise NotPacked("a hidden variable of many values")
        record, cost, room = self._parts(how.inner, every)
        masks = [(1 << len(way)) - 1 for way in hidden]
        head = [how.visible, len(hidden), *masks]
        return layout.GROUP, [*head, *record], 3 * cost, room + 3 * len(every) + len(how.inner)

    def _loose(self, how: Loose, ways: Ways) -> tuple[int, list[int], int, int]:
        if any(way is not self.bit_of for way in ways):
            raise NotPacked("a group of hidden variables")
        constraint = how.constraint
        if not isinstance(constraint, Connected) or len(set(constraint.xs)) < len(ways):
            raise NotPacked(type(constraint).__name__)
        cells = len(ways)
        values = self._mask(sum(1 << (v - self.low) for v in constraint.values if v >= self.low), self.bit_of)
        around = [constraint.neighbours[i] for i in range(cells)]
        begin = [sum(map(len, around[:i])) for i in range(len(around) + 1)]
        record = [values, *begin, *(other for others in around for other in others)]
        return layout.JOINED, record, 8 * cells, 3 * cells + 1

    def _parts(self, parts: Iterable[tuple[tuple[int, ...], Revising]], ways: Ways) -> tuple[list[int], int, int]:
        record, cost, before = [0], 0, self.room
        self.room = 0
        for places, how in parts:
            node = self._node(how, [ways[i] for i in places])
            record += [node, len(places), *places]
            record[0] += 1
            cost += self.costs[node] + 4
        room, self.room = self.room, before
        return record, cost, room

    def packed(
        self, users: Sequence[Sequence[int]], bands: Mapping[int, Sequence[int]], reads: Sequence[int]
    ) -> Packed:
        """Return the memory of the problem, and the sizes of the sections of a walk.

        ``reads`` has for each atom the most of its cells that are chosen to be read.
        """
        begin, body = list[int](), list[int]()
        known: dict[int, int] = {}
        for record in self.records:
            if id(record) not in known:
                known[id(record)] = len(body)
                body += record
            begin.append(known[id(record)])
        sections = {
            "full": [self._mask(mask, self.bit_of) for mask in self.full],
            "kind": self.kinds,
            "record": begin,
            "width": self.widths,
            "cost": self.costs,
            "start": [0, *accumulate(len(atom.cells) for atom in self.atoms)],
            "members": [cell for atom in self.atoms for cell in atom.cells],
            "users_at": [0, *accumulate(map(len, users))],
            "users": [a for found in users for a in found],
            "bands": _bands(bands),
            "reads": list(reads),
            "records": body,
        }
        memory = memory_of(layout.Net, **{name: len(numbers) for name, numbers in sections.items()})
        words, net = np.frombuffer(memory, np.int64), layout.Net(memory)
        sections["record"] = [net.records.place + place for place in begin]
        for name, numbers in sections.items():
            place = getattr(net, name).place
            words[place : place + len(numbers)] = numbers
        net.cells, net.atoms, net.bits = len(self.full), len(self.atoms), self.bits
        return Packed(self.bit_of, words, self._memory(len(sections["members"])), [])

    def _memory(self, members: int) -> dict[str, int]:
        """Return the sizes of the sections of a walk."""
        cells, atoms, values = len(self.full), len(self.atoms), len(self.full) * self.bits
        widest = max((len(atom.cells) for atom in self.atoms), default=0)
        return {
            **dict.fromkeys(("dom", "tried", "new", "touched", "is_touched"), cells),
            **dict.fromkeys(("flags", "queue", "next", "able", "dirty", "use"), atoms),
            "out": values, "is_closed": 2 * values, "closed": 2 * values * cells,
            "left": members, "choice": 16, "open": widest,
            "log": (1 + cells + members) * most_logged(cells, members),
            "scratch": widest + self.room + 64,
        }  # fmt: skip


MAKERS: Mapping[type, Any] = {
    HouseAtom: Packing._house,
    Listed: Packing._listed,
    AutomatonAtom: Packing._automaton,
    Either: Packing._either,
    GroupAtom: Packing._group,
    Loose: Packing._loose,
}


def most_logged(cells: int, members: int) -> int:
    """Return how many stages a log has room for: each has its rung, all cells and what atoms left of their cells."""
    return max(1, min(MOST_LOGGED, MOST_LOG // (1 + cells + members)))


def _bands(bands: Mapping[int, Sequence[int]]) -> list[int]:
    found: list[int] = []
    for kind in sorted(bands):
        found += [*bands[kind], *[layout.FAR] * (16 - len(bands[kind]))]
    return found
