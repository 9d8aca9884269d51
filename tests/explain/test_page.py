"""The page of a path: self-contained, and its steps lead to the solution."""

from __future__ import annotations

import json
import re
from html import escape
from pathlib import Path as File
from typing import Any

import pytest

from sudoku_models import Puzzle, solve
from sudoku_models.explain import path
from sudoku_models.puzzle.rules.cages import KillerCage
from tests.browser import chromium, press, said, until

WINGS = "9.....6....7..1.2.....62..88.2..6..9...4.5.1...........5..4.9.....2...41...1.8..."
TEXT = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"


def data_of(text: str) -> Any:
    """Return the path in a page."""
    found = re.search(r'<script id="data" type="application/json">(.*?)</script>', text, re.S)
    assert found
    return json.loads(found[1])["_path"]


def test_a_page_lists_its_steps_and_needs_nothing_from_elsewhere() -> None:
    text = path(TEXT).to_html("A <way> & back")
    assert "<title>A &lt;way&gt; &amp; back</title>" in text and "default-src 'none'" in text
    assert not re.search(r"<[^>]* (src|href)=|import\(|fetch\(", text)
    assert all(f"<li>{escape(step['text'])}</li>" in text for step in data_of(text)["steps"])


def test_a_page_that_takes_long_shows_how_far_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert path(TEXT).to_html(progress=True) == path(TEXT).to_html()
    assert capsys.readouterr().err.count("finding its reasons") >= 1


def test_its_steps_lead_from_the_givens_to_the_solution() -> None:
    data = data_of(path(TEXT).to_html())
    left = [set(values) for values in data["start"]]
    for step in data["steps"]:
        assert step["text"] and step["level"]
        for cell, value in step["removed"]:
            left[cell].remove(value)
    grid = solve(TEXT).grid
    assert grid and left == [{value} for value in grid.values]


def test_a_rule_of_the_author_is_in_words_and_its_cells_are_shaded() -> None:
    puzzle = Puzzle.parse("................").with_rules(KillerCage(("R1C1", "R1C2"), 3))
    first = data_of(path(puzzle).to_html())["steps"][0]
    assert "Killer cage 3 (R1C1 R1C2)" in first["text"] and first["stated"] == [0, 1]


def swiped(driver: Any, across: int) -> None:
    """Put a finger down in the middle of the board, draw it sideways, and take it away."""
    driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
    for kind, x in (
        ("touchStart", 200),
        ("touchMove", 200 + across // 2),
        ("touchMove", 200 + across),
        ("touchEnd", None),
    ):
        points = [] if x is None else [{"x": x, "y": 300}]
        driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def test_keys_buttons_and_a_finger_step_through_the_page_from_a_file(tmp_path: File) -> None:
    file = tmp_path / "way.html"
    file.write_text(path(TEXT).to_html(), encoding="utf-8")
    steps = data_of(file.read_text("utf-8"))["steps"]
    last = len(steps)
    with chromium(390) as driver:
        from selenium.webdriver import Keys

        driver.get(file.as_uri())
        until(driver, lambda _: driver.find_elements("css selector", "input[type=range]"))

        def at() -> int:
            return int(driver.execute_script("return document.querySelector('input[type=range]').value"))

        def pressed(key: str) -> int:
            press(driver, key)
            return at()

        right, left = Keys.ARROW_RIGHT, Keys.ARROW_LEFT
        keys = (right, " ", left, Keys.PAGE_DOWN, Keys.END, right, Keys.HOME, left)
        assert [pressed(key) for key in keys] == [1, 2, 1, 11, last, last, 0, 0]
        assert said(driver).startswith("Step 1 of ")
        for button, step in (("Next step", 1), ("Next step", 2), ("Step back", 1)):
            driver.find_element("xpath", f"//button[text()='{button}']").click()
            assert at() == step
        for across, step in ((-120, 2), (-120, 3), (120, 2), (-20, 2)):  # a short way is no swipe
            swiped(driver, across)
            assert at() == step
        assert said(driver).endswith(steps[2]["text"])
        assert driver.execute_script("return document.querySelectorAll('line.gone').length") > 0
        driver.execute_script("document.activeElement.blur()")
        assert pressed(Keys.END) == last and said(driver) == "The end of the path: solved."
        assert driver.execute_script("return document.documentElement.scrollWidth") == 390


def test_the_links_of_a_chain_are_drawn_with_its_reason(tmp_path: File) -> None:
    file = tmp_path / "way.html"
    file.write_text(path(WINGS).to_html(), encoding="utf-8")
    steps = data_of(file.read_text("utf-8"))["steps"]
    number, chain = next((i, step) for i, step in enumerate(steps) if step["text"].startswith("XY-chain"))
    assert sorted(kind for _, _, kind in chain["links"]) == ["strong"] * 5 + ["weak"] * 4
    with chromium(390, dark=True) as driver:
        driver.get(file.as_uri())
        until(driver, lambda _: driver.find_elements("css selector", "input[type=range]"))
        assert not driver.find_elements("css selector", "line.link")
        press(driver, *"\ue014" * number)
        shown = [driver.find_elements("css selector", f"line.link.{kind}") for kind in ("strong", "weak")]
        assert [len(lines) for lines in shown] == [5, 4]
