"""Many puzzles at once: arrays, files, and the chunks behind solve_many."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from sudoku_models import FormatError, Model, Puzzle, Unsupported, WrongAnswer, solve, solve_many
from sudoku_models.bulk.rows import MANY
from sudoku_models.bulk.solving_arrays import solve_arrays
from sudoku_models.model import AllDifferent, Variable

from .made import CLASH, LINES, lie

pytest.importorskip("llvmlite", reason="llvmlite is not installed")


def test_rows_are_answered_in_order_with_counts_to_the_limit() -> None:
    found = solve_arrays(LINES, limit=3)
    wanted = [min(3, len(list(_several(line)))) for line in LINES[:20]]
    assert found.count[:20].tolist() == wanted
    for line, values, count in zip(LINES, found.values, found.count, strict=True):
        text = "".join(map(str, values.tolist()))
        assert count == 0 or all(a in (".", b) for a, b in zip(line, text, strict=True))


def _several(line: str) -> Iterator[Any]:
    from sudoku_models import solutions

    return solutions(line, "backtracking", limit=3)


def test_a_wrong_grid_in_a_batch_is_caught_with_its_row(monkeypatch: pytest.MonkeyPatch) -> None:
    def repeat(values: np.ndarray) -> None:
        values[4, 80] = values[4, 79]

    lie(monkeypatch, repeat)
    with pytest.raises(WrongAnswer, match="row 4"):
        solve_arrays([LINES[0]] * 9)


def test_solve_many_gives_the_same_results_in_chunks_as_one_by_one() -> None:
    mixed: list[Any] = [*LINES[:40], CLASH, "....", Puzzle.parse(LINES[0]).with_candidates({"R1C1": range(1, 10)})]
    x, y = (Variable(name, (1, 2)) for name in "xy")
    mixed.append(Model([x, y], [AllDifferent([x, y])]))
    chunks = list(solve_many(mixed, "bitset", unique=True, on_error="return"))
    for problem, found in zip(mixed, chunks, strict=True):
        try:
            alone = solve(problem, "bitset", unique=True)
        except (FormatError, Unsupported) as error:
            assert type(found) is type(error)
            continue
        assert not isinstance(found, Exception)
        assert (found.status, found.unique, found.clashes) == (alone.status, alone.unique, alone.clashes)
        assert found.unique is not True or found.grid == alone.grid


def test_auto_takes_batches_when_there_are_many_puzzles() -> None:
    results = list(solve_many([LINES[0]] * (MANY + 1)))
    last = results[-1]
    assert not isinstance(last, Exception)
    assert last.record.backend == "bitset"


def test_an_endless_source_is_read_no_further_than_needed() -> None:
    read = 0

    def source() -> Iterator[str]:
        nonlocal read
        while True:
            read += 1
            yield LINES[0]

    results = solve_many(source(), "bitset")
    for _ in range(3):
        next(results)
    assert read <= 8
