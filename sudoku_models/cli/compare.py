"""``sudoku-models compare``. The record of ``--out`` is described by ``sudoku_models.compare.Row``."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from itertools import chain, islice
from pathlib import Path
from shutil import rmtree
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from ..errors import FormatError
from ..formats.target import replaced
from . import signals
from .codes import Code, UsageError, refuse
from .inputs import Number, Positive, Seconds, Size, SourceOptions, is_instance
from .parser import Given, command
from .terminal import Tally, log, progress, say

if TYPE_CHECKING:
    from ..compare import Comparison, Instance, Journal, Plan, Row
    from ..compare.report import Report

T = TypeVar("T")

_RESUME = "sudoku-models compare --resume"

WITH_RESUME = frozenset(
    ("resume", "out", "report", "against", "group_by", "over_all", "scheduler", "certify", "proof_limit", "verbose")
)
"""The options that go with --resume."""


@dataclass(frozen=True)
class RunOptions:
    """Which backends run on what, how often, and within which limits.

    --backend -b NAME[:KEY=VALUE,...]  A backend to compare, with its options; repeat it for each. [default: all
        installed backends]
    --unique/--no-unique  Have every backend that can enumerate prove uniqueness.
    --count  Count solutions instead, up to a thousand for each puzzle.
    --certify  Afterwards prove each 'unique' and 'unsatisfiable' and check the proofs; an answer that they refute is
        wrong.
    --seeds NUMBER  The number of seeds, counting up from --seed; engines without a seed get relabelled puzzles.
    --repeats NUMBER  The number of times that each run is repeated.
    --cold  Start a new process for each run, and include the loading of the engine in its time.
    Input:
    --first NUMBER  Use only the first N puzzles. [default: all]
    Limits:
    --proof-limit SECONDS  With --certify: the time limit for making each proof, and for checking it. [default: 60]
    --time-limit SECONDS  The time limit for each run.
    --cpu-limit SECONDS  The CPU time limit for each run, over all its threads and processes.
    --parallel NUMBER  Measure this number of runs at the same time on one machine, although they disturb each other.
    --seed NUMBER  Shuffles the order of the runs, and is the first seed of the engines (0: puzzles unchanged).
    """

    backend: list[str] | None = None
    first: Positive | None = None
    unique: bool = True
    count: bool = False
    certify: bool = False
    proof_limit: Seconds | None = None
    seeds: Positive = 1
    repeats: Positive = 1
    cold: bool = False
    time_limit: Seconds = 10.0
    cpu_limit: Seconds | None = None
    memory_limit: Size | None = None
    parallel: Positive = 1
    seed: Number = 0

    def plan(self) -> Plan:
        """Return the plan; UsageError for options that make no sense."""
        from ..compare import Plan

        seeds = tuple(range(self.seed, self.seed + self.seeds))
        goal = "count" if self.count else "unique" if self.unique else "first"
        same = ("cold", "parallel", "time_limit", "cpu_limit", "memory_limit", "repeats")
        choices: Any = {name: getattr(self, name) for name in same}
        try:
            return Plan.of(self.backend or None, goal=goal, seeds=seeds, shuffle=self.seed, **choices)
        except ValueError as error:
            raise UsageError(str(error)) from error

    def proof_seconds(self) -> float | None:
        """Return the number of seconds that each proof may take; None if no proofs are requested."""
        from ..prove import PATIENCE

        refuse(
            self.proof_limit is None or self.certify, "--proof-limit needs --certify: it limits the time of each proof"
        )
        return (PATIENCE if self.proof_limit is None else self.proof_limit) if self.certify else None


@dataclass(frozen=True)
class ReportOptions:
    """What a comparison writes: rows, its journal, reports, changes since an earlier run, and groups.

    Output:
    --out -o FILE  When the comparison finishes, write every run as a line of JSON.
    --dir DIR  Store the run journal here; without this option it is deleted when the comparison finishes.
    --report FILE  Write a report: .html (a page), .md, .tex, .csv, .jsonl, .parquet; repeatable.
    --against OLD  Show what is faster or slower than in an earlier run: its folder, journal or JSON lines.
    --group-by file|side|clues|rules|rating  Also show each group of puzzles: a table, and in a report a table and a
        plot.
    --over-all  Rank over all puzzles: one that a backend does not take has no answer from it.
    """

    out: str | None = None
    dir: str | None = None
    report: list[str] | None = None
    against: str | None = None
    group_by: Literal["file", "side", "clues", "rules", "rating"] | None = None
    over_all: bool = False


@command("Compare", "compare puzzles.txt -b cp-sat -b pycosat --report page.html")
def compare(
    given: Given,
    source: SourceOptions,
    runs: RunOptions,
    reports: ReportOptions,
    resume: str | None = None,
    scheduler: str | None = None,
) -> Code:
    """Solve every puzzle on every backend; compare answers and times.

    Files that end in .cnf, .opb, .mps, .xml (XCSP3) and .fzn (FlatZinc) are models of one instance each; .gz, .xz, .bz2
    or .zst may follow.

    Timeouts and failures of engines are results in the table, and the exit code stays 0. A wrong answer gives exit
    code 4.

    --resume DIR  Continue the comparison stored in this folder.
    --scheduler ADDRESS|local  Run on the machines of a dask scheduler (tcp://host:port), or on a local cluster.
    """
    from ..compare import Comparison, Journal

    certify, tally = runs.proof_seconds(), Tally()
    wrong = sorted(given - WITH_RESUME) if resume else []
    refuse(not wrong, f"--resume continues with the original plan: {', '.join(wrong)} cannot be changed")
    journal = Journal.open(str(resume)) if resume else None
    plan = journal.plan() if journal else runs.plan()
    if scheduler:
        from ..compare import cluster

        cluster.check(scheduler)
    if reports.dir and not resume:
        Journal.folder(reports.dir)
    earlier = _checked(reports, plan)
    found = journal.instances() if journal else _instances(source, runs.first, tally)
    if not found:
        return tally.code
    # without a directory the journal is kept in a temporary folder until the comparison is complete
    journal = journal or Journal.create(Path(reports.dir) if reports.dir else _folder(), plan, found)
    complete = _carried_out(journal, plan, found, scheduler, tally)
    complete = complete and (certify is None or _proved(journal, certify, tally))
    code = _finished(Comparison(plan, tuple(journal.rows()), journal, tuple(found)), reports, earlier, tally)
    if complete and not reports.dir and not resume:
        rmtree(journal.path.parent, ignore_errors=True)
    return code


# before the first run: what is asked for must be possible


def _checked(asked: ReportOptions, plan: Plan) -> Report | None:
    """Check that what is asked for can be written; return the earlier run to compare with. UsageError if it cannot."""
    from ..compare.report import check_target
    from ..compare.rows import check

    reports = asked.report or []
    try:
        for name in reports:
            check_target(Path(name))
        for package in ("pandas", "scipy") if asked.group_by or asked.against else ():
            check(package, "data")
    except (ValueError, OSError, ImportError) as error:
        raise UsageError(str(error)) from error
    for name in (*reports, *([asked.out] if asked.out else ())):
        _try_to_write(name)
    return _earlier(asked.against, plan) if asked.against else None


def _try_to_write(name: str) -> None:
    """Raise Unusable if a file cannot be written; it is left as it was."""

    class Tried(Exception):
        pass

    with suppress(Tried), replaced(name):
        raise Tried


def _earlier(name: str, plan: Plan) -> Report:
    """Read an earlier run. It must have the same goal as the plan, otherwise their times cannot be compared."""
    from ..compare import JournalError
    from ..compare.report import read_run

    try:
        earlier = read_run(name)
    except OSError as error:
        wanted = "the folder, the journal or the JSON lines (--out) of an earlier comparison is expected"
        raise UsageError(f"--against {name}: cannot be read: {error.strerror or error}; {wanted}") from error
    except (JournalError, ValueError) as error:
        raise UsageError(f"--against: {error}") from error
    limits = {row.time_limit for row in earlier.rows}
    if limits != {plan.time_limit}:
        listed = ", ".join(sorted("none" if limit is None else f"{limit:g} s" for limit in limits))
        raise UsageError(f"--against: {name} had a time limit of {listed}, not {plan.time_limit:g} s: choose the same")
    for selection in plan.backends:
        goal = str(plan.goal.of(selection))
        others = {row.asked for row in earlier.rows if row.backend == str(selection)} - {goal}
        if others:
            listed = " and ".join(sorted(others))
            raise UsageError(f"--against: {name} asked for {listed}, not {goal}, of {selection}: choose the same goal")
    if {row.cold for row in earlier.rows} != {plan.cold}:
        loaded = "beforehand" if plan.cold else "in each run (cold)"
        say(f"note: in {name} engines were loaded {loaded}, unlike in this comparison")
    return earlier


def _instances(source: SourceOptions, first: int | None, tally: Tally) -> list[Instance]:
    from ..compare import Instance, distinct

    files = source.files or ["-"]
    models = [name for name in files if is_instance(name)]
    puzzles = replace(source, files=[name for name in files if name not in models])
    entries = puzzles.entries(tally) if puzzles.files else ()
    read = chain(
        ((entry.puzzle, entry.source, entry.line) for entry in entries if entry.puzzle is not None),
        _models(models, tally),
    )
    found = [Instance(number, *one) for number, one in enumerate(islice(read, first), 1)]
    single = distinct(found)
    if len(single) < len(found):
        repeated = len(found) - len(single)
        say(f"{repeated} of {len(found)} puzzles {'is' if repeated == 1 else 'are'} repeated: each is run only once")
    return single


def _models(files: Sequence[str], tally: Tally) -> Iterator[tuple[Any, str, None]]:
    from ..compare.plan import StatedModel
    from ..model import Model

    for name in files:
        try:
            yield StatedModel(Model.read(name)), name, None
        except FormatError as error:
            tally.problem(str(error), Code.USAGE)
        except OSError as error:
            tally.problem(f"{name}: cannot be read: {error.strerror}", Code.USAGE)


def _folder() -> Path:
    """Return a new folder, among the state folders of programs, for a journal without a given place."""
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "sudoku-models" / f"compare-{datetime.now():%Y%m%d-%H%M%S}-{os.getpid()}"


# the runs


def _carried_out(journal: Journal, plan: Plan, found: Sequence[Instance], scheduler: str | None, tally: Tally) -> bool:
    """Run what is missing; return whether all runs are now complete."""
    from ..compare import run

    try:
        with ExitStack() as stack:
            executor = None
            if scheduler:
                from ..compare import cluster

                executor = stack.enter_context(cluster.executor(scheduler, plan.parallel))
            advance = stack.enter_context(progress("comparing", plan.count(found)))
            _watched(journal, run(plan, found, journal, executor=executor), found, advance)
        return True
    except KeyboardInterrupt:
        _interrupted(f"the table shows the runs so far; {_RESUME} {journal.path.parent} goes on", tally)
        return False
    except BaseException:
        say(f"stopped: {_RESUME} {journal.path.parent} goes on")
        raise


def _proved(journal: Journal, limit: float, tally: Tally) -> bool:
    """Prove what the rows claim; return whether all proofs are done."""
    try:
        with progress("proving", None) as advance:
            for instance, proof in journal.prove(limit):
                log.info("%s: %s", instance.name, proof.claim or f"no proof: {proof.problem}")
                advance(1)
        return True
    except KeyboardInterrupt:
        _interrupted(f"{_RESUME} {journal.path.parent} --certify makes the other proofs", tally)
        return False


def _interrupted(how: str, tally: Tally) -> None:
    signals.heard()
    tally.add(Code.INTERRUPTED)
    say(f"interrupted: {how}")


def _watched(
    journal: Journal, rows: Iterator[Row | None], found: Sequence[Instance], advance: Callable[[int], object]
) -> None:
    """Make the runs, and say at once which answers are wrong; those of earlier runs are said first."""
    from ..compare import Watch

    watch = Watch(found)

    def watched(row: Row) -> None:
        advance(1)
        for wrong in watch.add(row):
            say(f"WRONG: {wrong.backend} on {wrong.name}: {wrong.reason}")

    for row in journal.rows() if journal.done() else ():
        watched(row)
    for row in filter(None, rows):
        log.info("%s: %s: %s in %.6f s %s", row.name, row.backend, row.status, row.wall, row.reason)
        watched(row)


# the results


def _finished(found: Comparison, asked: ReportOptions, earlier: Report | None, tally: Tally) -> Code:
    """Show the results, and write the rows and reports, each file completely or not at all."""
    from ..compare.machine import conditions
    from ..compare.summary import parts

    plan, journal = found.plan, found.journal
    if not found.rows or journal is None:
        return tally.code
    summary = found.summary(asked.over_all)
    if not summary.agree:
        tally.add(Code.DISAGREE)
    for line in conditions(found.rows):
        say(f"note: {line}")
    show(parts(summary, plan.goal, plan.time_limit))
    try:
        if asked.out:
            _written(asked.out, found.save)
        if asked.report or earlier or asked.group_by:
            _reported(found.report(asked.over_all), asked, earlier)
    except UsageError:
        say(f"the runs are kept: {_RESUME} {journal.path.parent} writes them again")
        raise
    return tally.code


def _reported(report: Report, asked: ReportOptions, earlier: Report | None) -> None:
    """Write the reports; show the changes since an earlier run, and the groups."""
    from ..compare.report.tables import change_table, group_tables

    shown = ["", change_table(report.against(earlier))] if earlier else []
    report = report.by(asked.group_by) if asked.group_by else report
    shown += [part for table in group_tables(report) for part in ("", table)]
    for name in asked.report or ():
        for path in _written(name, partial(report.save, earlier=earlier)):
            say(f"report: {path}")
    show(shown)


def _written(path: str, save: Callable[[str], T]) -> T:
    """Write a file; raise UsageError if that fails."""
    try:
        return save(path)
    except (OSError, ImportError) as error:
        reason = getattr(error, "strerror", None) or error
        kept = ", its earlier content is unchanged" if Path(path).is_file() else ""
        raise UsageError(f"{path}: cannot be written: {reason}{kept}") from error


def show(shown: Sequence[Any]) -> None:
    """Print tables and lines of text on standard output; COLUMNS sets the width if that is not a terminal."""
    from ..display.text_tables import TextTable, harmless, rendered

    if not sys.stdout.isatty():
        columns = os.environ.get("COLUMNS", "")
        print(harmless(rendered(shown, int(columns) if columns.isdigit() and int(columns) else 120)))
        return
    from rich.console import Console

    console = Console(highlight=False)
    for part in shown:
        console.print(part.rich() if isinstance(part, TextTable) else harmless(str(part)), markup=False)
