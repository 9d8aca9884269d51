"""The shipped variant puzzles: what they say of themselves is true."""

from __future__ import annotations

from random import Random

import pytest

from sudoku_models import count
from sudoku_models.collection import Variant, variants
from sudoku_models.formats import parse

ITEMS = variants()
SAMPLE = Random(5).sample(ITEMS, 12)


def test_there_are_enough_of_every_kind() -> None:
    assert len(ITEMS) >= 200
    assert {item.puzzle.shape.height for item in ITEMS} == {4, 5, 6, 7, 8, 9}
    assert len({kind for item in ITEMS for kind in item.rules}) >= 30
    assert sum(item.solutions == 1 for item in ITEMS) >= 180
    assert sum(item.solutions > 1 for item in ITEMS) >= 3
    assert all(item.rules for item in ITEMS)


def test_every_item_survives_its_line_of_the_file() -> None:
    for item in ITEMS:
        assert Variant.from_json(item.to_json()) == item
        assert parse(item.text).rules == item.puzzle.rules


def test_every_solution_keeps_the_model_and_the_sentence_of_every_rule() -> None:
    for item in ITEMS:
        assert (item.solution is not None) == (item.puzzle.stated is not None) == (item.solutions == 1), item.name
        if item.puzzle.stated is not None:
            assert item.puzzle.violated(item.puzzle.stated) == [], item.name


@pytest.mark.parametrize("item", SAMPLE, ids=lambda item: item.name)
def test_the_number_of_solutions_is_proved_again(item: Variant) -> None:
    for backend in item.proved_by:
        found = count(item.puzzle, backend)
        assert (found.value, found.exact) == (item.solutions, True)
