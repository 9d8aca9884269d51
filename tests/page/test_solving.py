"""The page to solve on: self-contained, with the data that it needs, and in a browser it is solved by keys."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sudoku_models import Puzzle, Shape
from sudoku_models.page import solving_page
from sudoku_models.puzzle.rules import Thermo
from tests.compare.report.browser import chromium

FOUR = Puzzle.parse("1234341221434...")


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
    assert data["solution"] == [1, 1, 1, 1, 3, 1, 1, 8, 4]
    assert [cell["given"] for cell in data["cells"]] == [1, 1, 1, 1, None, None, 1, None, None]
    assert ">1</text>" not in text


def test_the_page_knows_cells_houses_and_the_solution() -> None:
    data = data_of(solving_page(FOUR, reasons=False))
    assert data["solution"] == [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1]
    assert len(data["cells"]) == len(data["peers"]) == 16
    assert data["peers"][0] == [1, 2, 3, 4, 5, 8, 12]
    assert [cell["given"] for cell in data["cells"]][-4:] == [4, None, None, None]
    assert len({(cell["x"], cell["y"]) for cell in data["cells"]}) == 16


def test_a_puzzle_with_several_solutions_is_checked_by_its_houses_alone() -> None:
    text = solving_page(Puzzle.empty(4), reasons=False)
    assert data_of(text)["solution"] is None
    assert "not known to have a unique solution" in text


def test_the_path_of_reasons_stands_in_the_page() -> None:
    assert "The solving path" in solving_page(FOUR)
    assert "iframe" not in solving_page(FOUR, reasons=False).split("<body>")[1]


def test_texts_of_strangers_are_escaped() -> None:
    text = solving_page(Puzzle(FOUR.shape, FOUR.givens, title="</title><script>alert(1)</script>"), reasons=False)
    assert "<script>alert" not in text


def test_a_variant_is_drawn_with_its_rules() -> None:
    puzzle = Puzzle.empty(Shape.square(4)).with_rules(Thermo("R1C1 R1C2 R2C2"))
    assert "Thermo" in solving_page(puzzle, reasons=False)


def test_the_command_writes_one_page(program: Callable[..., Any], tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert program("page", "1234341221434...", "-o", page, "--no-reasons").exit_code == 0
    assert data_of(page.read_text())["width"] == 4
    two = program("page", "-", "-o", page, input="1234341221434...\n" * 2)
    assert (two.exit_code, "holds one puzzle" in two.stderr) == (2, True)


def test_a_page_that_cannot_be_made_leaves_the_earlier_one(program: Callable[..., Any], tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("an earlier page")
    for text in ("5" * 80, ("." * 81 + "\n") * 2):
        assert program("page", "-o", page, input=text).exit_code == 2
        assert page.read_text() == "an earlier page"


def test_the_board_is_solved_with_keys(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(solving_page(FOUR), encoding="utf-8")
    with chromium() as driver:
        from selenium.webdriver import ActionChains, Keys

        driver.get(page.as_uri())
        driver.find_element("id", "board").click()
        said = driver.find_element("id", "said")
        driver.execute_script("selected = new Set([13]); at = 13; draw();")
        ActionChains(driver).send_keys("1").perform()
        driver.find_element("id", "check").click()
        assert said.text == "1 wrong"
        ActionChains(driver).key_down(Keys.CONTROL).send_keys("z").key_up(Keys.CONTROL).perform()
        for key in ("3", Keys.ARROW_RIGHT, "2", Keys.ARROW_RIGHT, "1"):
            ActionChains(driver).send_keys(key).perform()
        assert said.text == "Solved."
        assert [entry for entry in driver.get_log("browser") if entry["level"] != "INFO"] == []


def test_the_board_is_solved_with_fingers_on_a_phone_and_the_path_opens(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(solving_page(FOUR), encoding="utf-8")
    with chromium(390) as driver:
        driver.get(page.as_uri())
        driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
        middle = """
        const point = svg.createSVGPoint(), cell = data.cells[arguments[0]];
        [point.x, point.y] = [cell.x + data.side / 2, cell.y + data.side / 2];
        const { x, y } = point.matrixTransform(svg.getScreenCTM());
        return { x, y };"""

        def touch(cell: int) -> None:
            point = driver.execute_script(middle, cell)
            for kind, points in (("touchStart", [point]), ("touchEnd", [])):
                driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

        for cell, value in ((13, "3"), (14, "2"), (15, "1")):
            touch(cell)
            driver.execute_script(
                "[...document.querySelectorAll('#figures button')].find((b) => b.textContent === arguments[0]).click()",
                value,
            )
        assert driver.find_element("id", "said").text == "Solved."
        assert driver.execute_script("return document.documentElement.scrollWidth") == 390
        driver.find_element("css selector", "summary").click()
        driver.switch_to.frame(driver.find_element("css selector", "iframe"))
        assert driver.find_element("id", "where").text.startswith("Step 1 of ")
        driver.find_element("id", "forward").click()
        assert not driver.find_element("id", "where").text.startswith("Step 1 of ")
        assert [entry for entry in driver.get_log("browser") if entry["level"] != "INFO"] == []
