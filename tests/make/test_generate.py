"""Puzzles with one solution, made as wanted."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import pytest

from sudoku_models import Puzzle, Shape, count, is_unique
from sudoku_models.bulk import solve_arrays
from sudoku_models.make import SYMMETRIES, generate, generating, verify_arrays
from sudoku_models.make.symmetry import orbits


def test_puzzles_have_one_solution_and_no_clue_too_many() -> None:
    made = generate(200, seed=1)
    assert (solve_arrays(made.values).count == 1).all()
    assert verify_arrays(made.values, made.solutions).all()
    fewer = [np.where(np.arange(81) == cell, 0, row) for row in made.values[:20] for cell in np.flatnonzero(row)]
    assert (solve_arrays(np.array(fewer, np.uint8)).count == 2).all()


def test_candidates_that_do_not_suit_are_not_kept() -> None:
    def most(tries: int) -> int:
        tracemalloc.start()
        try:
            assert generate(1, clues=17, tries=tries, seed=1).tried == tries
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    most(8192)  # what is made once, and the longest block
    assert most(3 * 8192) - most(8192) < 2 * 8192 * 162 // 2  # two arrays of 81 bytes for each of the others


def test_a_seed_makes_the_same_puzzles_with_any_number_of_workers() -> None:
    assert (generate(40, seed=3, workers=3).values == generate(50, seed=3).values[:40]).all()
    assert (generate(5, seed=4).values != generate(5, seed=3).values).any()


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_clues_keep_their_symmetry(symmetry: str) -> None:
    shape = Shape.square(6)
    for puzzle in generate(2, shape=shape, symmetry=symmetry, seed=2):
        given = [value is not None for value in puzzle.givens]
        assert all(len({given[cell] for cell in cells}) == 1 for cells in orbits(shape, symmetry))
        assert is_unique(puzzle)


def test_clues_keep_to_a_pattern() -> None:
    ring = "111111 1....1 1....1 1....1 1....1 111111"
    made = generate(2, shape=Shape.square(6), pattern=ring, minimal=False, seed=1)
    given = ["".join("1" if value else "." for value in puzzle.givens) for puzzle in made]
    assert given == [ring.replace(" ", "")] * 2
    assert all(is_unique(puzzle) for puzzle in made)


@pytest.mark.parametrize("shape", [Shape.square(4), Shape.latin(5), Shape.square(8), Shape.square(12)])
def test_other_shapes_are_made_too(shape: Shape) -> None:
    made = generate(1, shape=shape, seed=1, minimal=shape.height < 12, clues=None if shape.height < 12 else 90)
    assert count(made.puzzles[0], limit=2).value == 1


def test_a_search_without_a_limit_gives_up_some_day(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generating, "FEWER", 100)
    seen: list[Puzzle] = []

    def first(puzzle: Puzzle) -> bool:
        seen.append(puzzle)
        return len(seen) == 1

    made = generate(2, shape=Shape.square(4), accept=first, seed=1)
    assert len(made) == 1 and made.tried >= 101
    assert made.reason.startswith("100 candidates in a row were unsuitable")


@pytest.mark.parametrize("seed", ["x", 1.5])
def test_a_seed_that_is_no_whole_number_is_refused_like_other_wishes(seed: Any) -> None:
    with pytest.raises(ValueError, match=f"seed={seed!r}: a whole number is expected"):
        generate(seed=seed)
