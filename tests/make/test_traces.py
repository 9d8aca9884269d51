"""The path to the solution as text, tokens and numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

from sudoku_models import Shape
from sudoku_models.make import generate, trace, traces_into, vocabulary
from sudoku_models.puzzle import rules as r

SMALL = "1...2.....3....."


@pytest.mark.parametrize("place", [{}, {"Thermo": 3}])
def test_to_follow_the_tokens_leads_to_the_solution(place: dict[str, int]) -> None:
    (puzzle,) = generate(1, shape=Shape.square(6), place=place, seed=4)
    left = {x: set(puzzle.shape.values) for x in puzzle.names}
    for token in trace(puzzle).tokens:
        cell, sign, value = token.partition("=") if "=" in token else token.partition("-")
        if sign == "=":
            assert int(value) in left[cell]
            left[cell] = {int(value)}
        elif sign and cell in left:
            left[cell].remove(int(value))
    assert [values.pop() for values in left.values()] == list(puzzle.stated or ())


def test_numbers_are_places_in_the_vocabulary_of_the_board() -> None:
    shape = Shape.square(4)
    words = vocabulary(shape)
    found = trace("12..34........4.")
    assert len(set(words)) == len(words) and words[0] == "<pad>"
    assert tuple(words[i] for i in found.ids) == found.tokens
    assert len(words) == len(vocabulary(shape)) == len(set(words) - {"R1C1=1"}) + 1


@pytest.mark.parametrize(
    ("problem", "highest", "end"),
    [("1...............", None, "<several-solutions>"), ("11..............", None, "<contradiction>")],
)
def test_the_end_says_why_a_path_is_none(problem: str, highest: str | None, end: str) -> None:
    assert trace(problem, highest=highest).tokens[-1] == end


def test_a_highest_level_ends_a_path_before_the_solution() -> None:
    (puzzle,) = generate(1, shape=Shape.square(6), rules=(r.AntiKing(),), seed=1)
    assert trace(puzzle, highest="1.0").tokens[-1] == "<stuck>"
    with pytest.raises(ValueError, match=r"the level '5\.1'"):
        trace(puzzle, highest="5.1")


def test_rows_go_to_a_table(tmp_path: Path) -> None:
    lines = ["1234341.21.34.21", "1..............."]
    summary = traces_into(lines, tmp_path / "x.csv", form="ids")
    assert summary.counts == {"settled": 1, "several solutions": 1}
    with pytest.raises(ValueError, match="tokens, ids, text"):
        traces_into(lines, tmp_path / "y.csv", form="words")
