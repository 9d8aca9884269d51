"""Both sides of the grid together: the page in a browser, the widget here, and the notebook's messages between them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from sudoku_models.widget import SudokuWidget

from .page import shown
from .wire import Wire

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
PATIENCE = 90
"""Seconds for what takes milliseconds where nothing else is at work."""
TAKE = """
return arguments[0].map((state) => { take(state); return document.querySelectorAll(".decided").length; });"""
PASTE = """
const data = new DataTransfer();
data.setData("text", arguments[0]);
const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true });
document.querySelector("[role=gridcell]").dispatchEvent(event);"""
LABELS = "return [...document.querySelectorAll('[role=gridcell]')].map((cell) => cell.getAttribute('aria-label'))"


class Notebook:
    """Carries messages between the page and the widget, as a notebook does, whenever something is waited for."""

    def __init__(self, driver: Any, widget: SudokuWidget) -> None:
        self.driver, self.wire = driver, Wire(widget)
        self.decided: list[int] = []
        """How many cells showed a decision of a search after each of the kernel's messages."""

    def carry(self) -> None:
        for message in self.driver.execute_script("return outbox.splice(0)"):
            self.wire.receive(message)
        self.decided += self.driver.execute_script(TAKE, self.wire.taken())

    def until(self, holds: Callable[[], bool]) -> None:
        """Carry messages until something holds."""
        end = time.monotonic() + PATIENCE
        self.carry()
        while not holds():
            assert time.monotonic() < end, (self.said, self.labels())
            self.carry()

    def press(self, *keys: str) -> None:
        from selenium.webdriver.common.action_chains import ActionChains

        for key in keys:
            ActionChains(self.driver, duration=0).send_keys(key).perform()

    def focus(self, cell: int) -> None:
        self.driver.execute_script("document.querySelectorAll('[role=gridcell]')[arguments[0]].focus()", cell)

    def click(self, button: str) -> None:
        find = "[...document.querySelectorAll('button')].find((node) => node.textContent === arguments[0]).click()"
        self.driver.execute_script(find, button)

    def labels(self) -> dict[str, str]:
        """Return what each cell of the grid says of itself."""
        return dict(text.split(": ", 1) for text in self.driver.execute_script(LABELS))

    @property
    def said(self) -> str:
        """What the line below the grid says."""
        return str(self.driver.execute_script("return document.querySelector('.said').textContent"))


@pytest.fixture
def notebook(tmp_path: Path) -> Iterator[tuple[Notebook, SudokuWidget]]:
    widget = SudokuWidget(EASY, backend="backtracking", delay=0.001)
    with shown(widget, tmp_path) as driver:
        yield Notebook(driver, widget), widget
    widget.close()


def test_a_path_is_stepped_through_and_kept_and_taken_back(notebook: tuple[Notebook, SudokuWidget]) -> None:
    page, widget = notebook
    page.click("Path")
    page.until(lambda: page.said.startswith("Step 1 of "))
    assert "Show reason" in page.said
    page.click("Show reason")
    assert "single" in page.said
    page.focus(2)
    page.press("\ue014")
    page.until(lambda: widget.step == 1 and page.said.startswith("Step 2 of "))
    page.press("\ue010")
    page.until(lambda: page.said == "The end of the path: solved.")
    page.click("Keep")
    page.until(lambda: None not in widget.values and not page.said)
    page.click("Undo")
    page.until(lambda: page.labels()["R1C3"] == "open")
    assert widget.values == widget.puzzle.givens
    page.click("Redo")
    page.until(lambda: page.labels()["R1C3"] == "4")


def test_two_solutions_are_shown_side_by_side(notebook: tuple[Notebook, SudokuWidget]) -> None:
    page, _ = notebook
    page.driver.execute_script(PASTE, "1" + "." * 15)
    page.until(lambda: len(page.labels()) == 16)
    page.click("Two solutions")
    shown = "return [...document.querySelectorAll('.pair [role=img][aria-label^=Solution]')].map((f) => f.ariaLabel)"
    page.until(lambda: len(page.driver.execute_script(shown)) == 2)
    assert len(set(page.driver.execute_script(shown))) == 2
    assert "They differ in" in page.said
    assert page.driver.execute_script("return document.querySelectorAll('.pair .differs').length") > 3
    page.click("Close")
    page.until(lambda: page.driver.execute_script(shown) == [])
