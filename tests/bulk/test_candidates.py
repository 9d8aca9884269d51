"""Candidates of many boards: natively in batches, else board by board, and checked."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from sudoku_models import Puzzle, WrongAnswer, candidates, solve
from sudoku_models.bulk import candidates_arrays, candidates_frame, candidates_into

from .made import BAD, CLASH, LINES, SMALL, lie, read, table, write

OPEN = LINES[0].replace(next(c for c in LINES[0] if c != "."), ".")
BOARDS = [*LINES[:4], CLASH, OPEN, "".join("." if i > 50 else c for i, c in enumerate(LINES[1]))]


@pytest.mark.parametrize("backend", ["bitset", "auto", "pycosat", "backtracking"])
def test_a_mask_has_the_values_of_some_solution(backend: str) -> None:
    boards = BOARDS[:5] if backend == "backtracking" else BOARDS
    found = candidates_arrays(boards, backend)
    assert found.dtype == np.uint16
    for board, masks in zip(boards, found.tolist(), strict=True):
        assert [tuple(v for v in range(1, 10) if mask >> v - 1 & 1) for mask in masks] == wanted(board)


@cache
def wanted(board: str) -> list[tuple[int, ...]]:
    return list(candidates(board, "pycosat").values())


def test_a_wrong_solution_behind_candidates_is_caught_with_its_row(monkeypatch: pytest.MonkeyPatch) -> None:
    def turn(values: np.ndarray) -> None:
        values[1, :9] = values[1, 8::-1]

    lie(monkeypatch, turn)
    with pytest.raises(WrongAnswer, match="row 1"):
        candidates_arrays([*LINES[:2], CLASH], "bitset")


@pytest.mark.parametrize("backend", ["bitset", "pycosat"])
def test_every_row_has_its_candidates_or_its_error(tmp_path: Path, backend: str) -> None:
    source = write(table([LINES[0], BAD, CLASH, None]), tmp_path / "in.arrow")
    summary = candidates_into(source, tmp_path / "out.parquet", backend)
    rows = read(tmp_path / "out.parquet")
    assert dict(summary.counts) == {"settled": 1, "bad input": 2, "unsatisfiable": 1}
    assert list(rows[0]) == ["id", "puzzle", "note", "candidates", "status", "reason", "backend", "seconds"]
    solved = Puzzle.parse(rows[0]["candidates"], input_format="pencilmarks")
    assert solved.grid == solve(LINES[0], "pycosat").grid
    assert [row["candidates"] is None for row in rows] == [False, True, True, True]


def test_a_table_gets_candidates_and_a_limit_leaves_them_unknown() -> None:
    frame = candidates_frame(table([SMALL]), "backtracking")
    assert frame["candidates"].to_pylist()[0].startswith("1....234")
    late = candidates_frame(table(["." * 81]), "backtracking", time_limit=1e-6)
    assert (late["status"].to_pylist(), late["reason"].to_pylist()) == (["unknown"], ["time limit"])
