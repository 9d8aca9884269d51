"""The check of many boards finds every wrong grid among right ones."""

from __future__ import annotations

import random

import numpy as np
import pytest

from sudoku_models.engine.batch import holds_many

ROWS = [[9 * r + c for c in range(9)] for r in range(9)]
COLUMNS = [[9 * r + c for r in range(9)] for c in range(9)]
BOXES = [[27 * R + 9 * r + 3 * C + c for r in range(3) for c in range(3)] for R in range(3) for C in range(3)]
CLASSIC = ROWS + COLUMNS + BOXES


def hold(values: np.ndarray, houses: list[list[int]], givens: np.ndarray | None = None) -> list[bool]:
    found: list[bool] = holds_many(values, houses, np.zeros_like(values) if givens is None else givens).tolist()
    return found


def grids(n: int, seed: int = 0) -> np.ndarray:
    rng = random.Random(seed)
    found = []
    for _ in range(n):
        names = rng.sample(range(1, 10), 9)
        found.append([names[(3 * (r % 3) + r // 3 + c) % 9] for r in range(9) for c in range(9)])
    return np.array(found, np.uint8).reshape(n, 81)


def test_one_changed_cell_is_found_in_any_row_and_with_any_value() -> None:
    rng, right = random.Random(1), grids(300)
    values = right.copy()
    for row in range(0, 300, 2):
        cell = rng.randrange(81)
        others = [v for v in (0, *range(1, 10), 10, 17, 255) if v != values[row, cell]]
        values[row, cell] = rng.choice(others)
    assert hold(values, CLASSIC) == [bool(row % 2) for row in range(300)]


def test_givens_and_candidates_must_be_kept() -> None:
    values = grids(100)
    givens = np.where(np.arange(81) % 3 == 0, values, 0).astype(np.uint8)
    givens[7, 3] = 1 + values[7, 3] % 9
    assert [i for i, good in enumerate(hold(values, CLASSIC, givens)) if not good] == [7]
    masks = (1 << (values - 1).astype(np.uint16)).astype(np.uint16) | np.uint16(3)
    masks[9, 80] = 0x1FF & ~(1 << int(values[9, 80]) - 1)
    assert [i for i, good in enumerate(hold(values, CLASSIC, masks)) if not good] == [9]


@pytest.mark.parametrize("n", [1, 4, 16, 17, 64])
def test_houses_of_any_size_up_to_a_word(n: int) -> None:
    square = np.array([[1 + (r + c) % n for r in range(n) for c in range(n)]], np.uint8)
    lines = [[n * r + c for c in range(n)] for r in range(n)] + [[n * r + c for r in range(n)] for c in range(n)]
    assert hold(square, lines) == [True]
    square[0, 0] = n + 1
    assert hold(square, lines) == [False]
