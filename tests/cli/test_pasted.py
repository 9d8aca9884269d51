"""A puzzle as an argument: a text or a link in place of a file's name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Program = Callable[..., Any]

UNIQUE = "1.3...2....3.4.."


@pytest.fixture
def solution(program: Program) -> str:
    """The solution of UNIQUE, read from standard input."""
    return str(program("solve", "--backend", "backtracking", input=UNIQUE + "\n").stdout)


@pytest.mark.parametrize("to", ["line", "grid", "iss", "json", "f-puzzles", "sudokupad", "ipuz"])
def test_a_puzzle_in_any_written_form_may_be_pasted(program: Program, solution: str, to: str) -> None:
    written = program("convert", "--to", to, input=UNIQUE + "\n").stdout.strip()
    result = program("solve", "--backend", "backtracking", "--format", "line", written)
    assert (result.exit_code, result.stdout) == (0, solution)


def test_a_file_of_that_name_is_read_and_not_its_name(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, solution: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ("." * 16)).write_text(UNIQUE + "\n")
    assert program("solve", "." * 16).stdout == solution


@pytest.mark.parametrize(
    ("argument", "reason"),
    [
        ("nowhere.txt", "nowhere.txt: cannot be read: No such file"),
        ("1" * 17, "17 characters on one line: 81 are expected"),
        ("https://f-puzzles.com/?load=", "the command line"),
        ("{}", "the command line"),
        (".Shape~4x4.Thermoo~R1C1~R1C2", "Thermoo: unknown constraint"),
        (".Shape~4x4.Thermo~R1C1~R1C9", "is not a cell of the board"),
        ("f-puzzles.com/?load=N4Igzgl", "the packed text is cut off"),
    ],
)
def test_what_is_neither_is_one_clear_error(program: Program, argument: str, reason: str) -> None:
    result = program("solve", argument)
    assert (result.exit_code, result.stdout) == (2, "")
    assert reason in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("text", ["........", "..........", "12.4_6.8.012"])
def test_a_few_cells_are_counted_and_not_taken_for_the_name_of_a_file(program: Program, text: str) -> None:
    result = program("solve", "--", text)
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"{len(text)} characters on one line: 81 are expected for 9 x 9 (16 for 4 x 4, " in result.stderr
