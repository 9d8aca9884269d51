"""Puzzles with rules that a format cannot hold: the rest is written, and the rules are stated in words."""

from itertools import pairwise
from typing import Any

import pytest

from sudoku_models import Puzzle, Status, solve
from sudoku_models.errors import FormatError
from sudoku_models.formats import parse, unwritten, write
from sudoku_models.puzzle import rules as r
from sudoku_models.puzzle.rules import Board, rule
from tests.formats.variants.examples import RULES, with_rules


@rule
def Falling(board: Board, cells: Any) -> Any:  # noqa: N802
    """Each cell is larger than the next one along the path."""
    return [a > b for a, b in pairwise(cells)]


BOARD = Puzzle.empty(4) + r.Thermo("R1C1 R1C2") + Falling("R2C1 R2C2 R2C3") + r.Diagonal(True)
SOLUTION = solve(BOARD.with_("R4C1 + R4C2 == R4C3 + 2")).grid
PUZZLE = BOARD.with_("R4C1 + R4C2 == R4C3 + 2").with_title("Mine", author="Me", solution=SOLUTION)
SENTENCES = (
    "Falling (green cells): Each cell is larger than the next one along the path (R2C1 R2C2 R2C3).",
    "Condition (yellow cells): R4C1 + R4C2 == R4C3 + 2.",
)


@pytest.mark.parametrize("name", ["sudokupad", "f-puzzles", "f-puzzles-json"])
def test_a_rule_of_ones_own_is_published_in_words(name: str) -> None:
    with pytest.raises(FormatError, match="Falling"):
        list(write([PUZZLE], name))
    assert [type(one).__name__ for one in unwritten(PUZZLE, name)] == ["Falling", "Condition"]
    found = parse("".join(write([PUZZLE], name, partly=True)))
    assert (found.title, found.stated) == ("Mine", SOLUTION.values if SOLUTION else None)
    assert found.rules == (r.Thermo("R1C1 R1C2"), r.Diagonal(True))
    author, *said = found.comment.splitlines()
    assert (author, said[0], tuple(said[-2:])) == ("author: Me", "Normal sudoku rules apply.", SENTENCES)
    assert [one.look for one in found.left_out] == [
        "a green shade of R2C1 R2C2 R2C3",
        "a yellow shade of R4C1 R4C2 R4C3",
    ]
    assert [one.sentence for one in found.unread] == [sentence.rstrip(".") for sentence in SENTENCES]
    assert solve(found).status is Status.WITHOUT_DRAWN


def test_a_constraint_string_ends_with_the_rules_in_words() -> None:
    wide = Puzzle.empty(4) + r.Thermo("R1C1 R1C2") + r.ExtraCells("X") + r.BoxIndexer("R1C1")
    for puzzle in (PUZZLE, wide):
        left = unwritten(puzzle, "iss")
        text = "".join(write([puzzle], "iss", partly=True))
        assert "# " in text
        assert len(parse(text).rules) >= len(puzzle.rules) - len(left)
        assert ("Extra cells" in parse(text).comment) == bool(left)


@pytest.mark.parametrize("title", ["Two\nlines", "Two\r\n~R1C2_3"])
def test_a_title_of_two_lines_stays_on_the_line_of_its_constraint_string(title: str) -> None:
    board = Puzzle.parse("1" + "." * 15)
    found = parse("".join(write([board.with_title(title)], "iss", partly=True)))
    assert (found.givens, found.comment) == (board.givens, f"title: {' '.join(title.split())}")


def test_a_rule_about_extra_cells_goes_with_the_rule_that_adds_them() -> None:
    puzzle = Puzzle.empty(4) + r.ExtraCells("X") + r.Thermo("R1C1 R1C2") + r.OneOf("X", (1, 2))
    found = parse("".join(write([puzzle], "sudokupad", partly=True)))
    assert found.rules == (r.Thermo("R1C1 R1C2"),)
    assert "(X, values 1 2)" in found.comment


@pytest.mark.parametrize("known", [*RULES[:5], None], ids=str)
def test_what_is_written_in_words_is_read_as_the_rules_beside_it(known: r.Rule | None) -> None:
    puzzle = with_rules(*([known] if known else []), r.Taxicab())
    found = parse("".join(write([puzzle], "f-puzzles-json", partly=True)), guess=True)
    assert found.rules == puzzle.rules[:-1]
    assert [one.sentence[:7] for one in found.unread] == ["Taxicab"]
