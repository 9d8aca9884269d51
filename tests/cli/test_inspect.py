"""Drawn rules on the command line: left out with a code of their own, guessed, inspected, or refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sudoku_models import Puzzle
from sudoku_models.formats import parse, write
from sudoku_models.puzzle import rules as r

DOCUMENT = json.dumps(
    {
        "cells": [[{} for _ in range(4)] for _ in range(4)],
        "regions": [],
        "lines": [{"wayPoints": [[0.5, 0.5], [0.5, 2.5]], "color": "#f067f0"}],
    }
)


@pytest.fixture
def drawn(tmp_path: Path) -> Path:
    path = tmp_path / "drawn.json"
    path.write_text(DOCUMENT)
    return path


def test_every_form_of_an_answer_says_so(drawn: Path, tmp_path: Path, program: Callable[..., Any]) -> None:
    assert program("solve", drawn).stdout.rstrip().endswith("# without the drawn rules")
    for options in (["-f", "jsonl"], ["-f", "csv"], ["-f", "jsonl", "--limit", "2"]):
        assert "solved without the drawn rules" in program("solve", drawn, *options).stdout
    table = tmp_path / "out.csv"
    assert program("solve", drawn, "-o", table).exit_code == 6
    assert "solved without the drawn rules" in table.read_text()
    assert program("count", drawn, "-o", table).exit_code == 6
    assert "counted without the drawn rules" in table.read_text()


def test_inspect_tells_all_and_draws_it(drawn: Path, tmp_path: Path, program: Callable[..., Any]) -> None:
    picture = tmp_path / "board.svg"
    found = program("inspect", drawn, "--picture", picture)
    assert found.exit_code == 6
    assert "drawn, not understood:\n    a purple line R1C1 R1C2 R1C3: perhaps Renban" in found.stdout
    assert "#f067f0" in picture.read_text()
    record = json.loads(program("inspect", drawn, "--guess", "--jsonl").stdout)
    assert (record["left_out"], len(record["guessed"])) == ([], 1)


def test_the_command_lists_what_was_left_out(tmp_path: Path, program: Callable[..., Any]) -> None:
    path = tmp_path / "puzzle.json"
    path.write_text("".join(write([Puzzle.empty(4).with_("R1C1 > R1C2") + r.Thermo("R2C1 R2C2")], "json")))
    assert program("convert", path, "--to", "sudokupad").exit_code == 2
    found = program("convert", path, "--to", "sudokupad", "--partly")
    assert found.exit_code == 0
    assert "sudokupad cannot hold this rule, which is stated in words: Condition (R1C1 > R1C2)" in found.stderr
    assert parse(found.stdout).rules == (r.Thermo("R2C1 R2C2"),)
