"""The plots of a comparison as altair charts, for notebooks.

Every chart is drawn from its own small tidy table, so you can change, layer or save it with altair.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from math import isinf, isnan
from typing import TYPE_CHECKING, Any

from ..extras import needed

if TYPE_CHECKING:
    import altair

    from ..statistics import Matrix, Study

Line = dict[str, Any]
WIDTH, HEIGHT = 420, 300
_SCALING = {"side": "side of the board", "density": "share of cells given", "clues": "givens"}


class Charts:
    """The charts of a report (they need altair)."""

    @property
    def study(self) -> Study:
        """All figures."""
        raise NotImplementedError

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
