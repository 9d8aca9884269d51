"""Rules are validated when they are stated, and against the board when they are put on it."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from sudoku_models import Grid, Puzzle, count, solve
from sudoku_models.model import Compare, Constraint
from sudoku_models.puzzle import rules as r
from sudoku_models.puzzle.rules import Board, CellsRule, Rule, rule

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


def test_functions_are_tabulated_when_stated() -> None:
    pair = r.Pair.of("R1C1 R1C2", lambda a, b: a + b == 5, range(1, 5))
    assert pair.allowed == ((1, 4), (2, 3), (3, 2), (4, 1))
    relation = r.Relation.of("R1C1 R2C2 R3C3", lambda a, b, c: a * b == c, range(1, 5))
    line = r.Line.of("R1C1 R1C2 R2C3", lambda s, v: (s + v) % 2, 0, lambda s: s == 0, range(1, 5))
    puzzle = Puzzle.empty(SUDOKU)
    by_hand = [g for g in _grids() if (g[0] + g[1] + g[6]) % 2 == 0 and g[0] * g[5] == g[10] and g[0] + g[1] == 5]
    assert count(puzzle.with_rules(pair, relation, line), "backtracking").value == len(by_hand) > 0


def _grids() -> tuple[tuple[int, ...], ...]:
    from .boards import latin_squares

    return latin_squares(True)


def test_extra_cells_are_counted_apart() -> None:
    puzzle = Puzzle.empty(SUDOKU).with_rules(r.ExtraCells("VA", 2), r.Thermo("VA1 VA2 R1C1"))
    expected = sum(g[0] == v for g in _grids() for v in range(1, 5) for _ in range((v - 1) * (v - 2) // 2))
    assert count(puzzle, "backtracking").value == expected
    assert puzzle.structure.names[16:] == ("VA1", "VA2")


def test_a_filled_board_is_judged_with_its_extra_cells() -> None:
    puzzle = Puzzle.empty(SUDOKU).with_rules(r.ExtraCells("V"), r.Thermo("R1C1 V"))
    grid = Grid.from_rows(["1234", "3412", "2143", "4321"])
    with pytest.raises(ValueError, match="V has no value"):
        puzzle.violated(grid)
    values = dict(zip(SUDOKU.names, grid.values, strict=True))
    assert puzzle.violated({**values, "V": 2}) == []
    assert puzzle.violated({**values, "V": 1}) == [puzzle.rules[1]]
    with pytest.raises(ValueError, match="open"):
        puzzle.violated(Grid(SUDOKU, (None,) * 16))


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        (r.KillerCage("R1C1 R1C2", 6), "Killer cage (R1C1 R1C2, total 6)"),
        (r.AntiKing(), "Anti-king"),
        (r.AnyOf((r.AntiKing(), r.Thermo("R1C1 R1C2"))), "Any of (Anti-king; Thermo (R1C1 R1C2))"),
    ],
)
def test_a_rule_is_reported_in_words(stated: Rule, expected: str) -> None:
    assert str(stated) == expected
