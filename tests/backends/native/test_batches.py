"""Many sets of givens of one variant in one call: the same answers as run by run, checked on the model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import numpy as np
import pytest

pytest.importorskip("llvmlite", reason="not applicable (feature): llvmlite is not installed")

from sudoku_backends.native import batches

from sudoku_models import Puzzle
from sudoku_models.engine.batch import run_batch
from sudoku_models.engine.contract import Batch, BatchStatus, Request
from sudoku_models.engine.road import prepare, run
from sudoku_models.errors import BackendFailed, WrongAnswer
from sudoku_models.model import AllDifferent, Model, Variable

from .guarded import plain_counts

TEXT = ".Shape~6x6.Thermo~R1C1~R2C2~R3C3.Cage~9~R5C5~R5C6~R6C6.WhiteDot~R4C1~R4C2"


def variations(rows: int) -> tuple[Puzzle, np.ndarray]:
    """Return a puzzle without givens, and boards with some cells of its solutions; a few contradict the rules."""
    puzzle, rng = Puzzle.parse(TEXT), Random("variations")
    found = list(run(puzzle.structure, "native", Request(limit=20, seed=5)))
    grids = np.zeros((rows, len(puzzle.structure.names)), np.uint8)
    for row in grids:
        solution, share = rng.choice(found), rng.uniform(0.1, 0.6)
        for cell, value in enumerate(solution):
            row[cell] = value if rng.random() < share else 0
        if rng.random() < 0.2:
            row[rng.randrange(36)] = rng.randint(1, 6)
    return puzzle, grids


@pytest.mark.parametrize("limit", [1, 2, 5])
def test_each_row_is_answered_as_it_is_alone(limit: int) -> None:
    puzzle, grids = variations(40)
    batch = run_batch(puzzle.structure, "native", grids, Request(limit=limit))
    for row, grid in enumerate(grids):
        domains = {name: (int(v),) for name, v in zip(puzzle.structure.names, grid, strict=True) if v}
        alone = list(run(puzzle.structure, "native", Request(domains, limit)))
        assert batch.count[row] == len(alone)
        assert (batch.status[row] == BatchStatus.EXHAUSTED) == (len(alone) < limit) or len(alone) == limit
        assert tuple(batch.values[row]) == (alone[0] if alone else (0,) * 36)


@pytest.mark.parametrize("nodes", [2, 1_000_000])
def test_the_kernel_of_batches_as_plain_python_stays_within_its_arrays_and_agrees(nodes: int) -> None:
    puzzle, grids = variations(8)
    compiled = prepare(puzzle.structure, "native").compiled
    batch = run_batch(puzzle.structure, "native", grids, Request(limit=2))
    starts = batches.starts_of(compiled, grids, Request(limit=2))
    counts, finished, first = plain_counts(compiled.network, starts, 2, nodes)
    assert counts == batch.count.tolist()
    assert finished == [int(status == BatchStatus.EXHAUSTED) for status in batch.status]
    base = compiled.network.base
    for row, count in enumerate(counts):
        assert not count or [bit + base for bit in first[row]] == batch.values[row].tolist()


def test_masks_and_values_and_threads_give_the_same_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "BLOCK", 7)
    puzzle, grids = variations(60)
    masks = np.where(grids == 0, 0x3F, 1 << (grids.astype(np.uint16) - 1)).astype(np.uint16)
    plain = run_batch(puzzle.structure, "native", grids, Request(limit=2))
    for other in (
        run_batch(puzzle.structure, "native", masks, Request(limit=2)),
        run_batch(puzzle.structure, "native", grids, Request(limit=2, workers=2)),
    ):
        assert (other.count == plain.count).all()
        assert (other.values == plain.values).all()
        assert (other.status == plain.status).all()


@pytest.mark.parametrize("wrong", [0, 7, 1])
def test_a_wrong_solution_in_a_batch_is_noticed(wrong: int, monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle, grids = variations(30)
    compiled = prepare(puzzle.structure, "native").compiled
    right = compiled.rows(grids, Request(limit=1))
    row = int(np.flatnonzero(right.count)[3])
    values = right.values.copy()
    values[row, 5] = wrong if values[row, 5] != wrong else 2
    monkeypatch.setattr(compiled, "rows", lambda *_: replace(right, values=values))
    with pytest.raises(WrongAnswer, match=f"row {row}"):
        run_batch(puzzle.structure, "native", grids, Request(limit=1))


def entered(column: np.ndarray, row: int, value: int) -> np.ndarray:
    """Return a copy of an array with another value in a row."""
    found = column.copy()
    found[row] = value
    return found


LIES: dict[str, Callable[[Batch, int], Batch]] = {
    "more than were asked for": lambda right, row: replace(right, count=entered(right.count, row, 9)),
    "fewer than none": lambda right, row: replace(right, count=entered(right.count, row, -1)),
    "a solution beside the number 0": lambda right, row: replace(right, count=entered(right.count, row, 0)),
    "as many as asked for, but fewer": lambda right, row: replace(
        right, count=entered(right.count, row, 1), status=entered(right.status, row, BatchStatus.LIMIT)
    ),
    "solutions that are unknown": lambda right, row: replace(
        right, count=entered(right.count, row, 1), status=entered(right.status, row, BatchStatus.UNKNOWN)
    ),
    "a row too few": lambda right, row: replace(right, values=right.values[:-1]),
}


@pytest.mark.parametrize("lie", LIES)
def test_an_answer_that_the_request_cannot_have_is_noticed(lie: str, monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle, grids = variations(30)
    compiled = prepare(puzzle.structure, "native").compiled
    right = compiled.rows(grids, Request(limit=2))
    wrong = LIES[lie](right, int(np.flatnonzero(right.count)[3]))
    monkeypatch.setattr(compiled, "rows", lambda *_: wrong)
    with pytest.raises(WrongAnswer, match="answers that are impossible for this request"):
        run_batch(puzzle.structure, "native", grids, Request(limit=2))


def test_an_engine_that_raises_in_a_batch_has_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle, grids = variations(3)
    compiled = prepare(puzzle.structure, "native").compiled
    monkeypatch.setattr(compiled, "rows", lambda *_: 1 // 0)
    with pytest.raises(BackendFailed, match="native failed: ZeroDivisionError"):
        run_batch(puzzle.structure, "native", grids, Request(limit=2))


@pytest.mark.parametrize("limit", [None, 2])
def test_a_model_without_constraints_or_without_variables_is_answered(limit: int | None) -> None:
    free = Model([Variable(name, (1, 5)) for name in "xy"], [])
    assert run_batch(free, "native", np.array([[0, 0], [2, 0]], np.uint8), Request(limit=limit)).count[1] == 2
    empty = run_batch(Model([], []), "native", np.zeros((3, 0), np.uint8), Request(limit=limit))
    assert empty.count.tolist() == [1, 1, 1]


def test_houses_of_many_cells_are_checked_too() -> None:
    names = [f"x{i}" for i in range(62)]
    model = Model([Variable(name, range(1, 63)) for name in names], [AllDifferent(names)])
    board = np.arange(1, 63, dtype=np.uint8)[None]
    open_twice = np.where(board > 60, 0, board).astype(np.uint8)
    assert run_batch(model, "native", open_twice, Request(limit=5)).count.tolist() == [2]


def test_without_time_nothing_is_known() -> None:
    puzzle, grids = variations(30)
    batch = run_batch(puzzle.structure, "native", grids, Request(limit=2, time_limit=0.0))
    assert set(batch.status.tolist()) == {BatchStatus.UNKNOWN}
    assert not batch.count.any()
