"""A report: rows, their origin, and every form in which they can be shown."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import escape
from io import StringIO
from math import isinf, isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...errors import FormatError, meant
from ...formats.target import CsvStream, replaced
from ...puzzle import Puzzle
from ...puzzle.rules import each
from ...puzzle.rules.words import title_of
from ..journal import NAME, Journal, is_journal
from ..judge import judged_all
from ..machine import conditions
from ..rows import SCHEMA, Row, check, frame, needed

if TYPE_CHECKING:
    import altair
    import pandas

    from ...display import TextTable
    from ..statistics import Changes, Matrix, Study


@dataclass(frozen=True)
class Report:
    """The results of a comparison.

    ``provenance`` describes the run (machine, versions, command, ...): any names with values fit for JSON. ``boards``
    are the puzzles by the SHA-256 of their rows, for the drawings on the page. With ``group_by`` ("file", "side",
    "clues", "rules" or "rating") the page, Markdown and LaTeX also show each group of puzzles. Ranks are over the
    puzzles that every backend takes, or ``over_all``. Raises ValueError if there are no rows. Figures need pandas and
    scipy: ImportError names the command that installs them.
    """

    rows: tuple[Row, ...]
    provenance: Mapping[str, Any] = field(default_factory=dict)
    boards: Mapping[str, Puzzle] = field(default_factory=dict)
    group_by: str = ""
    over_all: bool = False

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
        return read_run(path)

    @cached_property
    def study(self) -> Study:
        """All figures."""
        from ..statistics import study_of

        return study_of(self.rows, over_all=self.over_all)

    def by(self, group_by: str) -> Report:
        """Return the report with its puzzles in groups: by "file", "side", "clues", "rules" or "rating".

        ValueError for anything else.
        """
        return replace(self, group_by=named_grouping(group_by))

    def groups(self, group_by: str = "") -> dict[str, Report]:
        """Return a report of each group of puzzles by name, in order; ValueError if no grouping is set.

        For the grouping by rating each puzzle is rated here, in at most ``PATIENCE`` seconds.
        """
        return dict(self._groups if group_by in ("", self.group_by) else self.by(group_by)._groups)

    @cached_property
    def _groups(self) -> dict[str, Report]:
        firsts = {row.sha256: row for row in reversed(self.rows)}
        group = _grouping(self, [*firsts.values()])
        found = {sha: group(row) for sha, row in firsts.items()}
        rows: dict[str, list[Row]] = {name: [] for _, name in sorted(set(found.values()))}
        for row in self.rows:
            rows[found[row.sha256][1]].append(row)
        return {name: replace(self, rows=tuple(own), group_by="") for name, own in rows.items()}

    @property
    def verdict(self) -> str:
        """The outcome in a sentence or two."""
        from .words import verdict

        return verdict(self.study)

    def against(self, earlier: Report | str | Path) -> Changes:
        """Return what became faster or slower since an earlier run: a report, or anything that ``read`` accepts."""
        from ..statistics import changes

        old = earlier if isinstance(earlier, Report) else Report.read(earlier)
        return changes(self.rows, old.rows)

    def frame(self) -> pandas.DataFrame:
        """Return a tidy table with one row for each run (needs pandas)."""
        return frame(self.rows)

    def __repr__(self) -> str:
        backends = len({row.backend for row in self.rows})
        return f"<Report of {len(self.rows):,} runs of {backends} backend{'' if backends == 1 else 's'}>"

    def _repr_html_(self) -> str:
        from .tables import standings

        said = "".join(f"<p>{escape(line)}</p>" for line in (*conditions(self.rows), self.verdict))
        return said + standings(self.study).html()

    def html(self, earlier: Report | None = None) -> str:
        """Return the page: one self-contained HTML document. With an earlier run it shows the changes."""
        from .page import page

        return page(self, earlier)

    def markdown(self) -> str:
        """Return the verdict, all tables including those of groups, and notes on how to read them, in Markdown."""
        from .tables import markdown_section
        from .words import notes

        tables = "\n".join(map(markdown_section, self._tables()))
        listed = "\n".join(f"- {note}" for note in notes(self.study))
        warned = "".join(f"> **{line}**\n\n" for line in conditions(self.rows))
        return f"# Comparison\n\n{self.verdict}\n\n{warned}{tables}\n## How to read the figures\n\n{listed}\n"

    def latex(self) -> str:
        """Return all tables in LaTeX (packages booktabs and graphicx), with the verdict as a comment above."""
        from .tables import latex, latex_table

        said = "".join(f"% {latex(line)}\n" for line in (self.verdict, *conditions(self.rows)))
        tables = "\n".join(map(latex_table, self._tables()))
        return f"{said}% \\usepackage{{booktabs,graphicx}}\n{tables}"

    def _tables(self) -> list[TextTable]:
        from .tables import group_tables, tables

        return [*tables(self.study), *group_tables(self, f"By {self.group_by}: ")]

    def save(self, path: str | Path, earlier: Report | None = None) -> list[Path]:
        """Write a file in the form given by its suffix, one of ``SUFFIXES``; return the files that were written.

        Each file appears, or replaces an older one, only when it is complete. A page (.html) also shows the changes
        since an ``earlier`` run. Raises the errors of ``check_target``, and OSError if a file cannot be written.
        """
        path = Path(path)
        check_target(path)
        suffix = path.suffix.lower()
        content = self.html(earlier) if suffix == ".html" else SUFFIXES[suffix](self)
        with replaced(path) as file:
            if isinstance(content, str):
                file.write(content.encode("utf-8", "surrogateescape"))
            else:
                needed("pyarrow.parquet", "data").write_table(content, file)
        return [path]

    # charts (they need altair), each drawn from its own small tidy table, so that you can change, layer or save it

    def cactus(self, *, log: bool = True) -> altair.LayerChart:
        """Return the cactus plot: how many instances each backend answers within which time."""
        alt, study = needed("altair", "plot"), self.study
        x = alt.X("answered:Q", title="puzzles answered")
        chart = _base(alt, _profile(study)).mark_line(interpolate="linear", point=True)
        return _layered(alt, chart.encode(x=x, y=_time(alt.Y, "seconds", log)), *_limit(alt, study, "y"))

    def ecdf(self, *, log: bool = True) -> altair.LayerChart:
        """Return the share of instances answered within a time."""
        alt, study = needed("altair", "plot"), self.study
        y = alt.Y("share:Q", title="share answered", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format="%"))
        chart = _base(alt, _profile(study)).mark_line(interpolate="step-after")
        return _layered(alt, chart.encode(x=_time(alt.X, "seconds", log), y=y), *_limit(alt, study, "x"))

    def scatter(self, first: str, second: str, *, log: bool = True) -> altair.LayerChart:
        """Return the times of two ranked backends against each other; a missing answer is drawn at the limit.

        ValueError for a name that is not ranked.
        """
        alt, study = needed("altair", "plot"), self.study
        for name in (first, second):
            if name not in study.matrix.backends:
                raise ValueError(f"{name} is not a ranked backend: {', '.join(study.matrix.backends)} are")
        lines = _points(study, first, second)
        both = [time for line in lines for time in (line["x"], line["y"])] or [0.001, 1]
        ends = [{"x": end, "y": end} for end in (min(both), max(both))]
        diagonal = alt.Chart(alt.Data(values=ends)).mark_line(opacity=0.4, color="gray").encode(x="x:Q", y="y:Q")
        marks = alt.Chart(alt.Data(values=lines), width=360, height=360).mark_point(filled=True, opacity=0.6)
        shown = marks.encode(
            x=_time(alt.X, "x", log, first),
            y=_time(alt.Y, "y", log, second),
            color=alt.Color("answered:N", title="answered by"),
            tooltip=["puzzle:Q", "name:N", "clues:Q", "x:Q", "y:Q"],
        )
        return _layered(alt, diagonal, shown, *_limit(alt, study, "x"), *_limit(alt, study, "y"))

    def scaling(self, against: str = "side") -> altair.LayerChart:
        """Return times against "side", "density" (share of given cells) or "clues", with the median; ValueError
        otherwise. Each backend is shown on all puzzles that it takes.
        """
        from ..statistics import Matrix

        if against not in _SCALING:
            raise ValueError(f"against {against!r}: one of {', '.join(_SCALING)} is expected")
        alt, study = needed("altair", "plot"), self.study
        x = alt.X(f"{against}:Q", title=_SCALING[against], scale=alt.Scale(zero=False))
        everything = Matrix.of(study.rows, study.matrix.backends, over_all=study.over_all)
        base = _base(alt, [line for line in _medians(study, everything) if line[against] is not None])
        marks = base.mark_point(filled=True, opacity=0.35, size=18).encode(x=x, y=_time(alt.Y, "seconds", True))
        binned = x if against != "density" else alt.X("density:Q", bin=alt.Bin(maxbins=12), title=_SCALING[against])
        middle = base.mark_line().encode(x=binned, y=alt.Y("median(seconds):Q", scale=alt.Scale(type="log")))
        return _layered(alt, marks, middle, *_limit(alt, study, "y"))

    def phases(self, *, share: bool = False) -> altair.Chart:
        """Return the mean times by phase, stacked; as shares of the whole if ``share``."""
        alt, standings = needed("altair", "plot"), self.study.standings
        order: list[str] = list(dict.fromkeys(name for s in standings for name in s.phases))
        lines = [
            {"backend": s.backend, "phase": name, "seconds": seconds, "order": order.index(name)}
            for s in standings
            for name, seconds in s.phases.items()
        ]
        title = "share of the time" if share else "mean time of a run (s)"
        bars = alt.Chart(alt.Data(values=lines), width=WIDTH).mark_bar()
        chart: altair.Chart = bars.encode(
            x=alt.X("seconds:Q", stack="normalize" if share else "zero", title=title),
            y=alt.Y("backend:N", sort=[s.backend for s in standings], title=None),
            color=alt.Color("phase:N", sort=order),
            order="order:Q",
            tooltip=["backend:N", "phase:N", "seconds:Q"],
        )
        return chart


Line = dict[str, Any]
WIDTH, HEIGHT = 420, 300
_SCALING = {"side": "side of the board", "density": "share of cells given", "clues": "givens"}

PATIENCE = 5.0
"""Seconds for the rating of a puzzle."""
MOST_RANGES = 6
"""If there are more different numbers of clues than this, they are grouped into this number of ranges."""

GROUPINGS = ("file", "side", "clues", "rules", "rating")
"""The ways in which puzzles can be grouped."""

RowGroup = tuple[tuple[int | str, ...], str]
"""A group of puzzles: its position among the others, and its name."""


def named_grouping(by: str) -> str:
    """Return the name of a grouping; ValueError for an unknown grouping."""
    if by not in GROUPINGS:
        raise ValueError(f"puzzles are grouped by {', '.join(GROUPINGS)}, not by {by!r}{meant(by, GROUPINGS)}")
    return by


def _grouping(report: Report, firsts: Sequence[Row]) -> Callable[[Row], RowGroup]:
    """Return the function from a row of a puzzle to its group; ``firsts`` are a row of each puzzle."""
    by = named_grouping(report.group_by)
    if by == "file":
        order = {source: i for i, source in enumerate(dict.fromkeys(row.source for row in report.rows))}
        return lambda row: ((order[row.source],), row.source or "no file")
    if by == "side":
        return lambda row: ((row.side,), f"{row.side} values")
    if by == "clues":
        return _by_clues(sorted(row.clues for row in firsts))
    group = _rules if by == "rules" else _rating
    return lambda row: group(report.boards.get(row.sha256))


def _by_clues(numbers: Sequence[int]) -> Callable[[Row], RowGroup]:
    """Group by number of clues if there are few numbers, otherwise by ranges with about equally many puzzles."""
    lows = sorted(set(numbers))
    highs = lows
    if len(lows) > MOST_RANGES:
        lows = sorted({numbers[len(numbers) * i // MOST_RANGES] for i in range(MOST_RANGES)})
        highs = [*(low - 1 for low in lows[1:]), numbers[-1]]

    def group(row: Row) -> RowGroup:
        i = bisect_right(lows, row.clues) - 1
        low, high = lows[i], highs[i]
        return (low,), f"{low} clue{'' if low == 1 else 's'}" if low == high else f"{low} to {high} clues"

    return group


def _rules(puzzle: Puzzle | None) -> RowGroup:
    if puzzle is None:
        return (2, ""), "rules unknown"
    names = ", ".join(sorted({title_of(rule) for rule in each(puzzle.rules)}))
    return ((1, names), names) if names else ((0, ""), "no rules")


def _rating(puzzle: Puzzle | None) -> RowGroup:
    from ...explain import rate

    if puzzle is None:
        return (2, 0, 0), "not rated: the puzzle was not kept"
    found = rate(puzzle, time_limit=PATIENCE)
    if found.end in ("contradiction", "several solutions"):
        return (2, 1, 0), "not rated: not one solution"
    return (0 if found.exact else 1, *found.level), str(found)


def check_target(path: Path) -> None:
    """Check, before the work, that a report can be written there.

    Raises ValueError for an unknown suffix, FileNotFoundError if the folder is missing, ImportError with the command
    that installs it if a package is missing.
    """
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise ValueError(f"{path}: a report ends in one of {', '.join(SUFFIXES)}{meant(path.suffix, SUFFIXES)}")
    if not path.parent.is_dir():
        raise FileNotFoundError(f"{path}: there is no folder {path.parent}")
    if suffix != ".jsonl":
        check("pandas", "data")
        check("pyarrow" if suffix == ".parquet" else "scipy", "data")


def _csv(report: Report) -> str:
    text = StringIO(newline="")
    report.frame().to_csv(CsvStream(text), index=False, lineterminator="\r\n")
    return text.getvalue()


def _parquet(report: Report) -> Any:
    """Return an Arrow table whose metadata has the schema's name and the provenance (JSON)."""
    table = needed("pyarrow", "data").Table.from_pandas(report.frame(), preserve_index=False)
    provenance = json.dumps(report.provenance, default=str)
    metadata = {"sudoku-models.schema": SCHEMA, "sudoku-models.provenance": provenance}
    return table.replace_schema_metadata({**table.schema.metadata, **metadata})


SUFFIXES: dict[str, Callable[[Report], Any]] = {
    ".html": Report.html,
    ".md": Report.markdown,
    ".tex": Report.latex,
    ".jsonl": lambda report: "".join(f"{row.json()}\n" for row in report.rows),
    ".csv": _csv,
    ".parquet": _parquet,
}
"""How a report is written, by the suffix of the file."""


def read_run(path: str | Path) -> Report:
    """Read a journal, the journal in a folder, or a file of JSON lines as written by ``compare --out``.

    Raises FormatError if a line is not a row and for a run without rows, JournalError for a folder without a journal,
    a journal that cannot be read, or one of an earlier version, OSError when it cannot be read.
    """
    path = Path(path)
    if path.is_dir() or is_journal(path):
        journal = Journal.open(path)
        boards = {one.sha: one.puzzle for one in journal.instances() if isinstance(one.puzzle, Puzzle)}
        return Report(_whole(tuple(journal.rows()), journal.path), journal.provenance(), boards)
    rows = _lines(path)
    order = {row.key: i for i, row in enumerate(rows)}  # judged as a journal does, in the order of the file
    judged = tuple(sorted(judged_all(rows, ()), key=lambda row: order[row.key]))
    return Report(_whole(judged, path), {"read from": path.name})


def _whole(rows: tuple[Row, ...], path: Path) -> tuple[Row, ...]:
    if not rows:
        raise FormatError("there are no runs", source=str(path.parent if path.name == NAME else path))
    return rows


def _lines(path: Path) -> list[Row]:
    found = []
    with path.open(encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(file, 1):
            try:
                found += [Row.parse(line)] if line.strip() else []
            except (ValueError, TypeError) as error:
                message = "a run of `compare --out` in JSON is expected"
                raise FormatError(message, source=str(path), line=number) from error
    return found


# what the charts are drawn from


def _base(alt: Any, lines: Iterable[Line]) -> Any:
    values = list(lines)
    order = list(dict.fromkeys(line["backend"] for line in values))
    chart = alt.Chart(alt.Data(values=values), width=WIDTH, height=HEIGHT)
    tooltip = ["backend:N", "puzzle:Q", "name:N", "seconds:Q"]
    return chart.encode(color=alt.Color("backend:N", sort=order), tooltip=tooltip)


def _layered(alt: Any, *charts: Any) -> altair.LayerChart:
    found: altair.LayerChart = alt.layer(*charts)
    return found


def _time(axis: Any, name: str, log: bool, title: str = "time of a run") -> Any:
    return axis(f"{name}:Q", scale={"type": "log"} if log else {"zero": True}, title=f"{title} (s)")


def _limit(alt: Any, study: Study, axis: str) -> Iterable[Any]:
    """Yield the line of the time limit, if it was reached."""
    if study.limit is not None and not study.matrix.answered.all():
        data = alt.Data(values=[{"limit": study.limit}])
        yield alt.Chart(data).mark_rule(strokeDash=[4, 3], color="firebrick").encode(**{axis: "limit:Q"})


def _medians(study: Study, matrix: Matrix) -> list[Line]:
    """Return one line for each backend and instance: the median run, at the limit if it has no answer."""
    firsts = {row.sha256: row for row in reversed(study.rows)}
    lines = []
    for backend, medians in zip(matrix.backends, matrix.median.tolist(), strict=True):
        for sha, median in zip(matrix.instances, medians, strict=True):
            row, seconds = firsts[sha], study.limit if isinf(median) else median
            if seconds is not None and not isnan(seconds):
                fields = {"puzzle": row.puzzle, "name": row.title or row.source, "side": row.side, "clues": row.clues}
                density = row.clues / row.cells if row.cells else None
                fields |= {"backend": backend, "seconds": seconds, "solved": seconds == median, "density": density}
                lines.append(fields)
    return lines


def _profile(study: Study) -> Iterator[Line]:
    """Return each backend's answered medians in order, with the number and the share answered by then."""
    answered = Counter[str]()
    lines = [line for line in _medians(study, study.matrix) if line["solved"]]
    for line in sorted(lines, key=lambda line: (study.matrix.backends.index(line["backend"]), line["seconds"])):
        answered[line["backend"]] += 1
        line |= {"answered": answered[line["backend"]], "share": answered[line["backend"]] / study.instances}
        yield line


def _points(study: Study, first: str, second: str) -> list[Line]:
    lines = _medians(study, study.matrix)
    others = {line["puzzle"]: line for line in lines if line["backend"] == second}
    who = {(True, True): "both", (True, False): first, (False, True): second, (False, False): "neither"}
    return [
        line | {"x": line["seconds"], "y": other["seconds"], "answered": who[line["solved"], other["solved"]]}
        for line in lines
        if line["backend"] == first and (other := others.get(line["puzzle"]))
    ]
