"""The compiled way from domains to a problem: the worklist's tables, buffers for each thread, the encoding."""

from __future__ import annotations

import threading
from collections.abc import Mapping

import numpy as np

from sudoku_models.model import Domain

from ..encoding.clauses import Clauses
from ..encoding.crossings import crossings_of
from ..encoding.encode import Problem, encode
from ..encoding.formula import NEVER, NOTHING, Formula
from ..encoding.options import EncodingOptions
from ..encoding.reduce import Narrow, Reduced, clashing
from ..encoding.space import Ints
from ..encoding.structure import Structure
from . import remaining_formula, worklist

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
        self.board = worklist.FixedArrays(
            lists_at=cells + group_of * np.int32(width),
            parts_at=parts_at,
            members=_members(group_of, len(houses)),
            layer_of=np.repeat(np.arange(len(layers), dtype=np.int32), [layer.groups for layer in layers]),
            crosses=crosses,
            spare=spare,
            width=width,
            idle=len(spare) - width,
        )
        self.plain = not structure.others.clauses and not spare[:-width].any()
        self._local = threading.local()

    def buffers(self) -> Buffers:
        """Return this thread's buffers."""
        found: Buffers | None = getattr(self._local, "buffers", None)
        if found is None:
            found = Buffers(self.board, len(self.structure.space.names))
            if len(found.state.cand) <= MOST_KEPT:
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
    """The arrays that a worklist writes, reused from puzzle to puzzle by one thread."""

    def __init__(self, board: worklist.FixedArrays, cells: int) -> None:
        self.board = board
        self.state = worklist.PuzzleArrays(
            value=np.empty(cells, dtype=np.int32),
            cand=np.empty(cells * board.width, dtype=np.uint8),
            counts=np.empty(len(board.spare), dtype=np.int32),
            shared=np.empty((len(board.crosses) + 1) * board.width, dtype=np.int32),
            queue=np.empty(len(board.spare), dtype=np.int32),
        )
        self.number = _NONE
        self.owners = np.empty(board.members.shape[1], dtype=np.int32)

    def narrow(self, given: Narrow, allowed: Ints, locked: bool) -> int:
        """Propagate; return the number of open candidates, or CLASH."""
        count: int = worklist.narrow(self.board, self.state, given.cells, given.columns, allowed, locked)
        return count

    def reduced(self, count: int) -> Reduced:
        """Return what is left, in new arrays."""
        if not count:
            return Reduced(_NONE, _NONE, _NONE, self.state.value.copy())
        if self.number is _NONE:
            self.number = np.empty(len(self.state.cand), dtype=np.int32)
        found, cell, column = np.empty((3, count), dtype=np.int32)
        remaining_formula.collect(self.state, self.board.width, self.number, found, cell, column)
        return Reduced(found, cell, column, self.state.value.copy())

    def formula(self, count: int) -> Formula:
        """Write the clauses of a model of houses; call it after ``reduced``."""
        if not count:
            return NOTHING
        most, entries, lists = remaining_formula.measure(self.state.counts, self.board.idle)
        first, second = np.empty(most, dtype=np.int32), np.empty(most, dtype=np.int32)
        lits, lens = np.empty(entries, dtype=np.int32), np.empty(lists, dtype=np.int32)
        pairs = remaining_formula.write(self.board, self.state, self.number, self.owners, first, second, lits, lens)
        return Formula(count, first[:pairs], second[:pairs], Clauses(lits, lens))


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
