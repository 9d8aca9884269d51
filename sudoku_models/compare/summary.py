"""Figures of a comparison, computed from its rows alone, and the tables that show them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from math import ceil, inf
from typing import Any

from ..display import Column, TextTable, seconds
from ..display.text_tables import Cell
from ..prove.certificate import amount
from ..verbs.agreement import Verdict
from .plan import COUNTED, Goal
from .rows import Row

PHASES = {
    "load": "loads the engine",
    "parse": "reads the puzzle",
    "lower": "rewrites constraints for the engine",
    "compile": "builds the engine's model",
    "encode": "states the puzzle to the engine",
    "run": "searches",
    "decode": "reads the answer",
    "check": "tests it on the model",
}
"""What happens in each phase, in their order; other phases that an engine reports follow."""

NOT_TAKEN = "not taken"
"""The word for a puzzle that a backend does not accept (``Verdict.UNSUPPORTED``): it is no failure."""

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
    NOT_TAKEN: (Verdict.UNSUPPORTED,),
    "timeout": (Verdict.TIMEOUT,),
    "failed": (Verdict.UNKNOWN, Verdict.OUT_OF_MEMORY, Verdict.CRASH, Verdict.ERROR),
    "wrong": (Verdict.WRONG,),
}


@dataclass(frozen=True)
class Figures:
    """The results of one backend. Times are wall seconds of one run.

    ``runs``, ``verdicts`` and ``proved`` (answers with a checked proof) count all runs; the rest is over the ``based``
    runs on puzzles that every backend takes, see ``Summary``. ``median``, ``p90`` and ``most`` are quantiles: a run
    without an answer is slower than every other, so a quantile is infinite if it falls among those. ``par2`` is the
    mean with twice the time limit for a run without an answer (None without a limit, if there are such runs).
    ``phases`` are means over the runs that report them.
    """

    backend: str
    runs: int
    verdicts: Counter[Verdict]
    median: float
    p90: float
    most: float
    par2: float | None
    cpu: float | None
    phases: dict[str, float]
    proved: int = 0
    based: int = 0

    @property
    def solved(self) -> int:
        """The number of runs with an answer, including unsatisfiable."""
        return sum(count for verdict, count in self.verdicts.items() if verdict.settled)

    @property
    def wrong(self) -> int:
        """The number of wrong answers; a backend with any is not ranked."""
        return self.verdicts[Verdict.WRONG]


@dataclass(frozen=True)
class Summary:
    """The figures of each backend, best first (most answers, then PAR2; wrong ones last), and all contradictions.

    ``failures`` are backend, status, reason and number of the runs that ended in a crash, an error, or unsupported;
    ``unproved`` the puzzles for which a claim was not proved although proofs were requested, and why. Of the
    ``puzzles``, times and ranks are over the ``ranked``: those that every backend takes (that takes any), or all.
    """

    figures: tuple[Figures, ...]
    puzzles: int
    wrong: tuple[Row, ...]
    failures: tuple[tuple[str, str, str, int], ...]
    unproved: tuple[tuple[str, str], ...] = ()
    ranked: int = 0

    @property
    def agree(self) -> bool:
        """Return whether no answer is wrong."""
        return not self.wrong


def summary_of(rows: Iterable[Row], over_all: bool = False, backends: Sequence[str] = ()) -> Summary:
    """Return the figures of rows; of equally good ``backends`` the first named comes first.

    With ``over_all`` times and ranks are over all puzzles: one that a backend does not take has no answer from it.
    """
    by_backend: dict[str, list[Row]] = {name: [] for name in backends}
    for row in rows:
        by_backend.setdefault(row.backend, []).append(row)
    every = list(chain.from_iterable(by_backend.values()))
    refused = set() if over_all else _refused(by_backend.values())
    figures = []
    for name, own in by_backend.items():
        taken = [row for row in own if row.puzzle not in refused and row.verdict is not Verdict.UNSUPPORTED]
        based = own if over_all else taken
        found = figures_of(name, own, based)
        solved = sum(row.verdict.settled for row in based)
        figures.append(((found.wrong > 0, not based, -solved, inf if found.par2 is None else found.par2), found))
    kinds = (Verdict.CRASH, Verdict.ERROR, Verdict.UNSUPPORTED)
    failures = Counter((row.backend, row.status, row.reason) for row in every if row.verdict in kinds)
    order = {name: i for i, name in enumerate(by_backend)}
    puzzles = {row.puzzle for row in every}
    return Summary(
        tuple(found for _, found in sorted(figures, key=lambda entry: entry[0])),
        len(puzzles),
        tuple(row for row in every if row.verdict is Verdict.WRONG),
        tuple((*kind, n) for kind, n in sorted(failures.items(), key=lambda k: (order[k[0][0]], -k[1]))),
        tuple({row.name: row.unproved for row in every if row.unproved}.items()),
        len(puzzles - refused),
    )


def quantile(times: Sequence[float], q: float) -> float:
    """Return the smallest of the sorted times that at least the share ``q`` of them does not exceed; inf for none."""
    return times[max(0, ceil(q * len(times)) - 1)] if times else inf


def in_order(phases: Iterable[str]) -> list[str]:
    """Return the names of phases in the order in which they happen, unknown ones last."""
    known = list(PHASES)
    return sorted(set(phases), key=lambda name: (known.index(name) if name in PHASES else len(known), name))


def _refused(backends: Iterable[Sequence[Row]]) -> set[int]:
    """Return the puzzles that a backend does not take, except for a backend that takes none."""
    refused: set[int] = set()
    for rows in backends:
        if any(row.verdict is not Verdict.UNSUPPORTED for row in rows):
            refused |= {row.puzzle for row in rows if row.verdict is Verdict.UNSUPPORTED}
    return refused


def figures_of(backend: str, rows: Sequence[Row], based: Sequence[Row]) -> Figures:
    """Return a backend's figures from all its rows, and those on which the times are based."""
    times = sorted(row.wall if row.verdict.settled else inf for row in based)
    costs = [row.wall if row.verdict.settled else row.time_limit and 2 * row.time_limit for row in based]
    cpu = sorted(row.cpu for row in based if row.cpu is not None)
    phased = [row.phases for row in based if row.phases]
    names = in_order(name for phases in phased for name in phases)
    means = ((n, sum(phases[n]["wall"] for phases in phased if n in phases) / len(phased)) for n in names)
    return Figures(
        backend,
        len(rows),
        Counter(row.verdict for row in rows),
        quantile(times, 0.5),
        quantile(times, 0.9),
        quantile(times, 1.0),
        sum(filter(None, costs)) / len(based) if based and None not in costs else None,
        quantile(cpu, 0.5) if cpu else None,
        {name: mean for name, mean in means if mean > 0},
        sum(bool(row.proof) for row in rows),
        len(based),
    )


def parts(summary: Summary, goal: Goal, time_limit: float | None) -> list[Any]:
    """Return the output for a comparison, from top to bottom: tables and lines of text."""
    shown: list[Any] = [results(summary, goal, time_limit), ""]
    if any(figures.phases for figures in summary.figures):
        shown += [phases(summary.figures), ""]
    wrong = [f"WRONG: {row.backend} on {row.name}: {row.reason}" for row in summary.wrong]
    unproved = [f"no proof: {name}: {reason}" for name, reason in summary.unproved]
    shown += [*_listed(wrong, "wrong answers"), *_listed(unproved, "puzzles without a proof")]
    return [*shown, *_listed(list(_failures(summary)), "kinds of failure"), _verdict(summary)]


def results(summary: Summary, goal: Goal, time_limit: float | None) -> TextTable:
    """Return one row for each backend: answers, what was not taken, timeouts, failures, wrong answers, times."""
    shown = [name for name in _STATUSES if name == "wrong" or any(_count(f, name) for f in summary.figures)]
    proofs = bool(summary.unproved) or any(figures.proved for figures in summary.figures)
    headings = ("solved", *(["proved"] if proofs else []), *shown, "median", "p90", "max", "PAR2")
    rows: list[list[Cell]] = [
        [
            figures.backend,
            figures.solved,
            *([figures.proved] if proofs else []),
            *(_count(figures, name) for name in shown),
            *(time_text(figures, value, time_limit) for value in (figures.median, figures.p90, figures.most)),
            "out" if figures.wrong else seconds(figures.par2),
        ]
        for figures in summary.figures
    ]
    wrong = frozenset(i for i, figures in enumerate(summary.figures) if figures.wrong)
    runs = max((figures.runs for figures in summary.figures), default=0)
    several = runs > summary.puzzles
    limit = "no time limit" if time_limit is None else f"{time_limit:g} s a {'run' if several else 'puzzle'}"
    what = (
        f"{amount(summary.puzzles, 'puzzle')}, {runs} runs a backend" if several else amount(summary.puzzles, "puzzle")
    )
    caption = "Wall-clock time per run; unsolved runs are included. "
    caption += "PAR2 is the mean, counting an unsolved run as twice the limit."
    caption += " Proved: answers with a checked proof." if proofs else ""
    if NOT_TAKEN in shown:
        basis = f"the {amount(summary.ranked, 'puzzle')} that every backend takes"
        basis = basis if summary.ranked else "no puzzle: none is taken by every backend"
        basis = "all puzzles: one that is not taken has no answer" if summary.ranked == summary.puzzles else basis
        caption += f" Times and order are over {basis}."
    columns = (Column("backend", number=False), *map(Column, headings))
    return TextTable(columns, rows, f"{what}, {_GOALS[goal]}, {limit}", caption, wrong)


def _count(figures: Figures, name: str) -> int:
    return sum(figures.verdicts[verdict] for verdict in _STATUSES[name])


def time_text(figures: Figures, quantile: float, limit: float | None) -> str:
    """Return a quantile of a backend's times; an infinite one is beyond the limit, if all other runs timed out."""
    if quantile < inf:
        return seconds(quantile)
    apart = set() if figures.based == figures.runs else {Verdict.UNSUPPORTED}
    missing = {verdict for verdict in figures.verdicts if not verdict.settled} - apart
    if not figures.based:
        return ""
    return f"> {limit:g} s" if limit is not None and missing <= {Verdict.TIMEOUT} else "none"


def phases(figures: Sequence[Figures]) -> TextTable:
    """Return the mean time of each phase, one row for each backend, and in a line what happens in each."""
    names = in_order(name for one in figures for name in one.phases)
    columns = (Column("backend", number=False), *map(Column, names))
    rows: list[list[Cell]] = [
        [one.backend, *((seconds(one.phases.get(name)), one.phases.get(name)) for name in names)]
        for one in figures
        if one.phases
    ]
    said = [f"{name} {PHASES[name]}" for name in names if name in PHASES]
    caption = f"What a run spends its time on: {', '.join(said)}." if said else ""
    return TextTable(columns, rows, "Mean time by phase", caption)


def _listed(lines: Sequence[str], what: str) -> Iterator[str]:
    yield from lines[:SHOWN]
    if len(lines) > SHOWN:
        yield f"... and {len(lines) - SHOWN} more {what}"


def _failures(summary: Summary) -> Iterator[str]:
    kinds: dict[tuple[str, str], list[tuple[str, int]]] = {}
    for backend, status, reason, count in summary.failures:
        kinds.setdefault((backend, status), []).append((reason, count))
    for (backend, status), reasons in kinds.items():
        word = NOT_TAKEN if status == Verdict.UNSUPPORTED else status
        for reason, count in reasons[:REASONS]:
            yield f"{backend}: {count} x {word}: {reason}"
        if rest := [count for _, count in reasons[REASONS:]]:
            others = "another reason" if len(rest) == 1 else f"{len(rest)} other reasons"
            yield f"{backend}: {sum(rest)} x {word} for {others}"


def _verdict(summary: Summary) -> str:
    if not summary.agree:
        names = ", ".join(sorted({row.backend for row in summary.wrong}))
        puzzles = len({row.puzzle for row in summary.wrong})
        return f"Wrong answers on {puzzles} of {summary.puzzles} puzzles: {names}."
    answered = sum(figures.solved > 0 for figures in summary.figures)
    return "All answers agree." if answered > 1 else "Nothing to compare: fewer than two backends answered."
