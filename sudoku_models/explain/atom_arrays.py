"""Convert the atoms of a ladder to the arrays of the kernels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain
from typing import Any, NamedTuple

import numpy as np

from ..model import Connected, MultisetEqual
from .atoms import (
    Atom,
    AutomatonAtom,
    CountedAtom,
    Either,
    GroupAtom,
    HouseAtom,
    Listed,
    Loose,
    Revising,
    SumAtom,
    bits,
)
from .kernel import layout

Edge = tuple[int, int, int]
"""From one node to another, by any value of a mask."""
Ways = Sequence[Mapping[int, int]]
"""By cell: the kernel's bit for each bit of the ladder; bits that are absent cannot be used."""


@dataclass(frozen=True)
class Diagram:
    """``layers`` are the edges at each position, ``places`` the cells there; the ends are 0 and ``nodes`` - 1.

    ``starts`` are the first nodes of the layers, and the last node.
    """

    nodes: int
    starts: tuple[int, ...]
    places: tuple[int, ...]
    layers: tuple[tuple[Edge, ...], ...]


def of_automaton(automaton: AutomatonAtom, ways: Ways) -> Diagram:
    """Return the diagram of an automaton, without dead ends; equal states are merged."""
    reached = [{automaton.start}]
    for arrows in automaton.layers:
        reached.append({after for state in reached[-1] for _, after in arrows.get(state, ())})
    kind = {state: 0 for state in reached[-1] if state in automaton.accepting}
    layers: list[dict[tuple[tuple[int, int], ...], int]] = []
    for i in range(len(automaton.layers) - 1, -1, -1):
        way, seen = ways[automaton.places[i]], dict[tuple[tuple[int, int], ...], int]()
        kinds: dict[int, int] = {}
        for state in reached[i]:
            masks: dict[int, int] = {}
            for bit, after in automaton.layers[i].get(state, ()):
                if after in kind and bit in way:
                    masks[kind[after]] = masks.get(kind[after], 0) | 1 << way[bit]
            if masks:
                kinds[state] = seen.setdefault(tuple(sorted(masks.items())), len(seen))
        layers.append(seen)
        kind = kinds
    return _numbered([list(seen) for seen in reversed(layers)], automaton.places)


def of_rows(listed: Listed, ways: Ways) -> Diagram:
    """Return the diagram of listed rows: prefixes with the same continuations lead to one node."""
    width = listed.rows.shape[1]
    if not len(listed.rows):
        return _numbered([()] * width, tuple(range(width)))
    rows = np.unique(listed.rows, axis=0)
    kinds: Any = np.zeros(len(rows), np.int64)
    layers: list[list[tuple[tuple[int, int], ...]]] = []
    for i in range(width - 1, -1, -1):
        fresh = np.ones(len(rows), bool)
        fresh[1:] = (rows[1:, :i] != rows[:-1, :i]).any(axis=1)
        seen: dict[tuple[tuple[int, int], ...], int] = {}
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
    return _numbered(layers[::-1], tuple(range(len(layers))))


def _numbered(layers: Sequence[Sequence[tuple[tuple[int, int], ...]]], places: tuple[int, ...]) -> Diagram:
    """Number the nodes through all layers; ``layers`` has for each node its edges: the next node, and a mask."""
    found: list[tuple[Edge, ...]] = []
    starts = [0]
    for layer in layers:
        at, then = starts[-1], starts[-1] + max(len(layer), 1)
        found.append(tuple((at + i, then + after, mask) for i, node in enumerate(layer) for after, mask in node))
        starts.append(then)
    return Diagram(starts[-1] + 1, tuple(starts), places, tuple(found))


# ----------------------------------------------------------------------------
# Pairs of cells that differ as pairs, recognised in a group with a hidden variable for each pair.


@dataclass(frozen=True)
class PairedCells:
    """``places`` are the two cells of each pair; ``codes`` the bits that both may have, each combination once."""

    places: tuple[tuple[int, int], ...]
    codes: tuple[tuple[int, int], ...]


def pairs_of(group: GroupAtom) -> PairedCells | None:
    """Return a group as pairs that differ; None if it states anything else.

    Each hidden variable must be the number of the values of two cells, by the same table for all, with a number for
    every combination of values, and all of them must differ; no cell may be in two pairs.
    """
    tables = [(places, how) for places, how in group.inner if isinstance(how, Listed) and len(places) == 3]
    houses = [places for places, how in group.inner if isinstance(how, HouseAtom)]
    hidden = range(group.visible, group.visible + len(group.hidden))
    if len(tables) + len(houses) < len(group.inner) or len(houses) != 1 or sorted(houses[0]) != list(hidden):
        return None
    codes, found = set[tuple[tuple[int, int, int], ...]](), list[tuple[int, int]]()
    for places, how in tables:
        order = sorted(range(3), key=lambda i: (places[i] in hidden, i))
        first, second, number = (places[i] for i in order)
        if number not in hidden or second in hidden:
            return None
        found.append((first, second))
        codes.add(tuple(sorted(map(tuple, np.asarray(how.rows)[:, order].tolist()))))
    rows = next(iter(codes), ())
    distinct = len({row[:2] for row in rows}) == len({row[2] for row in rows}) == len(rows)
    product = len({row[0] for row in rows}) * len({row[1] for row in rows}) == len(rows)
    cells = [cell for pair in found for cell in pair]
    if len(codes) != 1 or not (distinct and product) or len(set(cells)) < len(cells) or len(found) != len(group.hidden):
        return None
    return PairedCells(tuple(found), tuple(row[:2] for row in rows))


# ----------------------------------------------------------------------------
# Convert the atoms of a ladder to the arrays of the kernels.


MOST_WORDS = 400
"""The most words of a set of sums."""
MOST_VARIABLES = 4000
"""The most variables of a group, hidden ones included."""
MOST_REMEMBERED = 1 << 22
"""The most numbers that cached answers of costly atoms use."""
MOST_LOGGED = 64
"""The most stages in a log."""
MOST_LOG = 1 << 18
"""The most numbers in a log of several stages."""


class NotPacked(Exception):
    """An atom, or a value, for which the kernels have no form."""


class Packed(NamedTuple):
    """Packed atoms: the kernels' bits for those of the ladder, the array ``net``, the length of the array of a walk.

    ``spare`` are arrays of walks that are over. What they know of the atoms holds for every walk.
    """

    bit_of: Mapping[int, int]
    net: Any
    size: int
    spare: list[Any]


class Packing:
    """Packs atoms. ``bit_of`` has the kernel's bit for each bit of a cell; ``packed`` builds ``net``."""

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
        if any(way is not self.bit_of for way in ways) or len(ways) > layout.WORD:
            raise NotPacked("a house of hidden variables")
        return layout.HOUSE, [self._mask(how.values, self.bit_of), int(how.exact)], 4 * len(ways), 2 * layout.WORD + 140

    def _mask(self, mask: int, way: Mapping[int, int]) -> int:
        return sum(1 << way[bit] for bit in bits(mask) if bit in way)

    def _automaton(self, how: AutomatonAtom, ways: Ways) -> tuple[int, list[int], int, int]:
        return self._diagram(of_automaton(how, ways))

    def _listed(self, how: Listed, ways: Ways) -> tuple[int, list[int], int, int]:
        return self._diagram(of_rows(how, ways))

    def _diagram(self, made: Diagram) -> tuple[int, list[int], int, int]:
        """Write a diagram; each node has the position of its edges, counted from the record in pairs of numbers."""
        length = len(made.places)
        ways: list[list[int]] = [[] for _ in range(made.nodes)]
        for layer in made.layers:
            for node, to, mask in layer:
                ways[node] += (to, mask)
        head = 2 + length + length + 1 + made.nodes + 1
        padding = head % 2
        begin = [(head + padding) // 2]
        for way in ways:
            begin.append(begin[-1] + len(way) // 2)
        record = [length, made.nodes, *made.places, *made.starts, *begin, *[0] * padding, *chain.from_iterable(ways)]
        return layout.DIAGRAM, record, made.nodes + sum(map(len, ways)), made.nodes + length + 1

    def _sum(self, how: SumAtom, ways: Ways) -> tuple[int, list[int], int, int]:
        terms = [{to: c * (bit + how.low) for bit, to in way.items()} for c, way in zip(how.coeffs, ways, strict=True)]
        least = [min(term.values()) for term in terms]
        span = sum(max(term.values()) - low for term, low in zip(terms, least, strict=True))
        words = span // layout.WORD + 1
        if words > MOST_WORDS:
            raise NotPacked(f"sums up to {span}")
        wanted = how.wanted(how.k - sum(least), span)
        stride = max(bit for term in terms for bit in term) + 1
        record = [words, stride, *_words(wanted, words)]
        for term, low in zip(terms, least, strict=True):
            for bit in range(stride):
                record += divmod(term[bit] - low, layout.WORD) if bit in term else (0, 0)
        return layout.SUM, record, 2 * words * sum(map(len, terms)), (len(ways) + 3) * words + 2 * len(ways)

    def _counted(self, how: CountedAtom, ways: Ways) -> tuple[int, list[int], int, int]:
        number = len(ways) - (not how.is_stated)
        if any(way is not ways[0] for way in ways[:number]):
            raise NotPacked("a count of variables of several kinds")
        way, stated = ways[-1], how.right[None] if how.is_stated else 0
        right = {way[bit]: r for bit, r in how.right.items() if bit is not None and bit in way}
        span = (0, 0)
        if number >= layout.WORD:
            span, stated = ((stated & -stated).bit_length() - 1, stated.bit_length() - 1), 0
        head = [self._mask(how.wanted, ways[0]), number, *span, stated]
        return layout.COUNTED, [*head, *(right.get(i, 0) for i in range(layout.WORD))], 2 * len(ways), 0

    def _either(self, how: Either, ways: Ways) -> tuple[int, list[int], int, int]:
        record, cost, room = self._parts(how.parts, ways)
        return layout.EITHER, record, cost, room + 3 * len(ways)

    def _group(self, how: GroupAtom, ways: Ways) -> tuple[int, list[int], int, int]:
        hidden = [{bit: i for i, bit in enumerate(bits(mask))} for mask in how.hidden]
        every = [*ways, *hidden]
        if hidden and (found := pairs_of(how)) is not None:
            return self._paired(found, ways)
        if max(map(len, hidden), default=0) > layout.WORD or len(every) > MOST_VARIABLES:
            raise NotPacked("a hidden variable of many values")
        record, cost, room = self._parts(how.inner, every)
        masks = [(1 << len(way)) - 1 for way in hidden]
        head = [how.visible, len(hidden), *masks]
        return layout.GROUP, [*head, *record], 3 * cost, room + 3 * len(every) + len(how.inner)

    def _paired(self, how: PairedCells, ways: Ways) -> tuple[int, list[int], int, int]:
        if any(way is not self.bit_of for way in ways):
            raise NotPacked("pairs of hidden variables")
        codes, table = len(how.codes), [-1] * self.bits**2
        for number, (a, b) in enumerate(how.codes):
            table[self.bit_of[a] * self.bits + self.bit_of[b]] = number
        pairs = len(how.places)
        words = pairs // 32 + 1
        room = 2 * codes + 2 * (pairs + 1) * words + words + 3 * (pairs + 2)
        record = [pairs, codes, self.bits, *chain.from_iterable(how.places), *table]
        return layout.PAIRED, record, 4 * pairs * codes, room

    def _loose(self, how: Loose, ways: Ways) -> tuple[int, list[int], int, int]:
        if any(way is not self.bit_of for way in ways):
            raise NotPacked("a group of hidden variables")
        constraint = how.constraint
        if isinstance(constraint, Connected) and len(set(constraint.xs)) == len(ways):
            return self._joined(constraint, len(ways))
        if isinstance(constraint, MultisetEqual) and len({*constraint.xs, *constraint.ys}) == 2 * len(constraint.xs):
            places = [how.names.index(x) for x in constraint.variables()]
            return layout.PERMUTED, [len(constraint.xs), *places], 2 * len(ways), 4 * layout.WORD
        raise NotPacked(type(constraint).__name__)

    def _joined(self, constraint: Connected, cells: int) -> tuple[int, list[int], int, int]:
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
        """Return the array of the problem, and the length of the array of a walk.

        ``reads`` has for each atom the most of its cells that are chosen to be read.
        """
        sections = {**self._of_cells(users), layout.BANDS: _bands(bands), layout.READS: list(reads)}
        head = [0] * layout.HEADER
        head[layout.CELLS], head[layout.ATOMS], head[layout.BITS] = len(self.full), len(self.atoms), self.bits
        head[layout.ONLY_HOUSES] = int(all(kind == layout.HOUSE for kind in self.kinds))
        size = self._memory(head, sections[layout.START][-1])
        sections[layout.BASE] = []
        for atom, kind, record in zip(self.atoms, self.kinds, self.records, strict=False):
            sections[layout.BASE].append(size if kind == layout.GROUP else 0)
            size += 2 + 3 * len(atom.cells) + 2 * record[1] if kind == layout.GROUP else 0
        body: list[int] = []
        shared: dict[int, int] = {}
        for record in self.records:
            if id(record) not in shared:
                shared[id(record)] = layout.HEADER + len(body)
                body += record
            sections[layout.RECORD].append(shared[id(record)])
        for section, numbers in sections.items():
            head[section] = layout.HEADER + len(body)
            body += numbers
        return Packed(self.bit_of, np.array(head + body, np.int64), size, [])

    def _of_cells(self, users: Sequence[Sequence[int]]) -> dict[int, list[int]]:
        """Return the sections that list nodes, cells and atoms."""
        peers = [self._peers(cell, found) for cell, found in enumerate(users)]
        return {
            layout.FULL: [self._mask(mask, self.bit_of) for mask in self.full],
            layout.KIND: self.kinds,
            layout.RECORD: [],
            layout.WIDTH: self.widths,
            layout.COST: self.costs,
            layout.START: [0, *accumulate(len(atom.cells) for atom in self.atoms)],
            layout.MEMBERS: [cell for atom in self.atoms for cell in atom.cells],
            layout.USERS_AT: [0, *accumulate(map(len, users))],
            layout.USERS: [a for found in users for a in found],
            layout.WITHIN: self._within(users),
            layout.PEERS_AT: [0, *accumulate(map(len, peers))],
            layout.PEERS: [cell for some in peers for cell in some],
        }

    def _within(self, users: Sequence[Sequence[int]]) -> list[int]:
        found = []
        for cell, mine in enumerate(users):
            for a in mine:
                house = self.atoms[a].house
                found.append(a * self.bits if house and house.exact else -1)
                found.append(1 << self.atoms[a].cells.index(cell) if house else 0)
        return found

    def _peers(self, cell: int, users: Sequence[int]) -> list[int]:
        return sorted({c for a in users if self.atoms[a].house for c in self.atoms[a].cells} - {cell})

    def _cache(self, head: list[int]) -> int:
        """Allocate the cache of costly atoms, for as many answers as fit; houses are never costly."""
        kinds = zip(self.kinds, self.widths, self.costs, strict=True)
        own = list(kinds)[: len(self.atoms)]
        widths = [width for kind, width, cost in own if cost >= layout.COSTLY and kind != layout.HOUSE]
        size = 2 + 2 * max(widths, default=0)
        head[layout.SLOT] = size
        head[layout.SLOTS] = 1 << (MOST_REMEMBERED // size).bit_length() - 1 if widths else 0
        return size * head[layout.SLOTS]

    def _memory(self, head: list[int], members: int) -> int:
        """Allocate the sections of a walk; return their total length."""
        cells, atoms = len(self.full), len(self.atoms)
        widest = max((len(atom.cells) for atom in self.atoms), default=0)
        sizes = {layout.FLAGS: atoms, layout.QUEUE: atoms, layout.NEXT: atoms, layout.NEW: cells}
        sizes |= {layout.TOUCHED: cells, layout.IS_TOUCHED: cells, layout.TRIED: cells, layout.DOM: cells}
        sizes |= {layout.OUT: cells * self.bits, layout.ABLE: atoms, layout.LEFT: members, layout.USE: atoms}
        sizes |= {layout.CLOSED: 2 * cells * self.bits * cells, layout.IS_CLOSED: 2 * cells * self.bits}
        sizes |= {layout.DIRTY: atoms, layout.LOG: (1 + cells + members) * most_logged(cells, members)}
        sizes |= {layout.LAST: 4 * (atoms + 2 * members), layout.CACHE: self._cache(head)}
        sizes |= {layout.PLACES: atoms * self.bits, layout.TRIED_PLACES: atoms * self.bits}
        sizes |= {layout.PENDING: 2 * (cells + atoms * self.bits), layout.SINGLED: 4 * (cells + atoms * self.bits)}
        sizes |= {layout.CHOICE: 16, layout.OPEN: widest, layout.SCRATCH: widest + self.room + 64}
        place = layout.MEM_HEADER
        for section, size in sizes.items():
            head[section] = place
            place += size
        return place


MAKERS: Mapping[type, Any] = {
    HouseAtom: Packing._house,
    Listed: Packing._listed,
    AutomatonAtom: Packing._automaton,
    SumAtom: Packing._sum,
    CountedAtom: Packing._counted,
    Either: Packing._either,
    GroupAtom: Packing._group,
    Loose: Packing._loose,
}


def most_logged(cells: int, members: int) -> int:
    """Return how many stages a log has room for: each has its rung, all cells and what atoms left of their cells."""
    return max(1, min(MOST_LOGGED, MOST_LOG // (1 + cells + members)))


def _words(number: int, words: int) -> list[int]:
    every = (1 << layout.WORD) - 1
    return [number >> (layout.WORD * w) & every for w in range(words)]


def _bands(bands: Mapping[int, Sequence[int]]) -> list[int]:
    found: list[int] = []
    for kind in sorted(bands):
        found += [*bands[kind], *[layout.FAR] * (16 - len(bands[kind]))]
    return found
