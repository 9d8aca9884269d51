"""The atoms of a ladder as arrays, and the memory and the kernels, compiled or as plain Python, that work on these."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextvars import ContextVar
from functools import lru_cache
from itertools import accumulate
from math import comb
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..engine.machine_code.flat import flat
from ..engine.machine_code.language import Kernels, Layout, place_of, size_of
from ..engine.machine_code.library import Library
from ..model import Connected
from .atoms import Atom, Form, Group, House, Listed, Loose, Masks, Part, Word, bits, union
from .kernel import layout

MOST_VARIABLES = 4000
"""The most variables of a group for machine code, hidden ones included."""
MOST_LOGGED = 64
"""The most stages in a log."""
MOST_LOG = 1 << 18
"""The most numbers in a log of several stages."""
MOST_CLOSED = 1 << 27
"""The most numbers of what is left of candidates; a larger board does not keep them."""
MOST_CHOICES = 20_000
"""The most choices of cells that are read; an atom with more is left to level 1.all."""
READ = (0, 1, 2, 3)
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
            "reads": [max(k for k in READ if comb(len(atom.cells), k) <= MOST_CHOICES) for atom in self.atoms],
            "records": body,
        }
        fields, first, size = laid_out(layout.Net, {name: len(numbers) for name, numbers in contents.items()})
        contents["record"] = [fields["records"].start + place for place in begin]
        net = words_of(first, size, object if self.wide else np.int64)
        for name, numbers in contents.items():
            net[fields[name]] = numbers
        entry, heaviest = 1 + len(self.full) + len(members), max(self.costs[: len(self.atoms)], default=0)
        sections = self._sections(len(members), entry)
        sizes = {"cells": len(self.full), "atoms": len(self.atoms), "bits": self.bits, "keeps": sections["closed"] > 0}
        for name, number in sizes.items():
            net[fields[name]] = int(number)
        where = np.array(members, np.int64), starts, entry
        return Packed(net, *laid_out(layout.Mem, sections), *where, self.loose, self.wide, heaviest)

    def _sections(self, members: int, entry: int) -> dict[str, int]:
        """Return the sizes of the sections of a walk."""
        cells, atoms, values = len(self.full), len(self.atoms), len(self.full) * self.bits
        widest = max((len(atom.cells) for atom in self.atoms), default=0)
        closed = 2 * values * cells
        return {
            **dict.fromkeys(("dom", "tried", "new", "touched", "is_touched"), cells),
            **dict.fromkeys(("flags", "queue", "next", "able", "use"), atoms),
            "out": values, "is_closed": 2 * values, "closed": closed if closed < MOST_CLOSED and not self.wide else 0,
            "left": members, "choice": 16, "open": widest,
            "log": entry * max(1, min(MOST_LOGGED, MOST_LOG // entry)),
            "scratch": widest + self.room + 64,
        }  # fmt: skip


# ----------------------------------------------------------------------------
# The kernels, and the memory of a walk.

ENTRIES = {"walk": "mmii", "examined": "mmii", "round_of": "mmiii", "follow": "mmiii", "sweep": "mmi"}


def _kernels() -> Kernels:
    from . import kernel  # noqa: F401  # the kernels enter KERNELS
    from .kernel.layout import KERNELS

    return KERNELS


LIBRARY = Library("ladder", ENTRIES, sorted((Path(__file__).parent / "kernel").glob("*.py")), _kernels)


AT_WORK: ContextVar[tuple[Packed, Callable[[], object]]] = ContextVar("AT_WORK")
"""The problem of the kernel that runs as plain Python, and what looks at the clock: it may raise LimitReached."""


@lru_cache(maxsize=1)
def plain_kernels() -> dict[str, Callable[..., Any]]:
    """Return the kernels as plain Python, in which each node that is made consistent is a look at the clock."""
    found = flat(_kernels())
    revise = found["revise"]

    def looking(net: Any, mem: Any, node: int, at: int, top: int) -> int:
        AT_WORK.get()[1]()
        return int(revise(net, mem, node, at, top))

    def loosely(net: Any, mem: Any, n: int, at: int, record: int) -> int:
        left = AT_WORK.get()[0].loose[net[record]].revise([mem[i] for i in range(at, at + n)])
        for i, mask in enumerate(left or ()):
            mem[at + i] = mask
        return int(left is not None)

    found.update(revise=looking, loosely=loosely)
    return found


class Memory:
    """The memory of one walk: ``memory["dom"]`` is an array, if it is the name of a section, otherwise a number."""

    def __init__(self, packed: Packed) -> None:
        self.packed = packed
        self._words = words_of(packed.first, packed.size, packed.net.dtype)
        self.dom = packed.fields["dom"].start
        self._flat = [words if packed.is_wide else memoryview(words) for words in (packed.net, self._words)]
        self._addresses = packed.net.ctypes.data, self._words.ctypes.data
        self["use"] = 1
        self._closed_for: Any = None

    def __getitem__(self, name: str) -> Any:
        return self._words[self.packed.fields[name]]

    def __setitem__(self, name: str, value: Any) -> None:
        self._words[self.packed.fields[name]] = value

    def begin(self, masks: Any) -> Any:
        """Write the candidates that a kernel starts from; return where they lie. Nothing is queued or begun."""
        self["dom"] = masks
        for name in ("flags", "is_touched", "queued", "at", "choosing", "found", "since"):
            self[name] = 0
        return self["dom"]

    def keep_closed(self, masks: Any) -> None:
        """Forget what candidates left that were followed to the end, unless it was from these masks or wider ones."""
        if self._closed_for is None or (masks & ~self._closed_for).any():
            self["is_closed"] = 0
        self._closed_for = masks

    def queue(self, atoms: Collection[int]) -> None:
        """Queue atoms, which are looked at first."""
        queued = list(atoms)
        self["queue"][: len(queued)] = queued
        self["flags"][queued] = 1
        self["queued"] = len(queued)

    def by_atoms(self, before: Any, left: Any) -> dict[int, frozenset[tuple[int, int]]]:
        """Return the candidates that each atom removes: ``left`` is what it leaves of its cells, -1 if all."""
        packed = self.packed
        gone, found = before[packed.members] & ~left, {}
        for a in sorted(set(np.searchsorted(packed.starts, np.flatnonzero(gone), "right").tolist())):
            part = slice(packed.starts[a - 1], packed.starts[a])
            pairs = zip(packed.members[part].tolist(), gone[part].tolist(), strict=True)
            found[a - 1] = frozenset([(c, b) for c, mask in pairs if mask for b in bits(mask)])
        return found

    def compiled(self, kernel: str, *more: int) -> int:
        """Call a kernel as machine code; NoMachineCode where there is none."""
        return int(getattr(LIBRARY.load(), kernel)(*self._addresses, *more))

    def plain(self, kernel: str, look: Callable[[], object], *more: int) -> int:
        """Call a kernel as plain Python; what ``look`` raises ends it."""
        token = AT_WORK.set((self.packed, look))
        try:
            return int(plain_kernels()[kernel](*self._flat, *more))
        finally:
            AT_WORK.reset(token)
