"""The progress of a comparison on standard error: a line that is kept up to date on a terminal, one after another
elsewhere.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterable
from contextlib import ExitStack
from typing import Any

from ..compare import Plan, Row
from ..compare.summary import NOT_TAKEN
from ..display import seconds
from ..display.text_tables import harmless
from ..verbs.agreement import Verdict
from .terminal import LIVE, say

REFRESH = 0.25
"""Seconds between two updates on a terminal."""

PLAIN = 15.0
"""Seconds between two lines elsewhere."""


class Live:
    """The progress, a context manager. ``add``, ``wrong`` and ``tick`` keep it up to date.

    For each backend there are the numbers of its runs, by their outcome, and the seconds that they took.
    """

    def __init__(self, plan: Plan, total: int, earlier: Iterable[Row] = ()) -> None:
        self.total, self.each = total, total // len(plan.names)
        self.counts: dict[str, Counter[str]] = {name: Counter() for name in plan.names}
        self.wall = dict.fromkeys(plan.names, 0.0)
        self.since = self.shown = time.monotonic()
        self.slowest: Row | None = None
        for row in earlier:
            self.add(row)
            if row.verdict is Verdict.WRONG:
                self.wrong(row)
        self.before = sum(self.wall.values())
        self._view: Any = None
        self._stack = ExitStack()

    def __enter__(self) -> Live:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.live import Live as View

            options: dict[str, Any] = {"auto_refresh": False, "transient": True}
            console = Console(stderr=True)
            view = View(console=console, redirect_stdout=False, redirect_stderr=False, **options)
            self._view = self._stack.enter_context(view)
            LIVE.append(self._view)
            self._stack.callback(LIVE.remove, self._view)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def add(self, row: Row) -> None:
        """Add the row of a finished run."""
        usual = {Verdict.TIMEOUT: "timed out", Verdict.UNSUPPORTED: NOT_TAKEN}
        self.counts[row.backend].update(["solved" if row.verdict.settled else usual.get(row.verdict, "failed"), "runs"])
        self.wall[row.backend] += row.wall
        if self.slowest is None or row.wall > self.slowest.wall:
            self.slowest = row

    def wrong(self, row: Row) -> None:
        """Note that a row turned out to be wrong."""
        self.counts[row.backend]["wrong"] += 1

    def tick(self) -> None:
        """Show the state if it is time for an update."""
        now = time.monotonic()
        if now - self.shown < (REFRESH if self._view else PLAIN):
            return
        self.shown = now
        if self._view:
            from rich.text import Text

            self._view.update(Text(harmless(self.line())), refresh=True)
        else:
            say(self.line())

    def left(self) -> float | None:
        """Estimate the remaining seconds from the mean of each backend and the overhead; None if unknown."""
        measured = sum(self.wall.values())
        if measured <= self.before:
            return None
        mean = measured / sum(count["runs"] for count in self.counts.values())
        ahead = sum(
            (self.each - count["runs"]) * (self.wall[name] / count["runs"] if count["runs"] else mean)
            for name, count in self.counts.items()
        )
        return ahead * (time.monotonic() - self.since) / (measured - self.before)

    def line(self) -> str:
        """Return the state as one line."""
        left, done, row = self.left(), sum(count["runs"] for count in self.counts.values()), self.slowest
        parts = [
            f"{name}: {count['solved']} solved, {count['timed out']} timed out"
            + (f", {count[NOT_TAKEN]} {NOT_TAKEN}" if count[NOT_TAKEN] else "")
            + (f", {count['failed']} failed" if count["failed"] else "")
            + (f", {count['wrong']} WRONG" if count["wrong"] else "")
            for name, count in self.counts.items()
        ]
        slowest = f"; slowest: {row.backend} on {row.name}, {seconds(row.wall)}" if row else ""
        remaining = f", {_duration(left)} left" if left is not None else ""
        return f"{done} of {self.total} runs{remaining}; {'; '.join(parts)}{slowest}"


def _duration(left: float) -> str:
    """Return a duration in seconds, minutes or hours, whichever reads best."""
    if left < 90:
        return f"{left:.0f} s"
    return f"{left / 60:.0f} min" if left < 5400 else f"{left / 3600:.1f} h"
