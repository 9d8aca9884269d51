"""Figures from rows."""

from __future__ import annotations

from dataclasses import replace
from math import inf

from sudoku_models.compare import Row, summary_of
from sudoku_models.compare.plan import Goal
from sudoku_models.compare.summary import parts, phases, results

ROW = Row(1, "", None, "", 81, 17, "a", "unique", "solved", True, "", 1.0, 1.0, time_limit=10.0)


def rows(backend: str, *runs: tuple[str, float]) -> list[Row]:
    return [
        replace(ROW, puzzle=i, backend=backend, status=status, wall=wall) for i, (status, wall) in enumerate(runs, 1)
    ]


def test_runs_without_an_answer_stay_in_the_quantiles_and_count_twice_the_limit() -> None:
    a = summary_of(rows("a", ("solved", 1.0), ("unsatisfiable", 3.0), ("timeout", 10.0), ("error", 0.1))).figures[0]
    assert (a.solved, a.runs, a.wrong) == (2, 4, 0)
    assert (a.median, a.p90) == (3.0, inf)
    assert a.par2 == (1.0 + 3.0 + 20.0 + 20.0) / 4
    lost = [replace(row, time_limit=None) for row in rows("a", ("solved", 1.0), ("error", 1.0))]
    assert summary_of(lost).figures[0].par2 is None
    assert summary_of(lost[:1]).figures[0].par2 == 1.0


def test_the_best_stands_first_and_the_wrong_one_last_however_quick() -> None:
    found = [
        *rows("slow", ("solved", 2.0), ("solved", 2.0)),
        *rows("quick", ("solved", 1.0), ("solved", 1.0)),
        *rows("half", ("solved", 0.1), ("timeout", 10.0)),
        *rows("wrong", ("solved", 0.1), ("WRONG", 0.1)),
    ]
    summary = summary_of(found)
    assert [figures.backend for figures in summary.figures] == ["quick", "slow", "half", "wrong"]
    assert not summary.agree


def test_the_table_says_when_a_quantile_lies_behind_the_limit() -> None:
    summary = summary_of(rows("a", ("solved", 0.00123), ("timeout", 10.0), ("timeout", 10.0)))
    table = results(summary, Goal.UNIQUE, 10.0)
    assert [column.heading for column in table.columns][:4] == ["backend", "solved", "timeout", "wrong"]
    assert table.rows == (("a", "1", "2", "0", "> 10 s", "> 10 s", "> 10 s", "13.3 s"),)


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


class TestNotTaken:
    """Puzzles that a backend does not accept: a column of their own, and no part of the ranks unless that is asked."""

    FOUND = (
        *rows("all", ("solved", 2.0), ("solved", 4.0), ("solved", 9.0)),
        *rows("few", ("solved", 1.0), ("unsupported", 0.0), ("timeout", 10.0)),
        *rows("none", *[("unsupported", 0.0)] * 3),
    )

    def test_times_and_ranks_are_over_the_puzzles_that_every_backend_takes(self) -> None:
        summary = summary_of(self.FOUND)
        assert (summary.puzzles, summary.ranked) == (3, 2)
        assert [(f.backend, f.solved, f.par2, f.most) for f in summary.figures] == [
            ("all", 3, (2.0 + 9.0) / 2, 9.0),
            ("few", 1, (1.0 + 20.0) / 2, inf),
            ("none", 0, None, inf),
        ]

    def test_the_table_counts_them_apart_from_failures(self) -> None:
        table = results(summary_of(self.FOUND), Goal.UNIQUE, 10.0)
        assert [c.heading for c in table.columns][:5] == ["backend", "solved", "not taken", "timeout", "wrong"]
        assert [row[:5] for row in table.rows] == [
            ("all", "3", "0", "0", "0"),
            ("few", "1", "1", "1", "0"),
            ("none", "0", "3", "0", "0"),
        ]
        assert [row[6] for row in table.rows] == ["9.00 s", "> 10 s", ""]
        assert table.caption.endswith("Times and order are over the 2 puzzles that every backend takes.")
        lines = [str(line) for line in parts(summary_of(self.FOUND), Goal.UNIQUE, 10.0)]
        assert "few: 1 x not taken: " in lines and "none: 3 x not taken: " in lines


def test_phases_are_means_over_the_runs_that_tell_them_and_are_explained_in_a_line() -> None:
    said = replace(ROW, phases={"run": {"wall": 1.0, "cpu": 1.0}, "check": {"wall": 3.0, "cpu": 1.0}})
    more = replace(ROW, phases={"run": {"wall": 2.0, "cpu": 1.0}})
    summary = summary_of([said, more, ROW])
    assert summary.figures[0].phases == {"run": 1.5, "check": 1.5}
    words = "What a run spends its time on: run searches, check tests it on the model."
    assert phases(summary).caption == words
