"""Counts the nodes of a search, and passes its decisions on to a trace."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import takewhile

from sudoku_models.engine.budget import Budget, Meter
from sudoku_models.engine.contract import TraceStep

_WORK = 1 << 15


class Stopped(Exception):
    """The trace has requested the end of the search."""


Decisions = Callable[[], Iterable[tuple[int | str, int]]]
"""The decisions in force at a node, the first one first: cells with digits, or variables with values."""


class SearchMeter(Meter):
    """A meter to which a search reports its decisions; with a ``trace`` it passes them on, those undone first.

    With a ``patience`` the search gives up after that number of nodes and looks; a trace has none. The cost of a node
    grows with the number of variables, so large models check the clock at every node and a 9x9 board at every few
    hundred. ``named`` gives the variable and the value for a cell and a digit.
    """

    def __init__(
        self, clock: Budget, variables: int, trace: Callable[[TraceStep], object] | None, patience: int = 0
    ) -> None:
        super().__init__(clock, _WORK // max(1, variables), 0 if trace else patience)
        self.named: Callable[[int | str, int], tuple[str, int]] = lambda name, value: (str(name), value)
        self._made: list[tuple[str, int]] = []
        if trace is not None:
            self._trace = trace
            self.tick = self._traced  # type: ignore[method-assign]

    def watch(self, decisions: Decisions) -> None:
        """Set the function that reads the decisions in force."""
        self._decisions = decisions

    def _traced(self) -> None:
        """Count one node and report what is new there; Stopped if the trace requests the end."""
        super().tick()
        now = [self.named(*decision) for decision in self._decisions()]
        kept = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(self._made, now, strict=False)))
        back = [TraceStep(name, None) for name, _ in reversed(self._made[kept:])]
        self._made = now
        for step in (*back, *(TraceStep(*decision) for decision in now[kept:])):
            if self._trace(step):
                raise Stopped
