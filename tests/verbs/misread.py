"""A rule whose constraints and sentence disagree, and puzzles with it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from sudoku_models import Puzzle, Shape
from sudoku_models.errors import WrongAnswer
from sudoku_models.puzzle.rules.rule_base import Rule


@dataclass(frozen=True)
class Misread(Rule):
    """Says nothing to solvers, and refuses every board but those with ``value`` in R1C1."""

    value: int = 0

    def constraints(self, board: Any) -> tuple[()]:
        return ()

    def judge(self, grid: Any) -> bool:
        return bool(grid["R1C1"] == self.value)


OPEN = Puzzle.empty(Shape.square(4))
NEVER = OPEN.with_rules(Misread())


def refused(ask: Callable[[], object]) -> None:
    with pytest.raises(WrongAnswer, match="breaks the rule Misread"):
        ask()


ONE = Puzzle.parse("1234341221......").with_rules(Misread())
"""One solution, which the rule refuses."""
