"""Rules about neighbours on a torus: opposite edges of the board are joined."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from sudoku_models.puzzle import Shape
from sudoku_models.puzzle import rules as r
from sudoku_models.puzzle.rules import Board, Filled, Rule

from .boards import random_boards, verdicts

NEIGHBOURS: list[Any] = [
    r.NonConsecutive(wrap=True),
    r.StrictKropki(True),
    r.StrictXV(True),
    r.StrictRatio(True),
    r.AntiKnight(True),
    r.AntiKing(True),
    r.DiagonalNonConsecutive(True),
    r.Knightmare(True, (5, 6)),
    r.Leaper(True, 1, 3, (2, 4)),
    r.GlobalEntropy(True),
    r.GlobalMod(True),
    r.DutchFlatmates(True),
]
"""Rules that hold on a torus when, without joined edges, they hold on a plane tiled with the board."""
FAR: list[Any] = [
    r.AntiTaxicab(True),
    *(r.Taxicab(True, distance) for distance in (1, 2, 3, 4)),
    r.ConnectedValues((1, 2), wrap=True),
    r.ConnectedValues((3, 5), 4, wrap=True),
]
OBLONG = Shape(4, 5, tuple(range(1, 10)), lines=False)
NARROW = [Shape(1, 4, tuple(range(1, 8)), lines=False), Shape(2, 3, tuple(range(1, 8)), lines=False)]


def spread(rule: Rule, shape: Shape, many: int) -> list[Filled]:
    """Boards of which some keep the rule: few values at a time, or all."""
    boards = []
    for values in ((1, 4, 7), (1, 5, 9), (2, 6), (1, 3, 5, 7, 9), shape.values):
        fewer = replace(shape, values=tuple(v for v in values if v in shape.values))
        for grid in random_boards(fewer, [rule], many):
            boards.append(Filled(Board(shape, [rule]), grid.values))
    return boards


def tiled(rule: Rule, grid: Filled) -> Filled:
    height, width = grid.board.shape.height, grid.board.shape.width
    shape = Shape(3 * height, 3 * width, grid.board.values, lines=False)
    values = {
        f"R{row + 1}C{column + 1}": grid[f"R{row % height + 1}C{column % width + 1}"]
        for row in range(3 * height)
        for column in range(3 * width)
    }
    return Filled(Board(shape, [rule]), values)


@pytest.mark.parametrize("rule", NEIGHBOURS, ids=str)
def test_a_torus_is_a_plane_tiled_with_the_board(rule: Any) -> None:
    plain, met = replace(rule, wrap=False), set()
    for grid in spread(rule, OBLONG, 6):
        judged = plain.judge(tiled(plain, grid))
        assert verdicts(rule, grid) == (judged, judged), grid.values
        met.add(judged)
    assert False in met


@pytest.mark.parametrize("rule", [*NEIGHBOURS, *FAR], ids=str)
def test_judge_and_constraints_agree_on_boards_with_few_lines(rule: Any) -> None:
    for shape in NARROW:
        for grid in spread(rule, shape, 4):
            judged, satisfied = verdicts(rule, grid)
            assert judged == satisfied, grid.values


def test_unknown_regions_may_reach_round_the_edges() -> None:
    rules = (r.ChaosConstruction(2, True), r.ChaosCount("R1C1", wrap=True))
    board = Board(Shape(2, 3, (1, 2, 3), lines=False), rules)
    board.check()
    values = dict(zip(board.names, (2, 1, 3, 3, 2, 1, 1, 2, 1, 3, 2, 3), strict=True))
    grid = Filled(board, values)
    assert [verdicts(rule, grid) for rule in rules] == [(True, True), (True, True)]
    flat = r.ChaosConstruction(2)
    plain = Filled(Board(board.shape, (flat, r.ChaosCount("R1C1"))), values)
    assert verdicts(flat, plain) == (False, False)
    assert verdicts(r.ChaosCount("R1C1"), plain) == (False, False)
