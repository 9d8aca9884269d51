"""The verb ``rate``: the highest level of the ladder that a puzzle takes, the same measure for every variant."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from ..verbs.solving import Problem
from .ladder import Level, level_text
from .paths import Path, path


@dataclass(frozen=True)
class Rating:
    """How hard a puzzle is: the highest ``level`` of a path of cheapest steps, and how many stages each level takes.

    ``exact`` is False where a limit came first, or no level was enough: then it is harder than ``level``. It is False
    too where ``end`` is "contradiction" (steps of ``level`` show that there is no solution) or "several solutions".
    Neither depends on the order of cells, values or rules.
    """

    level: Level
    stages: tuple[tuple[Level, int], ...]
    exact: bool
    end: str = field(default="solved", compare=False)

    def __str__(self) -> str:
        """Write the level: "level 2.4", "harder than level 2.6", "no solution, as steps of level 1.1 show"."""
        level = f"level {level_text(self.level)}"
        if self.end == "contradiction":
            return f"no solution, as steps of {level} show"
        if self.end == "several solutions":
            return "not rated: there are several solutions"
        return level if self.exact else f"harder than {level}"

    @property
    def key(self) -> tuple[bool, Level, tuple[tuple[Level, int], ...]]:
        """What ratings are compared by: the level, then the numbers of stages from the highest level down."""
        return (not self.exact, self.level, self.stages[::-1])

    def to_json(self) -> dict[str, Any]:
        """Return it as data: ``level``, ``exact``, ``stages`` by level, ``end``, ``text``."""
        stages = {level_text(level): number for level, number in self.stages}
        return {
            "level": level_text(self.level),
            "exact": self.exact,
            "stages": stages,
            "end": self.end,
            "text": str(self),
        }


def rate(problem: Problem, *, time_limit: float | None = None) -> Rating:
    """Rate a puzzle or a model with one solution on the uniform ladder.

    Reached limits are no errors: ``time_limit`` (seconds) gives "harder than level l", and so does a problem that the
    ladder cannot solve. A problem with several solutions, or without one, is not rated: the text says so. Raises
    FormatError for text that cannot be read.
    """
    return rated(path(problem, time_limit=time_limit))


def rated(way: Path) -> Rating:
    """Rate a path."""
    stages = tuple(sorted(Counter(stage.level for stage in way.stages).items()))
    return Rating(way.level, stages, way.end == "solved", way.end)
