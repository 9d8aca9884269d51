"""Every puzzle on every backend: rows, verdicts, tables."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sudoku_models import Puzzle, Shape
from sudoku_models.compare import SCHEMA, Comparison, Row, compare
from sudoku_models.engine import tree

from ..planting import planted

__all__ = ["planted"]

SEVERAL, UNIQUE, CLASH = "1.....2....3....", "1.3...2....3.4..", "11.............."
PUZZLES = [SEVERAL, UNIQUE, CLASH]
SPECS = ["backtracking", "cp-sat", "pycosat"]


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    return compare(PUZZLES, SPECS)


def test_one_row_a_run_with_what_was_asked_and_what_came_of_it(comparison: Comparison) -> None:
    assert sorted((row.puzzle, row.backend) for row in comparison.rows) == [
        (puzzle, backend) for puzzle in (1, 2, 3) for backend in SPECS
    ]
    found = {(row.puzzle, row.status, row.unique, row.clues) for row in comparison.rows}
    assert found == {(1, "solved", False, 3), (2, "solved", True, 5), (3, "unsatisfiable", False, 2)}
    assert {row.asked for row in comparison.rows} == {"unique"}
    assert sorted(row.position for row in comparison.rows) == list(range(9))
    assert comparison.agree
    rows = [row for row in comparison.rows if row.puzzle == 2]
    assert next(row for row in rows if row.backend == "cp-sat").sizes["constraints"] == 12
    for row in rows:
        assert {"run", "check"} <= row.phases.keys()
        assert row.wall > 0 and row.cpu is not None and row.cpu >= 0
        assert row.memory is None or 10 << 20 < row.memory < 4 << 30


def test_a_row_survives_its_json(comparison: Comparison, tmp_path: Path) -> None:
    comparison.save(tmp_path / "rows.jsonl")
    lines = (tmp_path / "rows.jsonl").read_text().splitlines()
    assert [Row.parse(line) for line in lines] == list(comparison.rows)
    assert {json.loads(line)["schema"] for line in lines} == {SCHEMA}


def test_solutions_can_be_counted() -> None:
    rows = compare([*PUZZLES, UNIQUE], ["backtracking", "pycosat"], goal="count").rows
    assert len(rows) == 6  # a puzzle that stands twice is run once
    assert {(row.puzzle, row.count, row.unique, row.asked) for row in rows} == {
        (1, 3, False, "count"),
        (2, 1, True, "count"),
        (3, 0, False, "count"),
    }


def test_every_seed_and_every_repeat_is_a_run_and_a_relabelled_puzzle_stands_for_a_seed() -> None:
    rows = compare([SEVERAL], ["backtracking", "pycosat"], seeds=(0, 5), repeats=2).rows
    found = sorted((row.backend, row.seed, row.repeat, row.relabelled) for row in rows)
    assert found == [
        *(("backtracking", seed, repeat, False) for seed in (0, 5) for repeat in (0, 1)),
        *(("pycosat", seed, repeat, seed == 5) for seed in (0, 5) for repeat in (0, 1)),
    ]
    assert {row.status for row in rows} == {"solved"}
    stated = compare([UNIQUE], ["pycosat"], seeds=range(6)).rows
    assert len({row.solution for row in stated}) == 1  # in terms of the puzzle as stated


@pytest.mark.parametrize(
    ("shape", "text"),
    [
        (Shape.square(9), "." * 81),
        (Shape.square(6, (3, 2)), "1.....2.......3......4......5......6"),
        (Shape.latin(5), "1.....2.......3.........."),
        (Shape.irregular("1122112233443344"), "1.....2....3...."),
    ],
    ids=str,
)
def test_a_relabelled_puzzle_of_any_shape_has_solutions_that_lead_back(shape: Shape, text: str) -> None:
    """Other names and places for each seed: every solution is checked on the puzzle as it is stated."""
    puzzle = Puzzle.parse(text, shape=shape).with_candidates({shape.names[-1]: shape.values[1:]})
    rows = compare([puzzle], ["pycosat"], goal="first", seeds=range(8)).rows
    assert [row.status for row in rows] == ["solved"] * 8
    assert len({row.solution for row in rows}) > 1
    if shape.cells < 36:
        assert len({row.count for row in compare([puzzle], ["pycosat"], goal="count", seeds=range(4)).rows}) == 1


def test_a_cold_run_pays_for_loading_its_engine() -> None:
    cold = compare([UNIQUE], ["pycosat"], repeats=2, cold=True).rows
    warm = compare([UNIQUE], ["pycosat"], repeats=2).rows
    assert all("load" in row.phases and "compile" in row.phases and row.cold for row in cold)
    assert all(row.wall > row.phases["load"]["wall"] > 0 for row in cold)
    assert not any("load" in row.phases or "compile" in row.phases or row.cold for row in warm)


def test_printing_shows_the_backends_the_figures_and_the_verdict(comparison: Comparison) -> None:
    text = str(comparison)
    for word in (*SPECS, "3 puzzles", "median", "PAR2", "Mean time by phase", "All answers agree."):
        assert word in text


def test_a_portfolio_is_compared_like_any_other() -> None:
    spec = "portfolio:(backtracking)|(backtracking:strategy=general)"
    rows = compare([UNIQUE, CLASH], [spec], seeds=(0, 1)).rows
    assert [row.status for row in rows].count("solved") == 2
    assert all(row.notes and (row.cpu is not None or not tree.SEEN) for row in rows)
