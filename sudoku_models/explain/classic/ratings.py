"""Ratings of many classic boards in arrays, and the path of one on the SE-like scale.

Kernels go as far as they can without nested trials, which are then made one by one, so that a time limit and Ctrl-C
take effect between them: the longest take some milliseconds.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...bulk.solving_arrays import rows_of
from ...engine.batch import check_boards
from ...engine.budget import Budget
from ...engine.machine_code.library import possible
from ...errors import LimitReached
from ...puzzle import Puzzle, Shape
from ...verbs.solving import solve
from ..ladder import LIBRARY, RUNGS, TRIALS, Ladder, Level, is_open, level_text
from .board import BROKEN, COUNT, MOST_STAGES, NAMES, STUCK, TECHNIQUE, UNIQUE_NAMES, Machine, machine
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

EVERY_NAME = (*NAMES, *UNIQUE_NAMES)
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
        LIBRARY.load()
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
    left = _counted(ladder, masks, TRIALS, stages)
    if is_open(left):
        clock = Budget(seconds).start()
        if _are_several(masks, clock):
            return SEVERAL
        if most > TRIALS:
            ladder.budget = clock
            left = _counted(ladder, left, most, stages)
    if not all(left):
        return UNSATISFIABLE
    return HARDER if is_open(left) else RATED


def _counted(ladder: Ladder, left: Sequence[int], highest: Level, stages: Any) -> Sequence[int]:
    """Add the stages up to a level, while there is time, and return the candidates that they leave."""
    with suppress(LimitReached):
        for log in ladder.logs(left, highest):
            for level in log.levels:
                stages[CLASSIC_LEVELS.index(level)] += 1
            left = log.left
    return left


# ---- numbers on the SE-like scale


def _numbers(masks: NDArray[np.int64], seconds: float | None, highest: int | None, unique: bool) -> Ratings:
    """Rate boards on the SE-like scale, all in the memory of one."""
    walker = Walker(machine(), highest, unique)
    found = [walker.rated(array("q", row.tobytes()), seconds) for row in masks]
    values = np.array([number.value for _, number in found], np.int64)
    return Ratings("se", values, np.array([status for status, _ in found], np.uint8))


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
    cells: Sequence[int], seconds: float | None = None, highest: int | None = None, assume_unique: bool = False
) -> Walk:
    """Walk from 81 masks of candidates (bit v for the value v + 1) on the SE-like scale.

    ``seconds`` limits the nested trials, as does their ``highest`` number (in tenths); the kernels before them take a
    fraction of a second.
    """
    with Budget(seconds) as clock:
        return Walker(machine(), highest, assume_unique).walk(cells, clock)


class Walker:
    """Walks from masks of candidates on the SE-like scale, one board after the other.

    Nested trials above ``highest`` are not made. ``unique``: steps may assume one solution.
    """

    def __init__(self, machine: Machine, highest: int | None = None, unique: bool = False) -> None:
        self.machine, self.highest, self.unique, self.stage, self.cells = machine, highest, unique, 0, array("q")
        sizes = (324, 81, MOST_STAGES, 729, COUNT + 1, WORK, WORK)
        self.state, self.placed, self.steps, self.when, self.marked, self.work, self.inside = map(machine.memory, sizes)

    def walk(self, cells: Sequence[int], clock: Budget) -> Walk:
        """Walk to the end, on a board that is the first one."""
        end = self.simple(cells)
        end = self.onwards(clock) if end == "stuck" else end
        removed: list[set[int]] = [set() for _ in range(self.stage + 1)]
        for literal, stage in enumerate(self.when):
            if stage and not self.state[literal // 9] >> literal % 9 & 1:
                removed[stage].add(literal)
        done = (divmod(step, TECHNIQUE) for step in self.steps[1 : self.stage + 1])
        stages = zip(done, removed[1:], strict=True)
        named = (Staged(number, frozenset(gone), EVERY_NAME[technique]) for (technique, number), gone in stages)
        return Walk(tuple(named), end)

    def rated(self, cells: Sequence[int], seconds: float | None) -> tuple[int, Scaled]:
        """Return the status of a board and its numbers, which are 0 if it has no solution or several."""
        if (end := self.simple(cells)) == "stuck":
            with Budget(seconds) as clock:
                if _are_several(cells, clock):
                    return SEVERAL, Scaled(0)
                end = self.onwards(clock)
        if end == "contradiction":
            return UNSATISFIABLE, Scaled(0)
        steps = self.steps[1 : self.stage + 1]
        numbers = [step % TECHNIQUE for step in steps]
        to = next((i for i, step in enumerate(steps, 1) if step < WRITING * TECHNIQUE), 0)
        found = Scaled(max(numbers, default=0), end == "solved", max(numbers[:to], default=0), *numbers[:1])
        return (RATED if found.exact else HARDER), found

    def onwards(self, clock: Budget) -> str:
        """Go on with nested trials where simple steps ended; return how it ends."""
        end = "stuck"
        while end == "stuck" and self.nested(clock):
            end = self.simple()
        return "time limit" if end == "stuck" and clock.expired else end

    def simple(self, cells: Sequence[int] | None = None) -> str:
        """Walk without nested trials, from masks or from where it ended; return how that ends."""
        if cells is not None:
            self.stage, self.cells = 0, array("q", cells)
        begun = self.cells, self.state, self.placed, self.stage, int(self.unique)
        code = self.machine.run("se_path", *begun, self.steps, self.when, self.marked, self.work)
        self.stage = code & (STUCK - 1)
        return "contradiction" if code & BROKEN else "stuck" if code & STUCK else "solved"

    def nested(self, clock: Budget) -> bool:
        """Make one stage of nested trials, counted by everything that they need: the first kind that finds any, with
        the lowest number. Return whether there is one.
        """
        for kinds, first in SE_INNER:
            sizes = self.sizes(kinds, clock)
            if clock.expired:
                return False
            if sizes:
                tenths = added(kinds, min(sizes.values()))
                if self.highest is not None and first + tenths > self.highest:
                    return False
                for literal, size in sizes.items():
                    self.marked[literal] = int(size <= longest(kinds, tenths))
                self.stage += 1
                self.steps[self.stage] = (PATTERNED + (kinds > PATTERN)) * TECHNIQUE + first + tenths
                self.machine.run("drop_marked", self.state, self.marked, self.when, self.stage)
                return True
        return False

    def sizes(self, kinds: int, clock: Budget) -> dict[int, int]:
        """Return the candidates that trees with some kinds of inner steps refute, and the sizes of these trees."""
        memory, found = (self.inside, self.marked, self.work), dict[int, int]()
        open_cells = [(c, mask) for c, mask in enumerate(self.state[:81]) if mask & (mask - 1)]
        for literal in (9 * c + v for c, mask in open_cells for v in range(9) if mask >> v & 1):
            if clock.expired:
                break
            size = self.machine.run("nested_size", self.state, literal, kinds, MOST_COST, *memory)
            if size <= MOST_COST:
                found[literal] = size
        return found


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
