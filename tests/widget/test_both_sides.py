"""Both sides of the grid together: the page in a browser, the widget here, and the notebook's messages between them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from sudoku_models.widget import SudokuWidget

from ..browser import RIGHT, click, focus, labels, press, said, until
from .page import shown
from .wire import Wire

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
PASTE = """
const data = new DataTransfer();
data.setData("text", arguments[0]);
const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true });
document.querySelector("[role=gridcell]").dispatchEvent(event);"""


class Notebook:
    """Carries messages between the page and the widget, as a notebook does, whenever something is waited for."""

    def __init__(self, driver: Any, widget: SudokuWidget) -> None:
        self.driver, self.widget, self.wire = driver, widget, Wire(widget)

    def until(self, holds: Callable[[], bool]) -> None:
        """Carry messages until something holds."""

        def carried(driver: Any) -> bool:
            for message in driver.execute_script("return outbox.splice(0)"):
                self.wire.receive(message)
            driver.execute_script("arguments[0].forEach(take)", self.wire.taken())
            return holds()

        until(self.driver, carried)


@pytest.fixture
def notebook(tmp_path: Path) -> Iterator[Notebook]:
    widget = SudokuWidget(EASY, backend="backtracking", delay=0.001, marks="houses")
    with shown(widget, tmp_path) as driver:
        yield Notebook(driver, widget)
    widget.close()


def test_a_value_narrows_the_candidates_and_the_rest_is_solved(notebook: Notebook) -> None:
    page = notebook.driver
    assert labels(page)["R1C3"] == "open, candidates 1 2 4"
    focus(page, 2)
    press(page, "4")
    notebook.until(lambda: labels(page)["R2C2"] == "open, candidates 2 7")  # the kernel took the 4 out
    click(page, "Solve")
    notebook.until(lambda: "the only solution" in said(page))


def test_a_path_is_stepped_through_and_kept_and_taken_back(notebook: Notebook) -> None:
    page, widget = notebook.driver, notebook.widget
    click(page, "Path")
    notebook.until(lambda: said(page).startswith("Step 1 of "))
    assert "Show reason" in said(page)
    click(page, "Show reason")
    assert "single" in said(page)
    focus(page, 2)
    press(page, RIGHT)
    notebook.until(lambda: widget.step == 1 and said(page).startswith("Step 2 of "))
    press(page, "\ue010")
    notebook.until(lambda: said(page) == "The end of the path: solved.")
    click(page, "Keep")
    notebook.until(lambda: None not in widget.values and not said(page))
    click(page, "Undo")
    notebook.until(lambda: labels(page)["R1C3"].startswith("open"))
    assert widget.values == widget.puzzle.givens
    click(page, "Redo")
    notebook.until(lambda: labels(page)["R1C3"] == "4")


def test_two_solutions_are_shown_side_by_side(notebook: Notebook) -> None:
    page = notebook.driver
    page.execute_script(PASTE, "1" + "." * 15)
    notebook.until(lambda: len(labels(page)) == 16)
    click(page, "Two solutions")
    found = "return [...document.querySelectorAll('.pair [role=img][aria-label^=Solution]')].map((f) => f.ariaLabel)"
    notebook.until(lambda: len(page.execute_script(found)) == 2)
    assert len(set(page.execute_script(found))) == 2
    assert "They differ in" in said(page)
    assert page.execute_script("return document.querySelectorAll('.pair .differs').length") > 3
    click(page, "Close")
    notebook.until(lambda: page.execute_script(found) == [])
