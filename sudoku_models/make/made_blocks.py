"""Make puzzles in blocks: clues are removed from solution grids as long as one solution is left."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import count
from typing import Any

import numpy as np

from ..bulk import solve_arrays
from ..engine.machine_code.library import possible
from ..puzzle import Puzzle, Shape
from ..puzzle.rules import Rule
from .bands import Array
from .chance import Stream
from .climbing import FIRST, HIGHEST, climb, summits
from .demands import Wanted
from .many_unique import Uniqueness
from .misses import Miss, clues_missed, outside
from .ratings import Band
from .solution_grids import BLOCK, grid_block
from .starting import from_puzzle
from .topdown import take_away

PART = 16
"""Puzzles that are made together if a backend tests one board at a time."""


@dataclass(frozen=True)
class MadeBlock:
    """Puzzles with one solution and the right number of clues, their solutions, and the number of candidates.

    ``rules`` has the rules of each puzzle, if there are any. ``near`` is the nearest candidate with another number of
    clues, and how it misses.
    """

    puzzles: Array
    solutions: Array
    tried: int
    rules: tuple[tuple[Rule, ...], ...] = ()
    near: tuple[Miss, MadeBlock] | None = None

    def part(self, number: int) -> MadeBlock:
        """Return one of the puzzles."""
        one = slice(number, number + 1)
        return MadeBlock(self.puzzles[one], self.solutions[one], 0, self.rules[one])


def with_clues(wanted: Wanted, block: MadeBlock) -> MadeBlock:
    """Return the puzzles of a block that have the wanted number of clues, and the nearest of the others."""
    clues = (block.puzzles > 0).sum(1)
    off = outside(clues, *wanted.span)
    good = np.flatnonzero(off == 0)
    if len(good) == len(clues):
        return block
    worst = len(clues) and int(np.where(off == 0, off.max() + 1, off).argmin())
    (miss,) = clues_missed(clues[worst : worst + 1], *wanted.span)
    assert miss is not None
    rules = tuple(block.rules[i] for i in good.tolist()) if block.rules else ()
    return MadeBlock(block.puzzles[good], block.solutions[good], block.tried, rules, (miss, block.part(worst)))


def parts(wanted: Wanted, size: int) -> Iterator[tuple[int, slice]]:
    """Yield the numbers of blocks of some size, each with rows of it that are made together.

    If one board is tested at a time these are few, since the first ones may be enough.
    """
    end = max(size, 1)
    step = end if Uniqueness(Puzzle.empty(wanted.shape), wanted.backend).together else PART
    return ((number, slice(row, min(row + step, size))) for number in count() for row in range(0, end, step))


def make_block(wanted: Wanted, number: int, rows: slice) -> MadeBlock:
    """Make the puzzles of some rows of a block; they depend only on the options, the seed and the number."""
    shape, stream = wanted.shape, Stream("generate", wanted.seed, number)
    solutions = _grids(wanted, number, rows.stop)[rows]
    orders = stream.orders(wanted.size, len(wanted.groups))[rows]
    low, high = wanted.span
    aims = low + (stream.numbers(wanted.size)[rows] * (high - low + 1)).astype(np.int64)
    unique = Uniqueness(Puzzle.empty(shape), wanted.backend, deadline=wanted.deadline)
    boards = solutions.copy()
    kept: Any = slice(None)
    if len(wanted.open):
        boards[:, wanted.open] = 0
        kept = np.flatnonzero(unique(boards))
    puzzles = boards[kept]
    if wanted.minimal or wanted.pattern is None:
        least = np.zeros(len(puzzles), np.int64) if wanted.minimal else aims[kept]
        groups, classic = wanted.groups[orders[kept]], shape == Shape.square(9)
        puzzles = take_away(puzzles, groups, least, unique, solutions[kept], classic).puzzles
    return with_clues(wanted, MadeBlock(puzzles, solutions[kept], len(solutions)))


def _grids(wanted: Wanted, number: int, needed: int) -> Array:
    if wanted.grid is not None:
        values: Any = wanted.grid.values
        return np.tile(np.array(values, np.uint8), (wanted.size, 1))
    size = BLOCK if possible() else needed  # plain Python makes some hundred grids a second
    return _random_grids(wanted.shape, wanted.seed, number, not wanted.uniform, size)


@lru_cache(maxsize=8)
def _random_grids(shape: Shape, seed: int, number: int, fast: bool, size: int) -> Array:
    return grid_block(shape, seed, number, fast, size)


def from_one(puzzle: Puzzle, wanted: Wanted) -> Iterator[MadeBlock]:
    """Yield what is made from a puzzle without rules, with the wanted number of clues."""
    for puzzles, solutions in from_puzzle(puzzle, wanted.seed, wanted.backend):
        yield with_clues(wanted, MadeBlock(puzzles, solutions, len(puzzles)))


def climbed(wanted: Wanted, band: Band) -> Iterator[MadeBlock]:
    """Yield puzzles that may have the wanted rating, from one climb after another, started at random puzzles or at
    summits.
    """
    unique = Uniqueness(Puzzle.empty(wanted.shape), wanted.backend)
    for number in count():
        stream = Stream("climb", wanted.seed, number)
        first = make_block(replace(wanted, clues=None, minimal=True), number, slice(FIRST)).puzzles
        if band.low >= HIGHEST and number % 2:
            first = summits(stream)
        for boards, below, tried in climb(first, stream, unique, band.low):
            block = with_clues(wanted, MadeBlock(boards, _solved(boards), tried))
            yield block if block.near or not len(below) else replace(block, near=_near(wanted, band, below))


def _near(wanted: Wanted, band: Band, board: Array) -> tuple[Miss, MadeBlock] | None:
    """Return how a puzzle that is easier than wanted misses the band."""
    (miss,) = (*clues_missed((board > 0).sum(1), *wanted.span),)
    miss = miss or band.misses(board)[0]
    return None if miss is None else (miss, MadeBlock(board, _solved(board), 0))


def _solved(boards: Array) -> Array:
    solutions: Array = solve_arrays(boards, check=False).values
    return solutions
