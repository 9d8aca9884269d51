import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sudoku_models import Puzzle
from sudoku_models.formats import parse, write
from sudoku_models.puzzle import rules as r

DRAWN = json.dumps({"size": 4, "grid": [[{}] * 4] * 4, "line": [{"lines": [["R1C1", "R1C2"]]}]})


def test_what_is_not_understood_is_a_warning_on_standard_error(program: Callable[..., Any]) -> None:
    result = program("convert", "--to", "line", input=DRAWN)
    assert (result.exit_code, result.stdout) == (0, "." * 16 + "\n")
    assert "warning: drawn, not understood: a line R1C1 R1C2" in result.stderr


def test_strict_makes_it_an_error(program: Callable[..., Any]) -> None:
    result = program("convert", "--strict", "--to", "line", input=DRAWN)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "drawn, not understood" in result.stderr
    assert "warning" not in result.stderr


def test_the_command_lists_what_was_left_out(tmp_path: Path, program: Callable[..., Any]) -> None:
    path = tmp_path / "puzzle.json"
    path.write_text("".join(write([Puzzle.empty(4).with_("R1C1 > R1C2") + r.Thermo("R2C1 R2C2")], "json")))
    assert program("convert", path, "--to", "sudokupad").exit_code == 2
    found = program("convert", path, "--to", "sudokupad", "--partly")
    assert found.exit_code == 0
    assert "sudokupad cannot hold this rule, which is stated in words: Condition (R1C1 > R1C2)" in found.stderr
    assert parse(found.stdout).rules == (r.Thermo("R2C1 R2C2"),)
