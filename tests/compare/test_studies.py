"""Studies: runs, stated as times, and all that tables and reports say of them.

A file of studies has sections under titles (``#``). A line ``@ BACKEND ...`` has a run for each instance: seconds,
``-`` (the limit of 10 s was reached), ``no`` (not taken), ``error``, ``wrong``, ``.`` (not run); a further line of the
backend is its next repeat, and ``@old`` are lines of an earlier run. Lines behind ``$`` are what is asked, the others
what is written: ``table`` (as on a terminal), ``report`` (Markdown), ``notes`` (on how to read it), all perhaps ``over
all`` puzzles or ``without a limit``, and ``against`` (the earlier run). Behind ``;`` figures are computed by hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from sudoku_models.compare import Row, summary_of
from sudoku_models.compare.plan import Goal
from sudoku_models.compare.report import Report
from sudoku_models.compare.report.tables import change_table
from sudoku_models.compare.report.words import notes
from sudoku_models.compare.statistics import changes
from sudoku_models.compare.summary import parts
from sudoku_models.display.text_tables import rendered

from ..golden import hold, sections
from .made import LIMIT, row

STATUSES = {"no": "unsupported", "error": "error", "wrong": "WRONG"}


@pytest.mark.parametrize(("path", "section"), sections("compare", "studies"))
def test_a_study_says_what_is_written_down(path: Path, section: str) -> None:
    pytest.importorskip("scipy")
    hold(path, section, "".join(f"{line}\n".replace(" \n", "\n") for line in studied(section)))


def studied(section: str) -> Iterator[str]:
    """Answer what a section asks; yield its lines with what is written now."""
    runs: dict[str, list[Row]] = {"@": [], "@old": []}
    for line in section.splitlines():
        sign, _, rest = line.partition(" ")
        if sign == "|":
            continue
        yield line
        if sign in runs:
            name, *times = rest.split()
            repeat = Counter((r.backend, r.puzzle) for r in runs[sign])[name, 1]
            runs[sign] += [_row(name, i, time, repeat) for i, time in enumerate(times, 1) if time != "."]
        elif sign == "$":
            yield from (f"| {text}" for text in _written(rest, runs["@"], runs["@old"]).splitlines())


def _row(name: str, instance: int, time: str, repeat: int) -> Row:
    if time in STATUSES:
        return row(name, instance, 0.1, status=STATUSES[time], unique=None, repeat=repeat, position=instance)
    return row(name, instance, None if time == "-" else float(time), repeat=repeat, position=instance)


def _written(asked: str, now: list[Row], then: list[Row]) -> str:
    limit = None if "without a limit" in asked else LIMIT
    found = [replace(one, time_limit=limit) for one in now]
    if asked == "against":
        return rendered([change_table(changes(found, then))], 120)
    if asked.startswith("table"):
        return rendered(parts(summary_of(found, "over all" in asked), Goal.UNIQUE, limit), 120)
    report = replace(Report.of(found), over_all="over all" in asked)
    if asked.startswith("notes"):
        return "\n".join(notes(report.study))
    return report.markdown().partition("\n## How to read")[0].partition("\n\n")[2]
