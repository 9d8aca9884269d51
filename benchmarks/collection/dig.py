"""Puzzles from full grids: givens are taken away while a condition holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from random import Random

from sudoku_models.collection.measure import logic_of
from sudoku_models.puzzle import Puzzle, clashes
from sudoku_models.verbs.solving import count, is_unique

ENGINE = "pycosat"
LARGE = 12
"""From this side on logic takes the first givens away, since asking an engine each time is slow."""

MOST = 3_000
"""More solutions than this are not counted out."""

Condition = Callable[[Puzzle], bool]


def by_singles(puzzle: Puzzle) -> bool:
    """Do singles solve it? Then it has one solution."""
    return logic_of(puzzle.shape).solves(puzzle, locked=False)


def by_locked(puzzle: Puzzle) -> bool:
    """Do singles and locked candidates solve it? Then it has one solution."""
    return logic_of(puzzle.shape).solves(puzzle, locked=True)


def by_engine(puzzle: Puzzle) -> bool:
    """Is there exactly one solution?"""
    return is_unique(puzzle, ENGINE)


CONDITIONS: dict[str, Condition] = {"easy": by_singles, "medium": by_locked, "hard": by_engine}
"""What a puzzle of a difficulty still satisfies while givens are taken away."""


def dig(puzzle: Puzzle, difficulty: str, rng: Random, tries: int | None = None) -> Puzzle:
    """Take givens away until none more can go: a hard puzzle that comes out is minimal.

    ``tries`` bounds the givens that an engine is asked about on a large hard board, which then is not minimal.
    """
    condition = CONDITIONS[difficulty]
    if condition is by_engine and puzzle.shape.height >= LARGE:
        puzzle = _without_any(puzzle, _shuffled(puzzle, rng), by_locked)
        return _without_any(puzzle, _shuffled(puzzle, rng)[:tries], by_engine)
    return _without_any(puzzle, _shuffled(puzzle, rng), condition)


def loosen(puzzle: Puzzle, rng: Random, steps: int) -> Puzzle | None:
    """Take up to ``steps`` givens from a minimal puzzle, so that it has several solutions, at most MOST."""
    best = None
    for cell in _shuffled(puzzle, rng)[:steps]:
        trial = without(puzzle, [cell])
        if not count(trial, ENGINE, limit=MOST).exact:
            break
        best = puzzle = trial
    return best


def spoil(puzzle: Puzzle, solution: Sequence[int], rng: Random) -> Puzzle | None:
    """Add a wrong given to a puzzle with one solution, so that it has none and neither a clash nor singles show it."""
    wrong = [(c, v) for c, g in enumerate(puzzle.givens) if g is None for v in puzzle.shape.values if v != solution[c]]
    rng.shuffle(wrong)
    logic = logic_of(puzzle.shape)
    for cell, value in wrong:
        trial = replace(puzzle, givens=(*puzzle.givens[:cell], value, *puzzle.givens[cell + 1 :]))
        if not clashes(trial.shape, trial.givens) and logic.reduce(logic.masks(trial), locked=False):
            return trial
    return None


def without(puzzle: Puzzle, cells: Iterable[int]) -> Puzzle:
    """Return the puzzle with these cells open."""
    gone = set(cells)
    return replace(puzzle, givens=tuple(None if cell in gone else g for cell, g in enumerate(puzzle.givens)))


def _shuffled(puzzle: Puzzle, rng: Random) -> list[int]:
    cells = [cell for cell, given in enumerate(puzzle.givens) if given is not None]
    rng.shuffle(cells)
    return cells


def _without_any(puzzle: Puzzle, cells: Sequence[int], condition: Condition) -> Puzzle:
    """Open one cell after the other where the condition still holds, asking for several at once while that is so."""
    side = puzzle.shape.height
    for start in range(0, len(cells), side):
        puzzle = _open(puzzle, cells[start : start + side], condition)
    return puzzle


def _open(puzzle: Puzzle, cells: Sequence[int], condition: Condition) -> Puzzle:
    trial = without(puzzle, cells)
    if condition(trial):
        return trial
    if len(cells) == 1:
        return puzzle
    half = len(cells) // 2
    return _open(_open(puzzle, cells[:half], condition), cells[half:], condition)
