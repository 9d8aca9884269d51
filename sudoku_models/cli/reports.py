"""What a comparison leaves behind besides its tables: rows, reports, what has changed since an earlier run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from ..compare import Journal, JournalError, Plan, Row
from .codes import UsageError
from .terminal import say

if TYPE_CHECKING:
    from ..compare.report import Report


@dataclass(frozen=True)
class Told:
    """What was asked for: a file of rows, files of reports, an earlier run to compare with."""

    out: str | None = None
    reports: Sequence[str] = ()
    against: str | None = None


class Output:
    """Files that are known to be writable, and an earlier run that has been read, before the first run begins."""

    def __init__(self, rows: TextIO | None, reports: Sequence[Path], earlier: Report | None) -> None:
        self._rows, self._reports, self._earlier = rows, reports, earlier
        self._begun = False

    @classmethod
    @contextmanager
    def of(cls, told: Told, plan: Plan) -> Iterator[Output]:
        """Open what is asked for; UsageError says what cannot be read or written."""
        reports = [_report_path(name) for name in told.reports]
        earlier = _read(told.against, plan) if told.against else None
        rows = _opened(told.out) if told.out else None
        try:
            yield cls(rows, reports, earlier)
        finally:
            if rows:
                rows.close()

    def add(self, row: Row) -> None:
        """Write a row."""
        if self._rows:
            if not self._begun:
                self._rows.truncate(0)  # not before there is something in place of what the file held
            self._begun = True
            self._rows.write(row.json() + "\n")

    def finish(self, journal: Journal) -> list[Any]:
        """Write the reports; return what is to be shown of the earlier run."""
        if not self._reports and not self._earlier:
            return []
        from ..compare.report.source import of_journal

        report = of_journal(journal)
        shown = _changed(report, self._earlier) if self._earlier else []
        for path in self._reports:
            _write(report, path, self._earlier)
        return shown


def _changed(report: Report, earlier: Report) -> list[Any]:
    from ..compare.report.change import change_sheet

    return ["", change_sheet(report.against(earlier)).table()]


def _write(report: Report, path: Path, earlier: Report | None) -> None:
    try:
        report.save(path, earlier)
    except (OSError, ImportError) as error:
        raise UsageError(f"{path}: cannot be written: {error}") from error
    say(f"report: {path}")


def _report_path(name: str) -> Path:
    """Check a report's name: its suffix, that its folder is there, that what it needs is installed."""
    from ..compare.report import check_target

    try:
        check_target(Path(name))
    except (ValueError, OSError, ImportError) as error:
        raise UsageError(str(error)) from error
    return Path(name)


def _read(name: str, plan: Plan) -> Report:
    """Read an earlier run; what it asked must be what the plan asks, else no time of the two compares."""
    from ..compare.report import read_run

    try:
        earlier = read_run(name)
    except (OSError, JournalError, ValueError) as error:
        raise UsageError(f"--against: {error}") from error
    limits = {row.time_limit for row in earlier.rows}
    if limits != {plan.time_limit}:
        told = ", ".join(sorted("none" if limit is None else f"{limit:g} s" for limit in limits))
        raise UsageError(f"--against: {name} had a time limit of {told}, not {plan.time_limit:g} s: choose the same")
    for selection in plan.backends:
        goal = str(plan.goal.of(selection))
        others = {row.asked for row in earlier.rows if row.backend == str(selection)} - {goal}
        if others:
            told = " and ".join(sorted(others))
            raise UsageError(f"--against: {name} asked for {told}, not {goal}, of {selection}: choose the same goal")
    if {row.cold for row in earlier.rows} != {plan.cold}:
        loaded = "beforehand" if plan.cold else "in each run (cold)"
        say(f"note: in {name} engines were loaded {loaded}, which this comparison does not do")
    return earlier


def _opened(out: str) -> TextIO:
    try:
        return Path(out).open("a", encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{out}: cannot be written: {error.strerror}") from error
