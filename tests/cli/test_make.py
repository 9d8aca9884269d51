"""The commands that make puzzles, and those about what is needed of them and what is the same."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sudoku_models import Puzzle, Shape, is_unique
from sudoku_models.cli.codes import Code
from sudoku_models.make import generate, grids
from sudoku_models.puzzle.rules import Greater

from .conftest import said

Program = Callable[..., Any]


def test_puzzles_are_made_as_in_python(program: Program) -> None:
    result = program("generate", "--side", "6", "-n", "3", "--seed", "5", "--symmetry", "half-turn")
    made = generate(3, shape=Shape.square(6), seed=5, symmetry="half-turn")
    assert result.exit_code == Code.SOLVED
    assert result.stdout.split() == [puzzle.to_line() for puzzle in made]
    assert said(result.stderr) == f"made 3, tried {made.tried}\n"


def test_rules_are_put_and_kept(program: Program) -> None:
    wishes = ("--side", "4", "--place", "Greater=3", "--rule", "AntiKnight", "--seed", "1")
    puzzle = Puzzle.parse(program("generate", *wishes, "--to", "iss").stdout.strip())
    assert [type(rule).__name__ for rule in puzzle.rules].count("Greater") == 3
    assert is_unique(puzzle)
    again = program("generate", "--like", program("generate", *wishes, "--to", "iss").stdout.strip(), "--to", "iss")
    assert len([rule for rule in Puzzle.parse(again.stdout.strip()).rules if isinstance(rule, Greater)]) == 3


FULL = "1234341221434321"
TURNED = "4321214334121234"


def records(result: Any) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_puzzles_and_grids_are_written_as_records_and_tables(program: Program, tmp_path: Path) -> None:
    (made,) = generate(1, shape=Shape.square(4), seed=2)
    solution = Puzzle(made.shape, made.stated or ()).to_line()
    (record,) = records(program("generate", "--side", "4", "--seed", "2", "--format", "jsonl"))
    assert (record["schema"], record["number"]) == ("sudoku-models/generate/1", 1)
    assert (record["puzzle"], record["solution"], record["clues"]) == (made.to_line(), solution, made.clues)
    table = tmp_path / "made.csv"
    program("generate", "--side", "4", "--seed", "2", "--out", table)
    assert table.read_text().splitlines() == [
        "number,puzzle,solution,clues,seed,missed",
        f"1,{made.to_line()},{solution},{made.clues},2,",
    ]
    (row,) = records(program("grids", "--side", "4", "--seed", "3", "-f", "jsonl"))
    assert row["solution"] == "".join(map(str, grids(1, Shape.square(4), seed=3)[0].tolist()))


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"puzzle": np.zeros((2, 25), np.uint8)}, "side 5 has no boxes"),
        ({"puzzle": np.zeros((2, 7), np.uint8)}, "boards of 7 cells: a square board is expected"),
        ({"puzzle": np.zeros((0, 81), np.uint8)}, "0 x 81, uint8): at least one board"),
        ({"puzzle": np.uint8(3)}, "a single value, uint8): at least one board"),
        ({"puzzle": np.full((1, 81), "x")}, "at least one board of whole numbers is expected"),
        ({"puzzle": np.full((1, 81), 0.5)}, "at least one board of whole numbers is expected"),
        ({"puzzle": np.full((1, 81), 300)}, "holds values outside 0 to 255"),
        ({"puzzle": np.zeros((1, 81)), "solution": np.zeros((2, 81))}, "equally many boards are expected"),
    ],
)
def test_arrays_that_are_no_boards_are_refused(
    program: Program, tmp_path: Path, arrays: dict[str, Any], message: str
) -> None:
    np.savez(tmp_path / "a.npz", **arrays)
    result = program("augment", str(tmp_path / "a.npz"))
    assert result.exit_code == Code.USAGE and message in result.stderr
