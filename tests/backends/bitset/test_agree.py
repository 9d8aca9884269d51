"""The bulk solver says what the plain search ``fewest`` says: a seeded part of what `benchmarks/agree.py` compares."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("llvmlite", reason="not applicable (feature): llvmlite is not installed")

from sudoku_backends.bitset import BACKEND

from sudoku_models.collection import puzzles
from sudoku_models.engine.contract import Request
from sudoku_models.engine.road import run
from sudoku_models.puzzle import Shape

SAMPLED = 20


def compare(grids: list[list[int]], limit: int) -> list[int]:
    """Return how many solutions each grid has; every count must be the plain search's, and a proper puzzle's grid."""
    model = Shape.square(9).model
    batch = BACKEND.compile(model, BACKEND.Options()).rows(np.array(grids, np.uint8), Request(limit=limit))
    for grid, count, values in zip(grids, batch.count.tolist(), batch.values.tolist(), strict=True):
        domains = {name: (value,) for name, value in zip(model.names, grid, strict=True) if value}
        found = list(run(model, "backtracking:strategy=fewest", Request(domains, limit)))
        assert count == len(found), grid
        assert count != 1 or tuple(values) == found[0], grid
    return [int(count) for count in batch.count]


def test_shipped_puzzles_have_the_solutions_of_the_plain_search() -> None:
    rng = random.Random("agree")
    shipped = [[v or 0 for v in item.puzzle.givens] for item in puzzles("9x9")]
    counts = compare(rng.sample(shipped, min(SAMPLED, len(shipped))), 2)
    assert 1 in counts


def test_sampled_puzzles_have_the_solutions_of_the_plain_search(shared_data: Path) -> None:
    rng = random.Random("agree")
    files = [shared_data / "classic" / f"{name}.txt" for name in ("17_clue", "several_solutions", "top1465")]
    lines = {path.stem: [t[:81] for t in path.read_text().splitlines() if t[:1] not in ("", "#")] for path in files}
    chosen = [line for some in lines.values() for line in rng.sample(some, SAMPLED // len(lines))]
    counts = compare([[0 if c in ".0" else int(c) for c in line] for line in chosen], 2)
    assert set(counts) == {1, 2}
