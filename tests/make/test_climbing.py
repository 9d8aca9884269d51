"""Very hard puzzles are found by a climb; what is made does not depend on how fast the machine is."""

from __future__ import annotations

from typing import Any

import pytest

from sudoku_models import Puzzle, Shape
from sudoku_models.bulk import solve_arrays
from sudoku_models.explain import rate
from sudoku_models.explain.classic import rate_arrays
from sudoku_models.make import canonical_arrays, generate, neighbourhood
from sudoku_models.make.chance import Stream
from sudoku_models.make.climbing import HIGHEST, climb, summits
from sudoku_models.make.levels import LevelBand
from sudoku_models.make.many_unique import Uniqueness

UNIQUE = Uniqueness(Puzzle.empty(Shape.square(9)))


def test_a_climb_yields_minimal_puzzles_and_the_same_for_the_same_seed() -> None:
    first = generate(64, seed=1).values
    steps = [next(climb(first, Stream("climb", seed), UNIQUE)) for seed in (1, 1, 2)]
    assert (steps[0][0] == steps[1][0]).all() and steps[0][2] == steps[1][2] > 0


def test_a_very_hard_puzzle_is_in_its_band() -> None:
    made = generate(1, rating=(9.3, 9.9), seed=4)
    assert made.complete and made.tried > 1024 // 16
    assert 93 <= rate_arrays(made.values, "se").values[0] <= 99
    assert (solve_arrays(made.values).count == 1).all()
    assert (solve_arrays(made.values).values == made.solutions).all()


def test_near_a_summit_there_is_another_puzzle_as_hard() -> None:
    first = summits(Stream("summits", 1))
    boards, _, _ = next(climb(first, Stream("climb", 1), UNIQUE, HIGHEST))
    found = boards[rate_arrays(boards, "se").values >= HIGHEST]
    assert len(found)
    assert UNIQUE(found).all()
    known = {form.tobytes() for form in canonical_arrays(first).boards}
    assert not known & {form.tobytes() for form in canonical_arrays(found).boards}
    assert (first != summits(Stream("summits", 2))).any()


def test_neighbours_are_the_same_found_at_once_and_by_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    (puzzle,) = generate(1, shape=Shape.square(6), seed=2)
    at_once = {row.tobytes() for part in neighbourhood.near(puzzle) for row in part}
    monkeypatch.setattr(Uniqueness, "together", property(lambda self: False))
    assert {row.tobytes() for part in neighbourhood.near(puzzle) for row in part} == at_once


def test_a_row_that_takes_more_than_the_highest_value_is_harder(shared_data: Any) -> None:
    line = (shared_data / "classic" / "hardest_11plus.txt").read_text().splitlines()[1][:81]
    found = rate_arrays([line], "se", highest=92)
    assert not found.exact[0] and found.values[0] <= 92 < rate_arrays([line], "se").values[0]
    assert str(rate(line, highest=(3, 1000))).startswith("harder than level ")


def test_a_band_of_levels_asks_for_no_more_than_the_band(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    monkeypatch.setattr("sudoku_models.make.levels.rate", lambda puzzle, **limits: asked.append(limits) or rate(puzzle))
    band = LevelBand.of(("1.1", "2.3"))
    assert band is not None
    band.miss(Puzzle.parse("12341........4.."))
    assert asked == [{"highest": (2, 3), "time_limit": None}]
