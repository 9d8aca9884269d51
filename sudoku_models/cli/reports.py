"""What a comparison writes besides its tables: rows, reports, and changes since an earlier run."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from errno import EISDIR
from os import strerror
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..compare import Journal, JournalError, Plan
from ..formats.target import replaced
from .codes import UsageError
from .comparing import ReportOptions
from .terminal import say

if TYPE_CHECKING:
    from ..compare.report import Report


class ReportFiles:
    """The files to write, checked to be writable, and the earlier run, both prepared before the first run begins."""

    def __init__(self, out: str | None, reports: Sequence[Path], earlier: Report | None, group_by: str | None) -> None:
        self._out, self._reports, self._earlier, self._group_by = out, reports, earlier, group_by

    @classmethod
    def of(cls, asked: ReportOptions, plan: Plan) -> ReportFiles:
        """Check the requested files; raise UsageError for what cannot be read or written."""
        if asked.group_by is not None:
            _check_grouping(asked.group_by)
        reports = [_report_path(name) for name in asked.report or ()]
        for path in [*reports, *([Path(asked.out)] if asked.out else [])]:
            _check_writable(path)
        return cls(asked.out, reports, _read(asked.against, plan) if asked.against else None, asked.group_by)

    def finish(self, journal: Journal) -> list[Any]:
        """Write rows and reports, each file completely or not at all; return what to show about the earlier run."""
        if self._out:
            _write_rows(self._out, journal)
        if not self._reports and not self._earlier and not self._group_by:
            return []
        from ..compare.report.earlier_run import of_journal

        report = of_journal(journal)
        shown = _changed(report, self._earlier) if self._earlier else []
        if self._group_by:
            report = report.by(self._group_by)
            shown += _grouped(report)
        for path in self._reports:
            _write(report, path, self._earlier)
        return shown


def _write_rows(out: str, journal: Journal) -> None:
    try:
        with replaced(out) as file:
            file.writelines(row.json().encode() + b"\n" for row in journal.rows())
    except OSError as error:
        raise UsageError(_unwritten(out, error)) from error


def _unwritten(path: str | Path, error: Exception) -> str:
    reason = error.strerror or str(error) if isinstance(error, OSError) else str(error)
    kept = ", its earlier content is unchanged" if Path(path).is_file() else ""
    return f"{path}: cannot be written: {reason}{kept}"


def _changed(report: Report, earlier: Report) -> list[Any]:
    from ..compare.report.change_table import change_sheet

    return ["", change_sheet(report.against(earlier)).table()]


def _grouped(report: Report) -> list[Any]:
    from ..compare.report.group_pages import group_sheet

    found = report.groups().items()
    return [part for i, (name, own) in enumerate(found, 1) for part in ("", group_sheet(name, own, i).table())]


def _check_grouping(group_by: str) -> None:
    from ..compare.report.grouping import named_grouping

    try:
        named_grouping(group_by)
    except ValueError as error:
        raise UsageError(f"--group-by: {error}") from error


def _write(report: Report, path: Path, earlier: Report | None) -> None:
    try:
        written = report.save(path, earlier)
    except (OSError, ImportError) as error:
        raise UsageError(_unwritten(path, error)) from error
    for name in written:
        say(f"report: {name}")


def _report_path(name: str) -> Path:
    """Check a report's name: its suffix, that its folder exists, and that the packages it needs are installed."""
    from ..compare.report import check_target

    try:
        check_target(Path(name))
    except (ValueError, OSError, ImportError) as error:
        raise UsageError(str(error)) from error
    return Path(name)


def _read(name: str, plan: Plan) -> Report:
    """Read an earlier run. It must have the same goal as the plan, otherwise their times cannot be compared."""
    from ..compare.report import read_run

    try:
        earlier = read_run(name)
    except OSError as error:
        wanted = "the folder, the journal or the JSON lines (--out) of an earlier comparison is expected"
        raise UsageError(f"--against {name}: cannot be read: {error.strerror or error}; {wanted}") from error
    except (JournalError, ValueError) as error:
        raise UsageError(f"--against: {error}") from error
    limits = {row.time_limit for row in earlier.rows}
    if limits != {plan.time_limit}:
        listed = ", ".join(sorted("none" if limit is None else f"{limit:g} s" for limit in limits))
        raise UsageError(f"--against: {name} had a time limit of {listed}, not {plan.time_limit:g} s: choose the same")
    for selection in plan.backends:
        goal = str(plan.goal.of(selection))
        others = {row.asked for row in earlier.rows if row.backend == str(selection)} - {goal}
        if others:
            listed = " and ".join(sorted(others))
            raise UsageError(f"--against: {name} asked for {listed}, not {goal}, of {selection}: choose the same goal")
    if {row.cold for row in earlier.rows} != {plan.cold}:
        loaded = "beforehand" if plan.cold else "in each run (cold)"
        say(f"note: in {name} engines were loaded {loaded}, unlike in this comparison")
    return earlier


def _check_writable(path: Path) -> None:
    """Raise UsageError if a file cannot be created beside the file to write; the trial file is removed."""
    try:
        if path.is_dir():
            raise IsADirectoryError(EISDIR, strerror(EISDIR))
        if path.exists() and not path.is_file():
            path.open("ab").close()
        else:
            tempfile.TemporaryFile(dir=path.resolve().parent).close()
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror or error}") from error
