"""A rule whose lowering and judge disagree, by the verbs that explain, make and prove, and by tables and pages."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sudoku_models import Puzzle, Shape
from sudoku_models.explain import explain, hint, path, rate
from sudoku_models.explain.many import rate_into
from sudoku_models.make import generate, minimise, redundant
from sudoku_models.prove import certify
from sudoku_models.puzzle.rules import Thermo

from .misread import NEVER, ONE, Misread, refused

VERBS: dict[str, Callable[[Puzzle], object]] = {
    "explain": explain,
    "certify": certify,
    "certify unique": lambda puzzle: certify(puzzle, "unique"),
    "certify unsatisfiable": lambda puzzle: certify(puzzle, "unsatisfiable"),
    "certify count": lambda puzzle: certify(puzzle, "count", count=1),
    "minimise": minimise,
    "redundant": redundant,
    "path": path,
    "rate": rate,
    "hint": hint,
    "hint of a cell": lambda puzzle: hint(puzzle, cell="R4C4"),
    "hint after an entry": lambda puzzle: hint(puzzle, {"R4C4": 1}),
}


@pytest.mark.parametrize("verb", VERBS)
def test_the_verbs_that_explain_make_and_prove_judge(verb: str) -> None:
    refused(lambda: VERBS[verb](ONE))


def test_puzzles_with_a_rule_are_not_made_of_boards_that_it_refuses() -> None:
    refused(lambda: list(generate(1, shape=Shape.square(4), rules=(Misread(),), seed=1, tries=3)))


TEXT = ".Shape~4x4.Thermo~R1C1~R1C2"


@pytest.fixture
def strict_thermo(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Thermo, "judge", lambda self, grid: False)


@pytest.mark.usefixtures("strict_thermo")
@pytest.mark.parametrize("name", ["solve_into", "count_into", "candidates_into", "rate_into"])
def test_rows_of_files_are_judged(name: str, tmp_path: Path) -> None:
    from sudoku_models import bulk

    into: Any = rate_into if name == "rate_into" else getattr(bulk, name)
    into([TEXT], tmp_path / "out.csv")
    (row,) = csv.DictReader((tmp_path / "out.csv").open())
    assert row["status"] == "WRONG" and "breaks the rule Thermo" in row["reason"]


def test_the_interactive_grid_judges() -> None:
    pytest.importorskip("anywidget", reason="not applicable (platform): anywidget is not there")
    from sudoku_models.widget import SudokuWidget

    grid = SudokuWidget(NEVER)
    refused(grid.solve)
    refused(grid.hint)
