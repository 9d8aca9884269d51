"""The picture of a hint on the page "Why": ``python docs/why_pictures.py``."""

from __future__ import annotations

import sys
from pathlib import Path

DOCS = Path(__file__).parent
sys.path[:0] = [str(DOCS.parent), str(DOCS.parent / "backends")]

from sudoku_models.explain import hint  # noqa: E402

BOARD = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"

if __name__ == "__main__":
    hint(BOARD).picture().save(DOCS / "assets" / "hint.svg")
