"""The verdict, and what is said of ties, timeouts and intervals."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sudoku_models.compare import Row
from sudoku_models.compare.report import Report
from sudoku_models.compare.report.words import notes, verdict
from sudoku_models.compare.statistics import study_of

from ..made import LOST, row, rows

CLEAR: list[float | None] = [0.1 + i / 100 for i in range(12)]
USUALLY = [0.1 + i / 100 for i in range(40)]


@pytest.mark.parametrize(
    ("times", "expected"),
    [
        ({"a": CLEAR, "b": [2 * t for t in CLEAR if t]}, "a comes first: it answered all 12 runs"),
        ({"a": CLEAR, "b": [2 * t for t in CLEAR if t]}, "2.00 × (95 % interval 2.00 – 2.00 ×) quicker than b"),
        ({"a": [1.0, 2.0], "b": [2.0, 1.01]}, "but its lead over"),
        ({"a": [5.0, 5.0], "b": [0.1, LOST]}, "1 more answer than b."),
        ({"even": [*(1.5 * t for t in USUALLY), 0.5], "bursty": [*USUALLY, 9.9]}, "a typical puzzle bursty is quicker"),
        ({"a": [1.0]}, "a answered the one run, in 1.00 s each on average; there is no other backend to compare it"),
        ({"a": [LOST], "b": [LOST]}, "No backend answered the puzzle."),
        ({"a": [LOST, LOST], "b": [LOST, LOST]}, "No backend answered any of the 2 puzzles"),
    ],
)
def test_there_is_always_something_to_say(times: dict[str, list[float | None]], expected: str) -> None:
    assert expected in verdict(study_of(rows(**times)))


def test_wrong_answers_and_missing_runs_are_part_of_the_verdict(report: Report) -> None:
    assert report.verdict.startswith("quick comes first: it answered all 6 runs")
    assert report.verdict.endswith("liar gave wrong answers on 1 puzzle and is out of the ranking.")
    assert "No backend is left" in verdict(study_of([row("a", 1, 1.0, status="WRONG")]))
    assert "No instance has been run by every backend" in verdict(study_of([row("a", 1, 1.0), row("b", 2, 1.0)]))


REPEATED = [row("a", 1, 1.0, repeat=i, relabelled=True) for i in range(3)] + [row("b", 1, 1.0, asked="first")]
SEEDED = [row("a", i, 1.0, seed=seed) for i in (1, 2, 3) for seed in (0, 5)]
MOVED = [replace(r, relabelled=bool(r.seed)) if r.puzzle != 2 else r for r in SEEDED]


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (
            rows(a=[1.0, LOST, 3.0], b=[1.0, 1.0]),
            ("2 instances", "1 instance not run by every", "within 10 s", "1 of 2 are such bounds", "rough"),
        ),
        (REPEATED, ("run 3 times", "relabelled", "the easier question")),
        (SEEDED, ("3 instances relabelled for no engine",)),
        (MOVED, ("1 instance relabelled for no engine",)),
        ([replace(r, time_limit=None) for r in rows(a=[1.0])], ("no time limit",)),
    ],
)
def test_notes_say_how_to_read_the_figures(found: list[Row], words: tuple[str, ...]) -> None:
    text = " ".join(notes(study_of(found)))
    assert [word for word in words if word not in text] == []
    assert ("relabelled for no engine" in text) == any("for no engine" in word for word in words)


def test_an_earlier_run_may_be_named_by_its_file(report: Report, tmp_path: Path) -> None:
    report.save(tmp_path / "old.jsonl")
    assert report.against(tmp_path / "old.jsonl") == report.against(report)
