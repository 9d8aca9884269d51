"""Pictures of the interactive grid in the middle of a watched search: ``python docs/grid_pictures.py``."""

from __future__ import annotations

import tempfile
import threading
from pathlib import Path

from pictures import DOCS, chromium, photographed

from sudoku_models.widget import SudokuWidget
from tests.widget.page import page_of

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
DECISIONS = 22


def searching() -> SudokuWidget:
    """Return a grid whose search has made some decisions."""
    widget = SudokuWidget(PUZZLE, backend="backtracking", delay=0.02)
    reached = threading.Event()
    widget.observe(lambda change: len(change["new"]) < DECISIONS or reached.set(), "_decisions")
    widget.watch()
    reached.wait()
    return widget


def main() -> None:
    """Photograph the page in both themes."""
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        page = Path(folder) / "page.html"
        page.write_text(page_of(searching()), encoding="utf-8")
        for scheme in ("light", "dark"):
            target = DOCS / "assets" / f"grid-{scheme}.png"
            target.write_bytes(photographed(browser, page, 560, 830, scheme))
            print(f"docs/assets/{target.name}: {target.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
