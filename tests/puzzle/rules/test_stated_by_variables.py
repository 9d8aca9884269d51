"""A function under @rule computes with variables, and the same function judges filled boards with numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import pytest

from sudoku_models import Puzzle, WrongAnswer, count, solve
from sudoku_models.model import Array, all_different, count_of, maximum
from sudoku_models.puzzle import Shape
from sudoku_models.puzzle.rules import Board, Filled, Rule, known_rules, rule

from .boards import SUDOKU, latin_squares

CELLS = ("R1C1", "R2C3", "R3C4")
PLACES = (0, 6, 11)


def product(board: Board, cells: Array) -> Any:
    return cells[0] * cells[1] == 12


def rising(board: Board, cells: Array) -> Any:
    return [a < b for a, b in pairwise(cells)]


def five(board: Board, cells: Array) -> Any:
    yield sum(cells) == 5


def corners(board: Board, cells: Array) -> Any:
    return (board[0, 0] < cells[1]) + (board["R4C4"] > 2) == 1


def apart(board: Board, cells: Array) -> Any:
    return [abs(cells[1] - other) < 3 for other in board[board.around(cells[1])]]


def indexed(board: Board, cells: Array) -> Any:
    return cells[cells[0] - 2] >= 2


def divided(board: Board, cells: Array) -> Any:
    return 7 % cells[0] - (cells[1] + 4) // 2 == -cells[2]


def logical(board: Board, cells: Array) -> Any:
    a, b, c = cells
    yield ((a < b) & ~(b == 3)) | (maximum(a, b) == c)
    yield (a == 1).implies(b % 2 == 0)
    yield all_different(a, b + 1, c)
    yield count_of(set(cells), 1, 2) >= 1


MEANINGS: dict[Callable[..., Any], Callable[..., bool]] = {
    product: lambda a, b, c, *_: a * b == 12,
    rising: lambda a, b, c, *_: a < b < c,
    five: lambda a, b, c, *_: a + b + c == 5,
    corners: lambda a, b, c, g: (g[0] < b) != (g[15] > 2),
    apart: lambda a, b, c, g: all(abs(b - g[i]) < 3 for i in (2, 5, 7, 10)),
    indexed: lambda a, b, c, *_: 0 <= a - 2 < 3 and (a, b, c)[a - 2] >= 2,
    divided: lambda a, b, c, *_: 7 % a - (b + 4) // 2 == -c,
    logical: lambda a, b, c, *_: (
        ((a < b and b != 3) or max(a, b) == c)
        and (a != 1 or b % 2 == 0)
        and len({a, b + 1, c}) == 3
        and not {a, b, c}.isdisjoint({1, 2})
    ),
}


@pytest.fixture(autouse=True)
def known_kinds() -> Iterator[None]:
    before = dict(known_rules())
    yield
    Rule.kinds.clear()
    Rule.kinds.update(before)


def puzzle_of(function: Callable[..., Any]) -> Puzzle:
    return Puzzle.empty(SUDOKU).with_rules(rule(function)(CELLS))


def filled(puzzle: Puzzle, grid: tuple[int, ...]) -> Filled:
    return Filled(Board(SUDOKU, puzzle.rules), dict(zip(SUDOKU.names, grid, strict=True)))


@pytest.mark.parametrize("function", MEANINGS)
def test_operators_on_cells_mean_for_solvers_and_for_the_judge_what_they_say(function: Callable[..., Any]) -> None:
    puzzle = puzzle_of(function)
    meant = [g for g in latin_squares(True) if MEANINGS[function](*(g[i] for i in PLACES), g)]
    assert count(puzzle, "backtracking").value == count(puzzle, "cp-sat").value == len(meant) > 0
    assert [g for g in latin_squares(True) if not puzzle.violated(g)] == meant


def test_the_judge_does_not_believe_the_constraints(monkeypatch: pytest.MonkeyPatch) -> None:
    from sudoku_models.model import expression

    right = expression.relation_of
    monkeypatch.setattr(expression, "relation_of", lambda difference, op: right(difference, op.replace("<", ">")))
    with pytest.raises(WrongAnswer, match="Rising"):
        solve(puzzle_of(rising))


@pytest.mark.parametrize(
    ("function", "part"),
    [
        (lambda board, cells: [5], "a constraint over the cells is expected, not 5"),
        (lambda board, cells: (cells[0] < 2) == (cells[1] < 2), "not False"),
        (lambda board, cells: "a < b", "not 'a < b'"),
    ],
)
def test_what_is_no_constraint_is_refused(function: Callable[..., Any], part: str) -> None:
    function.__name__ = "Odd"
    with pytest.raises(TypeError, match=f"Odd: .*{part}"):
        solve(puzzle_of(function))


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
