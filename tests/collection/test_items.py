"""The shipped puzzles: what they say of themselves is true."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from sudoku_models import count
from sudoku_models.bulk import solve_arrays
from sudoku_models.collection import DIFFICULTIES, Item, puzzles
from sudoku_models.explain.classic import rate_arrays
from sudoku_models.make import canonical_arrays

ITEMS = puzzles()


def sample(items: list[Item], amount: int) -> list[Item]:
    return Random(5).sample(items, amount)


def test_there_are_enough_of_every_kind() -> None:
    classic = [item for item in ITEMS if item.puzzle.shape.box]
    assert len(classic) >= 950 and len(ITEMS) >= 1000
    assert {item.puzzle.shape.height for item in classic} == {4, 6, 8, 9, 10, 12, 16, 25, 36}
    assert {item.difficulty for item in puzzles("9x9")} == {None, *DIFFICULTIES}
    assert sum(item.solutions > 1 for item in ITEMS) >= 20
    assert sum(item.solutions == 0 for item in ITEMS) >= 8
    assert sum(item.solutions == 1 for item in ITEMS) > len(ITEMS) / 2
    assert {item.puzzle.shape.height for item in puzzles("latin")} == {5, 7, 9}
    assert {item.puzzle.shape.height for item in puzzles("irregular")} == {6, 9}


def test_classic_boards_are_of_the_whole_scale() -> None:
    rated = [item for item in puzzles("9x9") if item.solutions == 1]
    whole = Counter(int(item.rating or 0) for item in rated)
    assert set(whole) >= {1, 2, 3, 4, 6, 7, 8, 9}
    assert all(item.level is not None for item in ITEMS if item.solutions == 1 and item.puzzle.shape.height < 16)
    some = sample(rated, 40)
    assert rate_arrays([item.puzzle.to_line() for item in some], "se").texts() == [str(item.rating) for item in some]


def test_every_item_survives_its_line_of_the_file() -> None:
    for item in ITEMS:
        assert Item.from_json(item.to_json()) == item


def test_every_solution_holds_and_stands_exactly_where_it_is_the_only_one() -> None:
    for item in ITEMS:
        assert (item.solution is not None) == (item.puzzle.stated is not None) == (item.solutions == 1), item.name
        if item.puzzle.stated is not None:
            values = dict(zip(item.puzzle.shape.names, item.puzzle.stated, strict=True))
            assert item.puzzle.model.holds({name: value or 0 for name, value in values.items()}), item.name


def test_all_classic_boards_have_the_stated_solutions_and_forms() -> None:
    items = puzzles("9x9")
    lines = [item.puzzle.to_line() for item in items]
    found = solve_arrays(lines, limit=2)
    assert found.count.tolist() == [min(2, item.solutions) for item in items]
    texts = ["".join(map(str, values)) for values in found.values.tolist()]
    for item, text in zip(items, texts, strict=True):
        assert item.solution is None or item.solution == text, item.name
    forms = canonical_arrays(lines).boards.tolist()
    assert [item.form for item in items] == ["".join(map(str, form)).replace("0", ".") for form in forms]


@pytest.mark.parametrize("solutions", ["one", "several", "none"])
def test_the_numbers_of_solutions_are_proved_again(solutions: str) -> None:
    matching = [item for item in ITEMS if {0: "none", 1: "one"}.get(item.solutions, "several") == solutions]
    small = [item for item in matching if item.puzzle.shape.height <= 10 and item.solutions <= 500]
    large = [item for item in matching if item.puzzle.shape.height in (12, 16)]
    for item in sample(small, min(len(small), 60)) + (sample(large, 4) if solutions == "one" else []):
        found = count(item.puzzle, "pycosat")
        assert (found.value, found.exact) == (item.solutions, True), item.name
