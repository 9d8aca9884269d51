"""A path as one page that steps forward and back through pictures; a single file that needs no network."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..display.player import player_page
from ..model import Model
from ..puzzle import Puzzle
from .ladder import level_text
from .paths import Path, values_of
from .step_words import Teller


def page(way: Path, title: str = "") -> str:
    """Return the path as an HTML page. TypeError for a bare model, which has no picture."""
    if isinstance(way.problem, Model):
        raise TypeError("a bare model has no picture: a puzzle is expected")
    puzzle = replace(way.problem, candidates=())
    name = title or puzzle.title or f"The way through a Sudoku of {puzzle.shape}"
    shown = shown_steps(way, puzzle)
    return player_page(puzzle, name, {"_path": shown, "_offers": []}, listed=[step["text"] for step in shown["steps"]])


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
