"""Puzzles are written as ISS constraint strings and read back."""

from __future__ import annotations

import pytest

from sudoku_models import Puzzle, Shape
from sudoku_models.errors import FormatError
from sudoku_models.formats.iss import read_iss, write_iss
from sudoku_models.puzzle import rules as r
from tests.puzzle.rules.boards import LATIN, SUDOKU, latin_squares
from tests.puzzle.rules.test_all_kinds import IN_CELLS, some_rules
from tests.puzzle.rules.test_judges import IN_LINES, RULES, TOGETHER


def solutions(puzzle: Puzzle) -> list[tuple[int, ...]]:
    grids = latin_squares(bool(puzzle.shape.regions)) if puzzle.shape.lines else (*latin_squares(False), TILED)
    return [grid for grid in grids if not puzzle.violated(grid)]


UNWRITTEN = (r.ExtraCells, r.BoxIndexer, r.Singles)
KINDS = [kind for kind in IN_CELLS if kind not in (*UNWRITTEN, r.Relation, r.ConnectedValues)]
"""The kinds that are written on any board: a table, or a count, of as many cells as the board has is not."""
RAW = Shape(4, 4, (1, 2, 3, 4), lines=False)
TILED = (1, 2, 1, 2, 3, 4, 3, 4) * 2
ROW, DIAGONAL = "R1C1 R1C2 R1C3 R1C4", "R1C1 R2C2 R3C3 R4C4"


@pytest.mark.parametrize("rule", [rule for rule in [*RULES, *IN_LINES] if not isinstance(rule, UNWRITTEN)], ids=str)
def test_every_rule_is_written_by_its_name_or_its_meaning(rule: r.Rule) -> None:
    puzzle = Puzzle.empty(LATIN).with_rules(rule)
    back = read_iss(write_iss(puzzle))
    assert solutions_with_givens(back) == solutions(puzzle)


BY_LINES = [
    *(r.AntiKnight(), r.AntiKing(), r.Diagonal(), r.Windoku((2, 2)), r.DisjointGroups((2, 2))),
    *(r.Skyscraper(ROW, 2), r.HiddenSkyscraper(ROW, 2), r.XSum(ROW, 6), r.NumberedRoom(ROW, 3), r.Sandwich(ROW, 2)),
    *(r.LittleKiller(DIAGONAL, 10), r.AnyOf((r.LittleKiller(DIAGONAL, 10), r.Skyscraper(ROW, 1)))),
]


@pytest.mark.parametrize("rule", BY_LINES, ids=str)
def test_rules_on_boards_without_lines_are_written_by_their_meaning(rule: r.Rule) -> None:
    puzzle = Puzzle.empty(RAW).with_rules(rule)
    assert solutions_with_givens(read_iss(write_iss(puzzle))) == solutions(puzzle) != []


def backwards(cells: str) -> str:
    return " ".join(reversed(cells.split()))


@pytest.mark.parametrize(
    ("rules", "clues"),
    [
        ((r.LittleKiller(DIAGONAL, 9), r.LittleKiller(backwards(DIAGONAL), 10)), 1),
        ((r.LittleKiller(DIAGONAL, 10), r.AllOf((r.LittleKiller(backwards(DIAGONAL), 10),))), 1),
        ((r.LittleKiller(DIAGONAL, 9), r.LittleKiller("R1C3 R2C2 R3C1", 8)), 2),
        ((r.Sandwich(ROW, 2), r.Sandwich(backwards(ROW), 3)), 1),
        ((r.Sandwich(ROW, 2), r.Sandwich(ROW, 2)), 1),
        ((r.Quadruple("R1C2 R1C3 R2C2 R2C3", (1,)), r.Quadruple("R2C3 R2C2 R1C3 R1C2", (2, 3))), 1),
        ((r.Sandwich(ROW, 2), r.Sandwich("R1C2 R2C2 R3C2 R4C2", 3)), 2),
    ],
)
def test_a_second_clue_of_one_line_is_written_as_what_it_says(rules: tuple[r.Rule, ...], clues: int) -> None:
    puzzle = Puzzle.empty(LATIN).with_rules(*rules)
    back = read_iss(write_iss(puzzle))
    assert sum(isinstance(rule, (r.LittleKiller, r.Sandwich, r.Quadruple)) for rule in back.rules) == clues
    assert solutions_with_givens(back) == solutions(puzzle)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_kind_is_written_on_boards_with_boxes(kind: type[r.Rule]) -> None:
    for rules in some_rules(kind, SUDOKU, 1, "written"):
        puzzle = Puzzle.empty(SUDOKU).with_rules(*rules)
        assert solutions_with_givens(read_iss(write_iss(puzzle))) == solutions(puzzle)


@pytest.mark.parametrize("rules", TOGETHER[:-1], ids=str)
def test_rules_that_look_at_others_are_written_or_refused(rules: list[r.Rule]) -> None:
    puzzle = Puzzle.empty(LATIN).with_rules(*rules)
    try:
        text = write_iss(puzzle)
    except FormatError as error:
        assert "cannot be written" in str(error)
    else:
        assert solutions_with_givens(read_iss(text)) == solutions(puzzle)


def solutions_with_givens(puzzle: Puzzle) -> list[tuple[int, ...]]:
    allowed = dict(puzzle.candidates)
    return [
        grid
        for grid in solutions(puzzle)
        if all(given in (None, v) for given, v in zip(puzzle.givens, grid, strict=True))
        and all(grid[cell] in values for cell, values in allowed.items())
    ]


@pytest.mark.parametrize(
    "shape",
    [
        Shape.square(9),
        Shape.square(6),
        Shape.square(8),
        Shape.square(6, (3, 2)),
        Shape.latin(5),
        Shape.latin(16),
        Shape.irregular("1112122233343444"),
        Shape(4, 6, tuple(range(1, 7))),
        Shape(2, 2, (0, 1), lines=False),
        Shape(3, 3, (1, 2, 3), ((0, 1, 4),), lines=True),
        Shape(3, 4, tuple(range(6))),
    ],
    ids=str,
)
def test_shapes_are_written(shape: Shape) -> None:
    back = read_iss(write_iss(Puzzle.empty(shape)))
    regions = {frozenset(region) for region in shape.regions}
    groups = {frozenset(map(shape.cell, rule.scope)) for rule in back.rules}
    assert {frozenset(region) for region in back.shape.regions} | groups == regions
    assert (back.shape.height, back.shape.width, back.shape.values) == (shape.height, shape.width, shape.values)
    assert back.shape.lines == shape.lines
