"""The path to the solution as text, tokens and numbers."""

from __future__ import annotations

import pytest

from sudoku_models import Shape
from sudoku_models.make import generate, trace


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
