"""The progress of a comparison on standard error: a live view on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterable
from contextlib import ExitStack
from typing import Any

from ..compare import Job, Plan, Row
from ..compare.summary import NOT_TAKEN
from ..display import seconds
from ..display.text_tables import harmless
from ..verbs.agreement import Verdict
from .terminal import LIVE, say

REFRESH = 0.25
"""Seconds between two updates on a terminal."""

PLAIN = 15.0
"""Seconds between two lines elsewhere."""

_COLUMNS = ("solved", NOT_TAKEN, "timed out", "failed", "wrong")


class Live:
    """The live view, a context manager. ``started``, ``add`` and ``tick`` keep it up to date.

    For each backend there are the numbers of its runs, by their outcome, and the seconds that they took.
    """

    def __init__(self, plan: Plan, total: int, earlier: Iterable[Row] = ()) -> None:
        self.total, self.parallel, self.each = total, plan.parallel, total // len(plan.names)
        self.counts: dict[str, Counter[str]] = {name: Counter() for name in plan.names}
        self.wall = dict.fromkeys(plan.names, 0.0)
        self.since = self.pictured = time.monotonic()
        self.job: tuple[Job, float] | None = None
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

    def started(self, job: Job) -> None:
        """Note that a run has started."""
        self.job = (job, time.monotonic())

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
        if now - self.pictured < (REFRESH if self._view else PLAIN):
            return
        self.pictured = now
        if self._view:
            self._view.update(self.picture(), refresh=True)
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
        parts = [
            f"{name}: {count['solved']} solved, {count['timed out']} timed out"
            + (f", {count[NOT_TAKEN]} {NOT_TAKEN}" if count[NOT_TAKEN] else "")
            + (f", {count['failed']} failed" if count["failed"] else "")
            + (f", {count['wrong']} WRONG" if count["wrong"] else "")
            for name, count in self.counts.items()
        ]
        return f"{self._head()}; {'; '.join(parts)}{self._slowest('; slowest: ')}"

    def _head(self) -> str:
        left, done = self.left(), sum(count["runs"] for count in self.counts.values())
        return f"{done} of {self.total} runs{f', {_duration(left)} left' if left is not None else ''}"

    def _slowest(self, before: str) -> str:
        row = self.slowest
        return f"{before}{row.backend} on {row.name}, {seconds(row.wall)}" if row else ""

    def picture(self) -> Any:
        """Return the state as a rich renderable."""
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        table = Table(box=None, pad_edge=False)
        for name in ("backend", *_COLUMNS, "mean"):
            table.add_column(name, justify="left" if name == "backend" else "right")
        for name, count in self.counts.items():
            mean = seconds(self.wall[name] / count["runs"]) if count["runs"] else ""
            numbers = (str(count[column]) for column in _COLUMNS)
            table.add_row(Text(name), *numbers, mean, style="red" if count["wrong"] else "")
        lines = [self._slowest("slowest: ")] if self.slowest else []
        if self.job and self.parallel == 1:
            job, since = self.job
            lines.insert(0, f"now: {job.spec} on {job.instance.name}, {time.monotonic() - since:.1f} s")
        done = sum(count["runs"] for count in self.counts.values())
        top = Table.grid(padding=(0, 1))
        top.add_row(ProgressBar(total=self.total, completed=done, width=30), Text(self._head()))
        return Group(top, table, *(Text(harmless(line), overflow="ellipsis") for line in lines))


def _duration(left: float) -> str:
    """Return a duration in seconds, minutes or hours, whichever reads best."""
    if left < 90:
        return f"{left:.0f} s"
    return f"{left / 60:.0f} min" if left < 5400 else f"{left / 3600:.1f} h"
