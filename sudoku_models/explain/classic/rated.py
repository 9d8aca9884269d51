"""The rating of one classic board on each scale, computed on first use."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

from ...model import Model
from ...puzzle import Puzzle, Shape

Levels = tuple[tuple[tuple[int, int], int], ...]


@dataclass(frozen=True)
class Scaled:
    """A position on a scale ("size" or "se"): see ``Ratings`` for ``value``; if not ``exact``, it is a lower bound."""

    scale: str
    value: int
    exact: bool = True

    def __str__(self) -> str:
        """Format it: 6, "nested 2", 8.4, "more than 8.4", "not settled" if a limit was reached before the first
        step.
        """
        from .rating_arrays import text_of

        if not self.exact and not self.value:
            return "not settled"
        return f"{'' if self.exact else 'more than '}{text_of(self.scale, self.value)}"


@dataclass(frozen=True)
class RatedBoard:
    """A classic 9x9 board: ``cells`` are its 81 masks, ``seconds`` the time allowed for each scale.

    On the uniform ladder no level above ``highest`` is tried.
    """

    cells: tuple[int, ...] = field(repr=False)
    seconds: float | None = None
    highest: tuple[int, int] = (4, 1000)

    @cached_property
    def level(self) -> tuple[Levels, bool] | None:
        """The number of stages at each level, and whether they reach the solution; None unless there is exactly one
        solution.
        """
        from .rating_arrays import HARDER
        from .rungs import RUNGS

        found = self._rated("level")
        if found.status[0] > HARDER or found.stages is None:
            return None
        counts = tuple((level, n) for level, n in zip(RUNGS, found.stages[0].tolist(), strict=True) if n)
        within = tuple((level, n) for level, n in counts if level <= self.highest)
        return within, bool(found.exact[0]) and within == counts

    @cached_property
    def size(self) -> Scaled | None:
        """The greatest size of a refutation on the path of smallest ones; None unless there is exactly one solution."""
        return self._scaled("size")

    @cached_property
    def se(self) -> Scaled | None:
        """The number on the SE-like scale; None unless there is exactly one solution."""
        return self._scaled("se")

    def _rated(self, scale: str) -> Any:
        import numpy as np

        from .rating_arrays import rate_arrays
        from .walk import NESTED

        highest = NESTED * self.highest[0] + self.highest[1] if scale == "level" else None
        return rate_arrays(np.array([self.cells], np.uint16), scale, time_limit=self.seconds, highest=highest)

    def _scaled(self, scale: str) -> Scaled | None:
        found = self._rated(scale)
        return Scaled(scale, int(found.values[0]), bool(found.exact[0])) if found.texts()[0] else None


@cache
def _model() -> Model:
    return Shape.square(9).model


def board_of(
    problem: Puzzle | Model, seconds: float | None = None, highest: tuple[int, int] = (4, 1000)
) -> RatedBoard | None:
    """Return a puzzle as a classic board; None for any other puzzle."""
    if isinstance(problem, Model) or problem.structure is not _model():
        return None
    allowed = [problem.domains.get(name, range(1, 10)) for name in problem.names]
    return RatedBoard(tuple(sum(1 << v - 1 for v in values if 1 <= v <= 9) for values in allowed), seconds, highest)
