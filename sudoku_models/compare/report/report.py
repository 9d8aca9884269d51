"""A report: rows, their origin, and every form in which they can be shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...errors import meant
from ...formats.target import replaced
from ...puzzle import Puzzle
from ..run_rows import Row

if TYPE_CHECKING:
    import altair
    import pandas

    from ..statistics import Changes, Study


@dataclass(frozen=True)
class Report:
    """The results of a comparison.

    ``provenance`` describes the run (machine, versions, command, ...): any names with values fit for JSON. ``boards``
    are the puzzles by the SHA-256 of their rows, for the drawings on the page. With ``group_by`` ("file", "side",
    "clues", "rules" or "rating") the page, Markdown and LaTeX also show each group of puzzles. Raises ValueError if
    there are no rows.
    """

    rows: tuple[Row, ...]
    provenance: Mapping[str, Any] = field(default_factory=dict)
    boards: Mapping[str, Puzzle] = field(default_factory=dict)
    group_by: str = ""

    @classmethod
    def of(
        cls,
        rows: Iterable[Row],
        provenance: Mapping[str, Any] | None = None,
        boards: Mapping[str, Puzzle] | None = None,
    ) -> Report:
        """Make a report of rows in any order."""
        return cls(tuple(rows), dict(provenance or {}), dict(boards or {}))

    @classmethod
    def read(cls, path: str | Path) -> Report:
        """Read the run of a journal or of a file of JSON lines; raises the errors of ``read_run``."""
        from .earlier_run import read_run

        return read_run(path)

    @cached_property
    def study(self) -> Study:
        """All figures."""
        from ..statistics import study_of

        return study_of(self.rows)

    def by(self, group_by: str) -> Report:
        """Return the report with its puzzles in groups: by "file", "side", "clues", "rules" or "rating".

        ValueError for anything else.
        """
        from .grouping import named_grouping

        return replace(self, group_by=named_grouping(group_by))

    def groups(self, group_by: str = "") -> dict[str, Report]:
        """Return a report of each group of puzzles by name, in order; ValueError if no grouping is set.

        For the grouping by rating each puzzle is rated here, in at most ``grouping.PATIENCE`` seconds.
        """
        return dict(self._groups if group_by in ("", self.group_by) else self.by(group_by)._groups)

    @cached_property
    def _groups(self) -> dict[str, Report]:
        from .grouping import groups_of

        found = groups_of(self, self.group_by)
        return {name: replace(self, rows=rows, group_by="") for name, rows in found.items()}

    @property
    def verdict(self) -> str:
        """The outcome in a sentence or two."""
        from .verdict import verdict

        return verdict(self.study)

    def against(self, earlier: Report | str | Path) -> Changes:
        """Return what became faster or slower since an earlier run: a report, or anything that ``read`` accepts."""
        from ..statistics import changes

        old = earlier if isinstance(earlier, Report) else Report.read(earlier)
        return changes(self.rows, old.rows)

    def frame(self) -> pandas.DataFrame:
        """Return a tidy table with one row for each run (needs pandas)."""
        from .flat import frame

        return frame(self.rows)

    def __repr__(self) -> str:
        backends = len({row.backend for row in self.rows})
        return f"<Report of {len(self.rows):,} runs of {backends} backend{'' if backends == 1 else 's'}>"

    def _repr_html_(self) -> str:
        from ..conditions import conditions
        from .report_sheets import sheets

        standings = sheets(self.study)[0].table().html()
        return "".join(f"<p>{escape(line)}</p>" for line in (*conditions(self.rows), self.verdict)) + standings

    def html(self, earlier: Report | None = None) -> str:
        """Return the page: one self-contained HTML document. With an earlier run it shows the changes."""
        from .report_page import page

        return page(self, earlier)

    def markdown(self) -> str:
        """Return the verdict and all tables in Markdown."""
        from .exports.report_tables import markdown

        return markdown(self)

    def latex(self) -> str:
        """Return all tables in LaTeX (packages booktabs and graphicx)."""
        from .exports.report_tables import latex

        return latex(self)

    def cactus(self, *, log: bool = True) -> altair.LayerChart:
        """Return the cactus plot: how many instances each backend answers within which time (needs altair)."""
        from .charts import cactus

        return cactus(self.study, log=log)

    def ecdf(self, *, log: bool = True) -> altair.LayerChart:
        """Return the share of instances answered within a time (needs altair)."""
        from .charts import ecdf

        return ecdf(self.study, log=log)

    def scatter(self, first: str, second: str, *, log: bool = True) -> altair.LayerChart:
        """Return the times of two backends against each other, instance by instance (needs altair)."""
        from .charts import scatter

        return scatter(self.study, first, second, log=log)

    def scaling(self, against: str = "side") -> altair.LayerChart:
        """Return times against "side", "density" (share of given cells) or "clues" (needs altair)."""
        from .charts import scaling

        return scaling(self.study, against)

    def phases(self, *, share: bool = False) -> altair.Chart:
        """Return the mean times by phase, stacked (needs altair)."""
        from .charts import phases

        return phases(self.study, share=share)

    def save(self, path: str | Path, earlier: Report | None = None) -> list[Path]:
        """Write a file in the form given by its suffix, one of ``SUFFIXES``; return the files that were written.

        Each file appears, or replaces an older one, only when it is complete. A page (.html) also shows the changes
        since an ``earlier`` run. Raises the errors of ``check_target``, and OSError if a file cannot be written.
        """
        path = Path(path)
        check_target(path)
        suffix = path.suffix.lower()
        if suffix == ".html":
            return _saved(path, self.html(earlier))
        return SUFFIXES[suffix](self, path)


def check_target(path: Path) -> None:
    """Check, before the work, that a report can be written there.

    Raises ValueError for an unknown suffix, FileNotFoundError if the folder is missing, ImportError with the command
    that installs it if a package is missing.
    """
    if path.suffix.lower() not in SUFFIXES:
        near = meant(path.suffix, SUFFIXES)
        raise ValueError(f"{path}: a report ends in one of {', '.join(SUFFIXES)}{near}")
    if not path.parent.is_dir():
        raise FileNotFoundError(f"{path}: there is no folder {path.parent}")
    if path.suffix.lower() == ".parquet":
        from .extras import needed

        needed("pyarrow", "data")


def _text(make: Callable[[Report], str]) -> Callable[[Report, Path], list[Path]]:
    return lambda report, path: _saved(path, make(report))


def _saved(path: Path, text: str) -> list[Path]:
    with replaced(path) as file:
        file.write(text.encode("utf-8", "surrogateescape"))
    return [path]


def _jsonl(report: Report) -> str:
    return "".join(f"{row.json()}\n" for row in report.rows)


def _csv(report: Report) -> str:
    from .exports.csv import csv_text

    return csv_text(report.rows)


def _parquet(report: Report, path: Path) -> list[Path]:
    from .exports.parquet import write_parquet

    with replaced(path) as file:
        write_parquet(report, file)
    return [path]


def _benchexec(report: Report, path: Path) -> list[Path]:
    from .exports.benchexec import documents

    return [name for target, text in documents(report, path) for name in _saved(target, text)]


SUFFIXES: dict[str, Callable[[Report, Path], list[Path]]] = {
    ".html": _text(Report.html),
    ".md": _text(Report.markdown),
    ".tex": _text(Report.latex),
    ".jsonl": _text(_jsonl),
    ".csv": _text(_csv),
    ".parquet": _parquet,
    ".xml": _benchexec,
}
"""How a report is written, by the suffix of the file; ``.xml`` is BenchExec's result, one file for each backend."""
