"""A path as one page that steps forward and back through pictures; a single file that needs no network."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from html import escape
from pathlib import Path as File
from string import Template
from typing import Any

from ..display import picture
from ..display.svg.canvas import CELL, Canvas
from ..display.svg.grid_lines import mark_place
from ..model import Model
from ..puzzle import Puzzle
from .ladder import level_text
from .paths import Path, values_of
from .step_words import Teller

TEMPLATE = File(__file__).parent / "page.html"


def page(way: Path, title: str = "") -> str:
    """Return the path as an HTML page. TypeError for a bare model, which has no picture."""
    if isinstance(way.problem, Model):
        raise TypeError("a bare model has no picture: a puzzle is expected")
    found: list[dict[str, Any]] = []
    puzzle = replace(way.problem, candidates=())
    drawn = picture(puzzle, marked=lambda canvas: found.extend(_cells(canvas, puzzle)))
    data = {"side": CELL, "cells": found[: puzzle.shape.cells], **shown_steps(way, puzzle)}
    name = escape(title or puzzle.title or f"The way through a Sudoku of {puzzle.shape}")
    listed = "".join(f"<li>{escape(step['text'])}</li>" for step in data["steps"])
    text = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    return Template(TEMPLATE.read_text("utf-8")).substitute(title=name, svg=drawn.svg, data=text, list=listed)


def _cells(canvas: Canvas, puzzle: Puzzle) -> Iterator[dict[str, Any]]:
    """Yield the position of each cell, and of each of its candidates with the size of its text."""
    for name, given in zip(puzzle.shape.names, puzzle.givens, strict=True):
        x, y = canvas.corner(name)
        marks = {}
        for value in canvas.board.domain(name):
            (mx, my), room = mark_place(canvas, name, value)
            marks[value] = [round(mx, 1), round(my, 1), round(min(11.0, room * 0.8), 1)]
        yield {"name": name, "x": x, "y": y, "given": given is not None, "marks": marks}


def shown_steps(way: Path, puzzle: Puzzle) -> dict[str, Any]:
    """Return the data of a path for the page: ``start``, the candidates of each cell; ``steps``; ``end``.

    Cells are numbers in the order of the grid. A step has its ``stage``, ``level`` and ``text``, the pairs (cell,
    value) that it ``removed``, the cells that it ``placed`` and ``reads``, and those of its rules (``stated``).
    """
    ladder, teller, cells = way.ladder, Teller(way.ladder), puzzle.shape.cells
    steps = []
    for number, stage in enumerate(way.stages, 1):
        for step in way.steps(stage):
            removed = sorted(step.facts if way.taken is None else stage.facts)
            stated = {c for a in step.atoms if len(ladder.atoms[a].cells) <= 16 for c in ladder.atoms[a].cells}
            steps.append(
                {
                    "stage": number,
                    "level": level_text(step.level),
                    "text": f"{teller.text(step)}.",
                    "removed": [[c, b + ladder.low] for c, b in removed if c < cells],
                    "placed": [c for c in sorted(step.placed) if c < cells],
                    "reads": [c for c in sorted(step.reads) if c < cells],
                    "stated": [c for c in sorted(stated) if c < cells],
                }
            )
    before = way.stages[0].before if way.stages else ladder.start()
    start = [list(values_of(ladder, mask)) for mask in before[:cells]]
    return {"start": start, "steps": steps, "end": way.end}
