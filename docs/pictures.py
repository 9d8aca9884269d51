"""Pictures on the pages: of a comparison's page and of the grid, in headless Chromium, and of a hint.

``python docs/pictures.py [RUN]`` takes a folder with a journal, or a file of rows; without one it compares eight
configurations on the package's own puzzles first.
"""

from __future__ import annotations

import sys
import tempfile
import threading
from pathlib import Path

DOCS = Path(__file__).parent
sys.path[:0] = [str(DOCS.parent), str(DOCS.parent / "backends")]

from sudoku_models import Puzzle  # noqa: E402
from sudoku_models.collection import puzzles  # noqa: E402
from sudoku_models.compare import compare  # noqa: E402
from sudoku_models.compare.report import Report, read_run  # noqa: E402
from sudoku_models.explain import path  # noqa: E402
from sudoku_models.explain.step_pictures import step_picture  # noqa: E402
from sudoku_models.explain.step_words import Teller  # noqa: E402
from sudoku_models.widget import SudokuWidget  # noqa: E402
from tests.browser import chromium, show  # noqa: E402
from tests.widget.page import page_of  # noqa: E402

REPORT = {
    "report-light.png": (1280, 1880, "light"),
    "report-dark.png": (1280, 1880, "dark"),
    "report-wide.png": (1920, 1500, "light"),
    "report-narrow.png": (400, 2600, "dark"),
}
"""Width and height in pixels, and the colour scheme."""
GRID = {f"assets/grid-{scheme}.png": (560, 830, scheme) for scheme in ("light", "dark")}

BACKENDS = (
    "backtracking",
    "backtracking:strategy=rows",
    "cp-sat",
    "cp-sat:form=booleans",
    "pycosat",
    "pycosat:amo=sequential",
    "pycosat:house=minimal,reduction=none",
    "python-constraint",
)
GROUPS = ("6x6", "9x9-easy", "9x9-medium", "9x9-hard", "12x12", "16x16")
EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
WINGS = "9.....6....7..1.2.....62..88.2..6..9...4.5.1...........5..4.9.....2...41...1.8..."


def main() -> None:
    """Make or read a run, write the pages to a temporary place, and photograph them."""
    report = read_run(sys.argv[1]) if len(sys.argv) > 1 else compared()
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        report.save(page)
        photographed(page, REPORT)
        page.write_text(page_of(searching()), encoding="utf-8")
        photographed(page, GRID)
    way = path(WINGS, order="patterns")
    step = next(step for step in way.taken or () if step.pattern and step.pattern.name == "W-wing")
    step_picture(Puzzle.parse(WINGS), Teller(way.ladder), step).save(DOCS / "assets" / "hint.svg")


def compared() -> Report:
    """Compare on the package's puzzles, one in two of each group."""
    chosen = [item.puzzle for name in GROUPS for item in puzzles(name)[::2]]
    return compare(chosen, BACKENDS, time_limit=1.0).report()


def searching() -> SudokuWidget:
    """Return a grid whose search has made some decisions."""
    widget = SudokuWidget(EASY, backend="backtracking", delay=0.02)
    reached = threading.Event()
    widget.observe(lambda change: len(change["new"]) < 22 or reached.set(), "_decisions")
    widget.watch()
    reached.wait()
    return widget


def photographed(page: Path, views: dict[str, tuple[int, int, str]]) -> None:
    """Write the top of a page as PNG for each view."""
    with chromium() as browser:
        for name, (width, height, scheme) in views.items():
            show(browser, width, scheme == "dark", height)
            browser.get(page.as_uri())
            settled = "const done = arguments[0]; document.fonts.ready.then(() => setTimeout(done, 400))"
            browser.execute_async_script(settled)
            browser.get_screenshot_as_file(str(DOCS / name))
            print(f"docs/{name}: {(DOCS / name).stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
