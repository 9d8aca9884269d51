"""Ratings of many classic boards in arrays, and the path of one on the SE-like scale.

Kernels go as far as they can without nested trials, which are then made one by one, so that a time limit and Ctrl-C
take effect between them: the longest take some milliseconds.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...bulk.solving_arrays import rows_of
from ...engine.batch import check_boards
from ...engine.budget import Budget
from ...engine.machine_code.library import possible
from ...puzzle import Puzzle, Shape
from ...verbs.solving import solve
from ..compiled_ladder import machine as ladder_machine
from ..ladder import RUNGS, TRIALS, Ladder, is_open, level_text
from .board import BROKEN, MOST_STAGES, NAMES, STUCK, UNIQUE_NAMES, KernelMachine, machine
from .chains import CHAIN, DYNAMIC_CHAIN, EVERY, MOST_COST, PATTERN, WORK, threshold
from .patterns import WRITING

SCALES = ("level", "se")
"""The scales: the uniform ladder, Sudoku Explainer's numbers."""

STATUSES = ("rated", "harder", "unsatisfiable", "several solutions")
"""The possible results for a row."""

RATED, HARDER, UNSATISFIABLE, SEVERAL = range(4)
NINE = Shape.square(9)

KIND = 10_000
"""Level k.n is written as k times this, plus n."""
CLASSIC_LEVELS = RUNGS[1:]
"""The levels that stages of classic boards can have: a house removes nothing before something is read."""
LEVELS = np.array([0, *(kind * KIND + number for kind, number in CLASSIC_LEVELS)])

SE_INNER = tuple((kinds, 85 + 5 * kinds) for kinds in (PATTERN, CHAIN, EVERY, DYNAMIC_CHAIN))
"""The kinds of inner steps on the SE-like scale, and the number from which their trials count, in tenths."""

PATTERNED = NAMES.index("dynamic forcing chain with patterns")


@dataclass(frozen=True)
class Ratings:
    """The ratings of n boards on one ``scale``: ``values`` (int64) and ``status`` (uint8, indexes into STATUSES).

    Values compare as the difficulties do. On "se" they are tenths. On "level" they are 10,000 k + n for level k.n,
    where 1.all is 1.9 and 2.any 2.1000. The value of a row with the status "harder" is a lower bound. It is 0 for a row
    that is not rated. On "level", ``stages`` (int64, n x 24) are the numbers of stages on each level from 1.1 on.
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
        names = [level_text(level) for level in CLASSIC_LEVELS]
        pairs = ([f"{name}:{n}" for name, n in zip(names, row, strict=True) if n] for row in self.stages.tolist())
        return [" ".join(found) for found in pairs]


def text_of(scale: str, value: int) -> str:
    """Format a value: 8.4 on "se", 2.4 on "level"."""
    return f"{value / 10:.1f}" if scale == "se" else level_text((value // KIND, value % KIND))


def rate_arrays(
    grids: Any,
    scale: str = "level",
    *,
    time_limit: float | None = None,
    highest: int | None = None,
    assume_unique: bool = False,
) -> Ratings:
    """Rate every row of ``grids`` on one scale: "level" or "se".

    ``grids`` is an array of shape (n, 81), uint8 values (0 open) or uint16 masks of candidates (bit k for the value
    k + 1), or bytes or lines of 81 characters. A row with several solutions, or without one, is not rated.
    ``time_limit`` (seconds) applies to each row: one that takes longer is harder than its value. Nested trials with a
    value above ``highest`` are not made: a row that needs them is harder than its value too, on any machine. The
    kernels are compiled if llvmlite is installed (extra ``fast``); without it they take about a hundred times as
    long. ``assume_unique`` allows arguments from uniqueness (rectangles, loops, BUG) on the scale "se", as Sudoku
    Explainer does. ValueError for another scale and for arrays that are not boards, FormatError for a line that cannot
    be read.
    """
    if scale not in SCALES:
        raise ValueError(f"scale is {scale!r}: one of {', '.join(SCALES)} is expected")
    rows = rows_of(grids)
    check_boards(NINE.model, rows)
    masks = masks_of_rows(rows)
    if scale == "level":
        return _levels(masks, time_limit, highest)
    return _numbers(masks, time_limit, highest, assume_unique)


def masks_of_rows(rows: Any) -> NDArray[np.int64]:
    """Return masks of candidates, bit v for the value v + 1, from values or masks."""
    masks = rows.astype(np.int64)
    return masks if rows.dtype == np.uint16 else np.where(masks == 0, 511, 1 << (masks - 1).clip(0))


def _are_several(masks: Sequence[int], clock: Budget) -> bool:
    """Return whether a board turns out to have several solutions in the time left."""
    allowed = {
        name: [v + 1 for v in range(9) if mask >> v & 1]
        for name, mask in zip(NINE.names, masks, strict=True)
        if mask != 511
    }
    return solve(Puzzle.empty(NINE).with_candidates(allowed), unique=True, budget=clock).unique is False


# ---- levels of the ladder


def _levels(masks: NDArray[np.int64], seconds: float | None, highest: int | None) -> Ratings:
    """Rate boards on the ladder, all by the atoms and the memory of one."""
    if possible():
        ladder_machine()
    ladder = Ladder(Puzzle.empty(NINE), kernels=True)
    status = np.zeros(len(masks), np.uint8)
    stages = np.zeros((len(masks), len(CLASSIC_LEVELS)), np.int64)
    for row, cells in enumerate(masks.tolist()):
        status[row] = _level(ladder, cells, stages[row], seconds, highest)
    values = LEVELS[((stages > 0) * np.arange(1, len(LEVELS))).max(axis=1, initial=0)]
    return Ratings("level", np.where(status > HARDER, 0, values), status, stages)


def _level(ladder: Ladder, masks: list[int], stages: Any, seconds: float | None, highest: int | None) -> int:
    """Count the stages of a board by level; return its status."""
    ladder.limit(None)
    most = RUNGS[-1] if highest is None else divmod(highest, KIND)
    found = ladder.counted(masks)
    stages[:] = found.counts[1:]
    if is_open(found.left):
        clock = Budget(seconds).start()
        if _are_several(masks, clock):
            return SEVERAL
        if most > TRIALS:
            ladder.budget = clock
            found = ladder.counted(found.left, most)
            stages[:] += found.counts[1:]
    if not all(found.left):
        return UNSATISFIABLE
    return HARDER if is_open(found.left) else RATED


# ---- numbers on the SE-like scale


def _numbers(masks: NDArray[np.int64], seconds: float | None, highest: int | None, unique: bool) -> Ratings:
    """Rate boards on the SE-like scale: each as far as it goes without nested trials, then those that need them."""
    on, n = machine(), len(masks)
    codes, state, placed = on.empty(n), on.empty(324), on.empty(81)
    memory = [on.empty(size) for size in (2 * MOST_STAGES, 729, 729, WORK)]
    on.run("se_rows", on.memory(masks.reshape(-1)), n, int(unique), codes, state, placed, *memory)
    codes = np.asarray(codes, np.int64)
    status = np.where(codes >= BROKEN, UNSATISFIABLE, np.where(codes >= STUCK, HARDER, RATED)).astype(np.uint8)
    found = Ratings("se", np.where(status == UNSATISFIABLE, 0, codes & (STUCK - 1)), status)
    for row in np.flatnonzero(status == HARDER).tolist():
        one = scaled(masks[row].tolist(), seconds, highest, unique)
        if one is None or one.value < 0:
            found.values[row], status[row] = 0, SEVERAL if one is None else UNSATISFIABLE
        else:
            found.values[row], status[row] = one.value, RATED if one.exact else HARDER
    return found


def scaled(
    masks: Sequence[int], seconds: float | None = None, highest: int | None = None, unique: bool = False
) -> Scaled | None:
    """Return the numbers of one board, -1 if steps show that it has no solution; None if it has several."""
    walker = Walker(masks, lambda: False, machine(), highest, unique)
    if (end := walker.simple()) == "stuck":
        with Budget(seconds) as clock:
            if _are_several(masks, clock):
                return None
            walker.late = lambda: clock.expired
            end = walker.onwards(end)
    return Scaled(-1, False) if end == "contradiction" else walker.scaled(end)


@dataclass(frozen=True)
class Scaled:
    """A number on the SE-like scale, in tenths: that of the hardest step; if not ``exact``, of the steps made so far.

    ``placing`` is the number of the hardest step up to the first value that is filled in, ``first`` that of the first
    step (Sudoku Explainer's ER, EP and ED).
    """

    value: int
    exact: bool = True
    placing: int = 0
    first: int = 0

    def __str__(self) -> str:
        """Format it: 8.4, "not settled (8.4 so far)", "not settled" if a limit was reached before the first step."""
        if self.exact:
            return text_of("se", self.value)
        return f"not settled ({text_of('se', self.value)} so far)" if self.value else "not settled"


@dataclass(frozen=True)
class Staged:
    """A stage of a path: its ``level`` in tenths, the ``removed`` literals, the name of the ``technique``."""

    level: int
    removed: frozenset[int]
    technique: str = ""


@dataclass(frozen=True)
class Walk:
    """A path in stages; ``end`` is solved, stuck, contradiction or "time limit"."""

    stages: tuple[Staged, ...] = field(repr=False)
    end: str

    @property
    def level(self) -> int:
        """The greatest level of a stage; 0 without any."""
        return max((stage.level for stage in self.stages), default=0)


def walked(
    cells: Sequence[int],
    seconds: float | None = None,
    on: KernelMachine | None = None,
    highest: int | None = None,
    assume_unique: bool = False,
) -> Walk:
    """Walk from 81 masks of candidates (bit v for the value v + 1) on the SE-like scale.

    ``seconds`` limits the nested trials, as does their ``highest`` number (in tenths); the kernels before them take a
    fraction of a second.
    """
    end = None if seconds is None else time.monotonic() + seconds
    return Walker(
        cells, lambda: end is not None and time.monotonic() > end, on or machine(), highest, assume_unique
    ).walk()


class Walker:
    """Walks from masks of candidates on the SE-like scale. ``late`` returns whether time is up.

    Nested trials above ``highest`` are not made. ``unique``: steps may assume one solution.
    """

    def __init__(
        self,
        cells: Sequence[int],
        late: Callable[[], bool],
        machine: KernelMachine,
        highest: int | None = None,
        unique: bool = False,
    ) -> None:
        self.machine, self.late, self.highest, self.unique = machine, late, highest, unique
        self.state = machine.empty(324)
        machine.run("load", machine.memory(cells), 0, self.state)
        self.levels, self.when = machine.empty(2 * MOST_STAGES), machine.empty(729)
        self.marked, self.work, self.inside = machine.empty(729), machine.empty(WORK), machine.empty(WORK)
        self.placed = machine.empty(81)
        self.stage = 0

    def walk(self) -> Walk:
        """Walk to the end."""
        end = self.onwards(self.simple())
        removed: list[set[int]] = [set() for _ in range(self.stage + 1)]
        left = [int(mask) for mask in self.state[:81]]
        for literal, stage in enumerate(self.when):
            if stage and not left[literal // 9] >> literal % 9 & 1:
                removed[int(stage)].add(literal)
        log, names = [int(n) for n in self.levels], (*NAMES, *UNIQUE_NAMES)
        stages = (Staged(log[i], frozenset(removed[i]), names[log[MOST_STAGES + i]]) for i in range(1, self.stage + 1))
        return Walk(tuple(stages), end)

    def onwards(self, end: str) -> str:
        """Go on with nested trials where simple steps ended; return how it ends."""
        while end == "stuck" and self.nested():
            end = self.simple()
        return "time limit" if end == "stuck" and self.late() else end

    def simple(self) -> str:
        """Walk without nested trials; return how that ends."""
        arguments: Any = (self.stage, int(self.unique), self.levels, self.when, self.marked, self.work)
        code = self.machine.run("se_path", self.state, self.placed, *arguments)
        self.stage = code & (STUCK - 1)
        return "contradiction" if code & BROKEN else "stuck" if code & STUCK else "solved"

    def nested(self) -> bool:
        """Make one stage of nested trials, counted by everything that they need: the first kind that finds any, with
        the lowest number. Return whether there is one.
        """
        for kinds, first in SE_INNER:
            sizes = self.sizes(kinds)
            if self.late():
                return False
            if sizes:
                tenths = added(kinds, min(sizes.values()))
                if self.highest is not None and first + tenths > self.highest:
                    return False
                chosen = (x for x, size in sizes.items() if size <= longest(kinds, tenths))
                self.remove(chosen, first + tenths, PATTERNED + (kinds > PATTERN))
                return True
        return False

    def sizes(self, kinds: int) -> dict[int, int]:
        """Return the candidates that trees with some kinds of inner steps refute, and the sizes of these trees."""
        memory, found = (self.inside, self.marked, self.work), dict[int, int]()
        cells = [int(mask) for mask in self.state[:81]]
        is_open = [bool(mask & (mask - 1)) for mask in cells]
        for literal in (9 * c + v for c in range(81) if is_open[c] for v in range(9) if cells[c] >> v & 1):
            if self.late():
                break
            size = self.machine.run("nested_size", self.state, literal, kinds, MOST_COST, *memory)
            if size <= MOST_COST:
                found[literal] = size
        return found

    def remove(self, literals: Iterable[int], level: int, technique: int) -> None:
        """Remove candidates as one stage."""
        self.stage += 1
        self.levels[self.stage], self.levels[MOST_STAGES + self.stage] = level, technique
        for literal in literals:
            self.marked[literal] = 1
        self.machine.run("drop_marked", self.state, self.marked, self.when, self.stage)

    def scaled(self, end: str) -> Scaled:
        """Return the numbers of the path so far."""
        levels, techniques = (
            [int(n) for n in self.levels[first + 1 : first + 1 + self.stage]] for first in (0, MOST_STAGES)
        )
        to = next((i for i, technique in enumerate(techniques, 1) if technique < WRITING), 0)
        return Scaled(max(levels, default=0), end == "solved", max(levels[:to], default=0), *levels[:1])


def added(kinds: int, size: int) -> int:
    """Return the tenths that a tree with some kinds of inner steps adds to its number.

    It counts as long as one without them, and half as long if there are chains inside: these share most premises, which
    the tree counts for each of them.
    """
    found = 0
    while size > longest(kinds, found):
        found += 1
    return found


def longest(kinds: int, tenths: int) -> int:
    """Return the greatest size that adds no more than the given tenths."""
    return (threshold(tenths) - 1) // 2 if kinds == PATTERN else threshold(tenths)
