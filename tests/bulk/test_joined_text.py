"""Rows of text are what their parts say, whether rows of one length stand together or all lengths differ."""

from __future__ import annotations

from itertools import pairwise

import pytest

np = pytest.importorskip("numpy", reason="not applicable (platform): numpy is not there")

from sudoku_models.bulk import joined_text as j  # noqa: E402
from sudoku_models.bulk.columns import Values, WordColumn, counted  # noqa: E402


def expected(numbers: list[int], index: list[int], boards: list[list[int]]) -> list[str]:
    cells = ["".join("." if v == 0 else str(v) for v in board) for board in boards]
    return [f"{n},{('no', 'maybe')[i]};{c}\n" for n, i, c in zip(numbers, index, cells, strict=True)]


@pytest.mark.parametrize("index", [[0] * 200, [0] * 90 + [1] * 110, [0, 1] * 100])
def test_rows_are_their_parts_side_by_side(index: list[int]) -> None:
    numbers = list(range(5, 205))
    boards = np.random.default_rng(5).integers(0, 10, (200, 81)).astype(np.uint8)
    parts = [
        j.numbers(np.array(numbers)), j.same(200, ","), j.chosen(["no", "maybe"], np.array(index)), j.same(200, ";"),
        j.cells(boards), j.same(200, "\n"),
    ]  # fmt: skip
    text, starts = j.joined(parts)
    rows = expected(numbers, index, boards.tolist())
    assert bytes(text).decode() == "".join(rows)
    assert [bytes(text[a:b]).decode() for a, b in pairwise(starts.tolist())] == rows


def test_no_rows_are_no_text() -> None:
    text, starts = j.joined([j.same(0, "a"), j.numbers(np.zeros(0, np.int64))])
    assert (bytes(text), starts.tolist()) == (b"", [0])


def test_what_rows_hold_is_counted_without_making_their_texts() -> None:
    words = WordColumn(("solved", "failed", None), np.array([0, 0, 2, 0]))
    assert counted(words) == {"solved": 3, None: 1}
    assert counted(Values(np.array([True, False, True]))) == {True: 2, False: 1}
    assert counted(["a", "b", "a"]) == {"a": 2, "b": 1}
