"""Figures of a comparison, computed from its rows alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil, inf

from ..verbs.agreement import Verdict
from .run_rows import Row

PHASES = ("parse", "lower", "compile", "encode", "run", "decode", "check")
"""The phases in their order; other phases that an engine reports follow."""


@dataclass(frozen=True)
class Figures:
    """The results of one backend. Times are wall seconds of one run.

    ``median``, ``p90`` and ``most`` are quantiles over all runs: a run without an answer is slower than every other, so
    a quantile is infinite if it falls among those. ``par2`` is the mean with twice the time limit for a run without an
    answer (None without a limit, if there are such runs). ``phases`` are means over the runs that report them.
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
    """The number of answers with a checked proof."""

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
    """The figures of each backend, best first (most answers, then PAR2; wrong ones last), and all contradictions."""

    figures: tuple[Figures, ...]
    puzzles: int
    wrong: tuple[Row, ...]
    failures: tuple[tuple[str, str, str, int], ...]
    """Backend, status, reason and number of the runs that ended in a crash, an error, or unsupported."""
    unproved: tuple[tuple[str, str], ...] = ()
    """The puzzles for which a claim was not proved although proofs were requested, and why."""

    @property
    def agree(self) -> bool:
        """Return whether no answer is wrong."""
        return not self.wrong


class Summing:
    """Adds up rows as they arrive; keeps a few numbers for each."""

    def __init__(self, backends: Sequence[str] = ()) -> None:
        self._parts: dict[str, _BackendRows] = {name: _BackendRows(name) for name in backends}
        self._puzzles: set[int] = set()
        self._wrong: list[Row] = []
        self._unproved: dict[str, str] = {}

    def add(self, row: Row) -> None:
        """Add one row."""
        self._puzzles.add(row.puzzle)
        self._parts.setdefault(row.backend, _BackendRows(row.backend)).add(row)
        if row.verdict is Verdict.WRONG:
            self._wrong.append(row)
        if row.unproved:
            self._unproved.setdefault(row.name, row.unproved)

    def summary(self) -> Summary:
        """Return the figures of all rows so far."""
        figures = sorted((part.figures() for part in self._parts.values()), key=_rank)
        failures = [entry for part in self._parts.values() for entry in part.failures_listed()]
        unproved = tuple(self._unproved.items())
        return Summary(tuple(figures), len(self._puzzles), tuple(self._wrong), tuple(failures), unproved)


def summary_of(rows: Iterable[Row]) -> Summary:
    """Return the figures of rows."""
    summing = Summing()
    for row in rows:
        summing.add(row)
    return summing.summary()


def quantile(times: Sequence[float], q: float) -> float:
    """Return the smallest of the sorted times that at least the share ``q`` of them does not exceed; inf for none."""
    return times[max(0, ceil(q * len(times)) - 1)] if times else inf


class _BackendRows:
    """The rows of one backend, added up."""

    def __init__(self, backend: str) -> None:
        self.backend = backend
        self.verdicts: Counter[Verdict] = Counter()
        self.times: list[float] = []
        self.penalty: float | None = 0.0
        self.cpu: list[float] = []
        self.phases: dict[str, float] = {}
        self.timed = self.proved = 0
        self.failures: Counter[tuple[str, str]] = Counter()

    def add(self, row: Row) -> None:
        """Add one run."""
        verdict = row.verdict
        self.verdicts[verdict] += 1
        self.proved += bool(row.proof)
        self.times.append(row.wall if verdict.settled else inf)
        if not verdict.settled and self.penalty is not None:
            self.penalty = None if row.time_limit is None else self.penalty + 2 * row.time_limit
        if row.cpu is not None:
            self.cpu.append(row.cpu)
        if row.phases:
            self.timed += 1
            for name, phase in row.phases.items():
                self.phases[name] = self.phases.get(name, 0.0) + phase["wall"]
        if verdict in (Verdict.CRASH, Verdict.ERROR, Verdict.UNSUPPORTED):
            self.failures[str(verdict), row.reason] += 1

    def figures(self) -> Figures:
        """Return the row of the table."""
        times = sorted(self.times)
        return Figures(
            self.backend,
            len(times),
            self.verdicts,
            quantile(times, 0.5),
            quantile(times, 0.9),
            quantile(times, 1.0),
            self._par2(times),
            quantile(sorted(self.cpu), 0.5) if self.cpu else None,
            {name: self.phases[name] / self.timed for name in self._names()},
            self.proved,
        )

    def _par2(self, times: Sequence[float]) -> float | None:
        if self.penalty is None or not times:
            return None
        return (sum(time for time in times if time < inf) + self.penalty) / len(times)

    def _names(self) -> list[str]:
        return [name for name in (*PHASES, *sorted(self.phases.keys() - set(PHASES))) if name in self.phases]

    def failures_listed(self) -> Iterator[tuple[str, str, str, int]]:
        for (status, reason), count in self.failures.most_common():
            yield self.backend, status, reason, count


def _rank(figures: Figures) -> tuple[bool, int, float]:
    return bool(figures.wrong), -figures.solved, inf if figures.par2 is None else figures.par2
