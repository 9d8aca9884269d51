"""Rules are validated when they are stated, and against the board when they are put on it."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from sudoku_models import Puzzle, count, solve
from sudoku_models.model import Compare, Constraint
from sudoku_models.puzzle import rules as r
from sudoku_models.puzzle.rules import Board, CellsRule, rule

from .boards import SUDOKU


@rule
def Falling(board: Board, cells: tuple[str, ...]) -> Any:  # noqa: N802
    yield from (Compare(a, ">", b) for a, b in pairwise(cells))


class Rising(CellsRule):
    def constraints(self, board: Board) -> list[Constraint]:
        return [Compare(a, "<", b) for a, b in pairwise(self.cells)]


@pytest.mark.parametrize("kind", [Falling, Rising])
@pytest.mark.parametrize("backend", ["backtracking", "cp-sat", "pycosat", "python-constraint"])
def test_a_rule_of_ones_own_works_on_every_backend(kind: type[CellsRule], backend: str) -> None:
    puzzle = Puzzle.empty(SUDOKU).with_rules(kind(("R1C1", "R2C2", "R3C3")))
    thermo = Puzzle.empty(SUDOKU).with_rules(r.Thermo(("R1C1", "R2C2", "R3C3")))
    assert count(puzzle, backend).value == count(thermo, "backtracking").value > 0
    grid = solve(puzzle, backend).grid
    assert grid is not None and puzzle.violated(grid) == []
