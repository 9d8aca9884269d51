"""The page in a browser: it opens, sorts, chooses, and logs no error."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sudoku_models.compare.report import Report

from ...browser import chromium, show, until
from .conftest import made_rows

FIRST_COLUMN = "return [...document.querySelectorAll('#sheet-%s tbody tr')].map(r => r.cells[0].textContent)"


@pytest.fixture
def opened(report: Report, tmp_path: Path) -> Iterator[Any]:
    report.by("side").save(tmp_path / "r.html")
    with chromium() as browser:
        browser.get((tmp_path / "r.html").as_uri())
        until(browser, lambda _: count(browser, "#scatter svg"))  # plots are drawn once the page has a width
        yield browser


def count(driver: Any, selector: str) -> int:
    return int(driver.execute_script("return document.querySelectorAll(arguments[0]).length", selector))


def click(driver: Any, selector: str) -> None:
    driver.execute_script("document.querySelector(arguments[0]).click()", selector)


def choose(driver: Any, selector: str, value: str) -> None:
    code = "const [at, value, kind] = arguments, n = document.querySelector(at); n.value = value;"
    event = "input" if selector == "#find" else "change"
    driver.execute_script(f"{code} n.dispatchEvent(new Event(kind))", selector, value, event)


def text(driver: Any, selector: str) -> str:
    return str(driver.execute_script("return document.querySelector(arguments[0]).textContent", selector))


def test_everything_is_drawn(opened: Any) -> None:
    assert count(opened, "#ecdf path.series") == count(opened, "#cactus path.series") == 3
    assert count(opened, "#groups path.series") == 2 * 3
    assert count(opened, "#scatter circle.mark") == 6
    assert count(opened, "#scaling-plot circle.mark") == 18
    assert count(opened, "#phases-plot rect") == 2 + 2 * 4
    assert count(opened, "#speedup-matrix td") == 9
    assert count(opened, "details.instance") == 6
    assert opened.execute_script("return window.taken") is None


def test_a_heading_sorts_by_size_and_again_the_other_way_round(opened: Any) -> None:
    heading = "#sheet-standings th:nth-child(5) button"
    click(opened, heading)
    assert opened.execute_script(FIRST_COLUMN % "standings") == ["quick", "slow:form=x", "liar", "lossy"]
    click(opened, heading)
    assert opened.execute_script(FIRST_COLUMN % "standings") == ["lossy", "liar", "slow:form=x", "quick"]


def test_the_two_of_the_scatter_can_be_chosen_and_swapped_or_taken_from_the_speedups(opened: Any) -> None:
    choose(opened, "#scatter-x", "2")
    assert "quick is quicker than lossy" in text(opened, "#scatter-words")
    assert count(opened, "#scatter circle.open") == 2
    choose(opened, "#scatter-y", "1")
    assert "slow:form=x" in text(opened, "#scatter-words")
    click(opened, "#scatter-swap")
    assert opened.execute_script("return document.querySelector('#scatter-x').value") == "1"
    assert "null" not in text(opened, "#two")
    click(opened, "#speedup-matrix tbody tr:nth-child(3) td:nth-child(2)")
    values = "return ['x', 'y'].map(s => document.querySelector('#scatter-' + s).value)"
    assert opened.execute_script(values) == ["0", "2"]


def test_scales_switch_between_log_and_linear_and_a_backend_is_hidden_by_its_name(opened: Any) -> None:
    for plot in ("ecdf", "cactus", "scatter"):
        before = opened.execute_script("return document.getElementById(arguments[0]).innerHTML", plot)
        click(opened, f"#{plot}-scale button[data-value=linear]")
        after = opened.execute_script("return document.getElementById(arguments[0]).innerHTML", plot)
        assert before != after
        assert "NaN" not in after
    click(opened, "#legend button:nth-child(2)")
    assert count(opened, "#ecdf path.series") == 2


def test_the_pointer_shows_the_nearest_run(opened: Any) -> None:
    code = """
    const mark = document.querySelector('#scatter circle.mark').getBoundingClientRect();
    document.querySelector('#scatter svg').dispatchEvent(new PointerEvent('pointermove',
      {clientX: mark.x + mark.width / 2, clientY: mark.y + mark.height / 2, bubbles: true}));
    """
    opened.execute_script(code)
    assert "#1 puzzle-1" in text(opened, "#tip")
    assert opened.execute_script("return document.querySelector('#tip').hidden") is False


def test_a_puzzle_opens_with_its_board_and_the_runs_of_every_backend(opened: Any) -> None:
    click(opened, "#instance-0 summary")
    opened.execute_async_script("const done = arguments[0]; requestAnimationFrame(() => setTimeout(done, 50))")
    assert count(opened, "#instance-0 .body .board text") == 3
    assert count(opened, "#instance-0 .body tbody tr") == 4
    assert "WRONG" in text(opened, "#instance-0 .body")


def test_puzzles_are_found_and_ordered(opened: Any) -> None:
    assert "</script>" in text(opened, "#instance-1 .name")
    assert opened.execute_script("return getComputedStyle(document.querySelector('#more')).display") == "none"
    choose(opened, "#find", "9x9 timeout")
    assert count(opened, "details.instance") == 1
    choose(opened, "#find", "")
    choose(opened, "#order", "most missing answers")
    names = "return [...document.querySelectorAll('details.instance .name')].map(n => n.textContent.split(' ')[0])"
    assert set(opened.execute_script(names)[:3]) == {"#1", "#2", "#4"}


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [360, 1600])
def test_nothing_is_wider_than_the_window(opened: Any, width: int, dark: bool) -> None:
    show(opened, width, dark)
    opened.refresh()
    assert opened.execute_script("return document.documentElement.scrollWidth") <= width
    colour = opened.execute_script("return getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, colour[4:-1].split(","))) < 150) is dark


@pytest.mark.parametrize("chosen", ["quick", "liar"])
def test_a_page_of_a_single_backend_opens_too(tmp_path: Path, chosen: str) -> None:
    found = Report.of(row for row in made_rows() if row.backend == chosen)
    found.save(tmp_path / "r.html")
    with chromium() as browser:
        browser.get((tmp_path / "r.html").as_uri())
        assert count(browser, "details.instance") == 6
