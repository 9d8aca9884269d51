"""``sudoku-models compare``. The record of ``--out`` is described by ``sudoku_models.compare.Row``."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any

from ..compare import Instance, Journal, Plan, Row, Summing, Watch, distinct, run
from ..compare.comparison_tables import parts
from ..compare.conditions import conditions
from ..display.text_tables import TextTable, harmless, rendered
from ..prove import PATIENCE
from ..verbs.agreement import Verdict
from . import signals
from .codes import Code, UsageError
from .comparing import ReportOptions
from .inputs import Input
from .live import Live
from .reports import ReportFiles
from .terminal import Tally, log, progress, say

WITH_RESUME = {"resume", "out", "report", "against", "group_by", "scheduler", "certify", "proof_limit", "verbose"}
"""The options that go with --resume."""


def compare(
    source: Input,
    backends: Sequence[str],
    first: int | None,
    asked: ReportOptions,
    scheduler: str | None,
    certify: float | None,
    **choices: Any,
) -> Code:
    """Run every puzzle on every backend; show the tables at the end, or when interrupted.

    If no directory is given, the journal is kept in a temporary folder until the comparison is complete. ``certify`` is
    the number of seconds that each proof may take; None makes no proofs.
    """
    try:
        plan = Plan.of(backends or None, **choices)
    except ValueError as error:
        raise UsageError(str(error)) from error
    _check(scheduler)
    directory = asked.directory
    if directory:
        Journal.folder(directory)
    tally, output = Tally(), ReportFiles.of(asked, plan)
    found = _instances(source, first, tally)
    if not found:
        return tally.code
    folder = Path(directory) if directory else _folder()
    journal = Journal.create(folder, plan, found)
    complete = _carried_out(journal, plan, found, scheduler, tally)
    complete = complete and (certify is None or _proved(journal, certify, tally))
    code = _finished(journal, plan, output, tally)
    if complete and not directory:
        _removed(folder)
    return code


def resume(directory: str, asked: ReportOptions, scheduler: str | None, certify: float | None) -> Code:
    """Continue a comparison where it stopped, and show the tables of all its runs."""
    _check(scheduler)
    journal, tally = Journal.open(directory), Tally()
    plan = journal.plan()
    output = ReportFiles.of(asked, plan)
    if _carried_out(journal, plan, journal.instances(), scheduler, tally) and certify is not None:
        _proved(journal, certify, tally)
    return _finished(journal, plan, output, tally)


def proof_seconds(certify: bool, limit: float | None) -> float | None:
    """Return the number of seconds that each proof may take; None if no proofs are requested."""
    if limit is not None and not certify:
        raise UsageError("--proof-limit needs --certify: it limits the time of each proof")
    return (PATIENCE if limit is None else limit) if certify else None


def _check(scheduler: str | None) -> None:
    if scheduler:
        from ..compare import cluster

        cluster.check(scheduler)


def _carried_out(journal: Journal, plan: Plan, found: Sequence[Instance], scheduler: str | None, tally: Tally) -> bool:
    """Run what is missing; return whether all runs are now complete."""
    try:
        with ExitStack() as stack:
            executor = None
            if scheduler:
                from ..compare import cluster

                executor = stack.enter_context(cluster.executor(scheduler, plan.parallel))
            live = stack.enter_context(Live(plan, plan.count(found), journal.rows()))
            _watched(run(plan, found, journal, executor=executor, started=live.started), found, live)
        return True
    except KeyboardInterrupt:
        signals.heard()
        tally.add(Code.INTERRUPTED)
        say(
            f"interrupted: the table shows the runs so far; sudoku-models compare --resume "
            f"{journal.path.parent} goes on"
        )
        return False
    except BaseException:
        say(f"stopped: sudoku-models compare --resume {journal.path.parent} goes on")
        raise


def _proved(journal: Journal, limit: float, tally: Tally) -> bool:
    """Prove what the rows claim; return whether all proofs are done."""
    try:
        with progress("proving", None) as bar:
            for instance, proof in journal.prove(limit):
                log.info("%s: %s", instance.name, proof.claim or f"no proof: {proof.problem}")
                bar.advance()
        return True
    except KeyboardInterrupt:
        signals.heard()
        tally.add(Code.INTERRUPTED)
        say(f"interrupted: sudoku-models compare --resume {journal.path.parent} --certify makes the other proofs")
        return False


def _watched(rows: Iterator[Row | None], found: Sequence[Instance], live: Live) -> None:
    watch = Watch(found)
    for row in rows:
        if row:
            live.add(row)
            log.info("%s: %s: %s in %.6f s %s", row.name, row.backend, row.status, row.wall, row.reason)
            for wrong in watch.add(row):
                live.wrong(wrong)
                say(f"WRONG: {wrong.backend} on {wrong.name}: {wrong.reason}")
        live.tick()


def _instances(source: Input, first: int | None, tally: Tally) -> list[Instance]:
    readable = (entry for entry in source.entries(tally) if entry.puzzle is not None)
    found = [
        Instance(number, entry.puzzle, entry.source, entry.line)
        for number, entry in enumerate(islice(readable, first), 1)
        if entry.puzzle is not None
    ]
    single = distinct(found)
    if len(single) < len(found):
        say(f"{len(found) - len(single)} of {len(found)} puzzles are repeated: each is run only once")
    return single


def _folder() -> Path:
    """Return a new folder, among the state folders of programs, for a journal without a given place."""
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "sudoku-models" / f"compare-{datetime.now():%Y%m%d-%H%M%S}-{os.getpid()}"


def _removed(folder: Path) -> None:
    import shutil

    shutil.rmtree(folder, ignore_errors=True)


def _finished(journal: Journal, plan: Plan, output: ReportFiles, tally: Tally) -> Code:
    summing = Summing(plan.names)
    for row in journal.rows():
        summing.add(row)
        if row.verdict is Verdict.WRONG:
            tally.add(Code.DISAGREE)
    summary = summing.summary()
    if summary.puzzles:
        for line in conditions(journal.rows()):
            say(f"note: {line}")
        show(parts(summary, plan.goal, plan.time_limit))
        show(_written(output, journal))
    return tally.code


def _written(output: ReportFiles, journal: Journal) -> list[Any]:
    """Write the requested files; if that fails, report where the runs are kept."""
    try:
        return output.finish(journal)
    except UsageError:
        say(f"the runs are kept: sudoku-models compare --resume {journal.path.parent} writes them again")
        raise


def show(shown: Sequence[Any]) -> None:
    """Print tables and lines of text on standard output; COLUMNS sets the width if that is not a terminal."""
    if not sys.stdout.isatty():
        columns = os.environ.get("COLUMNS", "")
        print(harmless(rendered(shown, int(columns) if columns.isdigit() and int(columns) else 120)))
        return
    from rich.console import Console

    console = Console(highlight=False)
    for part in shown:
        console.print(part.rich() if isinstance(part, TextTable) else harmless(str(part)), markup=False)
