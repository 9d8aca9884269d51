"""Singles and locked candidates before a solver is asked, as kernels, by a worklist.

A list enters the worklist when its length reaches 1; the locked candidates are swept only when singles stop.

The numbering: candidate (cell, value) is ``cell * width + value``. The lists are those of the cells, by cell, then
those of the AllDifferents over all layers: list ``cells + group * width + value``.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from sudoku_models.engine.machine_code.language import Bytes, Kernels, Layout, Signed, memory_of, section
from sudoku_models.engine.machine_code.library import Library, LoadedKernels, NoMachineCode, address
from sudoku_models.model import Domain

from .compiled import EncodingOptions
from .encoding import Narrow, Problem, Reduced, clashing, encode, read_domains, reduce, textbook
from .structure import NONE, Ints, Layer, Structure

SOLVED = -(1 << 26)
SPARE = 1 << 24
CLASH = -1

KERNELS = Kernels()
kernel = KERNELS.mark


class Board(Layout):
    """What does not change from puzzle to puzzle.

    ``lists_at`` (by cell and layer) is the list of value 0 in the cell's group; for a cell in no group it is beyond the
    last list (``idle``). ``parts_at`` (by cell and crossing) is ``part * width`` for the part shared in the crossing
    that the cell lies in; for a cell in no such part it is beyond the last one. ``members`` (by group, ``most`` of
    each) are the group's cells, padded with -1. ``crosses`` (three by part) are the
    crossing and the two groups. ``spare`` is the starting value of each list's count.
    """

    cells: int
    width: int
    layers: int
    crossings: int
    parts: int
    most: int
    lists: int
    idle: int
    lists_at: Signed = section()
    parts_at: Signed = section()
    members: Signed = section()
    crosses: Signed = section()
    spare: Signed = section()


class Puzzle(Layout):
    """The state of one puzzle: written by ``narrow``, whoever provides the memory.

    ``value`` (by cell) is the column of the cell's value, -1 if the cell is open; ``cand`` flags the open candidates.
    ``counts`` (by list) is the number of open candidates; it is SOLVED or below when the true one of the list is known,
    and SPARE or more if the list needs no true one (an AllDifferent that is not a house), so that such a list is never
    found short. ``shared`` (by part and value) counts the open candidates in a shared part. ``queue`` holds the lists
    whose count has reached 1.
    """

    value: Signed = section()
    cand: Bytes = section()
    counts: Signed = section()
    shared: Signed = section()
    queue: Signed = section()


@kernel
def give(board: Board, state: Puzzle, cells: Signed, columns: Signed, given: int) -> int:
    """Enter the givens; return 0 when two of them clash."""
    for i in range(given):
        cell, v = cells[i], columns[i]
        state.value[cell] = v
        state.counts[cell] = SOLVED
        for layer in range(board.layers):
            at = board.lists_at[cell * board.layers + layer]
            if at < board.idle:
                if state.counts[at + v] == SOLVED:
                    return 0
                state.counts[at + v] = SOLVED
    return 1


@kernel
def is_open(board: Board, state: Puzzle, allowed: Bytes, limited: int, cell: int, v: int) -> int:
    """Return whether a value is an open candidate of an open cell: allowed, and excluded by no given."""
    if limited and not allowed[cell * board.width + v]:
        return 0
    for layer in range(board.layers):
        if state.counts[board.lists_at[cell * board.layers + layer] + v] < 0:
            return 0
    return 1


@kernel
def count(board: Board, state: Puzzle, allowed: Bytes, limited: int) -> None:
    """Find the open candidates and the lengths of all lists."""
    for i in range(board.cells * board.width):
        state.cand[i] = 0
    for cell in range(board.cells):
        if state.value[cell] >= 0:
            continue
        for v in range(board.width):
            if is_open(board, state, allowed, limited, cell, v):
                state.cand[cell * board.width + v] = 1
                state.counts[cell] += 1
                for layer in range(board.layers):
                    state.counts[board.lists_at[cell * board.layers + layer] + v] += 1
                for crossing in range(board.crossings):
                    state.shared[board.parts_at[cell * board.crossings + crossing] + v] += 1


@kernel
def shorten(state: Puzzle, item: int, end: int) -> int:
    """Decrease the count of a list; return the new end of the queue, or CLASH if the list is emptied."""
    left = state.counts[item] - 1
    state.counts[item] = left
    if left == 1:
        state.queue[end] = item
        return end + 1
    return CLASH if left == 0 else end


@kernel
def remove(board: Board, state: Puzzle, cell: int, v: int, end: int) -> int:
    """Remove an open candidate; return the new end of the queue, or CLASH if a list is emptied."""
    state.cand[cell * board.width + v] = 0
    end = shorten(state, cell, end)
    if end < 0:
        return CLASH
    for layer in range(board.layers):
        end = shorten(state, board.lists_at[cell * board.layers + layer] + v, end)
        if end < 0:
            return CLASH
    for crossing in range(board.crossings):
        state.shared[board.parts_at[cell * board.crossings + crossing] + v] -= 1
    return end


@kernel
def clear_cell(board: Board, state: Puzzle, cell: int, left: int, end: int) -> int:
    """Remove the ``left`` open candidates of a cell; return the same as ``remove``."""
    for w in range(board.width):
        if left == 0:
            break
        if state.cand[cell * board.width + w]:
            left -= 1
            end = remove(board, state, cell, w, end)
            if end < 0:
                return CLASH
    return end


@kernel
def clear_group(board: Board, state: Puzzle, at: int, v: int, end: int) -> int:
    """Remove a value from the cells of a group, whose list of value 0 is ``at``; return the same as ``remove``.

    The count of a solved list goes on below SOLVED for its other candidates, so that the scan ends with the last of
    them.
    """
    left = state.counts[at + v] - SOLVED
    if left >= SPARE:
        left -= SPARE
    group = (at - board.cells) // board.width * board.most
    for i in range(group, group + board.most):
        peer = board.members[i]
        if left == 0 or peer < 0:
            break
        if state.cand[peer * board.width + v]:
            left -= 1
            end = remove(board, state, peer, v, end)
            if end < 0:
                return CLASH
    state.counts[at + v] = SOLVED
    return end


@kernel
def place(board: Board, state: Puzzle, cell: int, v: int, end: int) -> int:
    """Decide a cell: solve its lists and remove all that it excludes; return the same as ``remove``."""
    state.value[cell] = v
    state.cand[cell * board.width + v] = 0
    others = state.counts[cell] - 1
    state.counts[cell] = SOLVED
    for layer in range(cell * board.layers, cell * board.layers + board.layers):
        if board.lists_at[layer] < board.idle:
            state.counts[board.lists_at[layer] + v] += SOLVED - 1
    for crossing in range(cell * board.crossings, cell * board.crossings + board.crossings):
        state.shared[board.parts_at[crossing] + v] -= 1
    end = clear_cell(board, state, cell, others, end)
    for layer in range(cell * board.layers, cell * board.layers + board.layers):
        if end >= 0 and board.lists_at[layer] != board.idle:
            end = clear_group(board, state, board.lists_at[layer], v, end)
    return end


@kernel
def single(board: Board, state: Puzzle, item: int) -> int:
    """Return the only open candidate of a list of length 1."""
    if item < board.cells:
        for v in range(item * board.width, item * board.width + board.width):
            if state.cand[v]:
                return v
    group, v = (item - board.cells) // board.width, (item - board.cells) % board.width
    for i in range(group * board.most, group * board.most + board.most):
        cell = board.members[i]
        if cell >= 0 and state.cand[cell * board.width + v]:
            return cell * board.width + v
    return -1


@kernel
def settle(board: Board, state: Puzzle, done: int, end: int) -> int:
    """Decide all singles of the queue from ``done`` on, and those that follow; return the same as ``remove``."""
    while done < end:
        item = state.queue[done]
        done += 1
        if state.counts[item] == 1:
            found = single(board, state, item)
            end = place(board, state, found // board.width, found % board.width, end)
    return end


@kernel
def clear_outside(board: Board, state: Puzzle, part: int, there: int, v: int, end: int) -> int:
    """Remove a value from the cells of group ``there`` outside a shared part; return the same as ``remove``."""
    crossing = board.crosses[3 * part]
    for i in range(there * board.most, there * board.most + board.most):
        cell = board.members[i]
        if cell < 0:
            break
        inside = board.parts_at[cell * board.crossings + crossing] == part * board.width
        if state.cand[cell * board.width + v] and not inside:
            end = remove(board, state, cell, v, end)
            if end < 0:
                return CLASH
    return end


@kernel
def sweep(board: Board, state: Puzzle, end: int) -> int:
    """Remove all that locked candidates exclude; return the same as ``remove``.

    If all places of a value in one group lie in the shared part, the other group has none outside it.
    """
    for part in range(board.parts):
        for v in range(board.width):
            inside = state.shared[part * board.width + v]
            if inside < 2:
                continue
            for side in range(2):
                here, there = board.crosses[3 * part + 1 + side], board.crosses[3 * part + 2 - side]
                confined = state.counts[board.cells + here * board.width + v] == inside
                if confined and state.counts[board.cells + there * board.width + v] > inside:
                    end = clear_outside(board, state, part, there, v, end)
                    if end < 0:
                        return CLASH
    return end


@kernel
def first_singles(board: Board, state: Puzzle) -> int:
    """Enter the lists of length 1 into the queue; return the same as ``remove``."""
    end = 0
    for item in range(board.idle):
        if state.counts[item] == 0:
            return CLASH
        if state.counts[item] == 1:
            state.queue[end] = item
            end += 1
    return end


@kernel
def total(board: Board, state: Puzzle) -> int:
    """Return the number of open candidates."""
    found = 0
    for cell in range(board.cells):
        found += max(0, state.counts[cell])
    return found


@kernel
def narrow(
    board: Board, state: Puzzle, cells: Signed, columns: Signed, given: int, allowed: Bytes, limited: int, locked: int
) -> int:
    """Apply the givens (``cells``, ``columns``), then singles and perhaps locked candidates until nothing changes.

    ``allowed`` has one flag for each candidate if the cells are ``limited``. Fills ``state``. Returns the number of
    open candidates, or CLASH.
    """
    for cell in range(board.cells):
        state.value[cell] = -1
    for i in range((board.parts + 1) * board.width):
        state.shared[i] = 0
    for item in range(board.lists):
        state.counts[item] = board.spare[item]
    if not give(board, state, cells, columns, given):
        return CLASH
    count(board, state, allowed, limited)
    done, end, left = 0, first_singles(board, state), 0
    while end >= 0:
        end = settle(board, state, done, end)
        left = total(board, state)
        if end < 0 or not locked:
            break
        done, end = end, sweep(board, state, end)
        if end == done and total(board, state) == left:
            break
    return CLASH if end < 0 else left


LIBRARY = Library("propagation", {"narrow": "mmmmimii"}, [Path(__file__)], lambda: KERNELS)

# ---------------------------------------------------------------- a structure in memory, and one puzzle of it

MOST_KEPT = 1 << 24
"""Buffers for more candidates than this (256 x 256 x 256) are released after each puzzle."""


class Tables:
    """A structure in the arrays that the kernels read (``Board``), and a set of buffers for each thread."""

    def __init__(self, structure: Structure) -> None:
        self.structure = structure
        layers, cells, width = structure.layers, len(structure.space.names), structure.space.width
        houses = np.concatenate([np.zeros(0, bool), *(layer.houses for layer in layers)])
        starts = np.cumsum([0, *(layer.groups for layer in layers)])
        group_of = np.full((cells, len(layers)), len(houses), dtype=np.int32)
        for at, layer in enumerate(layers):
            inside = layer.group_of < layer.groups
            group_of[inside, at] = layer.group_of[inside] + starts[at]
        needed = np.repeat(np.append(houses, False), width) & _present(structure, group_of, len(houses))
        spare = np.where(np.append(np.ones(cells, bool), needed), 0, SPARE).astype(np.int32)
        parts_at, crosses = _crossings(structure, starts)
        members = _members(group_of, len(houses))
        arrays = {
            "lists_at": cells + group_of * np.int32(width),
            "parts_at": parts_at,
            "members": members,
            "crosses": crosses,
            "spare": spare,
        }
        self.memory = memory_of(Board, **{name: array.size for name, array in arrays.items()})
        self.board = board = Board(self.memory)
        board.cells, board.width, board.lists, board.idle = cells, width, len(spare), len(spare) - width
        board.layers, board.crossings, board.parts = len(layers), parts_at.shape[1], len(crosses)
        board.most = members.shape[1]
        for name, array in arrays.items():
            _seen(self.memory, getattr(board, name), np.int32, array.size)[:] = array.ravel()
        self._local = threading.local()

    def reduced(self, narrow: Narrow, locked: bool, machine: LoadedKernels) -> Reduced:
        """Propagate one puzzle."""
        structure, buffers = self.structure, self._buffers()
        cells, columns = (np.ascontiguousarray(x, np.int32) for x in (narrow.cells, narrow.columns))
        flags = narrow.allowed(structure.space)
        allowed = NONE if flags is None else flags.view(np.uint8)
        places = address(self.memory), address(buffers.memory), cells.ctypes.data, columns.ctypes.data
        left = machine.narrow(*places, len(cells), allowed.ctypes.data, allowed.size, locked)
        if left == CLASH:
            return clashing(structure)
        found = np.flatnonzero(buffers.cand.view(bool)).astype(np.int32) if left else NONE
        return Reduced.of(structure, found, buffers.value.copy())

    def _buffers(self) -> Buffers:
        """Return this thread's buffers."""
        found: Buffers | None = getattr(self._local, "buffers", None)
        if found is None:
            found = Buffers(self.board)
            if len(found.cand) <= MOST_KEPT:
                self._local.buffers = found
        return found


class Buffers:
    """The memory that the kernels write, reused from puzzle to puzzle by one thread."""

    def __init__(self, board: Board) -> None:
        candidates = board.cells * board.width
        shared = (board.parts + 1) * board.width
        self.memory = memory_of(
            Puzzle, value=board.cells, cand=candidates, counts=board.lists, shared=shared, queue=board.lists
        )
        state = Puzzle(self.memory)
        self.value = _seen(self.memory, state.value, np.int32, board.cells)
        self.cand = _seen(self.memory, state.cand, np.uint8, candidates)


def _seen(memory: bytearray, part: Any, kind: type[np.generic], n: int) -> Ints:
    """Return a section of a layout as an array."""
    return np.frombuffer(memory, kind, n, 8 * part.place)


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
    allowed = structure.space.allowed
    present = np.full((groups + 1, structure.space.width), allowed is None)
    if allowed is not None:
        cell, column = np.nonzero(allowed)
        for groups_of_layer in group_of.T:
            present[groups_of_layer[cell], column] = True
    return present.ravel()


def _crossings(structure: Structure, starts: Ints) -> tuple[Ints, Ints]:
    """Find where the groups of two layers share two or more cells and one of them is a house (a box and a row).

    Return the part shared in each crossing of layers that each cell lies in, times the width, and (crossing, group,
    group) by part.
    """
    layers, cells = structure.layers, len(structure.space.names)
    found = [(pair, _shared(layers[pair[0]], layers[pair[1]])) for pair in combinations(range(len(layers)), 2)]
    found = [(pair, shared) for pair, shared in found if len(shared[1])]
    total = sum(len(groups) for _, (_, groups) in found)
    parts = np.full((cells, len(found)), total, dtype=np.int32)
    rows, start = [np.zeros((0, 3), dtype=np.int32)], 0
    for number, ((one, other), (part_of, groups)) in enumerate(found):
        inside = part_of >= 0
        parts[inside, number] = part_of[inside] + start
        rows.append(np.insert(groups + starts[[one, other]], 0, number, axis=1).astype(np.int32))
        start += len(groups)
    return parts * np.int32(structure.space.width), np.concatenate(rows)


def _shared(one: Layer, other: Layer) -> tuple[Ints, Ints]:
    """Return the shared part of each cell (-1: none), and the two groups of each part."""
    inside = (one.group_of < one.groups) & (other.group_of < other.groups)
    houses = np.append(one.houses, False)[one.group_of] | np.append(other.houses, False)[other.group_of]
    key = one.group_of.astype(np.int64) * (other.groups + 1) + other.group_of
    kept = np.flatnonzero(inside & houses & (np.bincount(key)[key] > 1))
    used, part = np.unique(key[kept], return_inverse=True)
    part_of = np.full(len(key), -1, dtype=np.int32)
    part_of[kept] = part
    return part_of, np.column_stack(np.divmod(used, other.groups + 1))


# ---------------------------------------------------------------- from domains to a problem


class Preparation:
    """Prepares the puzzles of one compiled model: narrows it, propagates, and encodes what is left.

    The option ``propagate=auto`` is ``locked`` where there can be machine code, and ``none`` elsewhere. The formula
    depends on the puzzle alone, so that an engine returns the same one of several solutions whatever was asked before.
    """

    def __init__(self, structure: Structure, options: EncodingOptions) -> None:
        self.structure, self.options = structure, options

    def __call__(self, domains: Mapping[str, Domain]) -> tuple[Problem, str]:
        """Narrow the structure by ``domains`` and encode what is left; also return how it was propagated.

        Raise ValueError if ``domains`` name an unknown variable.
        """
        structure, options = self.structure, self.options
        if options.reduction == "none":
            return textbook(structure, domains, options), note("none")
        narrow, level = read_domains(structure.space, domains), self._level()
        if level == "none" or narrow is None or structure.impossible:
            reduced = reduce(structure, narrow)
        else:
            reduced = tables_of(structure).reduced(narrow, level == "locked", kernels())
        return encode(structure, reduced, options), note(level)

    def _level(self) -> str:
        wanted = self.options.propagate
        if not self.structure.layers or (wanted == "auto" and not has_machine_code()):
            return "none"
        return "locked" if wanted == "auto" else wanted


def note(level: str) -> str:
    """Return what the record says of the propagation."""
    return f"propagation before the encoding: {level}"


@cache
def kernels() -> LoadedKernels:
    """Return the kernels, or where there can be no machine code, as plain Python."""
    try:
        return LIBRARY.load()
    except NoMachineCode:
        return LIBRARY.plain()


@cache
def has_machine_code() -> bool:
    """Load the kernels, or compile them; return whether that works."""
    try:
        LIBRARY.load()
    except NoMachineCode:
        return False
    return True


def tables_of(structure: Structure) -> Tables:
    """Return the tables of a structure, computed once."""
    memo = structure.model.memo
    found = memo.get("cnf tables") or memo.setdefault("cnf tables", Tables(structure))
    assert isinstance(found, Tables)
    return found
