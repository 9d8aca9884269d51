"""Many puzzles in arrays: the fastest way to solve boards of one shape, with a backend that takes batches.

A grid is a row of a numpy array: uint8 values (0 open), or uint16 candidate masks in which bit k - 1 allows the k-th
value.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..engine.auto import batch_backend
from ..engine.batch import answers_candidates, batching, check_boards, run_batch, run_candidates
from ..engine.budget import Budget
from ..engine.contract import Batch, Request
from ..engine.record import Record
from ..engine.registry import BackendLike, select
from ..engine.road import normal
from ..errors import FormatError, LimitReached, Unsupported
from ..formats.arrays import read_blocks, values_of_plain
from ..formats.kinds.line import is_skipped
from ..puzzle import Grid, Puzzle, Shape
from ..verbs.solving import candidates

Masks = NDArray[np.uint16]


def solve_arrays(
    grids: Any,
    backend: BackendLike = "auto",
    *,
    limit: int = 2,
    workers: int = 1,
    time_limit: float | None = None,
    shape: Shape | None = None,
    check: bool = True,
) -> Batch:
    """Solve every row of ``grids`` and count its solutions up to ``limit`` (2: is it unique?).

    ``grids`` is an array of shape (n, cells), or bytes or lines of 81 characters. The result holds arrays (see
    ``Batch``). Raises FormatError for a line that cannot be read, TypeError or ValueError for an array that does not
    hold such boards (with the row and cell), Unsupported or BackendMissing if no backend takes batches, and WrongAnswer
    for a solution that contradicts the model.
    """
    shape = shape or Shape.square(9)
    record = Record()
    watch = record.stopwatch()
    rows = rows_of(grids)
    watch.lap("parse")
    selection = batch_backend(shape.model, alone=True) if backend == "auto" else select(backend)
    if selection is None:
        raise Unsupported("no installed backend takes batches of this shape: pip install 'sudoku-models[fast]'")
    request = Request(limit=limit, workers=workers, time_limit=time_limit)
    return run_batch(shape.model, selection, rows, request, record, check)


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
    clock = Budget(request.time_limit).start()
    rows = rows_of(grids)
    check_boards(shape.model, rows)
    selection = batching(shape.model, backend)
    if selection is not None and answers_candidates(shape.model, selection):
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


def rows_of(grids: Any) -> Any:
    """Return an array unchanged, and bytes or lines of 81 characters as an array with a row for each line.

    Raises FormatError for a line that cannot be read, and TypeError for anything else. Blank lines and comments are
    skipped in bytes; in a list of lines they are errors.
    """
    if hasattr(grids, "dtype"):
        return grids
    if isinstance(grids, bytes):
        return _read(grids)
    if isinstance(grids, str) or not isinstance(grids, Iterable):
        found = "a text" if isinstance(grids, str) else type(grids).__name__
        raise TypeError(f"{found} is not an array, bytes, or a list of lines of 81 characters")
    lines = []
    for number, text in enumerate(grids, 1):
        if not isinstance(text, str):
            raise TypeError(f"line {number} is {type(text).__name__}: a text of 81 characters is expected")
        lines.append(text.rstrip("\r\n"))
    rows = _read("\n".join([*lines, ""]).encode("utf-8", "replace"))
    if len(rows) != len(lines) or any("\n" in line for line in lines):
        wrong = next((i for i, line in enumerate(lines, 1) if is_skipped(line) or len(line.splitlines()) > 1), None)
        raise FormatError("one board is expected", line=wrong)
    return rows


def _read(data: bytes) -> Any:
    if (plain := values_of_plain(data)) is not None:
        return plain
    blocks = list(read_blocks(data)) if data.strip() else []
    for block in blocks:
        for row, error in sorted(block.errors.items()):
            raise error.at(line=int(block.numbers[row]))
    return np.concatenate([block.values for block in blocks]) if blocks else np.zeros((0, 81), np.uint8)
