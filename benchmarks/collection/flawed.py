"""Puzzles with several solutions, and with none, made from puzzles with one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from sudoku_models.puzzle import Puzzle, clashes
from sudoku_models.verbs.solving import count

from .measure import logic_of

ENGINE = "pycosat"
MOST = 3_000
"""More solutions than this are not counted out."""


def without(puzzle: Puzzle, cells: Sequence[int]) -> Puzzle:
    """Return the puzzle with these cells open."""
    gone = set(cells)
    return replace(puzzle, givens=tuple(None if cell in gone else g for cell, g in enumerate(puzzle.givens)))


def loosened(puzzle: Puzzle, rng: Random, steps: int) -> Puzzle | None:
    """Take up to ``steps`` givens from a minimal puzzle, so that it has several solutions, at most MOST."""
    best = None
    given = [cell for cell, value in enumerate(puzzle.givens) if value is not None]
    for cell in rng.sample(given, min(steps, len(given))):
        trial = without(puzzle, [cell])
        if not count(trial, ENGINE, limit=MOST).exact:
            break
        best = puzzle = trial
    return best


def spoiled(puzzle: Puzzle, solution: Sequence[int], rng: Random) -> Puzzle | None:
    """Add a wrong given to a puzzle with one solution, so that it has none and neither a clash nor singles show it."""
    wrong = [(c, v) for c, g in enumerate(puzzle.givens) if g is None for v in puzzle.shape.values if v != solution[c]]
    logic = logic_of(puzzle.shape)
    for cell, value in rng.sample(wrong, len(wrong)):
        trial = replace(puzzle, givens=(*puzzle.givens[:cell], value, *puzzle.givens[cell + 1 :]))
        if not clashes(trial.shape, trial.givens) and logic.reduce(logic.masks(trial), locked=False):
            return trial
    return None
