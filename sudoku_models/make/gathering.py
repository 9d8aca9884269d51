"""Examine candidates block after block until there are as many puzzles as wanted, or a limit is reached."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field

import numpy as np

from ..errors import LimitReached
from ..puzzle import Puzzle
from ..puzzle.rules import Rule
from .bands import Array
from .climbing import STEEP
from .demands import Wanted
from .generated import Generated, Nearest, puzzle_of
from .levels import Accept, LevelBand
from .made_blocks import MadeBlock
from .misses import ACCEPT, Miss
from .ratings import CHUNK, Band

PATIENCE, FEWER, FEWEST = 1_000_000, 10_000, 1_000
"""The number of consecutive unsuitable candidates after which a search without a limit gives up: for boards made
together, for others, which take longer, and for boards with rules.
"""


@dataclass(frozen=True)
class Wish:
    """The options for puzzles beyond their clues, and the number of puzzles wanted."""

    number: int
    accept: Accept | None = None
    band: Band | None = None
    levels: LevelBand | None = None

    @property
    def plain(self) -> bool:
        """Return whether any puzzle is suitable."""
        return self.accept is None and self.band is None and self.levels is None

    @property
    def is_steep(self) -> bool:
        """Return whether the wanted rating is so high that random search hardly finds it."""
        return self.band is not None and self.band.low >= STEEP

    @property
    def together(self) -> int:
        """The number of puzzles that are examined between two checks of the limits."""
        return 1 if self.band is None else CHUNK

    def rated(self, puzzles: Array) -> list[Miss | None]:
        """Return how each row misses the band of ratings and the techniques."""
        return [None] * len(puzzles) if self.band is None else self.band.misses(puzzles)

    def miss(self, puzzle: Puzzle) -> Miss | None:
        """Return how a puzzle with the right rating misses the other options."""
        if self.accept is not None and not self.accept(puzzle):
            return Miss(ACCEPT, 1, "accept rejects it")
        return None if self.levels is None else self.levels.miss(puzzle)


@dataclass
class Gathering:
    """Puzzles gathered so far; ``show`` is called with their number whenever it grows."""

    wanted: Wanted
    wish: Wish
    show: Callable[[int], None]
    blocks: list[MadeBlock] = field(default_factory=list)
    near: tuple[Miss, MadeBlock] | None = None
    count: int = 0
    tried: int = 0
    last: int = 0

    @property
    def vain(self) -> int:
        """The number of candidates tried since the last puzzle was found."""
        return self.tried - self.last

    @property
    def nearest(self) -> Nearest | None:
        """The nearest of the unsuitable candidates."""
        if self.near is None:
            return None
        miss, block = self.near
        (solution,), rules = block.solutions.tolist(), (*block.rules, ())[0]
        return Nearest(puzzle_of(self.wanted, block.puzzles[0].tolist(), solution, rules), miss.text)

    @property
    def rules(self) -> tuple[tuple[Rule, ...], ...]:
        """The rules of each puzzle, if there are any."""
        return tuple(rules for block in self.blocks for rules in block.rules)[: self.wish.number]

    def rows(self) -> tuple[Array, Array]:
        """The puzzles and their solutions, at most as many as wanted."""
        none, n = np.zeros((0, self.wanted.shape.cells), np.uint8), self.wish.number
        puzzles = np.concatenate([none, *(block.puzzles for block in self.blocks)])
        return puzzles[:n], np.concatenate([none, *(block.solutions for block in self.blocks)])[:n]

    def look(self, block: MadeBlock, over: Callable[[], bool]) -> None:
        """Add the suitable puzzles of a block until the search is over; record the nearest of the others."""
        if block.near is not None:
            self._note(*block.near)
        if self.wish.plain:
            self._add(block)
            self.tried += block.tried
            return
        for start in range(0, len(block.puzzles), self.wish.together):
            if over():
                return
            numbers = range(start, min(start + self.wish.together, len(block.puzzles)))
            self._choose(block, numbers)
            self.tried += len(numbers)
        self.tried += block.tried - len(block.puzzles)

    def _choose(self, block: MadeBlock, numbers: range) -> None:
        for number, miss in zip(numbers, self.wish.rated(block.puzzles[numbers.start : numbers.stop]), strict=True):
            if self.count == self.wish.number:
                return
            if miss is None:
                rules = block.rules[number] if block.rules else ()
                miss = self.wish.miss(puzzle_of(self.wanted, block.puzzles[number].tolist(), None, rules))
            if miss is None:
                self._add(block.part(number))
            else:
                self._note(miss, block.part(number))

    def _add(self, block: MadeBlock) -> None:
        self.blocks.append(block)
        self.count += len(block.puzzles)
        if len(block.puzzles):
            self.last = self.tried
        self.show(self.count)

    def _note(self, miss: Miss, alone: MadeBlock) -> None:
        if self.near is None or miss.is_nearer(self.near[0]):
            self.near = miss, alone


@dataclass(frozen=True)
class GivingUp:
    """When a search gives up: after ``tries``, at the ``deadline``, or without both after ``patience`` tries."""

    tries: int | None
    deadline: float | None
    patience: int

    def reason(self, found: Gathering) -> str:
        """Return which limit was reached; an empty text for none."""
        if self.tries is not None and found.tried >= self.tries:
            return f"{found.tried} candidates were tried"
        if self.deadline is not None and time.monotonic() >= self.deadline:
            return "time limit"
        if self.tries is None and self.deadline is None and found.vain >= self.patience:
            end = "set tries or time_limit to search longer"
            return f"{self.patience:,} candidates in a row were unsuitable; {end}"
        return ""


def gathered(found: Gathering, blocks: Iterator[MadeBlock], limits: GivingUp) -> Generated:
    """Examine block after block until there are enough puzzles, or a limit is reached."""
    wanted, n = found.wanted, found.wish.number
    reason = ""
    try:
        while found.count < n and not reason:
            reason = _next(found, blocks, limits) or limits.reason(found)
    finally:
        if isinstance(blocks, Generator):
            blocks.close()
    if not found.count and wanted.minimal and wanted.clues is not None:
        reason += "; minimal puzzles seldom have that number: leave out minimal for more choice"
    values, solutions = found.rows()
    if len(values) == n:
        return Generated(wanted, values, solutions, found.tried, True, rules=found.rules)
    return Generated(wanted, values, solutions, found.tried, False, reason, found.nearest, found.rules)


def _next(found: Gathering, blocks: Iterator[MadeBlock], limits: GivingUp) -> str:
    """Examine the next block; return why there is none, or an empty text."""
    try:
        if (block := next(blocks, None)) is None:
            return f"there are no others: {found.tried} candidates were tried"
        found.look(block, lambda: found.count >= found.wish.number or _is_over(found, limits))
    except LimitReached as error:
        return str(error) if limits.deadline is None else "time limit"
    return ""


def _is_over(found: Gathering, limits: GivingUp) -> bool:
    late = limits.deadline is not None and time.monotonic() >= limits.deadline
    return late or (limits.tries is not None and found.tried >= limits.tries)
