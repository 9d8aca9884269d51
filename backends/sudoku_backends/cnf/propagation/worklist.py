"""Singles and locked candidates by a worklist, and the formula of what they leave, as kernels.

A list enters the worklist when its length reaches 1; the locked candidates are swept only when singles stop.

The numbering: candidate (cell, value) is ``cell * width + value``. The lists are those of the cells, by cell, then
those of the AllDifferents over all layers: list ``cells + group * width + value``.
"""

from __future__ import annotations

from pathlib import Path

from sudoku_models.engine.machine_code.language import Bytes, Kernels, Layout, Signed, section
from sudoku_models.engine.machine_code.library import Library

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
    each) are the group's cells, padded with -1, and ``layer_of`` (by group) is its layer. ``crosses`` (three by part)
    are the crossing and the two groups. ``spare`` is the starting value of each list's count.
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
    layer_of: Signed = section()
    crosses: Signed = section()
    spare: Signed = section()


class Puzzle(Layout):
    """The state of one puzzle: written by ``narrow``, whoever provides the memory.

    ``value`` (by cell) is the column of the cell's value, -1 if the cell is open; ``cand`` flags the open candidates.
    ``counts`` (by list) is the number of open candidates; it is SOLVED or below when the true one of the list is known,
    and SPARE or more if the list needs no true one (an AllDifferent that is not a house), so that such a list is never
    found short. ``shared`` (by part and value) counts the open candidates in a shared part. ``queue`` holds the lists
    whose count has reached 1. ``pairs``, ``entries`` and ``lists`` measure the formula of what is left; ``number`` (by
    candidate) and ``owners`` are scratch of the writer.
    """

    pairs: int
    entries: int
    lists: int
    value: Signed = section()
    cand: Bytes = section()
    counts: Signed = section()
    shared: Signed = section()
    queue: Signed = section()
    number: Signed = section()
    owners: Signed = section()


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
    for cell in range(board.cells):
        for v in range(board.width):
            taken = state.value[cell] < 0 and is_open(board, state, allowed, limited, cell, v)
            state.cand[cell * board.width + v] = taken
            if taken:
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


# ---------------------------------------------------------------- the formula of what is left


@kernel
def collect(board: Board, state: Puzzle, found: Signed, cell: Signed, column: Signed) -> None:
    """Write the open candidates with their cells and columns, and number them from 1."""
    at = 0
    for c in range(board.cells):
        for v in range(board.width):
            if state.cand[c * board.width + v]:
                found[at] = c * board.width + v
                cell[at] = c
                column[at] = v
                at += 1
                state.number[c * board.width + v] = at


@kernel
def measure(board: Board, state: Puzzle) -> None:
    """Write the numbers of open pairs (an upper bound), list entries and lists."""
    state.pairs = 0
    state.entries = 0
    state.lists = 0
    for item in range(board.idle):
        k = state.counts[item]
        if k > 0:
            state.pairs += k * (k - 1) // 2
            state.entries += k
            state.lists += 1


@kernel
def enter(board: Board, state: Puzzle, item: int, lits: Signed, entry: int) -> int:
    """Write the open candidates of a list from ``entry`` on, and their cells into ``owners``; return the end."""
    begin = entry
    if item < board.cells:
        for i in range(item * board.width, item * board.width + board.width):
            if state.cand[i]:
                state.owners[entry - begin] = item
                lits[entry] = state.number[i]
                entry += 1
        return entry
    group, v = (item - board.cells) // board.width, (item - board.cells) % board.width
    for j in range(group * board.most, group * board.most + board.most):
        cell = board.members[j]
        if cell >= 0 and state.cand[cell * board.width + v]:
            lits[entry] = state.number[cell * board.width + v]
            state.owners[entry - begin] = cell
            entry += 1
    return entry


@kernel
def is_written(board: Board, layers: int, a: int, b: int) -> int:
    """Return whether two cells share a group of the first ``layers`` layers, whose pairs are written already."""
    for layer in range(layers):
        group = board.lists_at[a * board.layers + layer]
        if group == board.lists_at[b * board.layers + layer] and group < board.idle:
            return 1
    return 0


@kernel
def write(board: Board, state: Puzzle, first: Signed, second: Signed, lits: Signed, lens: Signed) -> int:
    """Write the open lists, each as one clause and as its negated pairs; return the number of pairs.

    A pair that two lists share (a box and a row) is written once.
    """
    pair, entry, at = 0, 0, 0
    for item in range(board.idle):
        if state.counts[item] <= 0:
            continue
        begin = entry
        entry = enter(board, state, item, lits, entry)
        lens[at] = entry - begin
        at += 1
        layer = board.layer_of[(item - board.cells) // board.width] if item >= board.cells else 0
        for i in range(begin, entry):
            for j in range(i + 1, entry):
                if not is_written(board, layer, state.owners[i - begin], state.owners[j - begin]):
                    first[pair] = -lits[i]
                    second[pair] = -lits[j]
                    pair += 1
    return pair


ENTRIES = {"narrow": "mmmmimii", "collect": "mmmmm", "measure": "mm", "write": "mmmmmm"}
LIBRARY = Library("worklist", ENTRIES, [Path(__file__)], lambda: KERNELS)
