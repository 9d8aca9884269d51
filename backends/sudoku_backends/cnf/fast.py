"""The compiled road from domains to a problem: buffers by thread, the worklist, the encoding."""

from __future__ import annotations

import threading
from collections.abc import Mapping

import numpy as np

from sudoku_models.model import Domain

from . import worklist
from .clauses import Clauses
from .crossings import crossings_of
from .encode import Problem, encode
from .formula import NEVER, Formula
from .options import EncodingOptions
from .reduce import Narrow, Reduced, clashing
from .space import Ints
from .structure import Structure

_NONE = np.zeros(0, dtype=np.uint8)


MOST_KEPT = 1 << 24
"""Buffers for more candidates than this (256 x 256 x 256) are given back after each puzzle."""


class Tables:
    """A structure in the arrays that the worklist reads, and a set of buffers for each thread."""

    def __init__(self, structure: Structure) -> None:
        self.structure = structure
        layers, cells = structure.layers, len(structure.space.names)
        self.width = structure.space.width
        starts = np.cumsum([0, *(layer.groups for layer in layers)])
        self.full = np.concatenate([np.zeros(0, bool), *(layer.houses for layer in layers)])
        self.house_of = np.full((len(layers), cells), -1, dtype=np.int32)
        for row, layer, start in zip(self.house_of, layers, starts.tolist(), strict=False):
            inside = layer.group_of < layer.groups
            row[inside] = layer.group_of[inside] + start
        self.members = _members(self.house_of, len(self.full))
        self.part_of, self.crosses = _parts(structure, starts)
        self.plain = not structure.others.clauses and bool(self.full.all())
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
    """The arrays that a worklist writes, reused from puzzle to puzzle by one thread."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        cells, lists = tables.house_of.shape[1], len(tables.full) * tables.width
        self.value = np.empty(cells, dtype=np.int32)
        self.cand = np.empty(cells * tables.width, dtype=np.uint8)
        self.options = np.empty(cells, dtype=np.int32)
        self.places = np.empty(lists, dtype=np.int32)
        self.shared = np.empty(len(tables.crosses) * tables.width, dtype=np.int32)
        self.queue = np.empty(cells + lists, dtype=np.int32)
        self.number = np.empty(cells * tables.width, dtype=np.int32)
        statics = (tables.house_of, tables.members, tables.full, tables.part_of, tables.crosses, tables.width)
        self.arguments = (*statics, self.value, self.cand, self.options, self.places, self.shared, self.queue)

    def narrow(self, given: Narrow, allowed: Ints, locked: bool) -> int:
        """Propagate; return the number of open candidates or CLASH."""
        count: int = worklist.narrow(given.cells, given.columns, allowed, *self.arguments, locked)
        return count

    def reduced(self, count: int) -> Reduced:
        """Return what is left, in arrays of its own."""
        found, cell, column = np.empty((3, count), dtype=np.int32)
        if count:
            worklist.collect(self.cand, self.tables.width, self.number, found, cell, column)
        return Reduced(found, cell, column, self.value.copy())

    def formula(self, count: int) -> Formula:
        """Write the clauses of a model of houses."""
        if not count:
            return NOTHING
        pairs, entries, lists = worklist.measure(self.options, self.places)
        first, second = np.empty(pairs, dtype=np.int32), np.empty(pairs, dtype=np.int32)
        lits, lens = np.empty(entries, dtype=np.int32), np.empty(lists, dtype=np.int32)
        tables = (self.tables.members, self.tables.width)
        worklist.write(self.cand, self.number, self.options, self.places, *tables, first, second, lits, lens)
        return Formula(count, first, second, Clauses(lits, lens))


NOTHING = Formula(0, NEVER.first, NEVER.second, Clauses(NEVER.first, NEVER.first))
"""The formula without clauses."""


def tables_of(structure: Structure) -> Tables:
    """Return the tables of a structure, made once."""
    memo = structure.model.memo
    found = memo.get("cnf tables") or memo.setdefault("cnf tables", Tables(structure))
    assert isinstance(found, Tables)
    return found


def _members(house_of: Ints, houses: int) -> Ints:
    cells = [np.flatnonzero((house_of == house).any(axis=0)) for house in range(houses)]
    table = np.full((houses, max(map(len, cells), default=0)), -1, dtype=np.int32)
    for row, found in zip(table, cells, strict=True):
        row[: len(found)] = found
    return table


def _parts(structure: Structure, starts: Ints) -> tuple[Ints, Ints]:
    """Number the shared parts over all crossings; return each cell's part, and (crossing, house, house) by part."""
    crossings = crossings_of(structure)
    part_of = np.full((len(crossings), len(structure.space.names)), -1, dtype=np.int32)
    rows, start = [np.zeros((0, 3), dtype=np.int32)], 0
    for number, crossing in enumerate(crossings):
        inside = crossing.part_of < crossing.parts
        part_of[number, inside] = crossing.part_of[inside] + start
        houses = (crossing.first + starts[crossing.layers[0]], crossing.second + starts[crossing.layers[1]])
        rows.append(np.column_stack((np.full(crossing.parts, number), *houses)).astype(np.int32))
        start += crossing.parts
    return part_of, np.concatenate(rows)


def _allowed(structure: Structure, limited: Mapping[int, Domain]) -> Ints:
    """Return one flag a candidate where some cell is limited, else nothing."""
    if not limited:
        return _NONE
    space = structure.space
    allowed = np.ones((len(space.names), space.width), dtype=np.uint8)
    for cell, values in limited.items():
        allowed[cell] = space.row(values)
    return allowed.ravel()
