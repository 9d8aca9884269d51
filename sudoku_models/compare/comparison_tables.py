"""A comparison as tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import inf
from typing import Any

from ..display import Column, TextTable, seconds
from ..verbs.agreement import Verdict
from .plan import COUNTED, Goal
from .summary import PHASES, Figures, Summary

SHOWN = 20
"""The most contradictions and kinds of failure that are listed."""

REASONS = 3
"""The most reasons listed for one status of one backend, the most frequent ones first."""

_GOALS = {
    Goal.FIRST: "first solution",
    Goal.UNIQUE: "proof of uniqueness",
    Goal.COUNT: f"number of solutions up to {COUNTED:,}",
}

_STATUSES = {
    "timeout": (Verdict.TIMEOUT,),
    "failed": (Verdict.UNKNOWN, Verdict.OUT_OF_MEMORY, Verdict.CRASH, Verdict.ERROR, Verdict.UNSUPPORTED),
    "wrong": (Verdict.WRONG,),
}


def parts(summary: Summary, goal: Goal, time_limit: float | None) -> list[Any]:
    """Return the output for a comparison, from top to bottom: tables and lines of text."""
    shown: list[Any] = [results(summary, goal, time_limit), ""]
    if any(figures.phases for figures in summary.figures):
        shown += [phases(summary), ""]
    return [*shown, *_contradictions(summary), *_unproved(summary), *_failures(summary), _verdict(summary)]


def results(summary: Summary, goal: Goal, time_limit: float | None) -> TextTable:
    """Return one row for each backend: answers, timeouts, failures, wrong answers, times."""
    shown = [name for name in _STATUSES if name == "wrong" or any(_count(f, name) for f in summary.figures)]
    proofs = bool(summary.unproved) or any(figures.proved for figures in summary.figures)
    headings = ("solved", *(["proved"] if proofs else []), *shown, "median", "p90", "max", "PAR2")
    rows = tuple(_result(figures, proofs, shown, time_limit) for figures in summary.figures)
    wrong = frozenset(i for i, figures in enumerate(summary.figures) if figures.wrong)
    runs = max((figures.runs for figures in summary.figures), default=0)
    several = runs > summary.puzzles
    limit = "no time limit" if time_limit is None else f"{time_limit:g} s a {'run' if several else 'puzzle'}"
    what = f"{summary.puzzles} puzzle{'' if summary.puzzles == 1 else 's'}"
    what += f", {runs} runs a backend" if several else ""
    caption = "Wall-clock time per run; unsolved runs are included. "
    caption += "PAR2 is the mean, counting an unsolved run as twice the limit."
    caption += " Proved: answers with a checked proof." if proofs else ""
    columns = (Column("backend", number=False), *map(Column, headings))
    return TextTable(columns, rows, f"{what}, {_GOALS[goal]}, {limit}", caption, wrong)


def _count(figures: Figures, name: str) -> int:
    return sum(figures.verdicts[verdict] for verdict in _STATUSES[name])


def _result(figures: Figures, proofs: bool, shown: Iterable[str], time_limit: float | None) -> tuple[str, ...]:
    counts = [*([figures.proved] if proofs else []), *(_count(figures, name) for name in shown)]
    lost = None if _count(figures, "failed") else time_limit  # it is then unknown which of the runs it belongs to
    times = [_time(t, lost, figures.runs) for t in (figures.median, figures.p90, figures.most)]
    par2 = "out" if figures.wrong else seconds(figures.par2)
    return figures.backend, str(figures.solved), *map(str, counts), *times, par2


def _time(time: float, time_limit: float | None, runs: int) -> str:
    if time < inf:
        return seconds(time)
    return "" if not runs else "none" if time_limit is None else f"> {time_limit:g} s"


def phases(summary: Summary) -> TextTable:
    """Return the mean time of each phase, one row for each backend."""
    met = {name for figures in summary.figures for name in figures.phases}
    names = [name for name in (*PHASES, *sorted(met - set(PHASES))) if name in met]
    columns = (Column("backend", number=False), *map(Column, names))
    rows = tuple((f.backend, *(seconds(f.phases.get(name)) for name in names)) for f in summary.figures if f.phases)
    return TextTable(columns, rows, "Mean time by phase")


def _contradictions(summary: Summary) -> Iterator[str]:
    for row in summary.wrong[:SHOWN]:
        yield f"WRONG: {row.backend} on {row.name}: {row.reason}"
    if len(summary.wrong) > SHOWN:
        yield f"... and {len(summary.wrong) - SHOWN} more wrong answers"


def _unproved(summary: Summary) -> Iterator[str]:
    for name, reason in summary.unproved[:SHOWN]:
        yield f"no proof: {name}: {reason}"
    if len(summary.unproved) > SHOWN:
        yield f"... and {len(summary.unproved) - SHOWN} more puzzles without a proof"


def _failures(summary: Summary) -> Iterator[str]:
    lines = list(_lines_of_failures(summary))
    yield from lines[:SHOWN]
    if len(lines) > SHOWN:
        yield f"... and {len(lines) - SHOWN} more kinds of failure"


def _lines_of_failures(summary: Summary) -> Iterator[str]:
    kinds: dict[tuple[str, str], list[tuple[str, int]]] = {}
    for backend, status, reason, count in summary.failures:
        kinds.setdefault((backend, status), []).append((reason, count))
    for (backend, status), reasons in kinds.items():
        for reason, count in reasons[:REASONS]:
            yield f"{backend}: {count} x {status}: {reason}"
        if rest := [count for _, count in reasons[REASONS:]]:
            others = "another reason" if len(rest) == 1 else f"{len(rest)} other reasons"
            yield f"{backend}: {sum(rest)} x {status} for {others}"


def _verdict(summary: Summary) -> str:
    if not summary.agree:
        names = ", ".join(sorted({row.backend for row in summary.wrong}))
        puzzles = len({row.puzzle for row in summary.wrong})
        return f"Wrong answers on {puzzles} of {summary.puzzles} puzzles: {names}."
    answered = sum(figures.solved > 0 for figures in summary.figures)
    return "All answers agree." if answered > 1 else "Nothing to compare: fewer than two backends answered."
