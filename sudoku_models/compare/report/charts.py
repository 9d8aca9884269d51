"""The plots of a comparison as altair charts, for notebooks.

Every chart is drawn from its own small tidy table, so you can change, layer or save it with altair.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isinf, isnan
from typing import TYPE_CHECKING, Any

from ..extras import needed
from ..statistics import Study
from ..statistics.study import Matrix

if TYPE_CHECKING:
    import altair

Line = dict[str, Any]
WIDTH, HEIGHT = 420, 300
_SCALING = {"side": "side of the board", "density": "share of cells given", "clues": "givens"}


def cactus(study: Study, *, log: bool = True) -> altair.LayerChart:
    """Return each backend's times in order: the number of instances answered, and the time of the last of them."""
    alt = needed("altair", "plot")
    x = alt.X("answered:Q", title="puzzles answered")
    chart = _base(alt, _profile(study)).mark_line(interpolate="linear", point=True)
    return _layered(alt, chart.encode(x=x, y=_time(alt.Y, "seconds", log)), *_limit(alt, study, "y"))


def ecdf(study: Study, *, log: bool = True) -> altair.LayerChart:
    """Return the share of instances answered within a time."""
    alt = needed("altair", "plot")
    y = alt.Y("share:Q", title="share answered", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format="%"))
    chart = _base(alt, _profile(study)).mark_line(interpolate="step-after")
    return _layered(alt, chart.encode(x=_time(alt.X, "seconds", log), y=y), *_limit(alt, study, "x"))


def scatter(study: Study, first: str, second: str, *, log: bool = True) -> altair.LayerChart:
    """Return the times of two ranked backends against each other; a missing answer is drawn at the limit.

    ValueError for a name that is not ranked.
    """
    alt = needed("altair", "plot")
    for name in (first, second):
        if name not in study.matrix.backends:
            raise ValueError(f"{name} is not a ranked backend: {', '.join(study.matrix.backends)} are")
    lines = _points(study, first, second)
    ends = [min(min(p["x"], p["y"]) for p in lines), max(max(p["x"], p["y"]) for p in lines)] if lines else [0.001, 1]
    diagonal = alt.Chart(alt.Data(values=[{"x": end, "y": end} for end in ends])).mark_line(opacity=0.4, color="gray")
    marks = alt.Chart(alt.Data(values=lines), width=360, height=360).mark_point(filled=True, opacity=0.6)
    shown = marks.encode(
        x=_time(alt.X, "x", log, first),
        y=_time(alt.Y, "y", log, second),
        color=alt.Color("answered:N", title="answered by"),
        tooltip=["puzzle:Q", "name:N", "clues:Q", "x:Q", "y:Q"],
    )
    edges = [*_limit(alt, study, "x"), *_limit(alt, study, "y")]
    return _layered(alt, diagonal.encode(x="x:Q", y="y:Q"), shown, *edges)


def scaling(study: Study, against: str = "side") -> altair.LayerChart:
    """Return times against "side", "density" (share of given cells) or "clues", with the median; ValueError
    otherwise. Each backend is shown on all puzzles that it takes.
    """
    if against not in _SCALING:
        raise ValueError(f"against {against!r}: one of {', '.join(_SCALING)} is expected")
    alt = needed("altair", "plot")
    x = alt.X(f"{against}:Q", title=_SCALING[against], scale=alt.Scale(zero=False))
    everything = Matrix.of(study.rows, study.matrix.backends, over_all=study.over_all)
    base = _base(alt, [line for line in _medians(study, everything) if line[against] is not None])
    marks = base.mark_point(filled=True, opacity=0.35, size=18).encode(x=x, y=_time(alt.Y, "seconds", True))
    binned = x if against != "density" else alt.X("density:Q", bin=alt.Bin(maxbins=12), title=_SCALING[against])
    middle = base.mark_line().encode(x=binned, y=alt.Y("median(seconds):Q", scale=alt.Scale(type="log")))
    return _layered(alt, marks, middle, *_limit(alt, study, "y"))


def phases(study: Study, *, share: bool = False) -> altair.Chart:
    """Return the mean times by phase, stacked; as shares of the whole if ``share``."""
    alt = needed("altair", "plot")
    order: list[str] = list(dict.fromkeys(name for s in study.standings for name in s.phases))
    lines = [
        {"backend": s.backend, "phase": name, "seconds": seconds, "order": order.index(name)}
        for s in study.standings
        for name, seconds in s.phases.items()
    ]
    title = "share of the time" if share else "mean time of a run (s)"
    bars = alt.Chart(alt.Data(values=lines), width=WIDTH).mark_bar()
    chart: altair.Chart = bars.encode(
        x=alt.X("seconds:Q", stack="normalize" if share else "zero", title=title),
        y=alt.Y("backend:N", sort=[s.backend for s in study.standings], title=None),
        color=alt.Color("phase:N", sort=order),
        order="order:Q",
        tooltip=["backend:N", "phase:N", "seconds:Q"],
    )
    return chart


def _base(alt: Any, lines: Sequence[Line]) -> Any:
    order = list(dict.fromkeys(line["backend"] for line in lines))
    chart = alt.Chart(alt.Data(values=list(lines)), width=WIDTH, height=HEIGHT)
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
            if seconds is None or isnan(seconds):
                continue
            density = row.clues / row.cells if row.cells else None
            fields = {"puzzle": row.puzzle, "name": row.title or row.source, "side": row.side, "clues": row.clues}
            lines.append(
                {"backend": backend, "seconds": seconds, "solved": seconds == median, "density": density} | fields
            )
    return lines


def _profile(study: Study) -> list[Line]:
    """Return each backend's answered medians in order, with the number and the share answered by then."""
    found: list[Line] = []
    lines = [line for line in _medians(study, study.matrix) if line["solved"]]
    for backend in study.matrix.backends:
        own = sorted((line for line in lines if line["backend"] == backend), key=lambda line: line["seconds"])
        found += [line | {"answered": k, "share": k / study.instances} for k, line in enumerate(own, 1)]
    return found


def _points(study: Study, first: str, second: str) -> list[Line]:
    lines = {(line["backend"], line["puzzle"]): line for line in _medians(study, study.matrix)}
    who = {(True, True): "both", (True, False): first, (False, True): second, (False, False): "neither"}
    return [
        line | {"x": line["seconds"], "y": other["seconds"], "answered": who[line["solved"], other["solved"]]}
        for (backend, puzzle), line in lines.items()
        if backend == first and (other := lines.get((second, puzzle)))
    ]
