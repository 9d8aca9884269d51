"""The contents of the page: the picture, the positions of cells, the solution for checking, the solving path."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import escape
from pathlib import Path as File
from string import Template
from typing import Any

from ..display import picture
from ..display.svg.canvas import CELL, Canvas
from ..display.svg.grid_lines import mark_place
from ..errors import SudokuModelsError
from ..explain import path
from ..puzzle import Puzzle
from ..verbs.solving import Problem, as_puzzle, solve

TEMPLATE = File(__file__).parent / "solving.html"
PATIENCE = 20.0
"""The default time limit, in seconds, for the solution and for the path."""


def solving_page(problem: Problem, *, reasons: bool = True, time_limit: float | None = None) -> str:
    """Return a self-contained HTML page on which to solve a puzzle with keyboard, mouse or touch.

    It has pencil marks, colours, undo, a check against the solution (only against the houses if the puzzle has several
    solutions, none, or none was found in time) and, with ``reasons``, the solving path step by step. ``time_limit`` is
    in seconds, separately for the solution and for the path. The page needs no network.
    """
    puzzle = as_puzzle(problem)
    limit = PATIENCE if time_limit is None else time_limit
    result = solve(puzzle, unique=True, time_limit=limit)
    found: list[dict[str, Any]] = []
    drawn = picture(puzzle, marked=lambda canvas: found.extend(_cells(canvas, puzzle)))
    cells = found[: puzzle.shape.cells]  # a picture is drawn twice: for a page, and for a file of its own
    solution = list(result.grid.values) if result.grid is not None and result.unique else None
    data = {"side": CELL, "width": puzzle.shape.width, "cells": cells, "solution": solution, "peers": _peers(puzzle)}
    return Template(TEMPLATE.read_text("utf-8")).substitute(
        title=escape(puzzle.title or f"A Sudoku of {puzzle.shape}"),
        svg=drawn.svg,
        data=_embedded({**data, "values": list(puzzle.shape.values)}),
        remarks=escape(_remarks(puzzle, solution is not None)),
        path=_path(puzzle, limit) if reasons else "",
    )


def _cells(canvas: Canvas, puzzle: Puzzle) -> Iterator[dict[str, Any]]:
    """Yield the position of each cell of the grid, its given, and the position and size of each of its marks.

    A cell that is not part of the puzzle also has a given, which the picture does not show, so it cannot be filled in.
    """
    unused, least = puzzle.grid.unused, puzzle.shape.values[0]
    givens = [least if cell in unused else given for cell, given in enumerate(puzzle.givens)]
    for name, given in zip(puzzle.shape.names, givens, strict=True):
        x, y = canvas.corner(name)
        places = {value: mark_place(canvas, name, value) for value in puzzle.shape.values}
        marks = {
            value: [round(x, 1), round(y, 1), min(11.0, round(room * 0.8, 1))]
            for value, ((x, y), room) in places.items()
        }
        yield {"name": name, "x": x, "y": y, "given": given, "marks": marks}


def _peers(puzzle: Puzzle) -> list[list[int]]:
    """Return for each cell the cells that share a house with it."""
    found: list[set[int]] = [set() for _ in range(puzzle.shape.cells)]
    for house in puzzle.shape.houses:
        for cell in house.cells:
            found[cell].update(house.cells)
    return [sorted(others - {cell}) for cell, others in enumerate(found)]


def _remarks(puzzle: Puzzle, unique: bool) -> str:
    sentences = []
    if not unique:
        sentences.append(
            "The puzzle is not known to have a unique solution, so Check only compares rows, columns and regions."
        )
    if puzzle.left_out:
        sentences.append("Pale drawings were not understood, and their rules are not checked.")
    return " ".join(sentences)


def _path(puzzle: Puzzle, limit: float) -> str:
    """Return the path as an embedded page, or a sentence if there is none."""
    try:
        inside = path(puzzle, time_limit=limit).to_html()
    except (SudokuModelsError, ValueError) as error:
        return f"<p>There is no solving path: {escape(str(error))}</p>"
    frame = f'<iframe sandbox="allow-scripts" title="The path" srcdoc="{escape(inside)}"></iframe>'
    return f"<details><summary>The solving path</summary>{frame}</details>"


def _embedded(data: dict[str, Any]) -> str:
    """Write JSON that is safe inside a script element."""
    return json.dumps(data, separators=(",", ":")).replace("&", "\\u0026").replace("<", "\\u003c")
