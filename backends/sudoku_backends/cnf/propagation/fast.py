"""The compiled way from domains to a problem: the worklist's tables, buffers for each thread, the encoding."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

import numpy as np

from sudoku_models.engine.machine_code.language import memory_of
from sudoku_models.engine.machine_code.library import address
from sudoku_models.model import Domain

from ..encoding.clauses import Clauses
from ..encoding.crossings import crossings_of
from ..encoding.encode import Problem, encode
from ..encoding.formula import NEVER, NOTHING, Formula
from ..encoding.options import EncodingOptions
from ..encoding.reduce import Narrow, Reduced, clashing
from ..encoding.space import Ints
from ..encoding.structure import Structure
from . import worklist

_NONE = np.zeros(0, dtype=np.uint8)

MOST_KEPT = 1 << 24
"""Buffers for more candidates than this (256 x 256 x 256) are released after each puzzle."""


class WorklistTables:
    """A structure in the arrays that the worklist reads (described there), and a set of buffers for each thread."""

    def __init__(self, structure: Structure) -> None:
        self.structure = structure
        layers, cells = structure.layers, len(structure.space.names)
        width = structure.space.width
        houses = np.concatenate([np.zeros(0, bool), *(layer.houses for layer in layers)])
        starts = np.cumsum([0, *(layer.groups for layer in layers)])
        group_of = np.full((cells, len(layers)), len(houses), dtype=np.int32)
        for at, layer in enumerate(layers):
            inside = layer.group_of < layer.groups
            group_of[inside, at] = layer.group_of[inside] + starts[at]
        needed = np.repeat(np.append(houses, False), width) & _present(structure, group_of, len(houses))
        spare = np.where(np.append(np.ones(cells, bool), needed), 0, worklist.SPARE).astype(np.int32)
        parts_at, crosses = _parts(structure, starts)
        members = _members(group_of, len(houses))
        arrays = {
            "lists_at": cells + group_of * np.int32(width),
            "parts_at": parts_at,
            "members": members,
            "layer_of": np.repeat(np.arange(len(layers), dtype=np.int32), [layer.groups for layer in layers]),
            "crosses": crosses,
            "spare": spare,
        }
        self.memory = memory_of(worklist.Board, **{name: array.size for name, array in arrays.items()})
        self.board = board = worklist.Board(self.memory)
        board.cells, board.width, board.lists, board.idle = cells, width, len(spare), len(spare) - width
        board.layers, board.crossings, board.parts = len(layers), parts_at.shape[1], len(crosses)
        board.most = members.shape[1]
        for name, array in arrays.items():
            _seen(self.memory, getattr(board, name), np.int32, array.size)[:] = array.ravel()
        self.plain = not structure.others.clauses and not spare[:-width].any()
        self._local = threading.local()

    def buffers(self) -> Buffers:
        """Return this thread's buffers."""
        found: Buffers | None = getattr(self._local, "buffers", None)
        if found is None:
            found = Buffers(self)
            if len(found.cand) <= MOST_KEPT:
                self._local.buffers = found
        return found

    def problem(self, narrow: Narrow, options: EncodingOptions, locked: bool) -> Problem:
        """Propagate and encode one puzzle."""
        buffers = self.buffers()
        count = buffers.narrow(narrow, _allowed(self.structure, narrow.limited), locked)
        if count == worklist.CLASH:
            return Problem(self.structure, clashing(self.structure), NEVER)
        reduced = buffers.reduced(count)
        if self.plain and options.house == "extended" and options.amo == "pairwise":
            return Problem(self.structure, reduced, buffers.formula(count))
        return Problem(self.structure, reduced, encode(self.structure, reduced, options))


class Buffers:
    """The memory that a worklist writes, reused from puzzle to puzzle by one thread."""

    def __init__(self, tables: WorklistTables) -> None:
        board = tables.board
        candidates = board.cells * board.width
        self.memory = memory_of(
            worklist.Puzzle,
            value=board.cells,
            cand=candidates,
            counts=board.lists,
            shared=(board.parts + 1) * board.width,
            queue=board.lists,
            number=candidates,
            owners=max(board.most, board.width),
        )
        self.state, self._machine = worklist.Puzzle(self.memory), worklist.LIBRARY.load()
        self.value = _seen(self.memory, self.state.value, np.int32, board.cells)
        self.cand = _seen(self.memory, self.state.cand, np.uint8, candidates)
        self._places = address(tables.memory), address(self.memory)

    def narrow(self, given: Narrow, allowed: Ints, locked: bool) -> int:
        """Propagate; return the number of open candidates, or CLASH."""
        cells, columns = (np.ascontiguousarray(x, np.int32) for x in (given.cells, given.columns))
        places = *self._places, cells.ctypes.data, columns.ctypes.data
        return self._machine.narrow(*places, len(cells), allowed.ctypes.data, len(allowed), locked)

    def reduced(self, count: int) -> Reduced:
        """Return what is left, in new arrays."""
        if not count:
            return Reduced(_NONE, _NONE, _NONE, self.value.copy())
        found, cell, column = np.empty((3, count), dtype=np.int32)
        self._machine.collect(*self._places, found.ctypes.data, cell.ctypes.data, column.ctypes.data)
        return Reduced(found, cell, column, self.value.copy())

    def formula(self, count: int) -> Formula:
        """Write the clauses of a model of houses; call it after ``reduced``."""
        if not count:
            return NOTHING
        self._machine.measure(*self._places)
        sizes = self.state.pairs, self.state.pairs, self.state.entries, self.state.lists
        first, second, lits, lens = (np.empty(size, dtype=np.int32) for size in sizes)
        pairs = self._machine.write(*self._places, *(x.ctypes.data for x in (first, second, lits, lens)))
        return Formula(count, first[:pairs], second[:pairs], Clauses(lits, lens))


def _seen(memory: bytearray, section: Any, kind: type[np.generic], n: int) -> Ints:
    """Return a section of a layout as an array."""
    return np.frombuffer(memory, kind, n, 8 * section.place)


def tables_of(structure: Structure) -> WorklistTables:
    """Return the tables of a structure, computed once."""
    memo = structure.model.memo
    found = memo.get("cnf tables") or memo.setdefault("cnf tables", WorklistTables(structure))
    assert isinstance(found, WorklistTables)
    return found


def _members(group_of: Ints, groups: int) -> Ints:
    """Return the cells of each group, padded with -1."""
    cell, layer = np.nonzero(group_of < groups)
    group = group_of[cell, layer]
    order = np.argsort(group, kind="stable")
    sizes = np.bincount(group, minlength=groups)
    table = np.full((groups, int(sizes.max(initial=0))), -1, dtype=np.int32)
    table[np.arange(table.shape[1]) < sizes[:, None]] = cell[order]
    return table


def _present(structure: Structure, group_of: Ints, groups: int) -> Ints:
    """Flag the lists (group, value) whose value is in the domain of some cell of the group."""
    space = structure.space
    present = np.ones((groups + 1, space.width), dtype=bool)
    if space.limited:
        present[:] = False
        cell, column = space.split(space.all())
        for groups_of_layer in group_of.T:
            present[groups_of_layer[cell], column] = True
    return present.ravel()


def _parts(structure: Structure, starts: Ints) -> tuple[Ints, Ints]:
    """Number the shared parts over all crossings; return each cell's parts, and (crossing, group, group) by part."""
    crossings = crossings_of(structure)
    total = sum(crossing.parts for crossing in crossings)
    parts = np.full((len(structure.space.names), len(crossings)), total, dtype=np.int32)
    rows, start = [np.zeros((0, 3), dtype=np.int32)], 0
    for number, crossing in enumerate(crossings):
        inside = crossing.part_of < crossing.parts
        parts[inside, number] = crossing.part_of[inside] + start
        groups = (crossing.first + starts[crossing.layers[0]], crossing.second + starts[crossing.layers[1]])
        rows.append(np.column_stack((np.full(crossing.parts, number), *groups)).astype(np.int32))
        start += crossing.parts
    return parts * np.int32(structure.space.width), np.concatenate(rows)


def _allowed(structure: Structure, limited: Mapping[int, Domain]) -> Ints:
    """Return one flag for each candidate if some cell is limited, otherwise an empty array."""
    if not limited:
        return _NONE
    space = structure.space
    allowed = np.ones((len(space.names), space.width), dtype=np.uint8)
    for cell, values in limited.items():
        allowed[cell] = space.row(values)
    return allowed.ravel()
