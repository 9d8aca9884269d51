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


def test_arrays_bytes_and_lines_are_the_same_puzzles() -> None:
    from_lines = solve_arrays(LINES)
    from_bytes = solve_arrays("\n".join(LINES).encode())
    array = np.array([[0 if x == "." else int(x) for x in line] for line in LINES], np.uint8)
    for other in (from_bytes, solve_arrays(array)):
        assert np.array_equal(from_lines.values, other.values)
        assert np.array_equal(from_lines.count, other.count)


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


@pytest.mark.parametrize("other", ["", "  ", "# a comment", f"{LINES[0]}\n{LINES[1]}"])
def test_each_line_of_a_list_is_a_row_or_an_error_so_that_answers_stand_beside_their_puzzles(other: str) -> None:
    with pytest.raises(FormatError, match="line 2: one board is expected"):
        solve_arrays([LINES[0], other, ""][: 2 + ("\n" in other)])
    assert len(solve_arrays([f"{LINES[0]}\r\n", f"{LINES[1]}\n"]).count) == 2
    assert len(solve_arrays([]).count) == 0
