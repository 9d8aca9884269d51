"""The contents of the page: the board, the solution for checking, the solving path for hints."""

from __future__ import annotations

from typing import Any

from ..display.player import player_page
from ..display.progress import progress_bar
from ..errors import SudokuModelsError
from ..explain import path
from ..explain.paths import shown_steps
from ..puzzle import Puzzle
from ..puzzle.puzzle import author_and_words
from ..verbs.results import Result, Status
from ..verbs.solving import Problem, as_puzzle, solve

PATIENCE = 20.0
"""The default time limit, in seconds, for the solution and for the path."""


def solving_page(
    problem: Problem, *, reasons: bool = True, time_limit: float | None = None, progress: bool = False
) -> str:
    """Return a self-contained HTML page on which to solve a puzzle with keyboard, mouse or touch.

    It has pencil marks, colours, undo, a check against the solution (only against the houses if the puzzle has several
    solutions, none, or none was found in time) and, with ``reasons``, hints for the current state and the solving path
    step by step. ``time_limit`` is in seconds, separately for the solution, the path and its reasons. The page needs no
    network. ``progress`` shows a bar for each of the three.
    """
    puzzle = as_puzzle(problem)
    limit = PATIENCE if time_limit is None else time_limit
    with progress_bar("solving", 1, progress) as show:
        result = solve(puzzle, unique=True, time_limit=limit)
        show(1)
    solution = list(result.grid.values) if result.grid is not None and result.unique else None
    way, trouble = _way(puzzle, limit, progress) if reasons else (None, "")
    offers = ["play", "check", "fill", "clear", *(["hint", "path"] if way else [])]
    state = {"_solution": solution, "_peers": _peers(puzzle), "_way": way, "_offers": offers}
    title, author = puzzle.title or f"A Sudoku of {puzzle.shape}", author_and_words(puzzle.comment)[0]
    title += f", by {author}" if author else ""
    return player_page(puzzle, title, state, _remarks(puzzle, result, trouble))


def _peers(puzzle: Puzzle) -> list[list[int]]:
    """Return for each cell the cells that share a house with it."""
    found: list[set[int]] = [set() for _ in range(puzzle.shape.cells)]
    for house in puzzle.shape.houses:
        for cell in house.cells:
            found[cell].update(house.cells)
    return [sorted(others - {cell}) for cell, others in enumerate(found)]


def _way(puzzle: Puzzle, limit: float, progress: bool) -> tuple[dict[str, Any] | None, str]:
    """Return the path from the givens, as the page shows it, or None and why there is none."""
    try:
        with progress_bar("finding the path", 1, progress) as show:
            way = path(puzzle, time_limit=limit)
            show(1)
        way.ladder.limit(limit)
        with progress_bar("finding its reasons", len(way.stages), progress) as show:
            return shown_steps(way, puzzle, show), ""
    except (SudokuModelsError, ValueError) as error:
        return None, str(error)


def _remarks(puzzle: Puzzle, result: Result, trouble: str) -> str:
    sentences = []
    if not (result.grid is not None and result.unique):
        why = f" ({'; '.join(map(str, result.clashes))})" if result.clashes else ""
        none = f"The puzzle has no solution{why}"
        what = none if result.status is Status.UNSATISFIABLE else "The puzzle is not known to have a unique solution"
        sentences.append(f"{what}, so Check only compares rows, columns and regions.")
    if puzzle.left_out:
        sentences.append("Pale drawings were not understood, and their rules are not checked.")
    if puzzle.unread:
        sentences.append("Some rules in words were not read, and are not checked.")
    if trouble and not result.clashes:
        sentences.append(f"There are no hints and no solving path: {trouble}")
    return " ".join(sentences)
