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

import numpy as np

from sudoku_models.engine.machine_code.language import (
    Kernels,
    Layout,
    Shorts,
    Signed,
    Words,
    lowest,
    memory_of,
    section,
)
from sudoku_models.engine.machine_code.library import Library, LoadedKernels, NoMachineCode, address
from sudoku_models.model import Domain

from .at_most_one import Ints
from .compiled import EncodingOptions
from .formula import Problem, Reduced, Structure, encode, reduce, textbook

SOLVED = -(1 << 26)
SPARE = 1 << 24
CLASH = -1

KERNELS = Kernels()
kernel = KERNELS.mark


class Board(Layout):
    """What does not change from puzzle to puzzle.

    ``lists_at`` (by cell and layer) is the list of value 0 in the cell's group; for a cell in no group it is beyond the
    last list (``idle``). ``parts_at`` (by cell and crossing) is ``part * width`` for the part shared in the crossing
    that the cell lies in; for a cell in no such part it is beyond the last one. ``crosses`` (three by part) are the
    crossing and the two groups. ``spare`` is the starting value of each list's count. No group has more than ``most``
    cells.
    """

    cells: int
    width: int
    words: int
    layers: int
    crossings: int
    parts: int
    groups: int
    most: int
    lists: int
    idle: int
    lists_at: Signed = section()
    parts_at: Signed = section()
    crosses: Signed = section()
    spare: Signed = section()


class Puzzle(Layout):
    """The state of one puzzle.

    Its open cells are numbered as *slots*, so that a large board with few of them needs little memory; ``cells`` is the
    cell of each slot, ``lists_at`` and ``parts_at`` are the board's, by slot. ``members`` (by group, ``most`` of each)
    are the slots in a group, ``sizes`` (by group) their numbers. ``cand`` has a bit for each open candidate, in
    ``words`` of 32 values by slot. ``counts`` (by list) is the number of open candidates; it is SOLVED or below
    when the true one of the list is known, and SPARE or more if the list needs no true one (an AllDifferent that is not
    a house), so that such a list is never found short. ``shared`` (by part and value) counts the open candidates in a
    shared part. ``queue`` holds the lists whose count has reached 1.
    """

    cand: Words = section()
    counts: Signed = section()
    shared: Shorts = section()
    queue: Signed = section()
    members: Signed = section()
    sizes: Signed = section()
    cells: Signed = section()
    lists_at: Signed = section()
    parts_at: Signed = section()


@kernel
def enter(board: Board, state: Puzzle, fixed: Signed, n: int) -> None:
    """Enter the decided cells and number the open ones."""
    for i in range((board.parts + 1) * board.width):
        state.shared[i] = 0
    for item in range(board.lists):
        state.counts[item] = board.spare[item]
    for group in range(board.groups):
        state.sizes[group] = 0
    slot = 0
    for cell in range(board.cells):
        for layer in range(board.layers):
            at = board.lists_at[cell * board.layers + layer]
            group = (at - board.cells) // board.width
            if fixed[cell] < 0:
                state.lists_at[slot * board.layers + layer] = at
            if at < board.idle and fixed[cell] >= 0:
                state.counts[at + fixed[cell]] = SOLVED
            elif at < board.idle:
                state.members[group * board.most + state.sizes[group]] = slot
                state.sizes[group] += 1
        if fixed[cell] < 0:
            for crossing in range(board.crossings):
                state.parts_at[slot * board.crossings + crossing] = board.parts_at[cell * board.crossings + crossing]
            state.cells[slot] = cell
            slot += 1
    for i in range(slot * board.words):
        state.cand[i] = 0
    for item in range(slot, board.cells):
        state.counts[item] = SOLVED


@kernel
def count(board: Board, state: Puzzle, cells: Signed, columns: Signed, n: int) -> None:
    """Enter the n open candidates; their cells, ascending, become slots."""
    slot = 0
    for i in range(n):
        while state.cells[slot] != cells[i]:
            slot += 1
        v = columns[i]
        cells[i] = slot
        state.cand[slot * board.words + (v >> 5)] |= 1 << (v & 31)
        state.counts[slot] += 1
        for layer in range(board.layers):
            state.counts[state.lists_at[slot * board.layers + layer] + v] += 1
        for crossing in range(board.crossings):
            state.shared[state.parts_at[slot * board.crossings + crossing] + v] += 1


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
    state.cand[cell * board.words + (v >> 5)] &= ~(1 << (v & 31))
    end = shorten(state, cell, end)
    if end < 0:
        return CLASH
    for layer in range(board.layers):
        end = shorten(state, state.lists_at[cell * board.layers + layer] + v, end)
        if end < 0:
            return CLASH
    for crossing in range(board.crossings):
        state.shared[state.parts_at[cell * board.crossings + crossing] + v] -= 1
    return end


@kernel
def is_open(board: Board, state: Puzzle, cell: int, v: int) -> int:
    """Return whether a candidate is open; looked up by words, it stays in the cache on large boards."""
    return state.cand[cell * board.words + (v >> 5)] >> (v & 31) & 1


@kernel
def clear_cell(board: Board, state: Puzzle, cell: int, end: int) -> int:
    """Remove the open candidates of a cell; return the same as ``remove``."""
    for word in range(board.words):
        bits = state.cand[cell * board.words + word]
        while bits and end >= 0:
            end = remove(board, state, cell, 32 * word + lowest(bits), end)
            bits &= bits - 1
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
    group = (at - board.cells) // board.width
    for i in range(group * board.most, group * board.most + state.sizes[group]):
        if left == 0:
            break
        peer = state.members[i]
        if state.counts[peer] > 0 and is_open(board, state, peer, v):
            left -= 1
            end = remove(board, state, peer, v, end)
            if end < 0:
                return CLASH
    state.counts[at + v] = SOLVED
    return end


@kernel
def place(board: Board, state: Puzzle, fixed: Signed, cell: int, v: int, end: int) -> int:
    """Decide a cell: solve its lists and remove all that it excludes; return the same as ``remove``."""
    fixed[state.cells[cell]] = v
    state.cand[cell * board.words + (v >> 5)] &= ~(1 << (v & 31))
    state.counts[cell] = SOLVED
    for layer in range(cell * board.layers, cell * board.layers + board.layers):
        if state.lists_at[layer] < board.idle:
            state.counts[state.lists_at[layer] + v] += SOLVED - 1
    for crossing in range(cell * board.crossings, cell * board.crossings + board.crossings):
        state.shared[state.parts_at[crossing] + v] -= 1
    end = clear_cell(board, state, cell, end)
    for layer in range(cell * board.layers, cell * board.layers + board.layers):
        if end >= 0 and state.lists_at[layer] != board.idle:
            end = clear_group(board, state, state.lists_at[layer], v, end)
    return end


@kernel
def single(board: Board, state: Puzzle, item: int) -> int:
    """Return the only open candidate of a list of length 1."""
    if item < board.cells:
        for word in range(board.words):
            bits = state.cand[item * board.words + word]
            if bits:
                return item * board.width + 32 * word + lowest(bits)
    group, v = (item - board.cells) // board.width, (item - board.cells) % board.width
    for i in range(group * board.most, group * board.most + state.sizes[group]):
        cell = state.members[i]
        if state.counts[cell] > 0 and is_open(board, state, cell, v):
            return cell * board.width + v
    return -1


@kernel
def settle(board: Board, state: Puzzle, fixed: Signed, done: int, end: int) -> int:
    """Decide all singles of the queue from ``done`` on, and those that follow; return the same as ``remove``."""
    while done < end:
        item = state.queue[done]
        done += 1
        if state.counts[item] == 1:
            found = single(board, state, item)
            end = place(board, state, fixed, found // board.width, found % board.width, end)
    return end


@kernel
def clear_outside(board: Board, state: Puzzle, part: int, there: int, v: int, end: int) -> int:
    """Remove a value from the cells of group ``there`` outside a shared part; return the same as ``remove``."""
    crossing = board.crosses[3 * part]
    for i in range(there * board.most, there * board.most + state.sizes[there]):
        cell = state.members[i]
        inside = state.parts_at[cell * board.crossings + crossing] == part * board.width
        if not inside and is_open(board, state, cell, v):
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
def leave(board: Board, state: Puzzle, cells: Signed, columns: Signed, n: int) -> int:
    """Keep those of the candidates that are open still, in their order; return how many are left."""
    left = 0
    for i in range(n):
        if is_open(board, state, cells[i], columns[i]):
            cells[left] = state.cells[cells[i]]
            columns[left] = columns[i]
            left += 1
    return left


@kernel
def narrow(board: Board, state: Puzzle, fixed: Signed, cells: Signed, columns: Signed, n: int, locked: int) -> int:
    """Apply singles, and perhaps locked candidates, until nothing changes.

    ``fixed`` are the columns of the decided cells (or -1); ``cells`` and ``columns`` the n open candidates. All three
    are changed. Returns how many candidates are left, or CLASH.
    """
    enter(board, state, fixed, n)
    count(board, state, cells, columns, n)
    done, end = 0, first_singles(board, state)
    while end >= 0:
        end = settle(board, state, fixed, done, end)
        before = total(board, state)
        if end < 0 or not locked:
            break
        done, end = end, sweep(board, state, end)
        if end == done and total(board, state) == before:
            break
    left = leave(board, state, cells, columns, n)
    return CLASH if end < 0 else left


LIBRARY = Library("propagation", {"narrow": "mmmmmii"}, [Path(__file__)], lambda: KERNELS)

# ---------------------------------------------------------------- a structure in memory, and one puzzle of it

MOST_KEPT = 1 << 24
"""Buffers for more candidates than this (256 x 256 x 256) are released after each puzzle."""


class Tables:
    """A structure in the arrays that the kernels read (``Board``), and the memory of a puzzle for each thread."""

    def __init__(self, structure: Structure) -> None:
        cells, width, groups = len(structure.names), structure.width, structure.groups
        needed = np.repeat(structure.houses, width) & _present(structure).ravel()
        parts_at, crosses = _crossings(structure)
        arrays = {
            "lists_at": cells + structure.group_of.T * np.int32(width),
            "parts_at": parts_at * np.int32(width),
            "crosses": crosses,
            "spare": np.where(np.append(np.ones(cells, bool), needed), 0, SPARE),
        }
        self.memory = memory_of(Board, **{name: array.size for name, array in arrays.items()})
        self.board = board = Board(self.memory)
        board.cells, board.width, board.words, board.groups = cells, width, -(-width // 32), groups
        board.lists, board.idle, board.layers = len(arrays["spare"]), cells + groups * width, len(structure.group_of)
        board.crossings, board.parts, board.most = parts_at.shape[1], len(crosses), int(structure.sizes.max())
        for name, array in arrays.items():
            part = np.frombuffer(self.memory, np.int32, array.size, 8 * getattr(board, name).place)
            part[:] = array.ravel()
        self._local = threading.local()

    def propagated(self, reduced: Reduced, locked: bool, machine: LoadedKernels) -> Reduced | None:
        """Propagate one puzzle; None if there is a clash."""
        fixed, cell, column = (np.array(part, np.int32) for part in (reduced.fixed, reduced.cell, reduced.column))
        state, arrays = self._state(int(np.count_nonzero(fixed < 0))), map(address, (fixed, cell, column))
        left = machine.narrow(address(self.memory), address(state), *arrays, len(cell), locked)
        return None if left == CLASH else Reduced(cell[:left], column[:left], fixed)

    def _state(self, slots: int) -> bytearray:
        """Return memory for a puzzle with some open cells: this thread's, unless the board is large."""
        board = self.board
        kept = board.cells * board.width <= MOST_KEPT
        found: bytearray | None = getattr(self._local, "state", None)
        if found is None:
            slots = board.cells if kept else slots
            sizes = {"cand": slots * board.words, "members": board.groups * board.most, "sizes": board.groups}
            sizes |= {"counts": board.lists, "queue": board.lists, "shared": (board.parts + 1) * board.width}
            sizes |= {"cells": slots, "lists_at": slots * board.layers, "parts_at": slots * board.crossings}
            found = memory_of(Puzzle, **sizes)
            if kept:
                self._local.state = found
        return found


def _present(structure: Structure) -> Ints:
    """Flag the values that are in the domain of some cell of each group."""
    present = np.full((structure.groups + 1, structure.width), structure.allowed is None)
    if structure.allowed is not None:
        cell, column = np.nonzero(structure.allowed)
        present[structure.group_of[:, cell], column] = True
    return present


def _crossings(structure: Structure) -> tuple[Ints, Ints]:
    """Find where the groups of two layers share two or more cells and one of them is a house (a box and a row).

    Return the part shared in each crossing of layers that each cell lies in (the number of parts: none), and (crossing,
    group, group) by part.
    """
    columns, rows = list[Ints](), [np.zeros((0, 3), dtype=np.int32)]
    start = 0
    for one, other in combinations(structure.group_of, 2):
        inside = (one < structure.groups) & (other < structure.groups)
        cells = np.flatnonzero(inside & (structure.houses[one] | structure.houses[other]))
        keys = one[cells].astype(np.int64) * (structure.groups + 1) + other[cells]
        used, part, counts = np.unique(keys, return_inverse=True, return_counts=True)
        if not (counts > 1).any():
            continue
        number = np.where(counts > 1, start + np.cumsum(counts > 1) - 1, -1)
        columns.append(np.full(len(one), -1, dtype=np.int32))
        columns[-1][cells] = number[part]
        groups = np.column_stack(np.divmod(used[counts > 1], structure.groups + 1))
        rows.append(np.insert(groups, 0, len(columns) - 1, axis=1))
        start += len(groups)
    parts = np.stack(columns, axis=1) if columns else np.zeros((len(structure.names), 0), dtype=np.int32)
    return np.where(parts < 0, start, parts), np.concatenate(rows)


# ---------------------------------------------------------------- from domains to a problem


def prepared(structure: Structure, domains: Mapping[str, Domain], options: EncodingOptions) -> tuple[Problem, str]:
    """Narrow a structure by ``domains``, propagate, and encode what is left; also return how it was propagated.

    The option ``propagate=auto`` is ``locked`` where there can be machine code, and ``none`` elsewhere. The formula
    depends on the puzzle alone, so that an engine returns the same one of several solutions whatever was asked before.
    Raise ValueError if ``domains`` name an unknown variable.
    """
    if options.reduction == "none":
        return textbook(structure, domains, options), note("none")
    level, reduced = options.propagate, reduce(structure, domains)
    if level == "auto":
        level = "locked" if has_machine_code() else "none"
    if not len(structure.group_of):
        level = "none"
    if reduced and level != "none":
        reduced = tables_of(structure).propagated(reduced, level == "locked", kernels())
    return encode(structure, reduced, options), note(level)


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
