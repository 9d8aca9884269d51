"""``sudoku-models compare``. The record of ``--out`` is described by ``sudoku_models.compare.Row``."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack, closing
from itertools import islice
from pathlib import Path
from typing import Any, TextIO

from ..agreement import Verdict
from ..compare import Instance, Plan, Row, Summing, run
from ..compare.table import parts
from ..display.table import Table, rendered
from .codes import Code, UsageError
from .reading import Input
from .terminal import Progress, Tally, log, progress, say


def compare(source: Input, backends: Sequence[str], first: int | None, out: str | None, **choices: Any) -> Code:
    """Run every puzzle on every backend; write rows as they come and the tables at the end, or when interrupted."""
    try:
        plan = Plan.of(backends or None, **choices)
    except ValueError as error:
        raise UsageError(str(error)) from error
    tally, summing = Tally(), Summing(plan.names)
    total = source.count() if sys.stderr.isatty() else None
    total = first if total is None else total if first is None else min(first, total)
    try:
        with ExitStack() as stack:
            rows = stack.enter_context(_opened(out)) if out else None
            bar = stack.enter_context(progress("comparing", total))
            instances = stack.enter_context(closing(_instances(source, first, tally)))
            _run(plan, instances, rows, summing, bar)
    except KeyboardInterrupt:
        tally.add(Code.INTERRUPTED)
        say("interrupted: the table shows what is there")
    return _finished(plan, summing, tally)


def _run(plan: Plan, instances: Iterator[Instance], rows: TextIO | None, summing: Summing, bar: Progress) -> None:
    for group in run(plan, instances, lambda instance, backend: bar.tell(str(backend))):
        for row in group:
            summing.add(row)
            _note(row)
            if rows:
                rows.write(row.json() + "\n")
        if rows:
            rows.flush()
        bar.advance()


def _instances(source: Input, first: int | None, tally: Tally) -> Generator[Instance, None, None]:
    readable = (entry for entry in source.entries(tally) if entry.puzzle is not None)
    for number, entry in enumerate(islice(readable, first), 1):
        assert entry.puzzle is not None
        yield Instance(number, entry.puzzle, entry.source, entry.line)


def _opened(out: str) -> TextIO:
    try:
        return Path(out).open("w", encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{out}: cannot be written: {error.strerror}") from error


def _note(row: Row) -> None:
    if row.verdict is Verdict.WRONG:
        say(f"WRONG: {row.backend} on {row.name}: {row.reason}")
    log.info("%s: %s: %s in %.6f s %s", row.name, row.backend, row.status, row.wall, row.reason)


def _finished(plan: Plan, summing: Summing, tally: Tally) -> Code:
    summary = summing.summary()
    if not summary.agree:
        tally.add(Code.DISAGREE)
    if summary.puzzles:
        show(parts(summary, plan.unique, plan.time_limit))
    return tally.code


def show(shown: Sequence[Any]) -> None:
    """Print tables and lines of text on standard output, as wide as COLUMNS says where that is no terminal."""
    if not sys.stdout.isatty():
        columns = os.environ.get("COLUMNS", "")
        print(rendered(shown, int(columns) if columns.isdigit() and int(columns) else 120))
        return
    from rich.console import Console

    console = Console(highlight=False)
    for part in shown:
        console.print(part.rich() if isinstance(part, Table) else part, markup=False)
