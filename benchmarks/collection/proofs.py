"""What is known of a puzzle of the collection: its number of solutions, by two engines that share no code; its level
and its form."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from sudoku_models.errors import LimitReached, WrongAnswer
from sudoku_models.explain import rate
from sudoku_models.explain.ladder import Level
from sudoku_models.formats import write
from sudoku_models.make import canonical
from sudoku_models.puzzle import Puzzle, Shape
from sudoku_models.puzzle.grid import Cell
from sudoku_models.verbs.solving import count, solve

PROVERS = ("pycosat", "cp-sat")
MOST = 3_000
"""The most solutions of a puzzle."""

HIGHEST: Level = (3, 1000)
"""The highest level of puzzles other than classic ones: trials within trials take long there."""


def proved(
    puzzle: Puzzle,
    text: str,
    solution: Sequence[Cell] | None = None,
    provers: Sequence[str] = PROVERS,
    most: int = MOST,
) -> int:
    """Count the solutions on every engine; WrongAnswer (of ``text``) when they disagree or find more than ``most``.

    With a ``solution`` it must be the only one.
    """
    counts = [count(puzzle, backend, limit=most) for backend in provers]
    if len({(found.value, found.exact) for found in counts}) != 1 or not counts[0].exact:
        counted = ", ".join(f"{backend} {found}" for backend, found in zip(provers, counts, strict=True))
        raise WrongAnswer(f"the number of solutions is not proved: {counted}: {text}")
    grid = solve(puzzle, provers[0]).grid if solution is not None else None
    if solution is not None and (counts[0].value != 1 or grid is None or list(grid.values) != list(solution)):
        raise WrongAnswer(f"the stated solution is expected as the only one: {text}")
    return counts[0].value


def level_of(puzzle: Puzzle) -> str | None:
    """Return the level on the ladder; None for a puzzle that is not classic and needs more than the highest level."""
    classic = puzzle.structure == Shape.square(9).model
    found = rate(puzzle) if classic else rate(puzzle, highest=HIGHEST)
    level: str = found.to_json()["level"]
    return level if found.exact else None


def form_of(puzzle: Puzzle) -> str | None:
    """Return the least form in one line, as a constraint string where there are rules or regions; None on large boards.

    Puzzles that are the same up to symmetry have one form.
    """
    try:
        board = canonical(puzzle).board
    except LimitReached:
        return None
    plain = not board.rules and (board.shape.box or not board.shape.regions)
    form: str = board.to_line() if plain else next(write([board], "iss")).strip()
    return form


def chance(*name: object) -> int:
    """Return a number determined by a name: the seed of the puzzle."""
    return int.from_bytes(hashlib.sha256("/".join(map(str, name)).encode()).digest()[:6])
