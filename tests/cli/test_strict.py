import json
from collections.abc import Callable
from typing import Any

from sudoku_models.cli.parser import READABLE
from sudoku_models.formats import FORMATS

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


def test_the_help_names_every_format() -> None:
    assert set(READABLE.replace(" or ", ", ").split(", ")) == set(FORMATS)
