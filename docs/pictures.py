"""Pictures of a comparison's page, taken in headless Chromium: light, dark, wide and narrow.

``python docs/pictures.py [RUN]`` takes a folder with a journal, or a file of rows; without one it compares eight
configurations on the package's own puzzles first.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parent
sys.path[:0] = [str(DOCS.parent), str(DOCS.parent / "backends")]

from sudoku_models.collection import puzzles  # noqa: E402
from sudoku_models.compare import compare  # noqa: E402
from sudoku_models.compare.report import Report, read_run  # noqa: E402
from tests.browser import chromium, show  # noqa: E402

MOST_BYTES = 400_000
VIEWS = {
    "light": (1280, 1880, "light"),
    "dark": (1280, 1880, "dark"),
    "wide": (1920, 1500, "light"),
    "narrow": (400, 2600, "dark"),
}
"""Width and height in pixels, and the colour scheme."""

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


def main() -> None:
    """Make or read a run, write its page to a temporary place, and photograph it."""
    report = read_run(sys.argv[1]) if len(sys.argv) > 1 else compared()
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        page = Path(folder) / "report.html"
        report.save(page)
        for name, view in VIEWS.items():
            picture = photographed(browser, page, *view)
            if len(picture) > MOST_BYTES:
                raise SystemExit(
                    f"the picture {name} takes {len(picture):,} bytes: at most {MOST_BYTES:,} are expected"
                )
            (DOCS / f"report-{name}.png").write_bytes(picture)
            print(f"docs/report-{name}.png: {len(picture):,} bytes")


def compared() -> Report:
    """Compare on the package's puzzles, one in two of each group."""
    chosen = [item.puzzle for name in GROUPS for item in puzzles(name)[::2]]
    return compare(chosen, BACKENDS, time_limit=1.0).report()


def photographed(browser: Any, page: Path, width: int, height: int, scheme: str) -> bytes:
    """Return the top of the page as PNG."""
    show(browser, width, scheme == "dark", height)
    browser.get(page.as_uri())
    browser.execute_async_script("const done = arguments[0]; document.fonts.ready.then(() => setTimeout(done, 400))")
    return bytes(browser.get_screenshot_as_png())


if __name__ == "__main__":
    main()
