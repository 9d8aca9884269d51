"""The verdict, and what is said of ties, timeouts and intervals."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sudoku_models.compare import Row
from sudoku_models.compare.report import Report
from sudoku_models.compare.report.words import notes
from sudoku_models.compare.statistics import study_of

from ..made import row

REPEATED = [row("a", 1, 1.0, repeat=i, relabelled=True) for i in range(3)] + [row("b", 1, 1.0, asked="first")]
SEEDED = [row("a", i, 1.0, seed=seed) for i in (1, 2, 3) for seed in (0, 5)]
MOVED = [replace(r, relabelled=bool(r.seed)) if r.puzzle != 2 else r for r in SEEDED]


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (REPEATED, ("run 3 times", "relabelled", "the easier question")),
        (SEEDED, ("3 instances relabelled for no engine",)),
        (MOVED, ("1 instance relabelled for no engine",)),
    ],
)
def test_notes_say_how_to_read_the_figures(found: list[Row], words: tuple[str, ...]) -> None:
    text = " ".join(notes(study_of(found)))
    assert [word for word in words if word not in text] == []
    assert ("relabelled for no engine" in text) == any("for no engine" in word for word in words)


def test_an_earlier_run_may_be_named_by_its_file(report: Report, tmp_path: Path) -> None:
    report.save(tmp_path / "old.jsonl")
    assert report.against(tmp_path / "old.jsonl") == report.against(report)
