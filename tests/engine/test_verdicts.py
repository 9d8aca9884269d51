"""Solutions counted in blocks are all judged, and a judge is asked once for those that it cannot tell apart."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("llvmlite", reason="not applicable (feature): llvmlite is not installed")

from sudoku_models import Puzzle, Shape, count
from sudoku_models.engine.contract import Request
from sudoku_models.engine.road import run
from sudoku_models.errors import WrongAnswer
from sudoku_models.puzzle.rules import AntiKnight, Rule

BOARD = Puzzle.empty(Shape.square(6)).with_givens(
    {**{f"R1C{i}": i for i in range(1, 7)}, "R2C1": 4, "R2C2": 5, "R2C3": 6}
)
NAMES = BOARD.shape.names
LATE = 1_776
FIRST = 1 + 2 + 4 + 8 + 16
"""The solutions in the engine's first blocks, which are checked and judged one by one."""
ASKED: list[Rule] = []


@dataclass(frozen=True)
class Refusing(Rule):
    """Says nothing to solvers, and refuses boards that have all of some values; ``whole`` has it read all cells."""

    cells: tuple[str, ...]
    values: tuple[int, ...] = ()
    whole: bool = False

    def constraints(self, board: Any) -> tuple[()]:
        return ()

    def judge(self, grid: Any) -> bool:
        ASKED.append(self)
        values = dict(grid.values) if self.whole else grid.values
        return any(values[x] != value for x, value in zip(self.cells, self.values, strict=True))


@dataclass(frozen=True)
class Stricter(AntiKnight):
    """Has a judge of its own, which refuses every board, and inherits the sentences of another rule."""

    def judge(self, grid: Any) -> bool:
        return False


@pytest.fixture(scope="module")
def rows() -> np.ndarray:
    """All solutions of the board, in the order in which the engine hands them over."""
    return np.array(list(run(BOARD.structure, "native", Request(BOARD.domains, None))))


def refused(*rules: Rule) -> None:
    with pytest.raises(WrongAnswer, match="it breaks the rule Refusing"):
        count(BOARD.with_rules(*rules), "native")


def asked(*rules: Rule) -> int:
    """Count the solutions of the board and return how often its rules were asked."""
    ASKED.clear()
    assert count(BOARD.with_rules(*rules), "native").value == count(BOARD, "native").value
    return len(ASKED)


@pytest.mark.parametrize("whole", [False, True])
def test_one_refused_solution_among_thousands_is_noticed(rows: np.ndarray, whole: bool) -> None:
    for place in (LATE, len(rows) - 1):
        refused(Refusing(NAMES, tuple(rows[place].tolist()), whole))


def test_a_judge_is_asked_once_for_what_it_cannot_tell_apart(rows: np.ndarray) -> None:
    three = ("R4C4", "R5C5", "R6C6")
    kinds = [tuple(kind) for kind in np.unique(rows[:, [NAMES.index(x) for x in three]], axis=0).tolist()]
    assert len(rows) > 6_000
    assert asked(Refusing(three, (7, 7, 7))) <= FIRST + 6 + 1, "only the first cell is read"
    some = Refusing(three, (*kinds[-1][:2], 7))
    assert 6 < asked(some) <= FIRST + 1 + 6 + 36 + len(kinds)
    assert asked(replace(some, whole=True)) >= len(rows)
    for kind in kinds[::25]:
        refused(Refusing(three, kind))


def test_a_judge_that_reads_more_only_late_is_asked_anew(rows: np.ndarray) -> None:
    for place in range(LATE, len(rows), 500):
        found = dict(zip(NAMES, rows[place].tolist(), strict=True))
        order = ("R6C6", "R4C2", *reversed(NAMES))
        refused(Refusing((), ()), Refusing(order, tuple(found[x] for x in order)))


def test_sentences_of_another_rule_stand_behind_a_judge_of_ones_own() -> None:
    with pytest.raises(WrongAnswer, match="it breaks the rule Stricter"):
        count(BOARD.with_rules(Stricter()), "native")
