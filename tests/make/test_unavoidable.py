"""Unavoidable sets, and how few clues a grid needs."""

from __future__ import annotations

from itertools import combinations

import pytest

from sudoku_models import Grid, Puzzle, Shape, count, is_unique, solutions
from sudoku_models.make import clues_needed, unavoidable

SMALL = Shape.square(4)
FULL = Grid(SMALL, (1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1))


def test_without_the_clues_of_a_set_there_are_several_solutions() -> None:
    found = unavoidable(FULL)
    assert len(found) > 5 and len(found[0]) == 4
    for cells in found:
        gone = {SMALL.cell(name) for name in cells}
        givens = tuple(None if i in gone else v for i, v in enumerate(FULL.values))
        assert count(Puzzle(SMALL, givens), limit=2).value == 2


@pytest.mark.parametrize("size", [4, 7, 16])
def test_all_sets_of_a_size_are_found(size: int) -> None:
    with solutions(Puzzle.empty(SMALL), limit=None) as every:
        others = [grid.values for grid in every]
    differ = [frozenset(i for i, v in enumerate(FULL.values) if v != other[i]) for other in others]
    assert len(differ) == 288
    least = {cells for cells in differ if cells and len(cells) <= size and not any(c and c < cells for c in differ)}
    found = unavoidable(FULL, size, values=None)
    assert {frozenset(map(SMALL.cell, cells)) for cells in found} == least


def test_no_puzzle_of_a_grid_has_fewer_clues_than_it_needs() -> None:
    found = clues_needed(FULL, time_limit=None)
    assert found.puzzle is not None and is_unique(found.puzzle) and found.puzzle.clues == found.bound == 4
    for cells in combinations(range(16), 3):
        givens = tuple(v if i in cells else None for i, v in enumerate(FULL.values))
        assert any(not {SMALL.cell(x) for x in hit} & set(cells) for hit in found.sets), givens


def test_a_limit_leaves_a_bound() -> None:
    found = clues_needed(FULL, time_limit=1e-9)
    assert found.puzzle is None and found.bound == 0
