"""The page to solve on: self-contained, with the data that it needs, and in a browser it is solved by keys."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from sudoku_models import Puzzle
from sudoku_models.explain.ladder import Ladder
from sudoku_models.page import solving_page
from tests.browser import CELLS, CONTROL, RIGHT, cell, chromium, click, labels, press, said, show, touched

FOUR = Puzzle.parse("1234341221434...")
FOUR_SOLVED = (1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1)


def data_of(text: str) -> dict[str, Any]:
    found = re.search(r'<script id="data" type="application/json">(.*?)</script>', text, re.DOTALL)
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data


def test_the_page_asks_nothing_of_a_network() -> None:
    text = solving_page(FOUR)
    assert "default-src 'none'" in text
    assert not re.search(r"\b(src|href)=[\"']?(https?:)?//", text)
    assert text.count("<!doctype html>") == 1


def test_black_cells_are_not_to_be_filled_in() -> None:
    text = solving_page(Puzzle.parse("kakuro:\n# 11\\ 5\\\n\\4 . .\n\\12 . ."), reasons=False)
    data = data_of(text)
    assert data["_board"]["unused"] == [0, 1, 2, 3, 6]
    assert data["_given"] == [True, True, True, True, False, False, True, False, False]
    assert data["values"] == [None] * 9 and ">1</text>" not in text


def test_a_puzzle_with_several_solutions_is_checked_by_its_houses_alone() -> None:
    text = solving_page(Puzzle.empty(4), reasons=False)
    assert data_of(text)["_solution"] is None
    assert "not known to have a unique solution" in text


def test_a_puzzle_without_a_solution_says_so() -> None:
    assert "no solution (row 1 holds 1 in R1C1 and R1C2; box 1" in solving_page(Puzzle.parse("11.............."))
    assert "The puzzle has no solution, so" in solving_page(Puzzle.parse("123....4........"))


def test_the_path_of_reasons_stands_in_the_page() -> None:
    with_path, without = data_of(solving_page(FOUR)), data_of(solving_page(FOUR, reasons=False))
    assert [step["placed"] for step in with_path["_way"]["steps"]] and {"hint", "path"} <= {*with_path["_offers"]}
    assert without["_way"] is None and not {"hint", "path"} & {*without["_offers"]}


def test_title_and_author_head_the_page() -> None:
    page = solving_page(Puzzle.parse("." * 16).with_title("Four", author="Ada"), reasons=False)
    assert "<h1>Four, by Ada</h1>" in page


def test_texts_of_strangers_are_escaped() -> None:
    text = solving_page(Puzzle(FOUR.shape, FOUR.givens, title="</title><script>alert(1)</script>"), reasons=False)
    assert "<script>alert" not in text


def test_reasons_that_take_too_long_are_left_out_of_the_path(monkeypatch: pytest.MonkeyPatch) -> None:
    limit = Ladder.limit
    monkeypatch.setattr(Ladder, "limit", lambda ladder, seconds: limit(ladder, seconds and 0.0))  # after the path
    hard = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
    steps = data_of(solving_page(Puzzle.parse(hard), time_limit=300))["_way"]["steps"]
    assert "not found within the time limit" in "".join(step["text"] for step in steps)


def test_a_page_that_takes_long_shows_how_far_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    solving_page(FOUR, progress=True)
    shown = capsys.readouterr().err
    for what in ("solving", "finding the path", "finding its reasons"):
        assert what in shown
    solving_page(FOUR)
    assert capsys.readouterr().err == ""


def test_the_command_writes_one_page(program: Callable[..., Any], tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert program("page", "1234341221434...", "-o", page, "--no-reasons").exit_code == 0
    assert data_of(page.read_text())["_board"]["width"] == 4
    two = program("page", "-", "-o", page, input="1234341221434...\n" * 2)
    assert (two.exit_code, "holds one puzzle" in two.stderr) == (2, True)


def test_a_page_that_cannot_be_made_leaves_the_earlier_one(program: Callable[..., Any], tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("an earlier page")
    for text in ("5" * 80, ("." * 81 + "\n") * 2):
        assert program("page", "-o", page, input=text).exit_code == 2
        assert page.read_text() == "an earlier page"


@pytest.fixture
def driver() -> Iterator[Any]:
    with chromium() as driver:
        yield driver


def opened(driver: Any, folder: Path, puzzle: Puzzle | str = FOUR) -> None:
    page = folder / "page.html"
    page.write_text(solving_page(puzzle), encoding="utf-8")
    driver.get(page.as_uri())
    cell(driver, 0)


def test_the_board_is_solved_with_keys(driver: Any, tmp_path: Path) -> None:
    opened(driver, tmp_path)
    cell(driver, 13).click()
    press(driver, "1")
    click(driver, "Check")
    assert said(driver) == "1 wrong" and "clash" in cell(driver, 13).get_attribute("class")
    click(driver, "Hint")
    assert said(driver) == "Look at R4C2 again: its value is wrong."
    cell(driver, 13).click()
    press(driver, "z", held=CONTROL)
    assert labels(driver)["R4C2"] == "open"
    click(driver, "Candidates")
    assert labels(driver)["R4C2"] == "open, corner 3"
    cell(driver, 13).click()
    press(driver, "3", RIGHT, "2", RIGHT, "1")
    assert said(driver) == "Solved."


def test_many_candidates_are_read_in_rows(driver: Any, tmp_path: Path) -> None:
    opened(driver, tmp_path, ".5...9.....87....2...3....6.4..9..6.8....1..3.2....8....1...2.5.63.1.9....2..5.3.")
    click(driver, "Candidates")
    texts = (
        "[...c.querySelectorAll('text.own')].map((t) => [+t.getAttribute('y'), +t.getAttribute('x'), +t.textContent])"
    )
    cells = driver.execute_script(f"return {CELLS}.map((c) => {texts})")
    many = [marks for marks in cells if len(marks) > 4]
    assert many and all(
        [value for *_, value in sorted(marks)] == sorted(value for *_, value in marks) for marks in many
    )


def test_hints_go_on_from_what_the_player_has_found(driver: Any, tmp_path: Path) -> None:
    opened(driver, tmp_path)
    told = []
    for _ in range(3):
        click(driver, "Hint")
        told.append(said(driver))
        shaded = [number for number in (13, 14, 15) if "placed" in cell(driver, number).get_attribute("class")]
        cell(driver, shaded[0]).click()
        press(driver, str(FOUR_SOLVED[shaded[0]]))
    assert told[0] == "R4C2 is 3: every other value is in one of its houses already."
    assert len({*told}) == 3 and said(driver) == "Solved."


def test_a_hint_beyond_single_cells_is_a_step_of_the_path_and_is_not_told_twice(driver: Any, tmp_path: Path) -> None:
    opened(driver, tmp_path, ".5...9.....87....2...3....6.4..9..6.8....1..3.2....8....1...2.5.63.1.9....2..5.3.")
    steps = [step["text"] for step in data_of((tmp_path / "page.html").read_text())["_way"]["steps"]]
    told = []
    for _ in range(2):
        click(driver, "Hint")
        told.append(said(driver))
    assert told[0] != told[1] and {*told} <= {*steps}


def test_undo_check_and_the_reason_of_a_step_are_in_sight_beside_the_board(driver: Any, tmp_path: Path) -> None:
    show(driver, 1100)
    opened(driver, tmp_path)
    click(driver, "Path")
    click(driver, "Show reason")
    assert said(driver).startswith("Step 1 of ")
    board = driver.find_element("css selector", ".stage").rect
    for node in ("//button[text()='Undo']", "//button[text()='Check']", "//p[@class='said']"):
        at = driver.find_element("xpath", node).rect
        assert at["x"] >= board["x"] + board["width"] and at["y"] + at["height"] < 850


def test_the_board_is_solved_with_fingers_on_a_phone_and_the_path_opens(driver: Any, tmp_path: Path) -> None:
    show(driver, 390)
    opened(driver, tmp_path)
    for number, value in ((13, "3"), (14, "2")):
        touched(driver, number)
        click(driver, value)
    click(driver, "Path")
    click(driver, "Next step")
    assert said(driver).startswith("The end of the path") or said(driver).startswith("Step ")
    click(driver, "Leave path")
    touched(driver, 15)
    click(driver, "1")
    assert said(driver) == "Solved."
    assert driver.execute_script("return document.documentElement.scrollWidth") == 390


def test_several_cells_are_selected_finger_by_finger_and_one_is_left_out_again(driver: Any, tmp_path: Path) -> None:
    show(driver, 390)
    opened(driver, tmp_path, Puzzle.empty(4))
    touched(driver, 5)
    click(driver, "Several")
    for number in (0, 10, 0):
        touched(driver, number)
    click(driver, "3")
    click(driver, "Several")
    touched(driver, 15)
    click(driver, "1")
    assert {name: text for name, text in labels(driver).items() if text != "open"} == {
        "R2C2": "3", "R3C3": "3", "R4C4": "1",
    }  # fmt: skip
