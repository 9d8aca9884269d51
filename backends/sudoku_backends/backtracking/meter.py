"""Counts the nodes of a search and looks at the clock now and then."""

from __future__ import annotations

from sudoku_models.engine.record import Clock

_WORK = 1 << 15


class OutOfTime(Exception):
    """The time limit is reached."""


class Meter:
    """Nodes visited so far; ``tick`` raises OutOfTime once the clock has expired.

    A node costs about as much as the model has variables, so large models look at the clock at every node and a
    9x9 board at every few hundred.
    """

    __slots__ = ("_clock", "_every", "nodes")

    def __init__(self, clock: Clock, variables: int) -> None:
        self.nodes = 0
        self._clock = clock
        self._every = max(1, _WORK // max(1, variables))

    def check(self) -> None:
        """Raise OutOfTime when the clock has expired."""
        if self._clock.expired:
            raise OutOfTime

    def tick(self) -> None:
        """Count one node."""
        self.nodes += 1
        if self.nodes % self._every == 0:
            self.check()
