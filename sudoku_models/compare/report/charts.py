"""The plots of a comparison as altair charts, for notebooks.

Every chart is drawn from its own small tidy table, so you can change, layer or save it with altair.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ..run_rows import Row
from ..statistics import Study
from .extras import needed

if TYPE_CHECKING:
    import altair

Line = dict[str, Any]
WIDTH, HEIGHT = 420, 300
_SCALING = {"side": "side of the board", "density": "share of cells given", "clues": "givens"}


def cactus(study: Study, *, log: bool = True) -> altair.LayerChart:
    """Return each backend's times in order: the number of instances answered, and the time of the last of them."""
    alt = needed("altair", "plot")
    lines = _profile(study)
    x = alt.X("answered:Q", title="puzzles answered")
    chart = _base(lines).mark_line(interpolate="linear", point=True).encode(x=x, y=_time(alt, "seconds", log))
    return _layered(chart, *_limit(alt, study, "y"))


def ecdf(study: Study, *, log: bool = True) -> altair.LayerChart:
    """Return the share of instances answered within a time."""
    alt = needed("altair", "plot")
    y = alt.Y("share:Q", title="share answered", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format="%"))
    chart = _base(_profile(study)).mark_line(interpolate="step-after").encode(x=_time(alt, "seconds", log, alt.X), y=y)
    return _layered(chart, *_limit(alt, study, "x"))


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
    scales = {"x": _time(alt, "x", log, alt.X, first), "y": _time(alt, "y", log, alt.Y, second)}
    marks = alt.Chart(alt.Data(values=lines), width=360, height=360).mark_point(filled=True, opacity=0.6)
    shown = marks.encode(
        **scales,
        color=alt.Color("answered:N", title="answered by"),
        tooltip=["puzzle:Q", "name:N", "clues:Q", "x:Q", "y:Q"],
    )
    edges = [*_limit(alt, study, "x"), *_limit(alt, study, "y")]
    return _layered(diagonal.encode(x="x:Q", y="y:Q"), shown, *edges)


def scaling(study: Study, against: str = "side") -> altair.LayerChart:
    """Return times against "side", "density" (share of given cells) or "clues", with the median; ValueError
    otherwise.
    """
    if against not in _SCALING:
        raise ValueError(f"against {against!r}: one of {', '.join(_SCALING)} is expected")
    alt = needed("altair", "plot")
    x = alt.X(f"{against}:Q", title=_SCALING[against], scale=alt.Scale(zero=False))
    base = _base([line for line in _medians(study) if line[against] is not None])
    marks = base.mark_point(filled=True, opacity=0.35, size=18).encode(x=x, y=_time(alt, "seconds", True))
    binned = x if against != "density" else alt.X("density:Q", bin=alt.Bin(maxbins=12), title=_SCALING[against])
    middle = base.mark_line().encode(x=binned, y=alt.Y("median(seconds):Q", scale=alt.Scale(type="log")))
    return _layered(marks, middle, *_limit(alt, study, "y"))


def phases(study: Study, *, share: bool = False) -> altair.Chart:
    """Return the mean times by phase, stacked; as shares of the whole if ``share``."""
    alt = needed("altair", "plot")
    order: list[str] = list(dict.fromkeys(name for s in study.standings for name in s.phases))
    lines = [
        {"backend": s.backend, "phase": name, "seconds": seconds, "order": order.index(name)}
        for s in study.standings
        for name, seconds in s.phases.items()
    ]
    stack = "normalize" if share else "zero"
    chart: altair.Chart = (
        alt.Chart(alt.Data(values=lines), width=WIDTH)
        .mark_bar()
        .encode(
            x=alt.X("seconds:Q", stack=stack, title="share of the time" if share else "mean time of a run (s)"),
            y=alt.Y("backend:N", sort=[s.backend for s in study.standings], title=None),
            color=alt.Color("phase:N", sort=order),
            order="order:Q",
            tooltip=["backend:N", "phase:N", "seconds:Q"],
        )
    )
    return chart


def _base(lines: Sequence[Line]) -> Any:
    alt = needed("altair", "plot")
    order = list(dict.fromkeys(line["backend"] for line in lines))
    tooltip = ["backend:N", "puzzle:Q", "name:N", "seconds:Q"]
    data = alt.Data(values=list(lines))
    color = alt.Color("backend:N", sort=order)
    return alt.Chart(data, width=WIDTH, height=HEIGHT).encode(color=color, tooltip=tooltip)


def _layered(*charts: Any) -> altair.LayerChart:
    alt = needed("altair", "plot")
    found: altair.LayerChart = alt.layer(*charts)
    return found


def _time(alt: Any, name: str, log: bool, axis: Any = None, title: str = "time of a run (s)") -> Any:
    scale = alt.Scale(type="log") if log else alt.Scale(zero=True)
    heading = title if title.endswith("(s)") else f"{title} (s)"
    return (axis or alt.Y)(f"{name}:Q", scale=scale, title=heading)


def _limit(alt: Any, study: Study, axis: str) -> Iterable[Any]:
    """Yield the line of the time limit, if it was reached."""
    if study.limit is not None and not study.matrix.answered.all():
        data = alt.Data(values=[{"limit": study.limit}])
        yield alt.Chart(data).mark_rule(strokeDash=[4, 3], color="firebrick").encode(**{axis: "limit:Q"})


def _firsts(study: Study) -> dict[str, Row]:
    found: dict[str, Row] = {}
    for row in study.rows:
        found.setdefault(row.sha256, row)
    return found


def _medians(study: Study) -> list[Line]:
    """Return one line for each backend and instance: the median run, at the limit if it has no answer."""
    firsts = _firsts(study)
    censored, answered = study.matrix.censored.tolist(), study.matrix.answered.tolist()
    lines = []
    for b, backend in enumerate(study.matrix.backends):
        for i, sha in enumerate(study.matrix.instances):
            if censored[b][i] == censored[b][i]:
                lines.append(_line(firsts[sha], backend, censored[b][i], answered[b][i]))
    return lines


def _line(row: Row, backend: str, seconds: float, answered: bool) -> Line:
    density = row.clues / row.cells if row.cells else None
    fields = {"puzzle": row.puzzle, "name": row.title or row.source, "side": row.side, "clues": row.clues}
    return {"backend": backend, "seconds": seconds, "solved": answered, "density": density, **fields}


def _profile(study: Study) -> list[Line]:
    """Return each backend's answered medians in order, with the number and the share answered by then."""
    found: list[Line] = []
    for backend in study.matrix.backends:
        own = [line for line in _medians(study) if line["backend"] == backend and line["solved"]]
        for k, line in enumerate(sorted(own, key=lambda line: line["seconds"]), 1):
            found.append(line | {"answered": k, "share": k / study.instances})
    return found


def _points(study: Study, first: str, second: str) -> list[Line]:
    lines = {(line["backend"], line["puzzle"]): line for line in _medians(study)}
    found = []
    for (backend, puzzle), line in lines.items():
        other = lines.get((second, puzzle))
        if backend == first and other:
            who = {(True, True): "both", (True, False): first, (False, True): second, (False, False): "neither"}
            answered = who[line["solved"], other["solved"]]
            found.append(line | {"x": line["seconds"], "y": other["seconds"], "answered": answered})
    return found
