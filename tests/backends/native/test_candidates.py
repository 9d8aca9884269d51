"""Candidates of many boards of one variant: those that brute force finds, each with a solution that is checked."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("llvmlite", reason="not applicable (feature): llvmlite is not installed")

from sudoku_models import Puzzle
from sudoku_models.engine.batch import answers_candidates, run_candidates
from sudoku_models.engine.contract import Batch, Request
from sudoku_models.engine.registry import select
from sudoku_models.engine.road import prepare, run
from sudoku_models.errors import LimitReached, Unsupported, WrongAnswer
from sudoku_models.model import Model, Variable

NATIVE = select("native")
SMALL = Puzzle.parse(".Shape~4x4.Thermo~R1C1~R2C2~R3C3.Cage~5~R4C1~R4C2").structure


def boards() -> np.ndarray:
    """Return boards of a small thermometer puzzle: each solution with one, two or no cells of it; and wrong ones."""
    solutions = list(run(SMALL, "native", Request(limit=None)))
    grids = np.zeros((40, 16), np.uint8)
    for i, row in enumerate(grids):
        for cell in (i % 16, 5 * i % 16)[: i % 3]:
            row[cell] = solutions[i % len(solutions)][cell]
    grids[38, 0], grids[39, 0], grids[39, 1] = 4, 2, 2
    return grids


def expected(grid: np.ndarray) -> list[int]:
    domains = {name: (int(v),) for name, v in zip(SMALL.names, grid, strict=True) if v}
    found = list(run(SMALL, "backtracking", Request(domains, None)))
    return [sum({1 << solution[x] - 1 for solution in found}) for x in range(16)]


def test_candidates_are_those_of_all_solutions() -> None:
    grids = boards()
    masks = run_candidates(SMALL, NATIVE, grids, Request(limit=2))
    assert masks.tolist() == [expected(grid) for grid in grids]
    assert not masks[38:].any()
    threads = run_candidates(SMALL, NATIVE, grids, Request(limit=2, workers=2))
    as_masks = np.where(grids == 0, 15, 1 << (grids.astype(np.uint16) - 1)).astype(np.uint16)
    assert (threads == masks).all()
    assert (run_candidates(SMALL, NATIVE, as_masks, Request(limit=2)) == masks).all()


def test_without_time_they_are_not_settled() -> None:
    with pytest.raises(LimitReached, match="time limit"):
        run_candidates(SMALL, NATIVE, boards(), Request(limit=2, time_limit=0.0))


def test_variables_of_more_values_than_a_mask_has_bits_go_row_by_row() -> None:
    wide = Model([Variable("x", range(1, 18))])
    assert answers_candidates(SMALL, NATIVE)
    assert not answers_candidates(wide, NATIVE)
    with pytest.raises(Unsupported, match="masks of candidates have 16 bits, and x has 17 values"):
        run_candidates(wide, NATIVE, np.zeros((1, 1), np.uint8), Request(limit=2))


@pytest.mark.parametrize("first", [True, False])
def test_a_wrong_solution_behind_a_candidate_is_noticed(first: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled, grids = prepare(SMALL, "native").compiled, boards()
    answer = compiled.rows

    def spoil(asked: np.ndarray, request: Request) -> Batch:
        right = answer(asked, request)
        if (request.limit == 2) == first:
            right.values[np.flatnonzero(right.count)[3], 7] ^= 1
        return right

    monkeypatch.setattr(compiled, "rows", spoil)
    with pytest.raises(WrongAnswer, match="wrong solution for row"):
        run_candidates(SMALL, NATIVE, grids, Request(limit=2))
