"""What the verb ``generate`` returns: puzzles, and the nearest one if a limit was reached before there were enough."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from ..puzzle import Puzzle
from ..puzzle.rules import Rule
from .bands import Array
from .demands import Wanted


@dataclass(frozen=True)
class Nearest:
    """A puzzle with one solution that is *not* as wanted, the nearest of those tried; ``missed`` says why.

    A puzzle is nearer than another if it meets more of the options in this order: number of clues, size of refutations,
    SE-like rating, techniques, ``accept``, level; if they are equal, if it misses the next one by less.
    """

    puzzle: Puzzle
    missed: str


@dataclass(frozen=True)
class Generated:
    """What ``generate`` made: ``values`` and ``solutions`` (uint8, a row for each puzzle, 0 in open cells).

    ``tried`` counts the candidates, including unsuitable ones. If ``complete`` is False, a limit was reached first,
    and ``reason`` says which; ``nearest`` is then the best of the unsuitable candidates, if there was any.
    ``rules`` has the rules of each puzzle, if there are any.
    """

    wanted: Wanted
    values: Array
    solutions: Array
    tried: int
    complete: bool
    reason: str = ""
    nearest: Nearest | None = None
    rules: tuple[tuple[Rule, ...], ...] = ()

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
        rules = self.rules or ((),) * len(self)
        rows = zip(self.values.tolist(), self.solutions.tolist(), rules, strict=True)
        return tuple(puzzle_of(self.wanted, *row) for row in rows)


def puzzle_of(wanted: Wanted, values: list[int], solution: list[int] | None, rules: tuple[Rule, ...] = ()) -> Puzzle:
    """Return a puzzle from its values (0 in open cells), its solution and its rules."""
    givens, stated = tuple(value or None for value in values), None if solution is None else tuple(solution)
    return Puzzle(wanted.shape, givens, rules=rules, stated=stated)
