from dataclasses import replace
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_models.errors import FormatError
from sudoku_models.formats import parse, write
from sudoku_models.puzzle import Puzzle, Shape
from sudoku_models.puzzle import rules as r

from .examples import PACKED, RULES, with_rules


@pytest.mark.parametrize("rule", RULES, ids=str)
def test_every_rule_is_read_back(rule: r.Rule) -> None:
    board = with_rules(rule)
    assert parse("".join(write([board], "f-puzzles-json"))) == board


def test_a_link_holds_the_packed_json_as_the_program_packs_it() -> None:
    link = f"https://f-puzzles.com/?load={quote(PACKED, safe='')}\n"
    assert "".join(write([parse(link)], "f-puzzles")) == link


@given(st.one_of(st.text(max_size=300), st.text("ab", max_size=400), st.text("aé€𝄞", max_size=200)))
@settings(max_examples=60)
def test_any_text_comes_back_from_a_link(title: str) -> None:
    board = replace(Puzzle.empty(4), title=title)
    assert parse("".join(write([board], "sudokupad"))) == board


@pytest.mark.parametrize(
    "shape",
    [Shape.square(9), Shape.latin(5), Shape.square(6, (3, 2)), Shape.irregular("1112122233343444"), Shape.square(8)],
    ids=str,
)
@pytest.mark.parametrize("name", ["f-puzzles", "json"])
def test_boards_are_read_back(shape: Shape, name: str) -> None:
    givens = (1, *[None] * (shape.cells - 1))
    board = Puzzle(shape, givens, ((3, (1, 2)),), "A title", "author: Me\nIn words.", (1,) * shape.cells)
    assert parse("".join(write([board], name))) == board


@pytest.mark.parametrize(
    "board",
    [
        with_rules(r.Taxicab()),
        with_rules(r.XV("R1C1 R1C2", 7)),
        with_rules(r.NonConsecutive(), r.Difference("R1C1 R1C2")),
        with_rules(r.Sandwich("R1C1 R1C2", 3)),
        with_rules(r.ExtraCells("X"), r.Thermo("R1C1 X")),
        Puzzle.empty(Shape(3, 4, (1, 2, 3, 4))),
        Puzzle.empty(Shape(3, 3, (0, 1, 2))),
        Puzzle.empty(Shape(3, 3, (1, 2, 3), ((0, 1), (1, 2)))),
    ],
    ids=str,
)
def test_what_the_format_cannot_hold_is_refused(board: Puzzle) -> None:
    with pytest.raises(FormatError, match="cannot be written"):
        list(write([board], "f-puzzles"))
