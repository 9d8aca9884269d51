"""A comparison and its rows, as the Python interface returns it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..display.table import Table, rendered
from ..engine.registry import BackendLike
from ..solving import Problem
from .plan import TIME_LIMIT, Instance, Plan, instances
from .rows import Row
from .runs import run
from .summary import Summary, summary_of
from .table import parts


@dataclass(frozen=True)
class Comparison:
    """All rows of a comparison; printing it shows the tables."""

    plan: Plan
    rows: tuple[Row, ...]

    def summary(self) -> Summary:
        """Return the figures of each backend."""
        return summary_of(self.rows)

    @property
    def agree(self) -> bool:
        """Tell whether no answer is wrong."""
        return self.summary().agree

    def save(self, path: str | Path) -> None:
        """Write the rows as JSON lines."""
        with Path(path).open("w", encoding="utf-8") as file:
            file.writelines(row.json() + "\n" for row in self.rows)

    def _parts(self) -> list[Any]:
        return parts(self.summary(), self.plan.unique, self.plan.time_limit)

    def __str__(self) -> str:
        return rendered(self._parts())

    def __rich__(self) -> Any:
        from rich.console import Group

        return Group(*(part.rich() if isinstance(part, Table) else part for part in self._parts()))


def compare(
    problems: Iterable[Problem | Instance],
    backends: Iterable[BackendLike] | None = None,
    *,
    unique: bool = True,
    time_limit: float | None = TIME_LIMIT,
    memory_limit: int | None = None,
    seed: int = 0,
    on_row: Callable[[Row], object] | None = None,
) -> Comparison:
    """Solve every puzzle on every backend (by default all that are installed) and compare answers and times.

    ``unique`` has uniqueness proved by every backend that can; ``time_limit`` (seconds) and ``memory_limit`` (bytes)
    hold for each run; ``seed`` shuffles the backends for each puzzle and is passed to engines that take one. ``on_row``
    is called with each row once its puzzle is done. Raises what ``Plan.of`` raises, and FormatError for a problem that
    cannot be read.
    """
    plan = Plan.of(backends, unique=unique, time_limit=time_limit, memory_limit=memory_limit, seed=seed)
    rows: list[Row] = []
    for group in run(plan, instances(problems)):
        for row in group:
            rows.append(row)
            if on_row:
                on_row(row)
    return Comparison(plan, tuple(rows))
