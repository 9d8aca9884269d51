"""The commands that make puzzles, and those about what is needed of them and what is the same."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sudoku_models import Puzzle, Shape, is_unique, solve
from sudoku_models.cli.codes import Code
from sudoku_models.collection import puzzles
from sudoku_models.formats import write
from sudoku_models.make import generate, grids, jigsaw
from sudoku_models.puzzle.rules import Greater, Thermo

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


def test_rules_without_room_are_a_limit_and_the_nearest_says_how_many_there_are(program: Program) -> None:
    result = program("generate", "--side", "4", "--place", "Greater=30", "--to", "iss")
    assert (result.exit_code, result.stdout) == (Code.LIMIT, "")
    assert re.search(r"but the nearest found: \S+: 24 of 30 rules of the kind Greater found room", result.stderr)


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
        (("--clues", "many"), "--clues many: a number, or a range"),
        (("--place", "KillerCage"), "--place KillerCage: a kind and a number"),
        (("--place", "Snake=3"), "'Snake' cannot be put on a board"),
        (("--rule", "Thermo"), "--rule Thermo: a rule about the whole grid"),
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
        (("--rating", "hard"), "--rating hard: a number such as 8.3"),
        (("--rating", "8", "--rule", "AntiKnight", "--to", "iss"), "use level for other boards"),
    ],
)
def test_a_wrong_wish_is_said_in_one_line(program: Program, options: tuple[str, ...], message: str) -> None:
    result = program("generate", *options)
    assert result.exit_code == Code.USAGE
    assert message in result.stderr and len(result.stderr.splitlines()) == 1


def test_a_puzzle_is_completed(program: Program) -> None:
    line = program("generate", "--side", "4", "--from", "1....2....3.....", "--seed", "1").stdout.strip()
    assert is_unique(Puzzle.parse(line)) and line[0] + line[5] + line[10] == "123"


def test_grids_are_made_as_in_python(program: Program) -> None:
    lines = program("grids", "-n", "2", "--side", "4", "--seed", "3").stdout.split()
    assert lines == ["".join(map(str, row)) for row in grids(2, Shape.square(4), seed=3).tolist()]


def test_clues_that_are_not_needed_go(program: Program) -> None:
    full = "1234341221434321"
    puzzle = Puzzle.parse(program("minimise", full).stdout.strip(), shape=Shape.square(4))
    assert is_unique(puzzle) and puzzle.clues < 9
    result = program("minimise", "--smallest", full)
    assert said(result.stderr) == "the command line: line 1: 4 clues: proved to be the fewest\n"
    assert program("redundant", full).stdout.count("given") == 16


def test_a_puzzle_that_cannot_be_minimised_is_named_and_the_others_go_on(program: Program) -> None:
    result = program("minimise", "-", input="1...............\n1234341221434321\n")
    assert result.exit_code == Code.USAGE
    assert len(result.stdout.split()) == 1
    assert "line 1: the puzzle has several solutions" in result.stderr


def test_boards_that_are_the_same_have_one_form(program: Program) -> None:
    lines = program("canonical", "-", input="1234341221434321\n4321214334121234\n").stdout.split()
    assert lines == ["1234341221434321"] * 2


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


def test_symmetries_are_reported_in_records(program: Program) -> None:
    (record,) = records(program("canonical", TURNED, "-f", "jsonl"))
    assert (record["form"], record["automorphisms"]) == (FULL, 32)
    moved = [record["values"][int(TURNED[cell]) - 1] for cell in record["cells"]]
    assert "".join(map(str, moved)) == FULL
    assert program("automorphisms", FULL).stdout == "32\n"


def test_boards_that_are_the_same_are_named(program: Program) -> None:
    result = program("same", "-", input=f"{FULL}\n1234341223414123\n{TURNED}\n")
    assert [line.rpartition(": ")[2] for line in result.stdout.splitlines()] == ["new", "new", "line 1"]
    said = records(program("same", "-", "-f", "jsonl", input=f"{FULL}\n{TURNED}\n"))[1]
    assert "".join(str(said["values"][int(FULL[cell]) - 1]) for cell in said["cells"]) == TURNED


def test_a_board_without_a_least_form_is_named_and_the_others_go_on(program: Program) -> None:
    for format in ("line", "jsonl"):
        result = program("canonical", "-", "-f", format, input=f"11{'.' * 14}\n{FULL}\n")
        assert result.exit_code == Code.NO_SOLUTION and FULL in result.stdout
        assert "line 1: the board has no solution, so it has no canonical form" in result.stderr


def test_morphs_are_the_same_board(program: Program) -> None:
    lines = program("morph", FULL, "-n", "3", "--seed", "1").stdout
    assert len(set(lines.split())) == 3
    assert set(program("canonical", "-", input=lines).stdout.split()) == {FULL}


def test_what_is_needed_of_a_grid_is_listed(program: Program) -> None:
    assert program("clues-needed", FULL).stdout.startswith("4: ")
    sets = program("unavoidable", FULL, "--size", "4").stdout.splitlines()
    assert "R1C1 R1C2 R3C1 R3C2" in sets and all(len(cells.split()) == 4 for cells in sets)
    result = program("unavoidable", "1...............")
    assert (result.exit_code, result.stderr.count("a complete grid is expected")) == (Code.USAGE, 1)


def test_a_search_among_neighbours_goes_on_where_it_was(program: Program, tmp_path: Path) -> None:
    wish = ("search", "1......2...34...", "--folder", str(tmp_path))
    begun = program(*wish, "--looks", "1")
    assert begun.exit_code == Code.LIMIT and "looked at 1, " in begun.stderr
    whole = program(*wish)
    forms = whole.stdout.split()
    assert whole.exit_code == Code.SOLVED and forms[: len(begun.stdout.split())] == begun.stdout.split()
    assert f"{len(forms)} puzzles, the fewest clues are 4; looked at {len(forms)}" in whole.stderr
    assert program("search", "1...............", "--folder", str(tmp_path / "x")).exit_code == Code.USAGE


def test_minimal_puzzles_are_reported_in_records_and_tables(program: Program, tmp_path: Path) -> None:
    lines = f"{FULL}\n{'.' * 16}\n12{'.' * 14}\nnonsense\n"
    first, second, *_ = records(program("minimise", "-", "-f", "jsonl", input=lines))
    assert first["clues"] == Puzzle.parse(first["minimal"]).clues == 16 - len(first["dropped"])
    assert second["minimal"] is None and "several solutions" in second["reason"]
    table = tmp_path / "minimal.jsonl"
    result = program("minimise", "-", "--out", table, input=lines)
    rows = [json.loads(line) for line in table.read_text().splitlines()]
    assert [row["status"] for row in rows] == ["settled", "several solutions", "several solutions", "bad input"]
    assert rows[0]["minimal"] == first["minimal"]
    assert result.exit_code == Code.USAGE


def test_a_table_of_forms_has_a_row_for_each_board(program: Program, tmp_path: Path) -> None:
    table = tmp_path / "forms.csv"
    program("canonical", "-", "--out", table, input=f"{FULL}\n{TURNED}\n11{'.' * 14}\n")
    rows = [line.split(",")[3:7] for line in table.read_text().splitlines()]
    assert rows[1:3] == [[FULL, FULL, "32", "settled"], [TURNED, FULL, "32", "settled"]]
    assert rows[3][1:] == ["", "", "illegal"]


def test_a_data_set_is_written_to_a_new_folder(program: Program, tmp_path: Path) -> None:
    wishes = ("--train", "4", "--test", "2", "--seed", "1")
    result = program("dataset", tmp_path / "set", *wishes)
    assert "train 4, validation 0, test 2" in result.stderr and result.exit_code == Code.SOLVED
    assert sorted(path.name for path in (tmp_path / "set").iterdir())[1:] == [
        "test.parquet", "train.parquet", "validation.parquet",
    ]  # fmt: skip
    again = program("dataset", tmp_path / "set", *wishes)
    assert again.exit_code == Code.USAGE and "already exists" in again.stderr


def test_the_shares_of_all_minimal_puzzles_are_estimated(program: Program) -> None:
    few = ("--population", "100", "--runs", "2", "-f", "jsonl")
    levels = [row["level"] for row in records(program("statistics", *few, "--by", "level"))]
    assert "2.2" in levels and levels[0].startswith("1.")
    result = program("statistics", *few)
    rows = records(result)
    assert sum(row["share"] for row in rows) == pytest.approx(1)
    assert all(0 <= row["low"] <= row["share"] <= row["high"] for row in rows)
    assert "mean 2" in result.stderr


def test_a_puzzle_gets_the_fewest_further_givens(program: Program) -> None:
    result = program("complete", "1....2....3.....", "--seed", "1")
    assert is_unique(Puzzle.parse(result.stdout.strip()))
    assert said(result.stderr) == "the command line: line 1: 1 further given: proved to be the fewest\n"
    (record,) = records(program("complete", "1....2....3.....", "--seed", "1", "-f", "jsonl"))
    assert record["completed"] == result.stdout.strip() and record["bound"] == len(record["added"])
    assert program("complete", "11..............").exit_code == Code.NO_SOLUTION


def test_a_jigsaw_is_made_for_generate(program: Program, tmp_path: Path) -> None:
    board = program("jigsaw", "--side", "6", "--seed", "1").stdout
    assert Puzzle.parse(board).shape == jigsaw(6, seed=1)
    (tmp_path / "board.txt").write_text(board)
    made = program("generate", "--like", tmp_path / "board.txt", "--to", "jigsaw").stdout
    assert Puzzle.parse(made).shape == jigsaw(6, seed=1) and is_unique(Puzzle.parse(made))


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


def test_an_answer_of_another_size_is_no_answer(program: Program) -> None:
    """A line of 81 digits is not read as a board of 4 x 4 without a value."""
    nine = next(item for item in puzzles("9x9-easy"))
    table = f"question,answer\n1...............,{nine.solution}\n1...............,1234341221434321\n"
    result = program("augment", "-", input=table)
    assert result.exit_code == Code.USAGE and "line 2: the answer: 81 characters" in result.stderr
    assert len(result.stdout.splitlines()) == 1
    assert program("verify", "-", input=table).stdout == "1: wrong\n2: right\n"


def test_boards_with_irregular_regions_are_verified_and_not_augmented(program: Program, tmp_path: Path) -> None:
    board = Puzzle.empty(jigsaw(9, seed=1))
    solved = solve(board).grid
    assert solved is not None
    plain = next(item for item in puzzles("9x9-easy"))
    question = "".join(write([board], "iss")).strip()
    table = f'question,answer\n"{question}",{solved.to_line()}\n{plain.puzzle.to_line()},{plain.solution}\n'
    assert program("verify", "-", input=table).stdout == "1: right\n2: right\n"
    result = program("augment", "-", input=table)
    assert result.exit_code == Code.USAGE and "line 2: 9 x 9, irregular regions: a board with boxes" in result.stderr
    assert len(result.stdout.splitlines()) == 1


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


def test_a_single_array_is_no_file_of_arrays(program: Program, tmp_path: Path) -> None:
    with (tmp_path / "a.npz").open("wb") as file:
        np.save(file, np.zeros((1, 81)))
    result = program("verify", str(tmp_path / "a.npz"))
    assert result.exit_code == Code.USAGE and "is not a file of arrays" in result.stderr


def test_a_question_with_rules_is_not_verified_without_them(program: Program) -> None:
    question = "".join(write([Puzzle.empty(4).with_rules(Thermo("R1C2 R1C1"))], "iss")).strip()
    result = program("verify", "-", input=f'question,answer\n"{question}",1234341221434321\n')
    assert result.exit_code == Code.USAGE and "line 2: a board with givens only" in result.stderr


def test_rows_without_answers_are_refused(program: Program, tmp_path: Path) -> None:
    table = tmp_path / "rows.csv"
    table.write_text("question\n1...............\n")
    result = program("verify", table)
    assert result.exit_code == Code.USAGE and "no column of answers" in result.stderr
    assert program("augment", tmp_path / "none.csv").exit_code == Code.USAGE


def test_how_very_hard_puzzles_are_found_is_said_before_the_first(program: Program) -> None:
    result = program("generate", "--rating", "11.5", "--tries", "1")
    assert result.exit_code == 3 and result.stderr.startswith("looking for a rating of 11.5 by a climb")
    assert "--time-limit" not in result.stderr.splitlines()[0]
