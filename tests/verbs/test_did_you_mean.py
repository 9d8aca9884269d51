"""A misspelt name is answered with the known one that looks like it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from sudoku_models import BadOption, Model, Puzzle, SudokuModelsError, export, solve
from sudoku_models.collection import variants
from sudoku_models.engine.refutation import chosen
from sudoku_models.formats import parse, write
from sudoku_models.formats.columns import named_column
from sudoku_models.formats.rule_json import _kind

CLASSIC = "1" + "." * 15


@pytest.mark.parametrize(
    ("call", "near"),
    [
        (lambda: solve(CLASSIC, "cpsat"), "cp-sat"),
        (lambda: solve(CLASSIC, "backtracking:stratgy=first"), "strategy"),
        (lambda: solve(CLASSIC, time_limmit=2), "time_limit"),
        (lambda: export(CLASSIC, "minizync"), "minizinc"),
        (lambda: named_column(["name", "Puzzles"], "puzzle"), "Puzzles"),
        (lambda: variants(rule="thermo"), "Thermo"),
        (lambda: _kind("Termo"), "Thermo"),
        (lambda: parse("....", input_format="sudokupat"), "sudokupad"),
        (lambda: list(write([Puzzle.empty(4)], "fpuzzles")), "f-puzzles"),
        (lambda: chosen("cadicall"), "cadical"),
        (lambda: Model.parse("Alldifferent(x)"), "AllDifferent"),
    ],
)
def test_the_known_name_is_offered(call: Callable[[], Any], near: str) -> None:
    with pytest.raises((SudokuModelsError, ValueError, TypeError), match=f"; did you mean {near}\\?"):
        call()


def test_nothing_is_offered_where_nothing_looks_like_it() -> None:
    with pytest.raises(BadOption) as error:
        solve(CLASSIC, "quantum")
    assert "did you mean" not in str(error.value)
