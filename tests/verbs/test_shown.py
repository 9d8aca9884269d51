"""What a notebook shows of the answers of the verbs: a line, or a small piece of HTML."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from sudoku_models import Puzzle, Shape, candidates, count, cross_check, solve
from sudoku_models.puzzle.rules import CountingCircles, ExtraCells
from sudoku_models.verbs.results import Candidates
from sudoku_models.verbs.smallest_conflict import core

UNIQUE, CLASH, OPEN = "1.3...2....3.4..", "11..............", "................"
LONGEST = 600
"""Characters that one line may have."""


ANSWERS: dict[str, Callable[[], object]] = {
    "result": lambda: solve(UNIQUE, "pycosat", unique=True),
    "large result": lambda: solve(Puzzle.empty(Shape.square(25)), "pycosat"),
    "no result": lambda: solve(CLASH, "pycosat"),
    "count": lambda: count(OPEN, "backtracking", limit=10),
    "core": lambda: core(CLASH, "pycosat"),
    "cross check": lambda: cross_check(UNIQUE, ["backtracking", "pycosat"]),
    "candidates": lambda: Candidates({"R1C1": (1, 2), "R1C2": (3,)}, True),
    "candidates by name": lambda: candidates(UNIQUE, "backtracking"),
    "cut candidates": lambda: Candidates({"R1C1": (1, 2)}, False, "time limit"),
}


@cache
def answer(name: str) -> object:
    return ANSWERS[name]()


@pytest.mark.parametrize("name", ANSWERS)
def test_a_line_says_what_it_is(name: str) -> None:
    shown = repr(answer(name))
    assert shown.startswith("<")
    assert "\n" not in shown
    assert len(shown) <= LONGEST


@pytest.mark.parametrize("name", ANSWERS)
def test_a_notebook_shows_it_as_html(name: str) -> None:
    html = answer(name)._repr_html_()  # type: ignore[attr-defined]
    assert html.count("<div") + html.count("<p>") > 0
    for element in ("table", "div", "tr", "ul"):
        assert html.count(f"<{element}") == html.count(f"</{element}>")


def test_the_lines_hold_the_answer() -> None:
    assert repr(answer("count")) == "<SolutionCount: at least 10>"
    assert repr(answer("result")).startswith("<Result: solved, unique: 1")
    assert "equal" in repr(answer("no result")) or "R1" in repr(answer("no result"))
    assert repr(answer("core")).startswith("<Core of 3: R1C1 is 1, R1C2 is 1")
    assert repr(answer("cross check")) == "<CrossCheck of 2: the backends agree>"
    assert repr(answer("candidates")) == "<Candidates: 1 of 2 cells have one value in all solutions>"


def test_a_result_shows_the_cells_and_not_the_auxiliary_variables_of_rules() -> None:
    puzzle = Puzzle.empty(4).with_rules(CountingCircles("R1C1 R2C2 R3C3"), ExtraCells("V", 2))
    result = solve(puzzle, "backtracking")
    assert result.values is not None and len(result.values) > 18
    last = str(result).splitlines()[-1]
    assert [part.split(" = ")[0] for part in last.split(", ")] == ["V1", "V2"]
