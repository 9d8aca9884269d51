"""The backend: boards recognised in models of any order and values, runs and batches that agree, laziness, refusals."""

from __future__ import annotations

import random

import numpy as np
import pytest

pytest.importorskip("llvmlite", reason="not applicable (feature): llvmlite is not installed")

from sudoku_backends.bitset import BACKEND

from sudoku_models.engine.contract import BatchStatus, Reason, Request
from sudoku_models.errors import Unsupported
from sudoku_models.model import AllDifferent, Model, Variable

from .reference import masks_of, random_values, shuffled, some


def board(order: list[int] | None = None, values: tuple[int, ...] = tuple(range(1, 10)), seed: int = 0) -> Model:
    """A classic board; ``order[k]`` is the cell of variable k, lines come in a shuffled order within their kind."""
    rng = random.Random(seed)
    order = order or list(range(81))
    lines = [
        [[9 * r + c for c in range(9)] for r in range(9)],
        [[9 * r + c for r in range(9)] for c in range(9)],
        [[27 * R + 9 * r + 3 * C + c for r in range(3) for c in range(3)] for R in range(3) for C in range(3)],
    ]
    if seed:
        lines = [[rng.sample(cells, 9) for cells in rng.sample(kind, 9)] for kind in lines]
    names = {cell: f"x{cell}" for cell in range(81)}
    variables = [Variable(names[cell], values) for cell in order]
    return Model(variables, [AllDifferent([names[cell] for cell in cells]) for kind in lines for cells in kind])


def compiled(model: Model):
    return BACKEND.compile(model, BACKEND.Options())


@pytest.mark.parametrize("seed", [1, 2])
def test_any_order_of_cells_and_lines_and_any_nine_values_are_solved(seed: int) -> None:
    rng = random.Random(seed)
    order, values = rng.sample(range(81), 81), tuple(sorted(rng.sample(range(-50, 50), 9)))
    model = board(order, values, seed)
    assert BACKEND.capabilities.accepts_model(model) is None
    for _ in range(5):
        puzzle = random_values(rng, 0.36, 0.2)
        truth = {tuple(values[grid[cell] - 1] for cell in order) for grid in some(masks_of(puzzle), 500)}
        domains = {f"x{cell}": (values[v - 1],) for cell, v in enumerate(puzzle) if v}
        with compiled(model).run(Request(domains, limit=500)) as run:
            found = list(run)
        assert len(set(found)) == len(found) == len(truth)
        if len(truth) < 500:
            assert set(found) == truth
            assert run.outcome.complete
        row = np.array([[puzzle[cell] for cell in order]], np.uint8)
        batch = compiled(model).rows(row, Request(limit=500))
        assert batch.count[0] == len(truth)
        if found:
            assert tuple(values[v - 1] for v in batch.values[0]) == found[0]


def test_runs_side_by_side_and_closed_halfway_do_not_disturb_each_other() -> None:
    solver = compiled(board())
    one, two = solver.run(Request(limit=None)), solver.run(Request({"x0": (9,)}, limit=None))
    pairs = [(next(one), next(two)) for _ in range(300)]
    assert all(b[0] == 9 for _, b in pairs)
    assert len({a for a, _ in pairs}) == 300
    one.close()
    assert next(two) not in [b for _, b in pairs]
    two.close()
    again = solver.run(Request(limit=2))
    assert list(again) == [pairs[0][0], pairs[1][0]]
    assert again.outcome.reason is Reason.LIMIT


def test_kept_cells_of_a_board_with_countless_solutions() -> None:
    for names, count in ((("x0",), 9), (("x80", "x79"), 72), ((), 1)):
        found = compiled(board()).run(Request(limit=None, keep=names, time_limit=60))
        assert len(list(found)) == count and found.outcome.complete
    limited = compiled(board()).run(Request(limit=5, keep=("x0",)))
    assert len({values[0] for values in limited}) == 5 and limited.outcome.reason is Reason.LIMIT


def test_a_batch_is_narrowed_by_domains_and_refuses_what_it_cannot_do() -> None:
    solver, grid = compiled(board()), shuffled(random.Random(3))
    rows = np.array([grid, [0] * 81], np.uint8)
    first = grid[0]
    batch = solver.rows(rows, Request({"x0": (first,)}, limit=1))
    assert batch.count.tolist() == [1, 1]
    assert batch.values[:, 0].tolist() == [first, first]
    other = solver.rows(rows, Request({"x0": (1 + first % 9,)}, limit=1))
    assert other.count.tolist() == [0, 1]
    assert other.status.tolist() == [BatchStatus.EXHAUSTED, BatchStatus.LIMIT]
    with pytest.raises(Unsupported, match="keep"):
        solver.rows(rows, Request(keep=("x0",)))
