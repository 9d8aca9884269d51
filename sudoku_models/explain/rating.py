"""The verb ``rate``: the highest level of the ladder that a puzzle needs, the same measure for every variant."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..engine.budget import Budget
from ..model import Model
from ..puzzle import Puzzle, Shape
from ..verbs.solving import Problem, as_puzzle
from .ladder import HIGHEST, Ladder, Level, level_text
from .paths import Walk, levels_table

if TYPE_CHECKING:
    from .classic.ratings import Scaled


@dataclass(frozen=True)
class Rating:
    """The difficulty of a puzzle: the highest ``level`` of a path of cheapest steps, and the number of stages at each
    level.

    ``exact`` is False if a limit was reached first, or if no level was enough: then the puzzle is harder than
    ``level``. It is also False if ``end`` is "contradiction" (steps of ``level`` show that there is no solution) or
    "several solutions". The rating does not depend on the order of cells, values or rules. ``se`` is
    another scale, for classic 9x9 boards, computed on first use.
    """

    level: Level
    stages: tuple[tuple[Level, int], ...]
    exact: bool
    end: str = field(default="solved", compare=False)
    _cells: tuple[int, ...] = field(default=(), compare=False, repr=False)
    _seconds: float | None = field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        """Write the level: "level 2.4", "harder than level 2.6", "no solution, as steps of level 1.1 show"."""
        level = f"level {level_text(self.level)}"
        if self.end == "contradiction":
            return f"no solution, as steps of {level} show"
        if self.end == "several solutions":
            return "not rated: there are several solutions"
        if not self.exact and self.level == (0, 0):
            return f"harder than {level} ({self.end} before the first step)"
        return level if self.exact else f"harder than {level}"

    def __repr__(self) -> str:
        return f"<Rating: {self}>"

    def _repr_html_(self) -> str:
        return f"<div>{self}</div>{levels_table(self.stages)}"

    @cached_property
    def se(self) -> Scaled | None:
        """The number on the SE-like scale; None except for classic 9x9 boards with one solution."""
        return self._scaled(False)

    @cached_property
    def se_unique(self) -> Scaled | None:
        """The same with steps that assume one solution: rectangles, loops and the grave of all open cells."""
        return self._scaled(True)

    def _scaled(self, unique: bool) -> Scaled | None:
        if not self._cells:
            return None
        from .classic.board import machine
        from .classic.ratings import HARDER, Walker

        status, found = Walker(machine(), unique=unique).rated(self._cells, self._seconds)
        return found if status <= HARDER else None

    def full_text(self) -> str:
        """Format all available scales: "level 2.4, SE-like 8.4"."""
        return f"{self}, SE-like {self.se}" if self.se else str(self)

    @property
    def key(self) -> tuple[bool, Level, tuple[tuple[Level, int], ...]]:
        """The key for comparing ratings: the level, then the numbers of stages from the highest level down."""
        return (not self.exact, self.level, self.stages[::-1])

    def to_json(self, scales: bool = False) -> dict[str, Any]:
        """Return it as data: ``level``, ``exact``, ``stages`` by level, ``end``, ``text``; also ``se``, ``ep`` and
        ``ed`` (the hardest step, that up to the first value, the first step).
        """
        more: dict[str, Any] = {"se": None, "ep": None, "ed": None} if scales else {}
        if scales and (se := self.se):
            more = {"se": str(se), "ep": se.placing / 10 or None, "ed": se.first / 10 or None}
        stages = {level_text(level): number for level, number in self.stages}
        return {
            "level": level_text(self.level),
            "exact": self.exact,
            "stages": stages,
            "end": self.end,
            **more,
            "text": self.full_text() if scales else str(self),
        }


def rate(
    problem: Problem,
    *,
    time_limit: float | None = None,
    highest: Level = HIGHEST,
    budget: Budget | None = None,
) -> Rating:
    """Rate a puzzle or a model with one solution on the uniform ladder.

    Reaching a limit is not an error: ``time_limit`` (seconds) gives "harder than level l", and so does a problem that
    needs steps above the ``highest`` level, which bounds the work on any machine alike, or that the ladder cannot
    solve. ``budget`` is that of a larger job. A problem with several solutions, or without one, is not rated: the text
    says so. Raises FormatError for text that cannot be read.

    The number ``se`` of a classic 9x9 board may take ``time_limit`` again when it is used.
    """
    read = problem.without_objective() if isinstance(problem, Model) else as_puzzle(problem)
    with Budget(time_limit, None, budget) as clock:
        seconds = clock.left
        way = Walk(read, Ladder(read, None, None, False, clock))
        classic = isinstance(read, Puzzle) and read.structure is Shape.square(9).model
        cells = tuple(way.masks) if classic else ()
        way.all_the_way(highest, clock)
    counts = Counter(level for log in way.logs for level in log.levels)
    level, stages = max(counts, default=(0, 0)), tuple(sorted(counts.items()))
    return Rating(level, stages, way.end == "solved", way.end, cells, seconds)
