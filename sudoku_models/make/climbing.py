"""A climb to puzzles that chance alone does not find: from the hardest of some random ones to neighbours, ever harder.

Of random minimal puzzles none in a hundred thousand is at 9.5 on the SE-like scale. Puzzles that differ in one clue are
about as hard as one another. So the hardest one that was met, by its level and the stages that it takes, is left for
its neighbours, again and again.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heapify, heappop, heappush

import numpy as np

from ..explain.classic import rate_arrays
from ..puzzle import Puzzle, Shape
from .bands import Array
from .chance import Stream
from .neighbourhood import near
from .topdown import take_away
from .uniqueness import Uniqueness

STEEP = 93
"""From this SE-like rating on, in tenths, puzzles are found by a climb."""

FIRST = 1024
"""Random puzzles of which the hardest ones are where a climb begins."""

BEST = 20
"""How many of these."""

TURNS = 150
"""After this number of moves to a neighbour the climb begins anew, with other random puzzles."""

MOST = 256
"""The most neighbours of a puzzle that are looked at."""

HARD = 20_008
"""The level 2.8, as ``rate_arrays`` writes it: a puzzle below it is hardly ever at 9.3 on the SE-like scale."""

Key = tuple[int, tuple[int, ...]]
"""How hard a puzzle is: its level, and how many stages each level takes, the highest ones first."""


def climb(first: Array, stream: Stream, unique: Uniqueness) -> Iterator[tuple[Array, int]]:
    """Yield hard minimal puzzles on the way up from some, and how many were looked at; it ends after TURNS."""
    heap = [(_negative(key), row.tobytes()) for key, row in zip(_keys(first), first, strict=True)]
    heap = sorted(heap)[:BEST]
    heapify(heap)
    seen = {row for _, row in heap}
    for _ in range(TURNS):
        if not heap:
            return
        _, parent = heappop(heap)
        boards = _neighbours(np.frombuffer(parent, np.uint8), stream, unique)
        new = [row for row in boards if row.tobytes() not in seen]
        keys = _keys(np.array(new, np.uint8)) if new else []
        for key, row in zip(keys, new, strict=True):
            seen.add(row.tobytes())
            heappush(heap, (_negative(key), row.tobytes()))
        hard = [row for key, row in zip(keys, new, strict=True) if key[0] >= HARD]
        yield np.array(hard, np.uint8).reshape(-1, first.shape[1]), len(boards)


def _neighbours(values: Array, stream: Stream, unique: Uniqueness) -> Array:
    """Return minimal puzzles that come of a change of one clue, each once."""
    puzzle = Puzzle(Shape.square(9), tuple(value or None for value in values.tolist()))
    boards = np.unique(np.concatenate(list(near(puzzle, 1, unique.backend))), axis=0)
    chosen = boards[stream.orders(1, len(boards))[0][:MOST]]
    orders = stream.orders(len(chosen), chosen.shape[1])[:, :, None]
    found: Array = np.unique(
        take_away(chosen, orders, np.zeros(len(chosen), np.int64), unique.answered).puzzles, axis=0
    )
    return found


def _keys(boards: Array) -> list[Key]:
    """Return how hard puzzles are; those that take trials within trials are above all others."""
    found = rate_arrays(boards, "level", highest=0)
    assert found.stages is not None
    levels = np.where(found.exact, found.values, 40_000).tolist()
    return [(level, tuple(stages[::-1])) for level, stages in zip(levels, found.stages.tolist(), strict=True)]


def _negative(key: Key) -> Key:
    return -key[0], tuple(-number for number in key[1])
