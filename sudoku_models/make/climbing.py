"""Find puzzles that random search hardly ever finds: climb from the hardest of some random ones to ever harder
neighbours.

Not one in a hundred thousand random minimal puzzles reaches 9.5 on the SE-like scale. Puzzles that differ in one clue
have similar difficulty. So the climb repeatedly moves from the hardest known puzzle, by its level and the stages it
needs, to that puzzle's neighbours.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heapify, heappop, heappush

import numpy as np

from ..explain.classic import rate_arrays
from ..puzzle import Puzzle, Shape
from .bands import Array
from .chance import Stream
from .form_arrays import augment
from .many_unique import Uniqueness
from .neighbourhood import near
from .topdown import take_away

STEEP = 93
"""From this SE-like rating on, in tenths, puzzles are found by a climb."""

FIRST = 1024
"""The number of random puzzles, the hardest of which start a climb."""

BEST = 20
"""How many of them start a climb."""

TURNS = 150
"""After this number of moves to a neighbour the climb starts again from other random puzzles."""

MOST = 256
"""The most neighbours of a puzzle that are examined."""

HARD = {100: 20_020, 96: 20_014, STEEP: 20_008}
"""By SE-like rating, in tenths: the level (as ``rate_arrays`` writes it: 2.20, 2.14, 2.8) below which hardly any puzzle
has that rating. A level is found much faster, so it shows which puzzles are worth rating.
"""

HIGHEST = 100
"""From this SE-like rating on, in tenths, every second climb starts at SUMMITS: others often end below it."""

SUMMITS = ("..95..........2.15.4..6......2.3...118.....7.6.....5..7..6..........8.37..6.5...2",)
"""Puzzles that such climbs from random ones have found; others with their rating, 10.4, are nearby."""

Key = tuple[int, tuple[int, ...]]
"""The difficulty of a puzzle: its level, and the number of stages at each level, the highest levels first."""


def climb(first: Array, stream: Stream, unique: Uniqueness, low: int = STEEP) -> Iterator[tuple[Array, Array, int]]:
    """Yield minimal puzzles that may reach ``low`` on the climb from some puzzles, and how many were examined.

    Between them it yields the hardest puzzle below ``low`` if it is harder than all before, otherwise none. It ends
    after TURNS.
    """
    hard = next(level for rating, level in HARD.items() if low >= rating)
    heap = [(_negative(key), row.tobytes()) for key, row in zip(_keys(first), first, strict=True)]
    heap = sorted(heap)[:BEST]
    heapify(heap)
    seen = {row for _, row in heap}
    top = _negative((0, ()))
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
        found = [row for key, row in zip(keys, new, strict=True) if key[0] >= hard]
        best = min(((_negative(key), row.tobytes()) for key, row in zip(keys, new, strict=True)), default=(top, b""))
        below = b"" if found or best[0] >= top else best[1]
        top = min(top, best[0])
        width = first.shape[1]
        yield (
            np.array(found, np.uint8).reshape(-1, width),
            np.frombuffer(below, np.uint8).reshape(-1, width),
            len(boards),
        )


def summits(stream: Stream) -> Array:
    """Return the puzzles that earlier climbs found, each with a random symmetry."""
    lines = np.array([[int(sign) for sign in line.replace(".", "0")] for line in SUMMITS], np.uint8)
    (found,) = augment(lines, seed=int(stream.numbers(1)[0] * 2**53))
    return found


def _neighbours(values: Array, stream: Stream, unique: Uniqueness) -> Array:
    """Return the minimal puzzles that result from changing one clue, each once."""
    puzzle = Puzzle(Shape.square(9), tuple(value or None for value in values.tolist()))
    boards = np.unique(np.concatenate(list(near(puzzle, 1, unique.backend))), axis=0)
    chosen = boards[stream.orders(1, len(boards))[0][:MOST]]
    orders = stream.orders(len(chosen), chosen.shape[1])[:, :, None]
    found: Array = np.unique(
        take_away(chosen, orders, np.zeros(len(chosen), np.int64), unique, classic=True).puzzles, axis=0
    )
    return found


def _keys(boards: Array) -> list[Key]:
    """Return the difficulty of puzzles; those that need nested trials are above all others."""
    found = rate_arrays(boards, "level", highest=0)
    assert found.stages is not None
    levels = np.where(found.exact, found.values, 40_000).tolist()
    return [(level, tuple(stages[::-1])) for level, stages in zip(levels, found.stages.tolist(), strict=True)]


def _negative(key: Key) -> Key:
    return -key[0], tuple(-number for number in key[1])
