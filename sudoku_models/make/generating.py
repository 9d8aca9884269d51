"""The verb ``generate``: puzzles with exactly one solution, proved, by taking clues from solution grids."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import count, takewhile
from typing import Any

import numpy as np

from ..bulk import solve_arrays
from ..display.progress import progress_bar
from ..engine.registry import BackendLike
from ..errors import LimitReached
from ..puzzle import Grid, Puzzle, Shape
from ..verbs.task import Problem, as_puzzle
from .bands import Array
from .chance import Stream, in_blocks
from .climbing import FIRST, HIGHEST, STEEP, climb, summits
from .keywords import names, refuse_negative, shape_or_nine
from .levels import Accept, in_band
from .ratings import CHUNK, Band
from .solution_grids import grid_block
from .starting import from_puzzle
from .topdown import take_away
from .uniqueness import Uniqueness
from .wanted import Clues, Wanted

PATIENCE, FEWER = 1_000_000, 10_000
"""Candidates in a row that are not as wanted before a search without a limit gives up: of boards that are made

together, and of others, which take longer.
"""

PART = 16
"""Puzzles that are made together where a backend is asked about one board after the other."""


@dataclass(frozen=True)
class FoundPuzzles:
    """Some puzzles that came out as wanted, their solutions, and how many candidates were tried."""

    puzzles: Array
    solutions: Array
    tried: int


@dataclass(frozen=True)
class Generated:
    """What ``generate`` made: ``values`` and ``solutions`` (uint8, a row for each puzzle, 0 in open cells).

    ``tried`` counts the candidates, those that were not as wanted included. Without ``complete`` a limit came first,
    and ``reason`` says which.
    """

    wanted: Wanted
    values: Array
    solutions: Array
    tried: int
    complete: bool
    reason: str = ""

    def __repr__(self) -> str:
        ended = "" if self.complete else f"; ended by: {self.reason}"
        return f"<Generated: {len(self):,} puzzles of {self.wanted.shape}, {self.tried:,} candidates tried{ended}>"

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator[Puzzle]:
        return iter(self.puzzles)

    @cached_property
    def puzzles(self) -> tuple[Puzzle, ...]:
        """The puzzles; each has its solution in ``stated``."""
        shape, rows = self.wanted.shape, zip(self.values.tolist(), self.solutions.tolist(), strict=True)
        return tuple(Puzzle(shape, tuple(v or None for v in row), stated=tuple(whole)) for row, whole in rows)


@dataclass(frozen=True)
class Wish:
    """What is asked of puzzles beyond their clues, and how many are wanted."""

    number: int
    accept: Accept | None = None
    band: Band | None = None

    @property
    def plain(self) -> bool:
        """Tell whether any puzzle will do."""
        return self.accept is None and self.band is None

    @property
    def is_steep(self) -> bool:
        """Tell whether the rating is such that chance alone hardly finds it."""
        return self.band is not None and self.band.low >= STEEP

    @property
    def together(self) -> int:
        """How many puzzles are looked at before limits are."""
        return 1 if self.band is None else CHUNK

    def rated(self, puzzles: Array, numbers: Array) -> Array:
        """Return those numbers of puzzles that have the rating and the techniques."""
        found: Array = numbers if self.band is None else numbers[self.band.holds(puzzles[numbers])]
        return found

    def accepts(self, puzzle: Puzzle) -> bool:
        """Tell whether a puzzle is accepted."""
        return self.accept is None or self.accept(puzzle)


@dataclass
class _Found:
    """Puzzles gathered so far; ``show`` is called with their number whenever it grows."""

    show: Callable[[int], None]
    puzzles: list[Array] = field(default_factory=list)
    solutions: list[Array] = field(default_factory=list)
    count: int = 0
    tried: int = 0
    last: int = 0

    @property
    def vain(self) -> int:
        """How many candidates were tried since the last puzzle was found."""
        return self.tried - self.last

    def add(self, block: FoundPuzzles) -> None:
        """Add all puzzles of a block."""
        self._add(block, np.arange(len(block.puzzles)))
        self.tried += block.tried

    def choose(self, block: FoundPuzzles, wish: Wish, shape: Shape, over: Callable[[], bool]) -> None:
        """Look at the puzzles of a block, some at once, and add those that are as wanted, until it is over."""
        for start in range(0, len(block.puzzles), wish.together):
            if over():
                return
            numbers = np.arange(start, min(start + wish.together, len(block.puzzles)))
            for number in wish.rated(block.puzzles, numbers).tolist():
                row = block.puzzles[number].tolist()
                if self.count < wish.number and wish.accepts(Puzzle(shape, tuple(v or None for v in row))):
                    self._add(block, np.array([number]))
            self.tried += len(numbers)
        self.tried += block.tried - len(block.puzzles)

    def _add(self, block: FoundPuzzles, chosen: Array) -> None:
        self.puzzles.append(block.puzzles[chosen])
        self.solutions.append(block.solutions[chosen])
        self.count += len(chosen)
        if len(chosen):
            self.last = self.tried
        self.show(self.count)


def generate(
    n: int = 1,
    *,
    shape: Shape | None = None,
    clues: Clues = None,
    minimal: bool = True,
    symmetry: str = "none",
    pattern: str | Iterable[int] | None = None,
    start: Problem | None = None,
    level: str | tuple[str, str] | None = None,
    rating: float | tuple[float, float] | None = None,
    size: int | tuple[int, int] | None = None,
    techniques: str | tuple[str, ...] = (),
    accept: Accept | None = None,
    seed: int = 0,
    uniform: bool = False,
    workers: int = 1,
    tries: int | None = None,
    time_limit: float | None = None,
    backend: BackendLike = "auto",
    progress: bool = False,
) -> Generated:
    """Make ``n`` puzzles with exactly one solution each, proved.

    ``shape`` is any square board (9 x 9 by default). Clues are taken from random grids (or from ``start``), in random
    order, while one solution is left: until no clue can go (``minimal``), or until there are as many as ``clues`` says,
    a number or (least, most). ``symmetry`` is one of ``SYMMETRIES``: cells that it exchanges keep or lose their clues
    together, and minimal means then that no such group can go. ``pattern`` says which cells may hold a clue: a sign for
    each cell, or their numbers; with ``minimal=False`` all of them do. ``level`` is a band of levels as ``rate`` has
    them, ("1.1", "2.3"). Of classic 9 x 9 puzzles, ``rating`` is a band of SE-like ratings, (8.0, 8.9), or the least
    one, ``size`` a band of the sizes of refutations, (2, 4), and each of ``techniques`` ("X-wing"; a wrong name is
    answered with all names) must occur on the path. From a rating of 9.3 on they are found by a climb from random
    puzzles to ever harder neighbours, by one worker; from 10.0 on each second climb begins near a known puzzle, so that
    other seeds may lead to the same puzzle up to symmetry.
    ``accept`` sees each puzzle and says whether to keep it. ``uniform`` takes grids of which each has the same chance,
    which is slower.

    ``start`` is a grid to begin with; or a puzzle with several solutions, which gets the fewest further clues for one
    random solution after the other; or one with one solution, of which the puzzles that differ in one clue are made.

    The same seed gives the same puzzles with any number of ``workers`` (threads), and in every process. After ``tries``
    candidates, or ``time_limit`` seconds, what is there so far is returned; without both, after a million candidates in
    a row that are not as wanted (10,000 of boards that are made one by one). ``progress`` shows a bar, in notebooks
    too. ValueError for options that do not go together, and for wishes that no puzzle meets.
    """
    refuse_negative(n, tries, time_limit)
    if workers < 1:
        raise ValueError(f"workers={workers}: 1 or more is expected")
    begin = _beginning(start)
    shape = shape_or_nine(shape if begin is None or shape else begin.shape)
    grid = begin if isinstance(begin, Grid) else None
    deadline = None if time_limit is None else time.monotonic() + time_limit
    wanted = Wanted(shape, clues, minimal, symmetry, pattern, grid, seed, uniform, backend, deadline)
    if not isinstance(begin, Puzzle):
        wanted.refuse_what_is_never_met()
    wish = Wish(n, in_band(level, accept, deadline), Band.of(rating, names(techniques), shape, size))
    blocks = _blocks(wanted, wish, begin, workers, tries)
    with progress_bar("making puzzles", n, progress) as show:
        return _gathered(wanted, wish, blocks, tries, show)


def _beginning(start: Problem | None) -> Puzzle | Grid | None:
    """Return what to begin with, a puzzle without open cells as a grid."""
    if start is None or isinstance(start, Grid):
        return start
    puzzle = as_puzzle(start)
    return puzzle.grid if puzzle.grid.complete else puzzle


def _blocks(
    wanted: Wanted, wish: Wish, begin: Puzzle | Grid | None, workers: int, tries: int | None
) -> Iterator[FoundPuzzles]:
    """Choose how puzzles are found: from one that is there, by a climb to hard ones, or from random grids."""
    if isinstance(begin, Puzzle):
        return _from(begin, wanted)
    if wish.band and wish.is_steep and wanted.is_free:
        return _climbed(wanted, wish.band.low)
    size = _size(wanted, wish, tries)
    parts = _parts(wanted, size)
    if _is_plain(wanted, wish):  # no worker begins what is not needed
        parts = takewhile(lambda part: part[0] * size + part[1].start < wish.number, parts)
    return in_blocks(lambda part: make_block(wanted, *part), workers, parts)


def _from(puzzle: Puzzle, wanted: Wanted) -> Iterator[FoundPuzzles]:
    """Yield what is made from a puzzle, with as many clues as wanted; ValueError for options that do not go with it."""
    if wanted.symmetry != "none" or wanted.pattern is not None or puzzle.shape != wanted.shape:
        raise ValueError("the starting puzzle sets the shape and the pattern: leave shape, pattern and symmetry out")
    low, high = wanted.span
    for puzzles, solutions in from_puzzle(puzzle, wanted.seed, wanted.backend):
        clues = (puzzles > 0).sum(1)
        good = (clues >= low) & (clues <= high)
        yield FoundPuzzles(puzzles[good], solutions[good], len(puzzles))


def _climbed(wanted: Wanted, rating: int) -> Iterator[FoundPuzzles]:
    """Yield puzzles that may have a rating from one climb after the other, from random puzzles or from summits."""
    low, high = wanted.span
    unique = Uniqueness(Puzzle.empty(wanted.shape), wanted.backend)
    for number in count():
        stream = Stream("climb", wanted.seed, number)
        first = make_block(replace(wanted, clues=None, minimal=True), number, slice(FIRST)).puzzles
        if rating >= HIGHEST and number % 2:
            first = summits(stream)
        for boards, tried in climb(first, stream, unique, rating):
            clues = (boards > 0).sum(1)
            good = boards[(clues >= low) & (clues <= high)]
            yield FoundPuzzles(good, solve_arrays(good, check=False).values, tried)


def _gathered(
    wanted: Wanted,
    wish: Wish,
    blocks: Iterator[FoundPuzzles],
    tries: int | None,
    show: Callable[[int], None],
) -> Generated:
    found, reason, n = _Found(show), "", wish.number
    patience, deadline = PATIENCE if wanted.size > 1 else FEWER, wanted.deadline

    def over() -> bool:
        """Tell whether there is enough, or a limit is reached."""
        late = deadline is not None and time.monotonic() >= deadline
        return found.count >= n or late or (tries is not None and found.tried >= tries)

    while found.count < n and not reason:
        try:
            if (block := next(blocks, None)) is None:
                reason = f"there are no others: {found.tried} candidates were tried"
            elif wish.plain:
                found.add(block)
            else:
                found.choose(block, wish, wanted.shape, over)
        except LimitReached as error:
            reason = str(error) if deadline is None else "time limit"
        if tries is not None and found.tried >= tries:
            reason = f"{found.tried} candidates were tried"
        elif deadline is not None and time.monotonic() >= deadline:
            reason = "time limit"
        elif tries is None and deadline is None and found.vain >= patience:
            reason = in_vain(patience)
    blocks.close()  # type: ignore[attr-defined]
    none = np.zeros((0, wanted.shape.cells), np.uint8)
    if not found.count and wanted.minimal and wanted.clues is not None:
        reason += "; a minimal puzzle seldom has so many or so few: without minimal there is more choice"
    values, solutions = (np.concatenate([none, *parts])[:n] for parts in (found.puzzles, found.solutions))
    return Generated(wanted, values, solutions, found.tried, len(values) == n, "" if len(values) == n else reason)


def in_vain(number: int) -> str:
    """Return the reason of a search that gives up by itself."""
    return f"{number:,} candidates in a row were not as wanted; with tries or time_limit it goes as far as these say"


def _size(wanted: Wanted, wish: Wish, tries: int | None) -> int:
    """Return how many puzzles of a block are made: all where several blocks may be wanted."""
    number = wish.number if _is_plain(wanted, wish) else wanted.size
    return min(number, wanted.size, wanted.size if tries is None else tries)


def _is_plain(wanted: Wanted, wish: Wish) -> bool:
    """Tell whether every candidate is as wanted."""
    return wish.plain and wanted.clues is None and wanted.pattern is None


def _parts(wanted: Wanted, size: int) -> Iterator[tuple[int, slice]]:
    """Yield the numbers of blocks, each with rows of it that are made together.

    Where uniqueness is asked of one board after the other they are few, for the first ones may be enough.
    """
    end = max(size, 1)
    step = end if Uniqueness(Puzzle.empty(wanted.shape), wanted.backend).together else PART
    return ((number, slice(row, min(row + step, size))) for number in count() for row in range(0, end, step))


def make_block(wanted: Wanted, number: int, rows: slice) -> FoundPuzzles:
    """Make the puzzles of some rows of a block; they depend on the options, the seed and the number alone."""
    shape, stream = wanted.shape, Stream("generate", wanted.seed, number)
    solutions = _grids(wanted, number)[rows]
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
    clues = (puzzles > 0).sum(1)
    good = (clues >= low) & (clues <= high)
    return FoundPuzzles(puzzles[good], solutions[kept][good], len(solutions))


def _grids(wanted: Wanted, number: int) -> Array:
    if wanted.grid is not None:
        values: Any = wanted.grid.values
        return np.tile(np.array(values, np.uint8), (wanted.size, 1))
    return _random_grids(wanted.shape, wanted.seed, number, not wanted.uniform)


@lru_cache(maxsize=8)
def _random_grids(shape: Shape, seed: int, number: int, fast: bool) -> Array:
    return grid_block(shape, seed, number, fast)
