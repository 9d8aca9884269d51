"""The verb ``rate``: the highest level of the ladder that a puzzle needs, the same measure for every variant."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ..engine.budget import Budget
from ..model import Model
from ..puzzle import Puzzle
from ..verbs.solving import Problem, as_puzzle
from .ladder import COMPILING, Level, level_text
from .paths import GLANCE, HIGHEST, Path, has_several, levels_table, path

if TYPE_CHECKING:
    from .classic.rated import RatedBoard, Scaled


@dataclass(frozen=True)
class Rating:
    """The difficulty of a puzzle: the highest ``level`` of a path of cheapest steps, and the number of stages at each
    level.

    ``exact`` is False if a limit was reached first, or if no level was enough: then the puzzle is harder than
    ``level``. It is also False if ``end`` is "contradiction" (steps of ``level`` show that there is no solution) or
    "several solutions". The rating does not depend on the order of cells, values or rules. ``size`` and ``se`` are
    further scales of classic 9x9 boards, computed on first use.
    """

    level: Level
    stages: tuple[tuple[Level, int], ...]
    exact: bool
    end: str = field(default="solved", compare=False)
    _board: RatedBoard | None = field(default=None, compare=False, repr=False)

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

    @property
    def size(self) -> Scaled | None:
        """The greatest size of the smallest refutations; None except for classic 9x9 boards with one solution."""
        return None if self._board is None else self._board.size

    @property
    def se(self) -> Scaled | None:
        """The position on the SE-like scale; None except for classic 9x9 boards with one solution."""
        return None if self._board is None else self._board.se

    def full_text(self) -> str:
        """Format all available scales: "level 2.4, size 6, SE-like 8.4"."""
        more = [f"{name} {found}" for name, found in (("size", self.size), ("SE-like", self.se)) if found]
        return ", ".join([str(self), *more])

    @property
    def key(self) -> tuple[bool, Level, tuple[tuple[Level, int], ...]]:
        """The key for comparing ratings: the level, then the numbers of stages from the highest level down."""
        return (not self.exact, self.level, self.stages[::-1])

    def to_json(self, scales: bool = False) -> dict[str, Any]:
        """Return it as data: ``level``, ``exact``, ``stages`` by level, ``end``, ``text``; also ``size`` and ``se``."""
        more = {"size": _text(self.size), "se": _text(self.se)} if scales else {}
        stages = {level_text(level): number for level, number in self.stages}
        return {
            "level": level_text(self.level),
            "exact": self.exact,
            "stages": stages,
            "end": self.end,
            **more,
            "text": self.full_text() if scales else str(self),
        }


def _text(found: Scaled | None) -> str | None:
    return None if found is None else str(found)


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

    A classic 9x9 board is rated by special compiled kernels if llvmlite is installed (extra ``fast``); its
    ``size`` and ``se`` may each take ``time_limit`` when they are used.
    """
    from ..engine.machine_code.library import possible
    from .classic.machine import is_ready
    from .classic.rated import board_of

    read = problem.without_objective() if isinstance(problem, Model) else as_puzzle(problem)
    with Budget(time_limit, None, budget) as clock:
        board, quick = board_of(read, clock.left, highest), None
        if board is not None and possible() and (is_ready() or _may_compile(read, clock)):
            quick = board.level
        if quick is None:
            return replace(rated(path(read, highest=highest, budget=clock)), _board=board)
        end = "stuck" if clock.left is None else "time limit"
    stages, solved = quick
    level = max((level for level, _ in stages), default=(0, 0))
    return Rating(level, stages, solved, "solved" if solved else end, board)


def _may_compile(problem: Puzzle | Model, clock: Budget) -> bool:
    """Return whether kernels that are not on disk should be compiled, which takes seconds."""
    enough = clock.left is None or clock.left > COMPILING
    return enough and not has_several(problem, clock.part(GLANCE))


def rated(way: Path) -> Rating:
    """Rate a path."""
    stages = tuple(sorted(Counter(stage.level for stage in way.stages).items()))
    return Rating(way.level, stages, way.end == "solved", way.end)
