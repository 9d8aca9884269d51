"""The judge of each rule, written from its sentence, agrees with the constraints that the rule yields."""

from __future__ import annotations

import pytest

from sudoku_models.model import Automaton
from sudoku_models.puzzle import Shape
from sudoku_models.puzzle import rules as r
from sudoku_models.puzzle.rules import Board, Filled, Rule

from .boards import LATIN, latin_squares, random_boards, verdicts

TWO_WAYS = r.Machine(
    3, (0, 2), (1, 2), [(0, 1, 0), (0, 1, 1), (0, 2, 2), (2, 5, 0), (2, 3, 2), (1, 4, 1), (2, 2, 1), (0, 5, 1)]
)
EVEN_SUM = Automaton(2, 0, [0], [(s, v, (s + v) % 2) for s in (0, 1) for v in range(10)])
ROW = ["R1C1", "R1C2", "R1C3", "R1C4"]
COLUMN = ["R4C2", "R3C2", "R2C2", "R1C2"]

RULES: list[Rule] = [
    r.KillerCage("R1C1 R1C1 R1C2", 5),
    r.WeightedSum("R1C1 R1C1", 0, (1, -1)),
    r.SumOneOf("R1C1 R2C2", (100,)),
    r.EqualityCage("R1C1 R1C2 R2C3"),
    r.Between("R1C1 R2C2 R1C1"),
    r.Lockout("R1C1 R2C2 R2C2", 1),
    r.Vudoku("R1C1 R2C2 R1C1"),
    r.Zipper("R1C1"),
    r.SumLine("R1C1 R1C2 R2C2 R3C3 R3C4", 5, True),
    r.SumLine("R1C1 R2C2 R3C3 R4C4", 8, True),
    r.SumLine("R1C1 R2C2", 0),
    r.Sandwich(ROW, 50),
    r.XSum(COLUMN, 99),
    r.NumberedRoom(COLUMN, 77),
    r.CountingCircles("R1C1"),
    r.ConnectedValues((1,), 0),
    r.AnyOf((r.CountingCircles("R1C1 R2C2"), r.SumOneOf("R1C1 R2C2", (3, 7)))),
    r.AnyOf((r.AllOf(()),)),
    r.Relation("R1C1 R2C2 R1C1", ((1, 2, 3), (1, 1, 1), (2, 3, 2))),
    r.Line((ROW[:2], (), COLUMN[:1], ()), EVEN_SUM),
    r.MachineLine((ROW[:2], (), COLUMN[1:]), TWO_WAYS),
    r.MachineLine((ROW,), r.Machine(1, (), (0,), ())),
    r.Regex("R1C1 R2C1 R2C2 R2C3", "(1|23?){2}.*"),
    r.Calculation("R1C1 R1C1 R2C2", "*", 4),
    r.Condition('not Count([R1C1, R2C2, R3C3], [1, 2], "==", 2)'),
]
"""Fields that chance hardly ever fills so; ``test_all_kinds`` has every kind."""
LONG = [f"R{i}C{j}" for i in (1, 2, 4) for j in (1, 2, 3, 4)]
IN_LINES: list[Rule] = [
    r.PillArrow("R3C1 R3C2", LONG),
    r.WeightedSum(LONG[:11], 28),
    r.DoubleArrow(["R3C1", *LONG[:10], "R3C3"]),
    r.CompareSums(LONG[1:], "<", LONG[:10]),
    r.EqualSums((LONG[:10], ("R3C1", "R3C2"))),
    r.RegionSumLine(LONG),
    r.FullRank(ROW, 5),
    r.FullRank(ROW, 5, True),
    r.FullRank(COLUMN, 17),
    r.NoRankTies(),
]
TOGETHER: list[list[Rule]] = [
    [r.Minimum("R2C2"), r.Minimum("R2C3"), r.Maximum("R4C4")],
    [r.StrictKropki(), r.Difference("R1C1 R1C2"), r.AllOf((r.Ratio("R2C1 R2C2"),))],
    [r.StrictXV(), r.XV("R1C1 R1C2", 5), r.XV("R2C2 R3C2")],
    [r.StrictRatio(), r.Ratio("R1C1 R1C2", 3), r.Ratio("R2C2 R3C2", 4)],
    [r.NonConsecutive(True), r.Difference("R1C1 R1C2"), r.Ratio("R2C2 R2C3")],
    [r.ExtraCells("V", 4, 2), r.ConnectedValues((1, 2), 2, "V"), r.Thermo("V1 V2 R1C1"), r.OneOf("V3", (1, 2))],
]
RAW = Shape(4, 4, (1, 2, 3, 4), lines=False)


def agree(shape: Shape, rule: Rule) -> None:
    """Hold a judge against the constraints on every Latin square of the shape."""
    board = Board(shape, [rule])
    board.check()
    for values in latin_squares(bool(shape.regions)):
        extra = dict.fromkeys(board.names, 1)
        grid = Filled(board, extra | dict(zip(board.cells, values, strict=True)))
        judged, satisfied = verdicts(rule, grid)
        assert judged == satisfied, (rule, values)


@pytest.mark.parametrize("rule", [*RULES, *IN_LINES], ids=str)
def test_judge_and_constraints_agree_on_all_latin_squares(rule: Rule) -> None:
    agree(LATIN, rule)


@pytest.mark.parametrize("rules", [*([rule] for rule in RULES), *TOGETHER], ids=str)
def test_judge_and_constraints_agree_where_lines_repeat_values(rules: list[Rule]) -> None:
    for grid in random_boards(RAW, rules, 100 if len(rules) == 1 else 300):
        for rule in rules:
            judged, satisfied = verdicts(rule, grid)
            assert judged == satisfied, (rule, grid.values)


@pytest.mark.parametrize(
    ("values", "low", "kept"),
    [((1, 2, 3, 10), True, {1, 2}), ((1, 2, 3, 10), False, {3, 10}), ((1,), True, set()), ((1,), False, set())],
)
def test_halves_go_by_place_where_values_have_gaps(values: tuple[int, ...], low: bool, kept: set[int]) -> None:
    shape, rule = Shape(1, 2, values, lines=False), r.Half("R1C1", low)
    for grid in random_boards(shape, [rule], 40):
        assert verdicts(rule, grid) == ((grid["R1C1"] in kept),) * 2


def test_the_first_0_cells_add_up_to_0() -> None:
    shape, rule = Shape(1, 2, (0, 1, 2), lines=False), r.XSum("R1C1 R1C2", 0)
    for grid in random_boards(shape, [rule], 40):
        assert verdicts(rule, grid) == (grid["R1C1"] == 0,) * 2
