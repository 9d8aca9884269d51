"""``solve``: what it writes, and what it ends with."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sudoku_models import Puzzle, count
from sudoku_models.prove import Claim, check, load

from ..planting import planted
from .conftest import said

__all__ = ["planted"]

Program = Callable[..., Any]

SEVERAL, UNIQUE, CLASH = "1.....2....3....", "1.3...2....3.4..", "11.............."


@pytest.fixture
def solution() -> str:
    """The solution of UNIQUE."""
    import sudoku_models

    grid = sudoku_models.solve(Puzzle.parse(UNIQUE), "backtracking").grid
    assert grid is not None
    return grid.to_line()


def test_standard_input_is_read_without_files_and_as_a_dash(program: Program, solution: str) -> None:
    for arguments in (("solve",), ("solve", "-")):
        result = program(*arguments, input=UNIQUE + "\n")
        assert (result.exit_code, result.stdout, said(result.stderr)) == (0, solution + "\n", "")


@pytest.mark.parametrize("backend", ["backtracking", "cp-sat", "pycosat", "backtracking:strategy=rows"])
def test_any_backend_with_options(program: Program, solution: str, backend: str) -> None:
    result = program("solve", "-b", backend, "--time-limit", "20", input=UNIQUE)
    assert (result.exit_code, result.stdout) == (0, solution + "\n")


@pytest.mark.parametrize(("backend", "logged"), [("cp-sat", "CP-SAT"), ("highs:house_sums=false", "MIP")])
def test_the_log_of_an_engine_does_not_mix_with_answers(
    program: Program, solution: str, backend: str, logged: str, capfd: pytest.CaptureFixture[str]
) -> None:
    result = program("solve", "--log", "-b", backend, input=UNIQUE)
    assert (result.exit_code, result.stdout) == (0, solution + "\n")
    assert logged in result.stderr + capfd.readouterr().err
    assert "cp-sat, highs" in program("solve", "--log", input=UNIQUE).stderr


def test_uniqueness_is_reported_behind_the_line(program: Program, solution: str) -> None:
    result = program("solve", "--unique", input=f"{UNIQUE}\n{SEVERAL}\n")
    first, second = result.stdout.splitlines()
    assert first == f"{solution} # unique"
    assert second.endswith(" # not unique")
    assert result.exit_code == 0


def test_all_solutions_up_to_a_limit(program: Program) -> None:
    every = count(SEVERAL, "backtracking").value
    for limit, expected in ((2, 2), (every + 5, every)):
        result = program("solve", "--limit", limit, input=SEVERAL)
        assert (result.exit_code, len(set(result.stdout.splitlines()))) == (0, expected)


def test_a_puzzle_without_solution_is_code_1_with_the_clash(program: Program) -> None:
    result = program("solve", input=CLASH)
    assert result.exit_code == 1
    assert result.stdout.startswith("# no solution: row 1 holds 1 in R1C1 and R1C2")


def test_a_time_limit_is_code_3(program: Program) -> None:
    result = program("solve", "-b", "backtracking:strategy=rescan", "--time-limit", "0.2", input=_HARD)
    assert result.exit_code == 3
    assert result.stdout == "# unknown: time limit (puzzle 1, line 1)\n"


@pytest.mark.usefixtures("planted")
def test_an_unsettled_uniqueness_is_code_3_with_the_solution(program: Program, solution: str) -> None:
    for limit in ("0.1", "2", "40"):  # a busy machine may need more for the solution
        result = program("solve", "-u", "-b", "dawdler", "--time-limit", limit, input=UNIQUE)
        if solution in result.stdout:
            break
    assert (result.exit_code, result.stdout) == (3, f"{solution} # uniqueness not settled: time limit\n")


@pytest.mark.usefixtures("planted")
def test_what_a_backend_does_not_declare_is_refused_before_it_begins(program: Program) -> None:
    result = program("solve", "-u", "-b", "simple", input=UNIQUE * 2)
    assert (result.exit_code, len(result.stderr.splitlines())) == (2, 1)
    assert "does not declare 'enumerate'" in result.stderr


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        ([UNIQUE, CLASH], 1),
        ([CLASH, UNIQUE], 1),
        ([CLASH, "1234567", UNIQUE], 2),
        (["1234567", UNIQUE], 2),
    ],
)
def test_in_a_batch_the_gravest_code_counts(program: Program, lines: list[str], code: int) -> None:
    assert program("solve", input="\n".join(lines)).exit_code == code


def test_json_lines_name_their_schema_and_hold_a_puzzle_each(program: Program, solution: str) -> None:
    result = program("solve", "-u", "-f", "jsonl", input=f"{UNIQUE}\n1234567\n{CLASH}\n")
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert [row["schema"] for row in rows] == ["sudoku-models/solve/1"] * 3
    assert [row["status"] for row in rows] == ["solved", "bad input", "unsatisfiable"]
    assert [row["line"] for row in rows] == [1, 2, 3]
    assert [row["solution"] for row in rows] == [solution, None, None]
    assert (rows[0]["unique"], rows[0]["backend"].partition(":")[0]) == (True, "native")
    assert rows[0]["phases"]["run"] >= 0
    assert result.exit_code == 2


@pytest.mark.parametrize("limit", ["1", "2"])
def test_a_json_document_is_one_value_with_the_exit_code(program: Program, limit: str) -> None:
    result = program("solve", "-f", "json", "--limit", limit, input=f"{SEVERAL}\n{CLASH}\n")
    document = json.loads(result.stdout)
    assert document["schema"] == "sudoku-models/solve/1"
    assert [entry["number"] for entry in document["results"] if entry["solution"]] == [1] * int(limit)
    assert document["results"][-1]["status"] == "unsatisfiable"
    assert document["exit_code"] == result.exit_code == 1


def test_out_replaces_the_file_only_when_all_is_done(program: Program, solution: str, tmp_path: Path) -> None:
    out = tmp_path / "out.txt"
    out.write_text("before")
    assert program("solve", "-b", "nobody", "-o", out, input=UNIQUE).exit_code == 2
    assert out.read_text() == "before"
    assert program("solve", "-o", out, input=UNIQUE).stdout == ""
    assert out.read_text() == solution + "\n"
    assert list(tmp_path.iterdir()) == [out]


@pytest.mark.usefixtures("planted")
class TestPlantedFaults:
    def test_a_wrong_answer_is_code_4(self, program: Program) -> None:
        result = program("solve", "-b", "ones", input=UNIQUE)
        assert (result.exit_code, result.stdout) == (4, "")
        assert "ones returned a wrong solution" in result.stderr

    def test_a_fault_of_an_engine_is_code_5_in_one_line(self, program: Program) -> None:
        result = program("solve", "-b", "stumbler", input=UNIQUE)
        assert (result.exit_code, len(result.stderr.splitlines())) == (5, 1)
        assert "RuntimeError: the engine stumbled" in result.stderr

    def test_ctrl_c_is_130_and_leaves_the_file_alone(self, program: Program, tmp_path: Path) -> None:
        out = tmp_path / "out.txt"
        result = program("solve", "-b", "interrupter", "-o", out, input=UNIQUE)
        assert result.exit_code == 130
        assert list(tmp_path.iterdir()) == []

    def test_a_fault_among_several_solutions_keeps_the_json_whole(self, program: Program) -> None:
        result = program("solve", "-n", "3", "-f", "json", "-b", "repeater", input=UNIQUE)
        first, fault = json.loads(result.stdout)["results"]
        assert (result.exit_code, first["status"], first["nth"], fault["status"]) == (4, "solved", 1, "WRONG")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--memory-limit", "much"], "500M"),
        (["--memory-limit", "9000000T"], "4,194,303T"),
        (["--jobs", "0"], "--jobs"),
        (["--unique", "--limit", "2"], "cannot be combined"),
        (["--jobs", "2", "--limit", "2"], "cannot be combined"),
        (["--backend", "nobody"], "backtracking, bitset, "),
        (["--backend", "cp-sat:form=x"], "integers, booleans"),
        (["--backend", "pycosat", "--seed", "1"], "'seed'"),
        (["--input-format", "x"], "sdk"),
        (["--alphabet", "AA"], "distinct"),
        (["--boxes", "30x30"], "900"),
    ],
)
def test_usage_errors_are_code_2_and_say_what_is_expected(
    program: Program, arguments: list[str], expected: str
) -> None:
    result = program("solve", *arguments, input=UNIQUE)
    assert (result.exit_code, result.stdout) == (2, "")
    assert expected in result.stderr


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", "empty"),
        (b"\0\1\2", "binary"),
        (b"\xff\xfe\xfd", ""),
        (b"hello world\n", "line 1"),
        (b"\x1f\x8bbroken", "gzip"),
    ],
)
def test_a_file_that_cannot_be_read_is_one_line_and_code_2(
    program: Program, tmp_path: Path, solution: str, content: bytes, expected: str
) -> None:
    bad, good = tmp_path / "bad", tmp_path / "good"
    bad.write_bytes(content)
    good.write_text(UNIQUE)
    result = program("solve", bad, tmp_path / "missing", good)
    assert (result.exit_code, result.stdout) == (2, solution + "\n")
    lines = result.stderr.splitlines()
    assert len(lines) == 2
    assert str(bad) in lines[0]
    assert expected in lines[0]
    assert "No such file" in lines[1]


_HARD = ".................1.....2.3......3.2...1.4......5....6..3......4.7..8...962...7..."


def test_the_backend_that_was_chosen_is_reported_with_the_reason(
    program: Program, solution: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = ".Shape~4x4.Thermo~R1C1~R1C2.~R3C3_2"
    said = "was chosen: the model has 1 Compare beside 12 AllDifferent; tried in the order bitset, native, cp-sat"
    assert said in program("solve", "-v", input=text).stderr
    assert "was chosen" not in program("solve", "-v", "-b", "cp-sat", input=text).stderr
    assert "was chosen" not in program("solve", input=text).stderr
    for command in ("solve", "count", "candidates"):
        record = json.loads(program(command, "-f", "jsonl", input=text).stdout)
        assert record["backend"]
        assert said == f"was chosen: {record['choice'][: len(said) - len('was chosen: ')]}"
    monkeypatch.setattr("sudoku_models.cli.terminal._is_terminal", lambda: True)
    assert program("solve", input=f"{text}\n{text}\n").stderr.count(said) == 1


# a certificate for each answer that can have one


def test_one_solution_and_none_are_certified_and_several_are_named(program: Program, tmp_path: Path) -> None:
    folder = tmp_path / "made" / "here"
    result = program("solve", "--certify", folder, input=f"{UNIQUE}\n{SEVERAL}\n{CLASH}\n")
    assert result.exit_code == 1
    assert [line.rpartition("#")[2] for line in result.stdout.splitlines()[:2]] == [" unique", " not unique"]
    assert "standard input: line 2: no certificate: there are several solutions\n" in result.stderr
    claims = {path.name: load(path).claim for path in folder.iterdir()}
    assert claims == {"1.zip": Claim.UNIQUE, "3.zip": Claim.UNSATISFIABLE}
    assert all(check(path) for path in folder.iterdir())


def test_what_cannot_be_read_has_no_certificate_and_the_rest_goes_on(program: Program, tmp_path: Path) -> None:
    result = program("solve", "--certify", tmp_path, input=f"{UNIQUE}\nrubbish\n{CLASH}\n")
    assert result.exit_code == 2
    assert {path.name for path in tmp_path.iterdir()} == {"1.zip", "3.zip"}


def test_an_answer_that_the_refuter_contradicts_ends_with_code_4(
    program: Program, tmp_path: Path, planted: None
) -> None:
    result = program("solve", "--certify", tmp_path, "-b", "denier", input=f"{UNIQUE}\n")
    assert result.exit_code == 4
    assert "no certificate: the answer is wrong: " in result.stderr
    assert not list(tmp_path.iterdir())


def test_a_file_in_the_way_is_refused_before_anything_is_solved(program: Program, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    result = program("solve", "--certify", tmp_path / "file", input=UNIQUE)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "a file of that name exists" in result.stderr


def test_several_solutions_do_not_go_with_it(program: Program, tmp_path: Path) -> None:
    result = program("solve", "--limit", "2", "--certify", tmp_path, "-o", tmp_path / "x", input=UNIQUE)
    assert result.exit_code == 2
    assert "--certify and" in result.stderr
