"""Arrays in, arrays out: counts and first solutions, those of a plain solver and apart from the neighbours."""

from __future__ import annotations

import random
import threading
from functools import cache

import numpy as np
import pytest

pytest.importorskip("llvmlite", reason="not applicable (feature): llvmlite is not installed")

from sudoku_backends.bitset.solver import SolverPool

from sudoku_models.collection import puzzles
from sudoku_models.engine.batch import run_candidates
from sudoku_models.engine.contract import Request
from sudoku_models.engine.registry import select
from sudoku_models.puzzle import Shape

from .reference import masks_of, random_values, shuffled, some

WIDTHS = (4, 8, 16)
MODEL, BITSET = Shape.square(9).model, select("bitset")


@cache
def solver(lanes: int | None = None) -> SolverPool:
    return SolverPool(lanes)


def kept(masks: list[int], grid: list[int]) -> bool:
    """Is the grid one of the solutions within the masks?"""
    within = [1 << v - 1 & mask if v else 0 for v, mask in zip(grid, masks, strict=True)]
    return len(some(within, 1)) == 1


@pytest.mark.parametrize("lanes", WIDTHS)
@pytest.mark.parametrize("limit", [1, 2, 7])
def test_counts_of_random_and_shipped_puzzles_are_those_of_a_plain_search(lanes: int, limit: int) -> None:
    rng = random.Random(limit)
    shipped = [[value or 0 for value in item.puzzle.givens] for item in rng.sample(puzzles("9x9"), 20)]
    boards = [*(random_values(rng, rng.uniform(0.36, 0.6)) for _ in range(40)), *shipped]
    masks = [masks_of(values) for values in boards]
    answers = solver(lanes).solve(np.array(boards, np.uint8), limit)
    for row, mask in enumerate(masks):
        count = len(some(mask, limit))
        assert answers.count[row] == count
        assert answers.status[row] == (1 if count == limit else 2)
        if count:
            assert kept(mask, answers.values[row].tolist())
        else:
            assert not answers.values[row].any()


def test_clashes_empty_cells_and_full_boards_are_answered_as_such() -> None:
    grid = shuffled(random.Random(1))
    clash = [grid[0], grid[0], *[0] * 79]
    wrong = [1 + grid[0] % 9, *grid[1:]]
    values = np.array([grid, clash, wrong, [0] * 81], np.uint8)
    answers = solver().solve(values, 3)
    assert answers.count.tolist() == [1, 0, 0, 3]
    assert answers.status.tolist() == [2, 2, 2, 1]
    assert answers.values[0].tolist() == grid
    none = np.full((1, 81), 0x1FF, np.uint16)
    none[0, 80] = 0
    assert solver().solve(none).count.tolist() == [0]
    assert len(solver().solve(np.zeros((0, 81), np.uint8)).count) == 0


@pytest.mark.parametrize("lanes", WIDTHS)
@pytest.mark.parametrize("limit", [1, 2, 30])
def test_the_answer_depends_on_the_puzzle_alone(lanes: int, limit: int) -> None:
    rng = random.Random("neighbours")
    grids = np.array([random_values(rng, rng.uniform(0.05, 0.4), 0.1) for _ in range(150)], np.uint8)
    together = solver(lanes).solve(grids, limit)
    order = rng.sample(range(len(grids)), len(grids))
    apart = solver(lanes).solve(grids[order], limit)
    assert (apart.values == together.values[order]).all()
    assert (apart.count == together.count[order]).all()
    for row in range(0, len(grids), 5):
        alone = solver(lanes).solve(grids[row : row + 1], limit)
        assert (alone.values[0] == together.values[row]).all()
        assert alone.count[0] == together.count[row]
    assert (solver(16).solve(grids, 1).values == together.values).all()  # nor on the width, nor on the limit


def test_candidates_are_the_values_that_solutions_have() -> None:
    rng = random.Random("candidates")
    boards = [random_values(rng, rng.uniform(0.36, 0.5), 0.1) for _ in range(40)]
    several = 0
    found = run_candidates(MODEL, BITSET, np.array(boards, np.uint8), Request(limit=2))
    for row, values in zip(found, boards, strict=True):
        grids = some(masks_of(values), 200)
        if len(grids) < 200:
            expected = [0] * 81
            for grid in grids:
                expected = [mask | 1 << v - 1 for mask, v in zip(expected, grid, strict=True)]
            assert row.tolist() == expected
            several += len(grids) > 1
    assert several > 10
    everything = run_candidates(MODEL, BITSET, np.zeros((1, 81), np.uint8), Request(limit=2))
    assert (everything == 0x1FF).all()


def test_threads_of_one_call_and_calls_from_threads_agree() -> None:
    rng = random.Random("threads")
    some_grids = np.array([random_values(rng, 0.35) for _ in range(300)], np.uint8)
    grids = np.tile(some_grids, (50, 1))
    alone = solver().solve(some_grids, 2)
    found = solver().solve(grids, 2, workers=3)
    assert (found.count == np.tile(alone.count, 50)).all()
    assert (found.values == np.tile(alone.values, (50, 1))).all()
    results: list[bool] = []

    def work() -> None:
        results.append(bool((solver().solve(some_grids, 2).values == alone.values).all()))

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [True] * 6
