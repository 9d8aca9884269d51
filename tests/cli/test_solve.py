"""``solve``: what it writes, and what it ends with."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sudoku_models import Puzzle
from sudoku_models.prove import Claim, check, load

from ..planting import planted

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


@pytest.mark.parametrize(("backend", "logged"), [("cp-sat", "CP-SAT"), ("highs:house_sums=false", "MIP")])
def test_the_log_of_an_engine_does_not_mix_with_answers(
    program: Program, start: Any, solution: str, backend: str, logged: str
) -> None:
    out, err = start("solve", UNIQUE, "--log", "-b", backend).communicate()
    assert out == solution + "\n"
    assert logged in err
    assert "cp-sat, highs" in program("solve", "--log", input=UNIQUE).stderr


@pytest.mark.usefixtures("planted")
def test_an_unsettled_uniqueness_is_code_3_with_the_solution(program: Program, solution: str) -> None:
    for limit in ("0.1", "2", "40"):  # a busy machine may need more for the solution
        result = program("solve", "-u", "-b", "dawdler", "--time-limit", limit, input=UNIQUE)
        if solution in result.stdout:
            break
    assert (result.exit_code, result.stdout) == (3, f"{solution} # uniqueness not settled: time limit\n")


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
