"""The bulk check finds every wrong grid among right ones, compiled, as plain Python and by numpy."""

from __future__ import annotations

import random

import numpy as np
import pytest

from sudoku_models.engine import bulk_check
from sudoku_models.engine.bulk_check import holds_many

ROWS = [[9 * r + c for c in range(9)] for r in range(9)]
COLUMNS = [[9 * r + c for r in range(9)] for c in range(9)]
BOXES = [[27 * R + 9 * r + 3 * C + c for r in range(3) for c in range(3)] for R in range(3) for C in range(3)]
CLASSIC = ROWS + COLUMNS + BOXES


@pytest.fixture(params=["machine code", "plain Python", "numpy"])
def kernels(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "machine code":
        pytest.importorskip("llvmlite", reason="not applicable (feature): llvmlite is not installed")
        return
    found = None if request.param == "numpy" else bulk_check.LIBRARY.plain()
    monkeypatch.setattr(bulk_check, "_kernels", lambda: found)


def grids(n: int, seed: int = 0) -> np.ndarray:
    rng = random.Random(seed)
    found = []
    for _ in range(n):
        names = rng.sample(range(1, 10), 9)
        found.append([names[(3 * (r % 3) + r // 3 + c) % 9] for r in range(9) for c in range(9)])
    return np.array(found, np.uint8).reshape(n, 81)


@pytest.mark.usefixtures("kernels")
@pytest.mark.parametrize("n", [0, 1, 63, 64, 65, 200])
def test_right_grids_hold(n: int) -> None:
    assert holds_many(grids(n), CLASSIC).tolist() == [True] * n


@pytest.mark.usefixtures("kernels")
def test_one_changed_cell_is_found_in_any_row_and_with_any_value() -> None:
    rng, right = random.Random(1), grids(300)
    values = right.copy()
    for row in range(0, 300, 2):
        cell = rng.randrange(81)
        others = [v for v in (0, *range(1, 10), 10, 17, 255) if v != values[row, cell]]
        values[row, cell] = rng.choice(others)
    assert holds_many(values, CLASSIC).tolist() == [bool(row % 2) for row in range(300)]


@pytest.mark.usefixtures("kernels")
def test_every_kind_of_house_counts() -> None:
    latin = np.array([[1 + (r + c) % 9 for r in range(9) for c in range(9)]], np.uint8)
    assert holds_many(latin, ROWS + COLUMNS).tolist() == [True]
    assert holds_many(latin, CLASSIC).tolist() == [False]
    rows = np.array([[1 + c for _ in range(9) for c in range(9)]], np.uint8)
    assert holds_many(rows, ROWS).tolist() == [True]
    assert holds_many(rows, COLUMNS).tolist() == [False]


@pytest.mark.usefixtures("kernels")
def test_givens_and_candidates_must_be_kept() -> None:
    values = grids(100)
    givens = np.where(np.arange(81) % 3 == 0, values, 0).astype(np.uint8)
    givens[7, 3] = 1 + values[7, 3] % 9
    assert np.flatnonzero(~holds_many(values, CLASSIC, givens)).tolist() == [7]
    masks = (1 << (values - 1).astype(np.uint16)).astype(np.uint16) | np.uint16(3)
    masks[9, 80] = 0x1FF & ~(1 << int(values[9, 80]) - 1)
    assert np.flatnonzero(~holds_many(values, CLASSIC, masks)).tolist() == [9]


@pytest.mark.usefixtures("kernels")
@pytest.mark.parametrize("n", [1, 4, 16, 17, 64])
def test_houses_of_any_size_up_to_a_word(n: int) -> None:
    square = np.array([[1 + (r + c) % n for r in range(n) for c in range(n)]], np.uint8)
    lines = [[n * r + c for c in range(n)] for r in range(n)] + [[n * r + c for r in range(n)] for c in range(n)]
    assert holds_many(square, lines).tolist() == [True]
    square[0, 0] = n + 1
    assert holds_many(square, lines).tolist() == [False]


@pytest.mark.parametrize(
    ("values", "houses", "givens", "message"),
    [
        (np.zeros((2, 81), np.int64), CLASSIC, None, "int64"),
        (np.zeros(81, np.uint8), CLASSIC, None, "shape"),
        (np.zeros((2, 80), np.uint8), CLASSIC, None, "outside 0 to 79"),
        (np.zeros((2, 81), np.uint8), [list(range(65))], None, "1 to 64"),
        (np.zeros((2, 81), np.uint8), CLASSIC, np.zeros((1, 81), np.uint8), "givens"),
        (np.zeros((2, 81), np.uint8), [list(range(17))], np.zeros((2, 81), np.uint16), "16 cells"),
    ],
)
def test_arrays_that_do_not_fit_are_errors(values, houses, givens, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        holds_many(values, houses, givens)
