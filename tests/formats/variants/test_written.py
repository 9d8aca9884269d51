"""What the formats of variants write is read back, or what they cannot hold is named."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_models.errors import FormatError
from sudoku_models.formats import parse, write
from sudoku_models.puzzle import Puzzle, Shape
from sudoku_models.puzzle import rules as r

from .examples import RULES, with_rules

LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
IRREGULAR = "1112122233343444"
NINE = Puzzle.empty(9)
CAGES = NINE.with_rules(r.KillerCage("R1C1 R2C2", 45), r.KillerCage("R1C2 R1C3 R2C3", 6), r.KillerCage("R9C9", 9))
NAMED = Puzzle(Shape.square(9), parse(LINE).givens, (), "T", "author: A\nnotes: N", parse("1" * 81).givens)


def written(board: Puzzle, name: str) -> str:
    return "".join(write([board], name))


def whole(shape: Shape) -> Puzzle:
    """Return a board with all that a puzzle without rules has."""
    givens = (1, *[None] * (shape.cells - 1))
    return Puzzle(shape, givens, ((3, (1, 2)),), "A title", "author: Me\nIn words.", (1,) * shape.cells)


SHAPES = [Shape.square(9), Shape.latin(5), Shape.square(6, (3, 2)), Shape.irregular(IRREGULAR), Shape.square(8)]
BACK = [
    *(("f-puzzles-json", with_rules(rule)) for rule in RULES),
    *((name, whole(shape)) for name in ("f-puzzles", "json") for shape in SHAPES),
    *((name, CAGES) for name in ("killer", "killer-short")),
    *(("ipuz", board) for board in (NAMED, Puzzle.empty(Shape.latin(5)), Puzzle.empty(16).with_givens({"R1C1": 16}))),
    ("jigsaw", Puzzle(Shape.irregular(IRREGULAR), (1, *[None] * 15))),
    *((name, parse(LINE)) for name in ("ss", "sdx")),
]


@pytest.mark.parametrize(("name", "board"), BACK)
def test_a_board_is_read_back(name: str, board: Puzzle) -> None:
    found = parse(written(board, name), input_format=name)
    assert set(found.rules) == set(board.rules)
    assert replace(found, rules=board.rules) == board


@given(st.one_of(st.text(max_size=300), st.text("ab", max_size=400), st.text("aé€𝄞", max_size=200)))
@settings(max_examples=25)
def test_any_text_comes_back_from_a_link(title: str) -> None:
    board = replace(Puzzle.empty(4), title=title)
    assert parse(written(board, "sudokupad")) == board


@pytest.mark.parametrize("side", [10, 12, 16, 25])
def test_pencil_marks_above_nine_are_two_characters_a_value(side: int) -> None:
    shape = Shape.square(side)
    board = Puzzle(shape, (side, *[None] * (shape.cells - 1)), ((2, (1, side)), (5, (2, 9, 10))))
    text = written(board, "pencilmarks").strip()
    assert len(text) == 2 * side**3
    assert text.startswith("." * (2 * side - 2) + str(side) + "0102")
    assert parse(text) == board
    assert parse(text.replace(".", "0"), input_format="pencilmarks") == board
    with pytest.raises(FormatError, match=r"R1C1: '01' where 10 or '\.\.' is expected"):
        parse(text[:18] + "01" + text[20:], input_format="pencilmarks")


def test_a_rule_of_ones_own_is_read_back() -> None:
    @r.rule
    def Falling(board: r.Board, cells: tuple[str, ...]) -> Any:  # noqa: N802
        return ()

    board = with_rules(Falling(("R1C1", "R1C2")))
    try:
        assert parse(written(board, "json")) == board
    finally:
        del r.Rule.kinds["Falling"]
