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
from sudoku_models.collection import puzzles
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


def test_what_is_not_found_is_a_limit(program: Program) -> None:
    result = program("generate", "--side", "4", "--clues", "16", "--tries", "1")
    assert (result.exit_code, result.stdout) == (Code.LIMIT, "")
    assert "candidates were tried" in result.stderr
    assert "not quite as requested, but the nearest found: " in result.stderr and "instead of 16" in result.stderr
    (record,) = records(program("generate", "--side", "4", "--clues", "16", "--tries", "1", "-f", "jsonl"))
    assert record["missed"] == f"it has {record['clues']} clues instead of 16"


@pytest.mark.parametrize("kind", ["KillerCage", "CountingCircles"])
def test_a_format_that_cannot_hold_the_rules_is_refused_before_anything_is_made(
    program: Program, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    for verb in ("generate", "grids"):
        monkeypatch.setattr(f"sudoku_models.make.{verb}", lambda *_, **__: pytest.fail("something was made"))
    result = program("generate", "--place", f"{kind}=1")
    assert result.exit_code == Code.USAGE
    assert f"({kind}) cannot be written in the format line; formats that can hold it: " in result.stderr
    assert ("--to sudokupad" in result.stderr) == (kind == "KillerCage")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--clues", "many"), "option --clues: 'many': a number, or a range"),
        (("--place", "KillerCage"), "option --place: 'KillerCage': a kind and a number"),
        (("--place", "Snake=3"), "'Snake' cannot be put on a board"),
        (("--rule", "Thermo"), "option --rule: 'Thermo': a rule about the whole grid"),
        (("--rule", "antiknigth"), "did you mean AntiKnight?"),
        (("--place", "kilercage=3"), "did you mean KillerCage?"),
        (("--symmetry", "spiral"), "the symmetry 'spiral'"),
        (("--side", "7"), "has no boxes"),
        (("--place", "Greater=1", "--pattern", "1", "--to", "iss"), "a pattern of 1 signs: 81 are expected"),
        (
            ("--place", "Greater=1", "--drop", "Greater", "--to", "iss"),
            "givens stay, so that the board stays full",
        ),
        (("--place", "Greater=1", "--drop", "Thermos", "--to", "iss"), "did you mean Thermo?"),
        (("--rule", "AntiKnight", "--number", "0"), "AntiKnight"),
        (("--place", "Greater=12", "--number", "0"), "Greater"),
        (("--side", "4", "--to", "nothing"), "--to nothing: one of"),
        (("--rating", "hard"), "option --rating: 'hard': a number such as 8.3"),
        (("--rating", "8", "--rule", "AntiKnight", "--to", "iss"), "use level for other boards"),
    ],
)
def test_a_wrong_wish_is_said_in_one_line(program: Program, options: tuple[str, ...], message: str) -> None:
    result = program("generate", *options)
    assert result.exit_code == Code.USAGE
    assert message in result.stderr and result.stderr.count("error: ") == 1


@pytest.mark.parametrize("boxes", ["3", "null", '"2"'])
def test_boxes_of_a_mix_are_none_or_rows_x_columns(program: Program, tmp_path: Path, boxes: str) -> None:
    (tmp_path / "mix.json").write_text(f'[{{"boxes": {boxes}}}]')
    result = program("dataset", str(tmp_path / "made"), "--mix", str(tmp_path / "mix.json"))
    assert result.exit_code == Code.USAGE and "none, or the rows x columns of a box" in result.stderr


def test_clues_that_are_not_needed_go(program: Program) -> None:
    full = "1234341221434321"
    puzzle = Puzzle.parse(program("minimise", full).stdout.strip(), shape=Shape.square(4))
    assert is_unique(puzzle) and puzzle.clues < 9
    result = program("minimise", "--smallest", full)
    assert said(result.stderr) == "the command line: line 1: 4 clues: proved to be the fewest\n"
    assert program("redundant", full).stdout.count("given") == 16


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


def test_boards_that_are_the_same_are_named(program: Program) -> None:
    result = program("same", "-", input=f"{FULL}\n1234341223414123\n{TURNED}\n")
    assert [line.rpartition(": ")[2] for line in result.stdout.splitlines()] == ["new", "new", "line 1"]
    said = records(program("same", "-", "-f", "jsonl", input=f"{FULL}\n{TURNED}\n"))[1]
    assert "".join(str(said["values"][int(FULL[cell]) - 1]) for cell in said["cells"]) == TURNED


def test_a_search_among_neighbours_goes_on_where_it_was(program: Program, tmp_path: Path) -> None:
    wish = ("search", "1......2...34...", "--folder", str(tmp_path))
    begun = program(*wish, "--looks", "1")
    assert begun.exit_code == Code.LIMIT and "looked at 1, " in begun.stderr
    whole = program(*wish)
    forms = whole.stdout.split()
    assert whole.exit_code == Code.SOLVED and forms[: len(begun.stdout.split())] == begun.stdout.split()
    assert f"{len(forms)} puzzles, the fewest clues are 4; looked at {len(forms)}" in whole.stderr
    assert program("search", "1...............", "--folder", str(tmp_path / "x")).exit_code == Code.USAGE


def test_a_puzzle_gets_the_fewest_further_givens(program: Program) -> None:
    result = program("complete", "1....2....3.....", "--seed", "1")
    assert is_unique(Puzzle.parse(result.stdout.strip()))
    assert said(result.stderr) == "the command line: line 1: 1 further given: proved to be the fewest\n"
    (record,) = records(program("complete", "1....2....3.....", "--seed", "1", "-f", "jsonl"))
    assert record["completed"] == result.stdout.strip() and record["bound"] == len(record["added"])
    assert program("complete", "11..............").exit_code == Code.NO_SOLUTION


def test_rows_get_symmetries_and_are_verified(program: Program, tmp_path: Path) -> None:
    table = tmp_path / "rows.csv"
    table.write_text("question,answer,rating\n1...............,1234341221434321,1.2\n")
    (first, second) = records(program("augment", table, "--times", "2", "--seed", "3", "-f", "jsonl"))
    assert first["question"] != second["question"] and first["rating"] == "1.2"
    moved = tmp_path / "moved.csv"
    assert program("augment", table, "--times", "4", "--out", moved).exit_code == Code.SOLVED
    result = program("verify", moved)
    assert (result.exit_code, result.stdout.split("\n")[0]) == (Code.SOLVED, "1: right")
    table.write_text("quizzes,solutions\n123434122143....,1234341221434312\n123434122143....,1234341221434321\n")
    result = program("verify", table, "--credit")
    assert result.exit_code == Code.NO_SOLUTION and said(result.stderr) == "1 of 2 answers are right\n"
    assert result.stdout == "1: wrong, 50% of the empty cells\n2: right, 100% of the empty cells\n"


def test_a_bad_row_is_reported_and_the_others_are_verified(program: Program, tmp_path: Path) -> None:
    nine = next(item for item in puzzles("9x9-easy"))
    table = (
        "question,answer\n1...............,1234341221434321\n1...............,the answer is 42\n12,1234341221434321\n"
    )
    table += f"{nine.puzzle.to_line()},{nine.solution}\n1...............,\n"
    result = program("verify", "-", input=table)
    assert result.exit_code == Code.USAGE
    assert result.stdout == "1: right\n2: wrong\n3: not checked, as the question cannot be read\n4: right\n5: wrong\n"
    assert "standard input: line 4: '12' is not" in result.stderr and "2 of 4 answers are right" in result.stderr
    found = records(program("verify", "-", "-f", "jsonl", input=table))
    assert [record["correct"] for record in found] == [True, False, None, True, False]
    result = program("augment", "-", "--times", "2", "-f", "jsonl", input=table)
    assert result.exit_code == Code.USAGE and result.stderr.count("the answer: ") == 2
    assert [len(record["question"]) for record in records(result)] == [16, 81] * 2


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
