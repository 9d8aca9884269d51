"""The verb ``rate`` of classic boards: both scales, one at a time and in the one stream."""

from __future__ import annotations

import json
from pathlib import Path

from sudoku_models import Puzzle
from sudoku_models.explain import rate
from sudoku_models.explain.classic import rate_arrays
from sudoku_models.explain.ladder import RUNGS, Ladder, level_text
from sudoku_models.explain.many import rate_into

from ..definition import Definition
from .reference import CHAINS, EASY, ESCARGOT, HARD

WINGS = "9.....6....7..1.2.....62..88.2..6..9...4.5.1...........5..4.9.....2...41...1.8..."


def test_rows_have_the_ratings_of_single_puzzles(tmp_path: Path) -> None:
    lines = [EASY, HARD, "12.434.2214.....", "x", "11" + "." * 79, "." * 81]
    target = tmp_path / "rated.jsonl"
    summary = rate_into(lines, target)
    rows = [json.loads(line) for line in target.read_text().splitlines()]
    assert summary.counts == {"rated": 3, "bad input": 1, "unsatisfiable": 1, "several solutions": 1}
    for line, row in zip(lines[:3], rows, strict=False):
        found = rate(line)
        assert row["level"] == found.to_json()["level"]
        assert row["se"] == (found.se.value / 10 if found.se else None)
        assert row["stages"] == " ".join(f"{level}:{n}" for level, n in found.to_json()["stages"].items())
    assert [row["se"] for row in rows[2:]] == [None] * 4


def test_arrays_have_the_levels_and_stages_of_the_plain_definition() -> None:
    lines = [HARD, CHAINS, WINGS, EASY]
    found = rate_arrays(lines)
    assert found.stages is not None
    for line, text, counts in zip(lines, found.texts(), found.stages.tolist(), strict=True):
        ladder = Ladder(Puzzle.parse(line))
        levels = [stage.level for stage in Definition(ladder).stages(ladder.start())]
        assert text == level_text(max(levels))
        assert counts == [levels.count(level) for level in RUNGS[1:]]


def test_a_limit_of_time_bounds_every_scale() -> None:
    found = rate(ESCARGOT, time_limit=1e-9)
    assert found.full_text().startswith("harder than level ")
    assert str(found.se).startswith("not settled (")
