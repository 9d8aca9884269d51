"""The candidates of many boards: the values that each cell takes in at least one solution."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..engine.batch import check_boards, run_candidates
from ..engine.budget import Budget
from ..engine.contract import Request
from ..engine.registry import BackendLike
from ..engine.road import normal
from ..errors import LimitReached, Unsupported
from ..puzzle import Grid, Puzzle, Shape
from ..verbs.solving import candidates
from .solving_arrays import rows_of
from .where import Where

Masks = NDArray[np.uint16]


def candidates_arrays(
    grids: Any,
    backend: BackendLike = "auto",
    *,
    workers: int = 1,
    time_limit: float | None = None,
    shape: Shape | None = None,
) -> Masks:
    """Return, for each cell of each board, the values that it takes in some solution, as masks of shape (n, cells).

    Bit k - 1 of a mask is the k-th value. ``grids`` is an array of shape (n, cells), uint8 values (0 open) or uint16
    masks, or bytes or lines of 81 characters. A board without a solution has no candidate in any cell. A backend that
    finds candidates in batches answers all boards together, any other backend board by board. ``time_limit`` (seconds)
    covers all boards; LimitReached is raised if it is reached. Raises ValueError for boards of more than 16 values, for
    unknown values, and for masks with bits beyond the values.
    """
    shape = shape or Shape.square(9)
    if len(shape.values) > 16:
        raise ValueError(
            f"{shape} has {len(shape.values)} values, but a mask of candidates has 16 bits: use a board of up to 16"
        )
    request = normal(shape.model, Request(limit=2, workers=workers, time_limit=time_limit))
    clock = Budget(request.time_limit)
    clock.start()
    rows = rows_of(grids)
    check_boards(shape.model, rows)
    selection = Where(backend, shape=shape).marking(clock=clock)
    if selection is not None:
        found: Masks = run_candidates(shape.model, selection, rows, replace(request, time_limit=clock.left))
        return found
    if workers != 1:
        raise Unsupported(
            f"workers is {workers}, but these boards are answered one by one in a single thread: leave workers at 1"
        )
    return _one_by_one(rows, backend, shape, clock)


def _one_by_one(rows: NDArray[Any], backend: BackendLike, shape: Shape, clock: Budget) -> Masks:
    bits = {value: 1 << k for k, value in enumerate(shape.values)}
    masks: Masks = np.zeros((len(rows), shape.cells), np.uint16)
    for row, cells in enumerate(rows):
        try:
            found = candidates(_puzzle(cells, shape), backend, time_limit=clock.left)
        except LimitReached as error:
            raise LimitReached(f"the candidates of row {row} are not settled: time limit", masks[:row]) from error
        masks[row] = [sum(bits[value] for value in found[name]) for name in shape.model.names]
    return masks


def _puzzle(cells: NDArray[Any], shape: Shape) -> Puzzle:
    if cells.dtype != np.uint16:
        return Puzzle.of(Grid.from_numpy(cells, shape))
    allowed = {
        name: [value for k, value in enumerate(shape.values) if mask >> k & 1]
        for name, mask in zip(shape.model.names, cells.tolist(), strict=True)
    }
    return Puzzle.empty(shape).with_candidates(allowed)
