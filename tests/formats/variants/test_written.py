"""What the formats of variants write is read back, or what they cannot hold is named."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_models.errors import FormatError
from sudoku_models.formats import parse, write
from sudoku_models.puzzle import Puzzle, Shape
from sudoku_models.puzzle import rules as r

from .examples import PACKED, RULES, with_rules

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
@settings(max_examples=60)
def test_any_text_comes_back_from_a_link(title: str) -> None:
    board = replace(Puzzle.empty(4), title=title)
    assert parse(written(board, "sudokupad")) == board


@pytest.mark.parametrize(
    ("name", "board", "text"),
    [
        ("f-puzzles", parse(f"fpuzzles{PACKED}"), f"https://f-puzzles.com/?load={quote(PACKED, safe='')}\n"),
        ("jigsaw", Puzzle(Shape.irregular(IRREGULAR), (1, *[None] * 15)), f"1...............\n{IRREGULAR}\n"),
        ("ss", parse("1" + "." * 80), "*-----------*\n|1..|...|...|\n" + "|...|...|...|\n" * 2),
        (
            "json",
            Puzzle.empty(4).with_rules(r.Thermo("r1c1, r1c2"), r.AntiKnight()),
            '{"schema":"sudoku-models/puzzle","version":1,"height":4,"width":4,"values":[1,2,3,4],"box":[2,2],'
            '"givens":"................","rules":[{"rule":"Thermo","cells":["R1C1","R1C2"]},{"rule":"AntiKnight"}]}\n',
        ),
    ],
)
def test_the_form_is_that_of_the_program_and_leaves_out_what_is_usual(name: str, board: Puzzle, text: str) -> None:
    assert written(board, name).startswith(text)


REFUSED = [
    *(
        ("f-puzzles", board, "")
        for board in (
            with_rules(r.Taxicab()),
            with_rules(r.XV("R1C1 R1C2", 7)),
            with_rules(r.NonConsecutive(), r.Difference("R1C1 R1C2")),
            with_rules(r.Sandwich("R1C1 R1C2", 3)),
            with_rules(r.ExtraCells("X"), r.Thermo("R1C1 X")),
            Puzzle.empty(Shape(3, 4, (1, 2, 3, 4))),
            Puzzle.empty(Shape(3, 3, (0, 1, 2))),
            Puzzle.empty(Shape(3, 3, (1, 2, 3), ((0, 1), (1, 2)))),
        )
    ),
    *(
        (name, board, "")
        for name in ("killer", "killer-short")
        for board in (
            parse(LINE),
            CAGES.with_rules(r.AntiKnight()),
            NINE.with_rules(r.KillerCage("R1C1 R1C2", 3), r.KillerCage("R1C2 R1C3", 4)),
            Puzzle.empty(4),
        )
    ),
    ("killer-short", NINE + r.KillerCage("R1C1 R9C9", 3), "several pieces"),
    ("killer", NINE + r.KillerCage("R1C1 R1C2"), "without a sum"),
]


@pytest.mark.parametrize(("name", "board", "part"), REFUSED)
def test_what_a_format_cannot_hold_is_refused(name: str, board: Puzzle, part: str) -> None:
    with pytest.raises(FormatError, match=part or "cannot be written"):
        written(board, name)


def test_other_spellings_of_what_is_written_are_read() -> None:
    assert parse(f"ipuz({written(NAMED, 'ipuz').strip()});") == NAMED
    assert parse(written(parse(LINE + " a comment"), "ipuz")).comment == "notes: a comment"
    assert parse(f"1...............{IRREGULAR}", input_format="jigsaw").shape == Shape.irregular(IRREGULAR)
    rows = ["5 3 u4 12 7 . 0 128 9"] + ["123456789 " * 9] * 8
    assert parse("\n".join(rows)).givens[:9] == (5, 3, None, None, 7, None, None, None, 9)


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


DEEP: dict[str, Any] = {"rule": "AntiKnight"}
for _ in range(200):
    DEEP = {"rule": "AnyOf", "rules": [DEEP]}


@pytest.mark.parametrize(
    ("keys", "part"),
    [
        ({"values": list(range(1001))}, "1 to 1000 numbers"),
        ({"rules": [{"rule": "AntiKnight"}] * 201}, "more than 200"),
        ({"rules": [DEEP]}, "nested deeper"),
    ],
)
def test_long_lists_and_deep_ones_are_refused(keys: dict[str, Any], part: str) -> None:
    usual = {"schema": "sudoku-models/puzzle", "version": 1, "height": 4, "width": 4, "values": [1, 2, 3, 4]}
    with pytest.raises(FormatError, match=part):
        parse(json.dumps({**usual, "givens": "." * 16, **keys}))
