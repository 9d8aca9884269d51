"""The groups of a report on its page: a table for each, and a plot that needs no script."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import escape
from math import floor, log10
from typing import TYPE_CHECKING

from ..statistics import Study
from .report_sheets import standings, time
from .sheet import Sheet, with_micro
from .verdict import verdict

if TYPE_CHECKING:
    from .report import Report

WIDTH, HEIGHT, LEFT, BELOW = 420, 210, 44, 34
"""The plot in pixels, and the room for its axes."""
Line = Sequence[tuple[float, float]]


def group_sheet(name: str, report: Report, number: int) -> Sheet:
    """Return the standings of one group, under its name."""
    puzzles = len({row.sha256 for row in report.rows})
    title = f"{name}: {puzzles:,} puzzle{'' if puzzles == 1 else 's'}"
    return replace(standings(report.study), name=f"group-{number}", title=title, caption="")


def groups_html(report: Report, colours: dict[str, int]) -> str:
    """Return the section of the groups; "" for a report without groups."""
    if not report.group_by:
        return ""
    parts = [_group(name, group, i, colours) for i, (name, group) in enumerate(report.groups().items(), 1)]
    caption = "The share of puzzles answered within the time on the axis; curves further up and left are better."
    return (
        f'<section class="card" id="groups"><h2>By {escape(report.group_by)}</h2>'
        f'<p class="caption">A table and a plot for each group. {caption}</p>{"".join(parts)}</section>'
    )


def _group(name: str, report: Report, number: int, colours: dict[str, int]) -> str:
    sheet = group_sheet(name, report, number)
    return (
        f'<div class="group"><h3>{escape(sheet.title)}</h3><p>{escape(with_micro(verdict(report.study)))}</p>'
        f'{sheet.html(colours)}<div class="plot">{profile(report.study, colours)}</div></div>'
    )


def profile(study: Study, colours: Mapping[str, int]) -> str:
    """Draw the share of puzzles that each backend answers within a time, on a logarithmic scale."""
    lines = {name: line for name, line in _lines(study).items() if line}
    if not lines:
        return '<p class="caption">No backend answered.</p>'
    times = [t for line in lines.values() for t, _ in line]
    low, high = floor(log10(min(times))), floor(log10(max(times))) + 1
    drawn = "".join(_ticks(low, high)) + "".join(
        f'<path class="series" style="--colour: var(--c{colours[name]})" d="{_steps(line, low, high)}">'
        f"<title>{escape(name)}</title></path>"
        for name, line in lines.items()
    )
    return f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="share answered within a time">{drawn}</svg>'


def _lines(study: Study) -> dict[str, Line]:
    """Return for each ranked backend its answered medians in order, each with the share answered by then."""
    censored, answered = study.matrix.censored.tolist(), study.matrix.answered.tolist()
    found: dict[str, Line] = {}
    for name, times, done in zip(study.matrix.backends, censored, answered, strict=True):
        met = sorted(max(t, 1e-7) for t, solved in zip(times, done, strict=True) if solved)
        found[name] = [(t, k / study.instances) for k, t in enumerate(met, 1)]
    return found


def _x(seconds: float, low: int, high: int) -> float:
    return LEFT + (log10(seconds) - low) / (high - low) * (WIDTH - LEFT - 8)


def _y(share: float) -> float:
    return 8 + (1 - share) * (HEIGHT - BELOW - 8)


def _steps(line: Line, low: int, high: int) -> str:
    path, last = [f"M{_x(line[0][0], low, high):.1f},{_y(0):.1f}"], 0.0
    for t, share in line:
        x = _x(t, low, high)
        path.append(f"L{x:.1f},{_y(last):.1f}L{x:.1f},{_y(share):.1f}")
        last = share
    return "".join([*path, f"H{WIDTH - 8}"])


def _ticks(low: int, high: int) -> list[str]:
    lines = []
    for share in (0.0, 0.5, 1.0):
        y = _y(share)
        lines.append(f'<line class="tick" x1="{LEFT}" x2="{WIDTH - 8}" y1="{y:.1f}" y2="{y:.1f}"/>')
        lines.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{share:.0%}</text>')
    for power in range(low, high + 1):
        x = _x(10.0**power, low, high)
        lines.append(f'<line class="tick" x1="{x:.1f}" x2="{x:.1f}" y1="8" y2="{HEIGHT - BELOW}"/>')
        lines.append(
            f'<text x="{x:.1f}" y="{HEIGHT - BELOW + 18}" text-anchor="middle">'
            f"{escape(with_micro(time(10.0**power)))}</text>"
        )
    return lines
