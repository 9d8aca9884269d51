"""The grid in a browser: keys, marks, clashes, a search, themes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sudoku_models import Puzzle, Shape
from sudoku_models.puzzle import rules
from sudoku_models.widget import SudokuWidget

from ..browser import ALT, CONTROL, DELETE, ESCAPE, RIGHT, SHIFT, click, focus, labels, press, said, touched
from .page import shown

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Any]:
    with shown(SudokuWidget(EASY), tmp_path) as driver:
        yield driver


def label(driver: Any, name: str) -> str:
    return labels(driver)[name]


def test_cells_are_filled_and_emptied_by_keys(page: Any) -> None:
    focus(page, 1)
    press(page, "\ue014", "4", "\ue014", "6")
    assert (label(page, "R1C3"), label(page, "R1C4")) == ("4", "6")
    press(page, "\ue012", "\ue017")
    assert label(page, "R1C3") == "open"
    assert page.execute_script("return saved.length") == 3


def test_keys_go_around_the_board_and_one_cell_is_in_the_order_of_tabs(page: Any) -> None:
    focus(page, 0)
    press(page, "\ue013", "\ue010")
    bare = "[...document.querySelectorAll('[role=gridcell], button, select, input')]"
    unheld = f"return {bare}.filter(n => !n.hasAttribute('data-lm-suppress-shortcuts'))"
    assert page.execute_script(unheld) == []  # what has the focus keeps its keys from the notebook
    assert page.execute_script("return document.activeElement.getAttribute('aria-label')").startswith("R9C9")
    assert page.execute_script("return document.querySelectorAll('[role=gridcell][tabindex=\"0\"]').length") == 1


def test_a_finger_scrolls_the_notebook_until_several_cells_are_selected(page: Any) -> None:
    chosen = "return document.querySelectorAll('[aria-selected=true]').length"
    touched(page, 2, 3, 12, 11)
    assert page.execute_script(chosen) == 1
    click(page, "Several")
    touched(page, 3, 12, 11)
    assert page.execute_script(chosen) == 4
    click(page, "Corner")
    click(page, "4")
    marked = [name for name, text in labels(page).items() if "corner 4" in text]
    assert marked == ["R1C3", "R1C4", "R2C3"]  # R2C4 is a given


def test_a_given_is_kept_until_givens_are_set(page: Any) -> None:
    focus(page, 0)
    press(page, "1")
    assert label(page, "R1C1") == "5, given"
    assert "R1C1 is a given" in said(page)
    page.execute_script("document.querySelector('input[type=checkbox]').click()")
    focus(page, 0)
    press(page, "1")
    assert label(page, "R1C1") == "1, given"


def test_candidates_and_clashes_are_shown(page: Any) -> None:
    page.execute_script("model.set('marks', 'houses'); model.set('clashes', ['R1C1', 'R2C6'])")
    assert label(page, "R1C3") == "open, candidates 1 2 4"
    assert label(page, "R2C6") == "5, given, clashes"
    assert page.execute_script("return document.querySelectorAll('.clash').length") == 2


def test_a_search_is_shown_in_place_of_the_entries(page: Any) -> None:
    status = "model.set('_status', {text: 'searching', running: %s, failed: false})"
    page.execute_script("model.set('_decisions', [['R1C3', 4], ['R1C4', 6]]);" + status % "true")
    assert page.execute_script("return document.querySelectorAll('.decided').length") == 2
    disabled = "return [...document.querySelectorAll('button')].filter(b => b.disabled).map(b => b.textContent)"
    assert {"Hint", "Path", "Clear", "Undo"} <= set(page.execute_script(disabled)) and "Stop" not in disabled
    page.execute_script(status % "false")
    assert "Stop" in page.execute_script(disabled) and "Hint" not in page.execute_script(disabled)
    assert page.execute_script("return document.querySelectorAll('.decided').length") == 0


def test_buttons_and_a_paste_ask_the_kernel(page: Any) -> None:
    for button in ("Solve", "Clear", "Path", "Two solutions"):
        click(page, button)
    paste = """
    const data = new DataTransfer(); data.setData("text", "1" + ".".repeat(15));
    const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true });
    document.querySelector("[role=gridcell]").dispatchEvent(event);"""
    page.execute_script(paste)
    text = "1" + "." * 15
    assert page.execute_script("return sent") == [
        *({"do": what} for what in ("watch", "clear", "path", "two_solutions")),
        {"do": "read", "text": text},
    ]


def test_values_of_two_figures_are_typed_one_after_the_other(tmp_path: Path) -> None:
    with shown(SudokuWidget(Puzzle.empty(Shape.square(12))), tmp_path) as driver:
        focus(driver, 0)
        press(driver, "1", "2", "\ue014", "9")
        assert (label(driver, "R1C1"), label(driver, "R1C2")) == ("12", "9")


@pytest.mark.parametrize("dark", [False, True])
def test_a_variant_is_drawn_with_its_rules_in_both_themes(tmp_path: Path, dark: bool) -> None:
    puzzle = Puzzle.empty(Shape.square(6)).with_rules(rules.Thermo("R1C1 R1C2"), rules.KillerCage("R1C5 R1C6", 8))
    with shown(SudokuWidget(puzzle), tmp_path, dark=dark, width=360) as driver:
        assert "Thermo" in driver.execute_script("return document.querySelector('.legend').textContent")
        style = "getComputedStyle(document.querySelector('.sudoku-models-widget'))"
        assert driver.execute_script(f"return {style}.colorScheme") == "light dark"
        assert driver.execute_script("return document.documentElement.scrollWidth") <= 360
        paper, ink = (
            sum(map(int, driver.execute_script(f"return {style}.{name}")[4:-1].split(",")))
            for name in ("backgroundColor", "color")
        )
        assert (paper < 150 < ink) is dark
        assert (ink < 150 < paper) is not dark


def test_the_view_goes_when_the_notebook_removes_it(page: Any) -> None:
    page.execute_script("remove(); model.set('values', [])")
    assert page.execute_script("return document.getElementById('here').children.length") == 0


def test_held_keys_mark_corners_and_the_middle_and_give_colours(page: Any) -> None:
    focus(page, 2)
    press(page, "1", "4", held=SHIFT)
    press(page, "2", held=CONTROL)
    press(page, "5", held=ALT)
    assert label(page, "R1C3") == "open, corner 1 4, centre 2, colour 5"
    press(page, "4", held=SHIFT)
    assert label(page, "R1C3") == "open, corner 1, centre 2, colour 5"
    press(page, "4")
    assert label(page, "R1C3") == "4, colour 5"  # the marks wait below the value
    for expected in ("open, corner 1, centre 2, colour 5", "open, colour 5", "open"):
        press(page, DELETE)
        assert label(page, "R1C3") == expected


def test_space_letters_and_buttons_change_what_figures_do(page: Any) -> None:
    focus(page, 2)
    press(page, " ", "1", " ", "2", "v", "3", "z", "4")
    assert label(page, "R1C3") == "4, colour 3"
    assert page.execute_script("return [state.corners[2], state.centres[2]]") == [[1], [2]]
    pressed = "return document.querySelector('[aria-pressed=true]').textContent"
    assert page.execute_script(pressed) == "Value"
    click(page, "Colour")
    click(page, "9")
    press(page, "2")  # the cell has the focus again
    assert label(page, "R1C3") == "4, colour 2"
    press(page, "z", "y", held=CONTROL)
    assert page.execute_script("return sent") == [{"do": "undo"}, {"do": "redo"}]


def test_a_selection_grows_with_held_keys_and_is_written_as_one(page: Any) -> None:
    focus(page, 1)
    press(page, RIGHT, RIGHT, held=SHIFT)
    press(page, "6", held=SHIFT)
    assert [label(page, f"R1C{c}") for c in (2, 3, 4)] == [
        "3, given",
        "open, corner 6",
        "open, corner 6",
    ]
    assert page.execute_script("return saved.length") == 1
    press(page, ESCAPE)
    assert page.execute_script("return document.querySelectorAll('[aria-selected=true]').length") == 1
    press(page, "a", held=CONTROL)
    assert page.execute_script("return document.querySelectorAll('[aria-selected=true]').length") == 81


def test_a_mouse_selects_by_dragging(page: Any) -> None:
    from selenium.webdriver.common.action_chains import ActionChains

    cells = page.find_elements("css selector", "[role=gridcell]")
    ActionChains(page).click_and_hold(cells[2]).move_to_element(cells[3]).move_to_element(cells[12]).release().perform()
    all_cells = "[...document.querySelectorAll('[role=gridcell]')]"
    chosen = f"return {all_cells}.flatMap((cell, i) => cell.ariaSelected === 'true' ? [i] : [])"
    assert page.execute_script(chosen) == [2, 3, 12]
    ActionChains(page).key_down(CONTROL).click(cells[3]).key_up(CONTROL).perform()
    assert page.execute_script(chosen) == [2, 12]


def test_black_cells_hold_nothing_and_take_nothing(tmp_path: Path) -> None:
    widget = SudokuWidget("kakuro:\n# 11\\ 5\\\n\\4 . .\n\\12 . .")
    widget.solve()
    with shown(widget, tmp_path) as driver:
        assert [label(driver, name) for name in ("R1C1", "R2C2")] == ["black", "3"]
        focus(driver, 0)
        press(driver, "5")
        assert label(driver, "R1C1") == "black"
        assert "R1C1 is black" in said(driver)
