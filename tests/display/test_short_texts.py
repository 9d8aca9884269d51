"""What an answer prints as in a notebook or a session is one short line, however large the answer is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sudoku_models import Puzzle, core, count, cross_check, inspect, solutions, solve
from sudoku_models.bulk.solving_arrays import solve_arrays
from sudoku_models.compare import compare
from sudoku_models.engine import prepare
from sudoku_models.explain import explain, hint, path, rate
from sudoku_models.make import Dataset, canonical, generate
from sudoku_models.prove import certify, check

FOUR = "12.434.2214....."
NONE, SEVERAL = "11" + "." * 14, "1" + "." * 15
ANSWERS: dict[str, Callable[[], Any]] = {
    "Result": lambda: solve(FOUR, unique=True),
    "SolutionCount": lambda: count(SEVERAL),
    "Core": lambda: core(NONE),
    "CrossCheck": lambda: cross_check(FOUR, ["backtracking"]),
    "Solutions": lambda: solutions(FOUR, "backtracking"),
    "Inspection": lambda: inspect(FOUR),
    "Model": lambda: Puzzle.empty(9).model,
    "OneSolution": lambda: explain(FOUR),
    "NoSolution": lambda: explain(NONE),
    "Conflict": lambda: explain(NONE).reason,  # type: ignore[union-attr]
    "Repair": lambda: explain(NONE).repair,  # type: ignore[union-attr]
    "SeveralSolutions": lambda: explain(SEVERAL),
    "Hint": lambda: hint(FOUR),
    "Path": lambda: path(FOUR),
    "Rating": lambda: rate(FOUR),
    "Certificate": lambda: certify(FOUR, "unique"),
    "Verification": lambda: check(certify(FOUR, "unique")),
    "Comparison": lambda: compare([FOUR], ["backtracking"], time_limit=60),
    "Report": lambda: compare([FOUR], ["backtracking"], time_limit=60).report(),
    "Generated": lambda: generate(3, clues=30, minimal=False, seed=1),
    "Record": lambda: solve(FOUR).record,
    "Batch": lambda: solve_arrays(["." * 81] * 50, limit=2),
    "Canonical": lambda: canonical("." * 81),
    "Dataset": lambda: Dataset(Path("folder"), {"train": 2, "test": 1}, 7),
}


def test_a_prepared_model_prints_as_one_short_line() -> None:
    assert len(repr(prepare(Puzzle.empty(9).model, "pycosat"))) <= 300


@pytest.mark.parametrize("name", ["Path", "Rating", "Certificate"])
def test_a_notebook_shows_an_answer_as_a_few_lines(name: str) -> None:
    html = ANSWERS[name]()._repr_html_()
    assert html.startswith("<div>") and html.count("<tr>") == html.count("</tr>") <= 12


@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_prints_as_one_short_line(name: str) -> None:
    text = repr(ANSWERS[name]())
    assert text.startswith(f"<{name}") and "\n" not in text
    assert len(text) <= 300
