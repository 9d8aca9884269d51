"""Rate many classic boards in arrays, on any of the scales."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...bulk.solving_arrays import rows_of
from ...engine.batch import check_boards
from ...puzzle import Puzzle, Shape
from ...verbs.solving import solve
from .basics import BROKEN, STUCK
from .machine import machine
from .rungs import RUNGS
from .size import MOST_STAGES
from .trees import WORK
from .walk import NESTED, walked

SCALES = ("level", "size", "se")
"""The scales: the uniform ladder, the size of a refutation, Sudoku Explainer's numbers."""

STATUSES = ("rated", "harder", "unsatisfiable", "several solutions")
"""The possible results for a row."""

RATED, HARDER, UNSATISFIABLE, SEVERAL = range(4)
NINE = Shape.square(9)


@dataclass(frozen=True)
class Ratings:
    """The ratings of n boards on one ``scale``: ``values`` (int64) and ``status`` (uint8, indexes into STATUSES).

    Values compare as the difficulties do. On "se" they are tenths. On "size" they are sizes, and 10,000 p for a nested
    trial with trees of size p. On "level" they are 10,000 k + n for level k.n, where 1.all is 1.9 and 2.any 2.1000.
    The value of a row with the status "harder" is a lower bound. It is 0 for a row that is not rated.
    On "level", ``stages`` (int64, n x 24) are the numbers of stages on each level of RUNGS.
    """

    scale: str
    values: NDArray[np.int64]
    status: NDArray[np.uint8]
    stages: NDArray[np.int64] | None = None

    def __len__(self) -> int:
        return len(self.values)

    @property
    def exact(self) -> NDArray[np.bool_]:
        """Which rows are rated exactly."""
        found: NDArray[np.bool_] = self.status == RATED
        return found

    def texts(self) -> list[str]:
        """Format the values, as ``text_of`` does; "" for rows that are not rated, or for which no step was settled."""
        settled = (self.status == RATED) | ((self.status == HARDER) & (self.values > 0))
        pairs = zip(self.values.tolist(), settled.tolist(), strict=True)
        return [text_of(self.scale, value) if rated else "" for value, rated in pairs]

    def stages_texts(self) -> list[str]:
        """Format the stages of each row on "level" as level:number, separated by spaces."""
        assert self.stages is not None, "stages are counted on the scale of levels"
        names = [text_of("level", kind * NESTED + number) for kind, number in RUNGS]
        pairs = ([f"{name}:{n}" for name, n in zip(names, row, strict=True) if n] for row in self.stages.tolist())
        return [" ".join(found) for found in pairs]


def text_of(scale: str, value: int) -> str:
    """Format a value: 8.4 on "se", 6 or "nested 2" on "size", 2.4 on "level"."""
    if scale == "se":
        return f"{value / 10:.1f}"
    high, low = divmod(value, NESTED)
    if scale == "size":
        return f"nested {high}" if high else str(low)
    from ..ladder import level_text

    return level_text((high, low))


def rate_arrays(
    grids: Any, scale: str = "level", *, time_limit: float | None = None, highest: int | None = None
) -> Ratings:
    """Rate every row of ``grids`` on one scale: "level", "size" or "se".

    ``grids`` is an array of shape (n, 81), uint8 values (0 open) or uint16 masks of candidates (bit k for the value
    k + 1), or bytes or lines of 81 characters. A row with several solutions, or without one, is not rated.
    ``time_limit`` (seconds) applies to each row: one that takes longer is harder than its value. Nested trials with a
    value above ``highest`` are not made: a row that needs them is harder than its value too, on any machine. The
    kernels are compiled if llvmlite is installed (extra ``fast``); without it they take about a hundred times as
    long. ValueError for another scale and for arrays that are not boards, FormatError for a line that cannot be read.
    """
    if scale not in SCALES:
        raise ValueError(f"scale is {scale!r}: one of {', '.join(SCALES)} is expected")
    rows = rows_of(grids)
    check_boards(NINE.model, rows)
    masks = masks_of_rows(rows)
    found = _simple(masks, scale)
    for row in np.flatnonzero(found.status == HARDER).tolist():
        _finish(found, row, masks[row], time_limit, highest)
    return found


def masks_of_rows(rows: Any) -> NDArray[np.int64]:
    """Return masks of candidates, bit v for the value v + 1, from values or masks."""
    masks = rows.astype(np.int64)
    return masks if rows.dtype == np.uint16 else np.where(masks == 0, 511, 1 << (masks - 1).clip(0))


def _simple(masks: NDArray[np.int64], scale: str) -> Ratings:
    """Rate each row as far as its path goes without nested trials; the others are marked as harder for now."""
    on, n = machine(), len(masks)
    codes, counts, state = on.empty(n), on.empty(25 * n), on.empty(324)
    own = {"level": [counts, state], "size": [state], "se": [state, on.empty(81)]}[scale]
    memory = [on.empty(size) for size in (2 * MOST_STAGES, 729, 729, WORK)]
    on.run(f"{scale}_rows", on.memory(masks.reshape(-1)), n, codes, *own, *memory)
    codes = np.asarray(codes, np.int64)
    values = codes & (STUCK - 1)
    status = np.where(codes >= BROKEN, UNSATISFIABLE, np.where(codes >= STUCK, HARDER, RATED)).astype(np.uint8)
    if scale != "level":
        return Ratings(scale, np.where(status == UNSATISFIABLE, 0, values), status)
    stages = np.asarray(counts, np.int64).reshape(n, 25)[:, 1:]
    return Ratings(scale, np.where(status == UNSATISFIABLE, 0, _LEVELS[values]), status, stages)


_LEVELS = np.array([0, *(kind * NESTED + number for kind, number in RUNGS)])


def _finish(found: Ratings, row: int, masks: NDArray[np.int64], seconds: float | None, highest: int | None) -> None:
    """Rate a board that needs nested trials, unless it does not have exactly one solution."""
    started = time.monotonic()
    unique = solve(_puzzle(masks), unique=True, time_limit=seconds).unique
    if unique is False:
        found.values[row], found.status[row] = 0, SEVERAL
        return
    left = None if seconds is None else max(0.0, seconds - (time.monotonic() - started))
    walk = walked(masks.tolist(), found.scale, left, highest=highest)
    broken = walk.end == "contradiction"
    found.values[row] = 0 if broken else walk.level
    found.status[row] = UNSATISFIABLE if broken else RATED if walk.end == "solved" else HARDER
    if found.stages is not None:
        levels = [divmod(stage.level, NESTED) for stage in walk.stages]
        found.stages[row] = [levels.count(rung) for rung in RUNGS]


def _puzzle(masks: NDArray[np.int64]) -> Puzzle:
    allowed = {
        name: [v + 1 for v in range(9) if mask >> v & 1]
        for name, mask in zip(NINE.names, masks.tolist(), strict=True)
        if mask != 511
    }
    return Puzzle.empty(NINE).with_candidates(allowed)
