"""Singles and locked candidates by a worklist, compiled by numba.

A list enters the worklist when its length reaches 1; the locked candidates are swept only when singles stop.

The numbering: candidate (cell, value) is ``cell * width + value``. The lists are those of the cells, by cell, then
those of the AllDifferents over all layers: list ``cells + group * width + value``.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from sudoku_models.engine.kept_kernel import kept_kernel

from ..encoding.space import Ints

SOLVED = -(1 << 26)
SPARE = 1 << 24
CLASH = -1


class FixedArrays(NamedTuple):
    """What does not change from puzzle to puzzle.

    ``lists_at[cell, layer]`` is the list of value 0 in the cell's group; for a cell in no group it is beyond the last
    list (``idle``). ``parts_at[cell, c]`` is ``part * width`` for the part shared in crossing c that the cell lies in;
    for a cell in no such part it is beyond the last one. ``members[group]`` are the group's cells, padded with -1, and
    ``layer_of[group]`` is its layer. ``crosses[part]`` are the crossing and the two groups. ``spare`` is the starting
    value of each list's count.
    """

    lists_at: Ints
    parts_at: Ints
    members: Ints
    layer_of: Ints
    crosses: Ints
    spare: Ints
    width: int
    idle: int


class PuzzleArrays(NamedTuple):
    """The state of one puzzle: written by ``narrow``, whoever provides the arrays.

    ``value[cell]`` is the column of the cell's value, -1 if the cell is open; ``cand`` flags the open candidates.
    ``counts[list]`` is the number of open candidates; it is SOLVED or below when the true one of the list is known, and
    SPARE or more if the list needs no true one (an AllDifferent that is not a house), so that such a list is never
    found short. ``shared[part * width + value]`` counts the open candidates in a shared part. ``queue`` holds the lists
    whose count has reached 1.
    """

    value: Ints
    cand: Ints
    counts: Ints
    shared: Ints
    queue: Ints


compiled = partial(kept_kernel, nogil=True, error_model="numpy", _nrt=False)
"""Compiles when first called. References to the arrays, which the caller owns, are not counted: that took a third of
the time.
"""


@compiled
def _give(board: FixedArrays, state: PuzzleArrays, cells: Ints, columns: Ints) -> bool:
    """Enter the givens; return False when two of them clash."""
    for i in range(len(cells)):
        cell, v = cells[i], columns[i]
        state.value[cell] = v
        state.counts[cell] = SOLVED
        for layer in range(board.lists_at.shape[1]):
            at = board.lists_at[cell, layer]
            if at < board.idle:
                if state.counts[at + v] == SOLVED:
                    return False
                state.counts[at + v] = SOLVED
    return True


@compiled
def _is_open(board: FixedArrays, state: PuzzleArrays, allowed: Ints, cell: int, v: int) -> bool:
    """Return whether a value is an open candidate of an open cell: allowed, and excluded by no given."""
    taken = not len(allowed) or bool(allowed[cell * board.width + v])
    for layer in range(board.lists_at.shape[1]):
        taken &= state.counts[board.lists_at[cell, layer] + v] >= 0
    return taken


@compiled
def _count(board: FixedArrays, state: PuzzleArrays, allowed: Ints) -> None:
    """Find the open candidates and the lengths of all lists. ``allowed`` is empty if no cell is limited."""
    for cell in range(len(state.value)):
        for v in range(board.width):
            taken = state.value[cell] < 0 and _is_open(board, state, allowed, cell, v)
            state.cand[cell * board.width + v] = taken
            if taken:
                state.counts[cell] += 1
                for layer in range(board.lists_at.shape[1]):
                    state.counts[board.lists_at[cell, layer] + v] += 1
                for crossing in range(board.parts_at.shape[1]):
                    state.shared[board.parts_at[cell, crossing] + v] += 1


@compiled
def _shorten(state: PuzzleArrays, item: int, end: int) -> int:
    """Decrease the count of a list; return the new end of the queue, or CLASH if the list is emptied."""
    state.counts[item] -= 1
    left = state.counts[item]
    if left == 1:
        state.queue[end] = item
        return end + 1
    return CLASH if left == 0 else end


@compiled
def _remove(board: FixedArrays, state: PuzzleArrays, cell: int, v: int, end: int) -> int:
    """Remove an open candidate; return the new end of the queue, or CLASH if a list is emptied."""
    state.cand[cell * board.width + v] = 0
    end = _shorten(state, cell, end)
    if end < 0:
        return CLASH
    for layer in range(board.lists_at.shape[1]):
        end = _shorten(state, board.lists_at[cell, layer] + v, end)
        if end < 0:
            return CLASH
    for crossing in range(board.parts_at.shape[1]):
        state.shared[board.parts_at[cell, crossing] + v] -= 1
    return end


@compiled
def _clear_cell(board: FixedArrays, state: PuzzleArrays, cell: int, left: int, end: int) -> int:
    """Remove the ``left`` open candidates of a cell; return the same as ``_remove``."""
    for w in range(board.width):
        if left == 0:
            break
        if state.cand[cell * board.width + w]:
            left -= 1
            end = _remove(board, state, cell, w, end)
            if end < 0:
                return CLASH
    return end


@compiled
def _clear_group(board: FixedArrays, state: PuzzleArrays, at: int, v: int, end: int) -> int:
    """Remove a value from the cells of a group, whose list of value 0 is ``at``; return the same as ``_remove``.

    The count of a solved list goes on below SOLVED for its other candidates, so that the scan ends with the last of
    them.
    """
    left = state.counts[at + v] - SOLVED
    if left >= SPARE:
        left -= SPARE
    group = (at - len(state.value)) // board.width
    for i in range(board.members.shape[1]):
        peer = board.members[group, i]
        if left == 0 or peer < 0:
            break
        if state.cand[peer * board.width + v]:
            left -= 1
            end = _remove(board, state, peer, v, end)
            if end < 0:
                return CLASH
    state.counts[at + v] = SOLVED
    return end


@compiled
def _place(board: FixedArrays, state: PuzzleArrays, cell: int, v: int, end: int) -> int:
    """Decide a cell: solve its lists and remove all that it excludes; return the same as ``_remove``."""
    state.value[cell] = v
    state.cand[cell * board.width + v] = 0
    others = state.counts[cell] - 1
    state.counts[cell] = SOLVED
    for layer in range(board.lists_at.shape[1]):
        if board.lists_at[cell, layer] < board.idle:
            state.counts[board.lists_at[cell, layer] + v] += SOLVED - 1
    for crossing in range(board.parts_at.shape[1]):
        state.shared[board.parts_at[cell, crossing] + v] -= 1
    end = _clear_cell(board, state, cell, others, end)
    for layer in range(board.lists_at.shape[1]):
        if end >= 0 and board.lists_at[cell, layer] != board.idle:
            end = _clear_group(board, state, board.lists_at[cell, layer], v, end)
    return end


@compiled
def _single(board: FixedArrays, state: PuzzleArrays, item: int) -> tuple[int, int]:
    """Return the cell and value of a list of length 1."""
    cells = len(state.value)
    if item < cells:
        for v in range(board.width):
            if state.cand[item * board.width + v]:
                return item, v
    group, v = divmod(item - cells, board.width)
    for i in range(board.members.shape[1]):
        cell = board.members[group, i]
        if cell >= 0 and state.cand[cell * board.width + v]:
            return cell, v
    return -1, -1


@compiled
def _settle(board: FixedArrays, state: PuzzleArrays, done: int, end: int) -> int:
    """Decide all singles of the queue from ``done`` on, and those that follow; return the same as ``_remove``."""
    while done < end:
        item = state.queue[done]
        done += 1
        if state.counts[item] == 1:
            cell, v = _single(board, state, item)
            end = _place(board, state, cell, v, end)
    return end


@compiled
def _clear_outside(board: FixedArrays, state: PuzzleArrays, part: int, there: int, v: int, end: int) -> int:
    """Remove a value from the cells of group ``there`` outside a shared part; return the same as ``_remove``."""
    crossing = board.crosses[part, 0]
    for i in range(board.members.shape[1]):
        cell = board.members[there, i]
        if cell < 0:
            break
        if state.cand[cell * board.width + v] and board.parts_at[cell, crossing] != part * board.width:
            end = _remove(board, state, cell, v, end)
            if end < 0:
                return CLASH
    return end


@compiled
def _sweep(board: FixedArrays, state: PuzzleArrays, end: int) -> int:
    """Remove all that locked candidates exclude; return the same as ``_remove``.

    If all places of a value in one group lie in the shared part, the other group has none outside it.
    """
    cells, width = len(state.value), board.width
    for part in range(board.crosses.shape[0]):
        for v in range(width):
            inside = state.shared[part * width + v]
            if inside < 2:
                continue
            for side in range(2):
                here, there = board.crosses[part, 1 + side], board.crosses[part, 2 - side]
                confined = state.counts[cells + here * width + v] == inside
                if confined and state.counts[cells + there * width + v] > inside:
                    end = _clear_outside(board, state, part, there, v, end)
                    if end < 0:
                        return CLASH
    return end


@compiled
def _first_singles(board: FixedArrays, state: PuzzleArrays) -> int:
    """Enter the lists of length 1 into the queue; return the same as ``_remove``."""
    end = 0
    for item in range(board.idle):
        if state.counts[item] == 0:
            return CLASH
        if state.counts[item] == 1:
            state.queue[end] = item
            end += 1
    return end


@compiled
def _total(count: Ints, cells: int) -> int:
    """Return the number of open candidates."""
    total = 0
    for cell in range(cells):
        if count[cell] > 0:
            total += count[cell]
    return total


@compiled
def narrow(board: FixedArrays, state: PuzzleArrays, cells: Ints, columns: Ints, allowed: Ints, locked: bool) -> int:
    """Apply the givens (``cells``, ``columns``), then singles and perhaps locked candidates until nothing changes.

    ``allowed`` has one flag for each candidate if some cell is limited, otherwise it is empty. Fills ``state``. Returns
    the number of open candidates, or CLASH.
    """
    state.value[:] = -1
    state.shared[:] = 0
    for item in range(len(board.spare)):
        state.counts[item] = board.spare[item]
    if not _give(board, state, cells, columns):
        return CLASH
    _count(board, state, allowed)
    done, end = 0, _first_singles(board, state)
    while end >= 0:
        end = _settle(board, state, done, end)
        left = _total(state.counts, len(state.value))
        if end < 0 or not locked:
            break
        done, end = end, _sweep(board, state, end)
        if end == done and _total(state.counts, len(state.value)) == left:
            break
    return CLASH if end < 0 else left
