"""``solve --certify``: a certificate for each answer that can have one; the others are named."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from sudoku_models.prove import Claim, check, load

from ..planting import planted

__all__ = ["planted"]

Program = Callable[..., Any]

SEVERAL, UNIQUE, CLASH = "1.....2....3....", "1.3...2....3.4..", "11.............."


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
