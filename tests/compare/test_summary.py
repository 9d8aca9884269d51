"""Figures from rows."""

from __future__ import annotations

from dataclasses import replace

from sudoku_models.compare import Row, summary_of
from sudoku_models.compare.plan import Goal
from sudoku_models.compare.summary import parts, phases

ROW = Row(1, "", None, "", 81, 17, "a", "unique", "solved", True, "", 1.0, 1.0, time_limit=10.0)


def rows(backend: str, *runs: tuple[str, float]) -> list[Row]:
    return [
        replace(ROW, puzzle=i, backend=backend, status=status, wall=wall) for i, (status, wall) in enumerate(runs, 1)
    ]


def test_of_the_reasons_of_one_status_the_most_frequent_are_listed_and_the_others_counted() -> None:
    reasons = ["side 4", *["side 6"] * 2, *["side 7"] * 3, *["side 8"] * 4, "side 10", "side 12"]
    found = [replace(row, reason=why) for row, why in zip(rows("a", *[("error", 1.0)] * 12), reasons, strict=True)]
    lines = [line for line in parts(summary_of(found), Goal.FIRST, 10.0) if str(line).startswith("a: ")]
    assert lines == [
        "a: 4 x error: side 8",
        "a: 3 x error: side 7",
        "a: 2 x error: side 6",
        "a: 3 x error for 3 other reasons",
    ]


def test_phases_are_means_over_the_runs_that_tell_them_and_are_explained_in_a_line() -> None:
    said = replace(ROW, phases={"run": {"wall": 1.0, "cpu": 1.0}, "check": {"wall": 3.0, "cpu": 1.0}})
    more = replace(ROW, phases={"run": {"wall": 2.0, "cpu": 1.0}})
    summary = summary_of([said, more, ROW])
    assert summary.figures[0].phases == {"run": 1.5, "check": 1.5}
    words = "What a run spends its time on: run searches, check tests it on the model."
    assert phases(summary).caption == words
