"""The verdict, and what is said of ties, timeouts and intervals."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from sudoku_models.compare.report import Report
from sudoku_models.compare.report.words import notes, verdict
from sudoku_models.compare.statistics import study_of

from ..made import LOST, row, rows

CLEAR: list[float | None] = [0.1 + i / 100 for i in range(12)]


def said(**times: list[float | None]) -> str:
    return verdict(study_of(rows(**times)))


def test_a_clear_winner_is_named_with_factor_and_interval() -> None:
    text = said(a=CLEAR, b=[2 * t for t in CLEAR if t])
    assert text.startswith("a comes first: it answered all 12 runs")
    assert "2.00 × (95 % interval 2.00 – 2.00 ×) quicker than b" in text


def test_two_that_cannot_be_reported_apart_are_not_ranked_in_words() -> None:
    assert "but its lead over" in said(a=[1.0, 2.0], b=[2.0, 1.01])


def test_more_answers_win_over_time() -> None:
    assert said(a=[5.0, 5.0], b=[0.1, LOST]).endswith("1 more answer than b.")


def test_a_leader_that_is_usually_slower_is_called_so() -> None:
    usually = [0.1 + i / 100 for i in range(40)]
    text = said(even=[1.5 * t for t in usually] + [0.5], bursty=[*usually, 9.9])
    assert "On a typical puzzle bursty is quicker" in text


def test_wrong_answers_are_part_of_the_verdict(report: Report) -> None:
    assert report.verdict.startswith("quick comes first: it answered all 6 runs")
    assert report.verdict.endswith("liar gave wrong answers on 1 puzzle and is out of the ranking.")


def test_there_is_always_something_to_say() -> None:
    assert "no other backend to compare it with" in said(a=[1.0])
    assert said(a=[1.0]).startswith("a answered the one run, in 1.00 s")
    assert said(a=[LOST], b=[LOST]) == "No backend answered the puzzle."
    assert "No backend answered any of the 2 puzzles" in said(a=[LOST, LOST], b=[LOST, LOST])
    assert "No backend is left" in verdict(study_of([row("a", 1, 1.0, status="WRONG")]))
    assert "No instance has been run by every backend" in verdict(study_of([row("a", 1, 1.0), row("b", 2, 1.0)]))


def test_notes_say_how_timeouts_ties_and_intervals_are_counted() -> None:
    text = " ".join(notes(study_of(rows(a=[1.0, LOST, 3.0], b=[1.0, 1.0]))))
    for words in ("2 instances", "1 instance not run by every", "within 10 s", "1 of 2 are such bounds", "rough"):
        assert words in text


def test_notes_tell_which_instances_were_not_relabelled() -> None:
    stated = [row("a", i, 1.0, seed=seed) for i in (1, 2, 3) for seed in (0, 5)]
    said = "relabelled for no engine"
    assert f"3 instances {said}" in " ".join(notes(study_of(stated)))
    some = [replace(r, relabelled=bool(r.seed)) if r.puzzle != 2 else r for r in stated]
    assert f"1 instance {said}" in " ".join(notes(study_of(some)))
    assert said not in " ".join(notes(study_of([r for r in stated if not r.seed])))


def test_notes_tell_of_repeats_relabelling_and_unequal_questions() -> None:
    found = [row("a", 1, 1.0, repeat=i, relabelled=True) for i in range(3)] + [row("b", 1, 1.0, asked="first")]
    text = " ".join(notes(study_of(found)))
    for words in ("run 3 times", "relabelled", "the easier question"):
        assert words in text
    unlimited = [replace(r, time_limit=None) for r in rows(a=[1.0])]
    assert "no time limit" in " ".join(notes(study_of(unlimited)))


def test_an_earlier_run_may_be_named_by_its_file(report: Report, tmp_path: Path) -> None:
    report.save(tmp_path / "old.jsonl")
    assert report.against(tmp_path / "old.jsonl") == report.against(report)
