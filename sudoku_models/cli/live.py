"""The progress of a comparison on standard error: a live view on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from contextlib import ExitStack
from typing import Any

from ..compare import Job, Plan, Row
from ..compare.summary import NOT_TAKEN
from ..display import seconds
from ..display.text_tables import harmless
from ..verbs.agreement import Verdict
from .terminal import _live as shown
from .terminal import say

REFRESH = 0.25
"""Seconds between two updates on a terminal."""

PLAIN = 15.0
"""Seconds between two lines elsewhere."""


class LiveStanding:
    """The results of one backend so far."""

    def __init__(self, left: int) -> None:
        self.left = left
        self.solved = self.refused = self.timeouts = self.others = self.wrong = self.runs = 0
        self.wall = 0.0

    def add(self, row: Row) -> None:
        """Add a row."""
        verdict = row.verdict
        self.solved += verdict.settled
        self.timeouts += verdict is Verdict.TIMEOUT
        self.refused += verdict is Verdict.UNSUPPORTED
        self.others += not verdict.settled and verdict not in (Verdict.TIMEOUT, Verdict.UNSUPPORTED)
        self.runs += 1
        self.left -= 1
        self.wall += row.wall


class Live:
    """The live view, a context manager. ``started``, ``add`` and ``tick`` keep it up to date."""

    def __init__(self, plan: Plan, total: int, earlier: Iterable[Row] = ()) -> None:
        self.total, self.done, self.parallel = total, 0, plan.parallel
        self.standings = {name: LiveStanding(total // len(plan.names)) for name in plan.names}
        self.since = self.pictured = time.monotonic()
        self.job: tuple[Job, float] | None = None
        self.slowest: Row | None = None
        for row in earlier:
            self.add(row)
            self.standings[row.backend].wrong += row.verdict is Verdict.WRONG
        self.before = self._measured()
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
            shown.append(self._view)
            self._stack.callback(shown.remove, self._view)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def started(self, job: Job) -> None:
        """Note that a run has started."""
        self.job = (job, time.monotonic())

    def add(self, row: Row) -> None:
        """Add the row of a finished run."""
        self.done += 1
        self.standings[row.backend].add(row)
        if self.slowest is None or row.wall > self.slowest.wall:
            self.slowest = row

    def wrong(self, row: Row) -> None:
        """Note that a row turned out to be wrong."""
        self.standings[row.backend].wrong += 1

    def tick(self) -> None:
        """Show the state if it is time for an update."""
        now = time.monotonic()
        if now - self.pictured < (REFRESH if self._view else PLAIN):
            return
        self.pictured = now
        if self._view:
            self._view.update(self.picture(), refresh=True)
        else:
            say(self.line())

    def left(self) -> float | None:
        """Estimate the remaining seconds from the mean of each backend and the overhead; None if unknown."""
        measured = self._measured()
        if measured <= self.before:
            return None
        runs = sum(standing.runs for standing in self.standings.values())
        ahead = sum(s.left * (s.wall / s.runs if s.runs else measured / runs) for s in self.standings.values())
        return ahead * (time.monotonic() - self.since) / (measured - self.before)

    def _measured(self) -> float:
        return sum(standing.wall for standing in self.standings.values())

    def line(self) -> str:
        """Return the state as one line."""
        parts = [
            f"{name}: {standing.solved} solved, {standing.timeouts} timed out"
            + (f", {standing.refused} {NOT_TAKEN}" if standing.refused else "")
            + (f", {standing.others} failed" if standing.others else "")
            + (f", {standing.wrong} WRONG" if standing.wrong else "")
            for name, standing in self.standings.items()
        ]
        return f"{self._head()}; {'; '.join(parts)}{self._slowest('; slowest: ')}"

    def _head(self) -> str:
        left = self.left()
        return f"{self.done} of {self.total} runs{f', {_duration(left)} left' if left is not None else ''}"

    def _slowest(self, before: str) -> str:
        row = self.slowest
        return f"{before}{row.backend} on {row.name}, {seconds(row.wall)}" if row else ""

    def _running(self) -> str:
        if not self.job or self.parallel > 1:
            return ""
        job, since = self.job
        return f"now: {job.spec} on {job.instance.name}, {time.monotonic() - since:.1f} s"

    def picture(self) -> Any:
        """Return the state as a rich renderable."""
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        table = Table(box=None, pad_edge=False)
        for name in ("backend", "solved", NOT_TAKEN, "timed out", "failed", "wrong", "mean"):
            table.add_column(name, justify="left" if name == "backend" else "right")
        for name, s in self.standings.items():
            numbers = (s.solved, s.refused, s.timeouts, s.others, s.wrong)
            style = "red" if s.wrong else ""
            table.add_row(Text(name), *map(str, numbers), seconds(s.wall / s.runs) if s.runs else "", style=style)
        lines = [harmless(text) for text in (self._running(), self._slowest("slowest: ")) if text]
        top = Table.grid(padding=(0, 1))
        top.add_row(ProgressBar(total=self.total, completed=self.done, width=30), Text(self._head()))
        return Group(top, table, *(Text(line, overflow="ellipsis") for line in lines))


def _duration(left: float) -> str:
    """Return a duration in seconds, minutes or hours, whichever reads best."""
    if left < 90:
        return f"{left:.0f} s"
    return f"{left / 60:.0f} min" if left < 5400 else f"{left / 3600:.1f} h"
