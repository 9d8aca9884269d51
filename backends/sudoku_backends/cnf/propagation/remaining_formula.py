"""The formula of what the worklist leaves, written by numba; for models of houses only."""

from __future__ import annotations

from ..encoding.space import Ints
from .worklist import FixedArrays, PuzzleArrays, compiled


@compiled
def collect(state: PuzzleArrays, width: int, number: Ints, found: Ints, cell: Ints, column: Ints) -> None:
    """Write the open candidates with their cells and columns, and number them from 1."""
    at = 0
    for c in range(len(state.value)):
        for v in range(width):
            if state.cand[c * width + v]:
                found[at] = c * width + v
                cell[at] = c
                column[at] = v
                at += 1
                number[c * width + v] = at


@compiled
def measure(count: Ints, idle: int) -> tuple[int, int, int]:
    """Return the numbers of open pairs (an upper bound), list entries and lists."""
    pairs, entries, lists = 0, 0, 0
    for item in range(idle):
        k = count[item]
        if k > 0:
            pairs += k * (k - 1) // 2
            entries += k
            lists += 1
    return pairs, entries, lists


@compiled
def _enter(
    board: FixedArrays, state: PuzzleArrays, number: Ints, item: int, lits: Ints, owners: Ints, entry: int
) -> int:
    """Write the open candidates of a list from ``entry`` on, and their cells into ``owners``; return the end."""
    cells, width, begin = len(state.value), board.width, entry
    if item < cells:
        for i in range(item * width, item * width + width):
            if state.cand[i]:
                lits[entry] = number[i]
                entry += 1
        return entry
    group, v = divmod(item - cells, width)
    for j in range(board.members.shape[1]):
        cell = board.members[group, j]
        if cell >= 0 and state.cand[cell * width + v]:
            lits[entry] = number[cell * width + v]
            owners[entry - begin] = cell
            entry += 1
    return entry


@compiled
def _is_written(board: FixedArrays, layers: int, a: int, b: int) -> bool:
    """Return whether two cells share a group of the first ``layers`` layers, whose pairs are written already."""
    for layer in range(layers):
        if board.lists_at[a, layer] == board.lists_at[b, layer] and board.lists_at[a, layer] < board.idle:
            return True
    return False


@compiled
def write(
    board: FixedArrays,
    state: PuzzleArrays,
    number: Ints,
    owners: Ints,
    first: Ints,
    second: Ints,
    lits: Ints,
    lens: Ints,
) -> int:
    """Write the open lists, each as one clause and as its negated pairs; return the number of pairs.

    A pair that two lists share (a box and a row) is written once. ``owners`` has room for the cells of one group.
    """
    cells = len(state.value)
    pair, entry, at = 0, 0, 0
    for item in range(board.idle):
        if state.counts[item] <= 0:
            continue
        begin, entry = entry, _enter(board, state, number, item, lits, owners, entry)
        lens[at] = entry - begin
        at += 1
        layer = board.layer_of[(item - cells) // board.width] if item >= cells else 0
        for i in range(begin, entry):
            for j in range(i + 1, entry):
                if not _is_written(board, layer, owners[i - begin], owners[j - begin]):
                    first[pair] = -lits[i]
                    second[pair] = -lits[j]
                    pair += 1
    return pair
