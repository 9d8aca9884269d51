"""The measure of difficulty."""

from __future__ import annotations

from random import Random

import pytest

from sudoku_models import Grid, Puzzle, Shape
from sudoku_models.collection import MeasuredDifficulty, puzzles, rate
from sudoku_models.collection.measure import logic_of
from sudoku_models.puzzle.rules import AntiKnight


def four(line: str) -> Puzzle:
    return Puzzle.of(Grid.from_rows([line[i : i + 4] for i in range(0, 16, 4)]))


def test_full_and_nearly_full_boards_are_easy() -> None:
    assert rate(four("1234341221434321")) == MeasuredDifficulty("easy", 0)
    assert rate(four("12343412.1434321")) == MeasuredDifficulty("easy", 0)


def test_singles_alone_settle_a_last_value_of_a_house() -> None:
    logic = logic_of(Shape.square(4))
    masks = logic.masks(four("12.............."))
    assert logic.reduce(masks, locked=False)
    assert masks[2] == masks[3] == 0b1100


def test_locked_candidates_reach_from_a_box_into_the_row() -> None:
    logic = logic_of(Shape.square(4))
    # 1 and 2 must stand in the upper row of the second box, since the lower row has them: row 1 of the first box
    # loses them.
    masks = logic.masks(four("....12.........."))
    assert logic.reduce(masks, locked=True)
    assert masks[0] == masks[1] == 0b1100
    assert masks[2] == masks[3] == 0b0011


def test_a_contradiction_is_met() -> None:
    logic = logic_of(Shape.square(4))
    assert not logic.reduce(logic.masks(four("123....4........")), locked=False)
    assert not logic.reduce(logic.masks(four("11..............")), locked=False)


def test_reduction_never_loses_the_solution() -> None:
    for item in Random(3).sample([item for item in puzzles(side=9) if item.solutions == 1], 25):
        logic = logic_of(item.puzzle.shape)
        masks = logic.masks(item.puzzle)
        assert logic.reduce(masks, locked=True)
        assert item.puzzle.stated is not None
        assert all(mask >> (value or 0) - 1 & 1 for mask, value in zip(masks, item.puzzle.stated, strict=True))


def test_the_collection_states_what_is_measured() -> None:
    for item in Random(4).sample([item for item in puzzles() if item.difficulty], 40):
        if item.puzzle.shape.height <= 16:
            assert rate(item.puzzle, guesses=item.guesses is not None) == MeasuredDifficulty(
                item.difficulty or "", item.guesses
            )


def test_only_hard_puzzles_take_guesses() -> None:
    rated = [item for item in puzzles() if item.difficulty and item.guesses is not None]
    assert all((item.difficulty == "hard") == (item.guesses > 0) for item in rated if item.guesses is not None)


@pytest.mark.parametrize(
    ("puzzle", "part"),
    [
        (Puzzle.empty(9), "several"),
        (four("11.............."), "illegal"),
        (four("12343412..43432.").with_rules(AntiKnight()), "rules"),
        (Puzzle.empty(Shape(4, 4, (1, 2, 3, 4, 5))), "every value"),
        (four("12..3...........").with_candidates({"R4C4": [1]}), "candidates"),
    ],
)
def test_what_cannot_be_measured_is_refused(puzzle: Puzzle, part: str) -> None:
    for guesses in (True, False):
        with pytest.raises(ValueError, match=part):
            rate(puzzle, guesses=guesses)


def test_a_search_of_too_many_guesses_is_given_up() -> None:
    assert logic_of(Shape.square(25)).searched(Puzzle.empty(25), 10) is None
