"""Rules are validated when they are stated, and against the board when they are put on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pytest

from sudoku_models import Puzzle, count, solve
from sudoku_models.explain import hint
from sudoku_models.model import Compare, Constraint, domain
from sudoku_models.puzzle import Shape
from sudoku_models.puzzle import rules as r
from sudoku_models.puzzle.rules import Board, CellsRule, Filled, rule

from .boards import SUDOKU
from .making import OURS, rules_of


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


@pytest.mark.parametrize("kind", [kind for kind in OURS.values() if kind._only_shape], ids=lambda kind: kind.__name__)
def test_what_depends_on_the_shape_alone_is_the_same_beside_any_rules(kind: type[r.Rule]) -> None:
    values = range(5) if kind is r.Doppelganger else range(1, 5)
    shape = Shape(4, 4, domain(values), Shape.square(4).regions, (2, 2))
    others = (r.Diagonal(), r.Difference(("R2C2", "R2C3")), r.ExtraCells("VA", 3), r.KillerCage(("R3C3", "R3C4"), 5))
    found = list(rules_of(kind, shape, Random(1), 3))
    assert found
    for one in found:
        alone, beside = Board(shape, (one,)), Board(shape, (*others, one))
        stated = tuple(one.constraints(beside))
        assert stated == tuple(alone.constraints())[: len(stated)]
        assert list(map(str, alone.auxiliaries.items())) == list(map(str, beside.auxiliaries.items()))


class KnightsBesideCages(r.AntiKnight):
    """Cells a knight's move apart differ, on boards with a killer cage."""

    def constraints(self, board: Board) -> Any:
        return super().constraints(board) if any(isinstance(one, r.KillerCage) for one in board.rules) else ()


def test_a_subclass_of_ones_own_may_look_at_the_other_rules() -> None:
    shape, cage = Shape.square(4), r.KillerCage(("R1C1", "R1C2"), 5)
    assert tuple(Board(shape, (KnightsBesideCages(),)).constraints()) == ()
    beside = tuple(Board(shape, (cage, KnightsBesideCages())).constraints())
    assert beside == tuple(Board(shape, (cage, r.AntiKnight())).constraints())


WAYS: list[Callable[[Any], Any]] = [
    lambda c: np.array([c]),
    lambda c: [[c]],
    lambda c: iter([c]),
    lambda c: [True],
    lambda c: c,
]


@dataclass(frozen=True)
class First(r.Rule):
    """The cell holds 1."""

    cell: str
    way: int

    def constraints(self, board: Board) -> Any:
        return WAYS[self.way](board[self.cell] == 1)

    def judge(self, grid: Filled) -> bool:
        return grid[self.cell] == 1


@pytest.mark.parametrize("way", range(3))
def test_constraints_come_in_arrays_and_lists_of_lists_too(way: int) -> None:
    puzzle = Puzzle.empty(4).with_rules(First("R1C1", way), First("R2C3", way))
    assert count(puzzle).value == 36
    assert str(hint(puzzle)) == "In First (R1C1), R1C1 is 1."


def test_what_is_no_list_of_constraints_is_refused_in_words() -> None:
    puzzle = Puzzle.empty(4).with_rules(First("R1C1", 3))
    assert list(Board(puzzle.shape, puzzle.rules).constraints()) == [True]
    with pytest.raises(TypeError, match="True is not a constraint"):
        hint(puzzle)
    with pytest.raises(TypeError, match="object is not iterable"):
        _ = Puzzle.empty(4).with_rules(First("R1C1", 4)).model
