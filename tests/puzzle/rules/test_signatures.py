"""The parameters of a function under @rule say what it is called with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from sudoku_models import Puzzle, count, solve
from sudoku_models.puzzle import Shape
from sudoku_models.puzzle.rules import Board, rule

ROW = "R1C1 R1C2"


def annotated(b: Board, first: Any, second: Any) -> Any:
    return first < second


RISING: dict[str, Callable[..., Any]] = {
    "board and cells": lambda board, cells: cells[0] < cells[1],
    "the board unused": lambda _, both: both[0] < both[1],
    "two names of one's own, the second for cells": lambda grid, cells: cells[0] < cells[1],
    "cells": lambda cells: cells[0] < cells[1],
    "a parameter a cell": lambda a, b: a < b,
    "the board and a parameter a cell": lambda board, a, b: board[0, 0] + b > 2 * a,
    "the board by its type": annotated,
    "any number": lambda *cells: cells[0] < cells[1],
    "the board and any number": lambda board, *cells: board[0, 0] < cells[1],
    "one that may be left out": lambda a, b, c=None: a < b,
}


@pytest.mark.parametrize("name", RISING)
def test_each_signature_states_and_judges_the_same(name: str) -> None:
    puzzle = Puzzle.empty(Shape.square(4)).with_rules(rule(RISING[name])(ROW))
    assert count(puzzle).value == 144
    grid = solve(puzzle).grid
    assert grid is not None and grid["R1C1"] < grid["R1C2"]


def test_a_sum_of_all_cells_takes_one_line() -> None:
    five = rule(lambda cells: sum(cells) == 5)
    assert count(Puzzle.empty(Shape.square(4)).with_rules(five(ROW))).value == 288 * 4 // 12


def test_as_many_cells_as_parameters_are_expected() -> None:
    with pytest.raises(ValueError, match=r"3 cells: one for each parameter is expected \(a, b\)"):
        rule(lambda a, b: a < b)("R1C1 R1C2 R1C3")
    with pytest.raises(ValueError, match="1 cells: one for each"):
        rule(lambda board, a, b: a < b)("R1C1")


@pytest.mark.parametrize("function", [lambda: None, lambda board: None, lambda **cells: None, lambda *, cells: None])
def test_a_function_that_takes_no_cells_by_position_is_refused(function: Callable[..., Any]) -> None:
    with pytest.raises(TypeError, match=r"a parameter a cell, lambda a, b: \.\.\. is expected"):
        rule(function)
