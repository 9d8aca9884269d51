"""A comparison and its rows, as returned by the Python interface."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from ..display.progress import progress_bar
from ..display.text_tables import TextTable, rendered
from ..engine.registry import BackendLike
from ..formats.target import replaced
from ..model import Model
from ..prove import PATIENCE
from ..puzzle import Puzzle
from ..verbs.task import Problem
from . import judge
from .journal import Journal
from .judge import judged_all
from .machine import machine, session
from .plan import TIME_LIMIT, Instance, Job, Plan, PlanChoices, distinct, instances
from .rows import Row, row_of
from .summary import Summary, parts, summary_of

if TYPE_CHECKING:
    from .report import Report

GROUP = 0.05
"""Seconds after which new rows are made durable, and then announced."""


@dataclass(frozen=True)
class Comparison:
    """All rows of a comparison; printing it shows the tables."""

    plan: Plan
    rows: tuple[Row, ...]
    journal: Journal | None = None
    instances: tuple[Instance, ...] = ()

    def report(self, over_all: bool = False) -> Report:
        """Return the report: figures with intervals, a tidy table, charts, a page, files for other programs.

        Ranks are over the puzzles that every backend takes, or ``over_all``.
        """
        from .report import Report

        boards = {one.sha: one.puzzle for one in self.instances if isinstance(one.puzzle, Puzzle)}
        if self.journal:
            return Report(self.rows, self.journal.provenance(), boards, over_all=over_all)
        described = session(self.plan.backends) | {"plan": self.plan.settings()}
        origin = {"sessions": [described], "plan": described["plan"], "instances": [*boards]}
        return Report(self.rows, origin, boards, over_all=over_all)

    def summary(self, over_all: bool = False) -> Summary:
        """Return the figures of each backend, over the puzzles that every backend takes, or ``over_all``."""
        return summary_of(self.rows, over_all, self.plan.names)

    @property
    def agree(self) -> bool:
        """Return whether no answer is wrong."""
        return self.summary().agree

    def save(self, path: str | Path) -> None:
        """Write the rows as JSON lines, to a file that appears only when it is complete."""
        with replaced(path) as file:
            file.writelines(row.json().encode() + b"\n" for row in self.rows)

    def _parts(self) -> list[Any]:
        return parts(self.summary(), self.plan.goal, self.plan.time_limit)

    def __str__(self) -> str:
        return rendered(self._parts())

    def __repr__(self) -> str:
        agree = "the answers agree" if self.agree else "some answers are WRONG"
        return f"<Comparison of {len(self.plan.backends)} backends, {len(self.rows):,} runs: {agree}>"

    def _repr_html_(self) -> str:
        return "".join(
            f"<p><strong>{escape(part.title)}</strong></p>{part.html()}"
            if isinstance(part, TextTable)
            else f"<p>{escape(part)}</p>"
            for part in self._parts()
        )

    def __rich__(self) -> Any:
        from rich.console import Group

        return Group(*(part.rich() if isinstance(part, TextTable) else part for part in self._parts()))


def compare(
    problems: Iterable[Problem | Model | Instance],
    backends: Iterable[BackendLike] | None = None,
    *,
    unique: bool = True,
    time_limit: float | None = TIME_LIMIT,
    on_row: Callable[[Row], object] | None = None,
    directory: str | Path | None = None,
    executor: Executor | None = None,
    certify: bool = False,
    proof_limit: float | None = PATIENCE,
    progress: bool = False,
    **choices: Unpack[PlanChoices],
) -> Comparison:
    """Solve every puzzle on every backend (by default all that are installed) and compare answers and times.

    ``unique`` asks every backend that can to prove uniqueness; ``time_limit`` (seconds) applies to each run. Further
    options are those of ``Plan``: ``goal``, ``cpu_limit`` (seconds), ``memory_limit`` (bytes), ``seeds`` (or one
    ``seed``), ``repeats``, ``shuffle``, ``cold``, ``parallel``. A puzzle that appears twice is run once. ``on_row`` is
    called with each row as soon as it is available. With a ``directory`` everything is written to a journal there, so
    that ``resume`` continues after a crash. An ``executor`` runs shards of the plan anywhere. ``certify`` proves each
    claim "unsatisfiable" or "unique" after the runs, with a refuter that is not one of the backends, and checks the
    proof: rows say whether they have a proof, and are WRONG if it contradicts them; ``proof_limit`` (seconds) applies
    to making each proof, and to checking it. ``progress`` shows a bar, in notebooks too. Raises what ``Plan.of``
    raises, and FormatError for a problem that cannot be read.
    """
    plan = Plan.of(backends, unique=unique, time_limit=time_limit, **choices)
    chosen = distinct(instances(problems))
    journal = None if directory is None else Journal.create(directory, plan, chosen)
    return _compared(plan, chosen, journal, on_row, executor, certify, proof_limit, progress)


def resume(
    directory: str | Path,
    *,
    on_row: Callable[[Row], object] | None = None,
    executor: Executor | None = None,
    certify: bool = False,
    proof_limit: float | None = PATIENCE,
    progress: bool = False,
) -> Comparison:
    """Continue an interrupted comparison; nothing runs twice. JournalError if there is no journal.

    ``progress`` shows a bar of the remaining runs.
    """
    journal = Journal.open(directory)
    return _compared(journal.plan(), journal.instances(), journal, on_row, executor, certify, proof_limit, progress)


def _compared(
    plan: Plan,
    chosen: Sequence[Instance],
    journal: Journal | None,
    on_row: Callable[[Row], object] | None,
    executor: Executor | None,
    certify: bool,
    proof_limit: float | None,
    progress: bool,
) -> Comparison:
    """Run what is missing, compare the rows with each other, and prove their claims if that is wanted."""
    rows: list[Row] = []
    left = plan.count(chosen) - len(journal.done() if journal else ())
    with progress_bar("comparing", left, progress) as show:
        for row in filter(None, run(plan, chosen, journal, executor=executor)):
            rows.append(row)
            show(len(rows))
            if on_row:
                on_row(row)
    if journal:
        for _ in journal.prove(proof_limit) if certify else ():
            pass
        judged = journal.rows()
    else:
        judged = judged_all(rows, chosen)
        if certify:
            found = list(judged)
            proofs = {one.sha: proof for one, proof in judge.proved(found, chosen, {}, proof_limit)}
            judged = judged_all(found, chosen, proofs)
    return Comparison(plan, tuple(judged), journal, tuple(chosen))


def run(
    plan: Plan,
    instances: Sequence[Instance],
    journal: Journal | None = None,
    *,
    executor: Executor | None = None,
    started: Callable[[Job], object] | None = None,
) -> Iterator[Row | None]:
    """Run what the journal does not have yet; yield rows once they are durable, and None from time to time in between.

    The rows have the result of each run on its own: ``judge`` compares them. ``started`` is called with each job when
    it begins (on this machine). With an ``executor`` shards of the plan run wherever it runs them, ``plan.parallel`` at
    a time on each machine.
    """
    done = journal.done() if journal else set()
    jobs = (job for job in plan.jobs(instances) if job.key not in done)
    if journal is None:
        yield from _rows(plan, jobs, None, executor, started)
        return
    waiting, since, fault = list[Row](), 0.0, None
    with journal.appending(session(plan.backends)):
        try:
            for row in _rows(plan, jobs, journal, executor, started):
                since = since if waiting else time.monotonic()
                waiting += [row] if row else []
                if waiting and time.monotonic() - since >= GROUP:
                    durable, waiting = journal.add(*waiting), []
                    yield from durable
                yield None
        except Exception as error:
            fault = error
        finally:
            durable = journal.add(*waiting)
    yield from durable
    if fault is not None:  # raised once the rows before it are announced
        raise fault


def _rows(
    plan: Plan,
    jobs: Iterator[Job],
    journal: Journal | None,
    executor: Executor | None,
    started: Callable[[Job], object] | None,
) -> Iterator[Row | None]:
    if executor is not None:
        from .cluster import run_shards

        yield from run_shards(plan, jobs, executor, journal)
        return
    from .pool import Pool

    if journal:
        journal.host(machine())
    with Pool(plan, started) as pool:
        for entry in pool.run(jobs):
            yield entry and row_of(plan, *entry)
