"""A report made by hand: three backends, one of them with timeouts, one wrong, on six puzzles of two sides."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sudoku_models import Puzzle
from sudoku_models.compare import Row
from sudoku_models.compare.report import Report

from ..made import LOST, row

SMALL, LARGE = "1.....2....3....", "." * 80 + "5"
HOSTILE = "</script><script>window.taken=1</script><b>&{{data}}"
TIMES: dict[str, list[float | None]] = {
    "quick": [0.001, 0.002, 0.003, 0.004, 0.005, 0.006],
    "slow:form=x": [0.010, 0.0202, 0.0306, 0.0412, 0.052, 0.063],
    "lossy": [0.0005, LOST, 0.5, LOST, 0.7, 0.8],
    "liar": [0.1] * 6,
}


def made_rows() -> list[Row]:
    return [_row(name, i, wall) for name, walls in TIMES.items() for i, wall in enumerate(walls, 1)]


def _row(name: str, i: int, wall: float | None) -> Row:
    small = i <= 3
    made = row(name, i, wall, side=4 if small else 9, cells=16 if small else 81, clues=i if small else 17 + i)
    phases = {"run": {"wall": made.wall * 0.75, "cpu": 0.0}, "check": {"wall": made.wall * 0.25, "cpu": 0.0}}
    said = replace(made, title=HOSTILE if i == 2 else f"puzzle-{i}", line=i, phases=phases, memory=i << 20)
    if name == "liar" and i == 1:
        return replace(said, status="WRONG", reason=HOSTILE)
    return replace(said, sizes={"variables": 81, "clauses": 1000 + i}) if name == "quick" else said


@pytest.fixture
def report() -> Report:
    rows = made_rows()
    boards = {r.sha256: Puzzle.parse(SMALL if r.side == 4 else LARGE) for r in rows}
    provenance = {"started": "2026-01-02T03:04:05+00:00", "command": ["sudoku-models", "compare", "a b.txt"]}
    return Report.of(rows, {**provenance, "versions": {"python": "3.11.0", "hostile": HOSTILE}}, boards)
