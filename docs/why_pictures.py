"""The picture of a hint on the page "Why": ``python docs/why_pictures.py``."""

from __future__ import annotations

import sys
from pathlib import Path

DOCS = Path(__file__).parent
sys.path[:0] = [str(DOCS.parent), str(DOCS.parent / "backends")]

from sudoku_models import Puzzle  # noqa: E402
from sudoku_models.explain import path  # noqa: E402
from sudoku_models.explain.step_pictures import step_picture  # noqa: E402

BOARD = "9.....6....7..1.2.....62..88.2..6..9...4.5.1...........5..4.9.....2...41...1.8..."

if __name__ == "__main__":
    way = path(BOARD, order="patterns")
    step = next(step for step in way.taken or () if step.pattern and step.pattern.name == "W-wing")
    step_picture(Puzzle.parse(BOARD), way.ladder, step).save(DOCS / "assets" / "hint.svg")
