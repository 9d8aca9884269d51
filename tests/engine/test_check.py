"""The check of answers: of one by the meaning of every kind, of many boards each wrong grid among right ones."""

from __future__ import annotations

import random
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings

from sudoku_models import Shape
from sudoku_models.engine.batch import _wrong
from sudoku_models.engine.check import Checker
from sudoku_models.engine.contract import Request
from sudoku_models.model import AllDifferent, Model, Variable, brute_force
from tests import strategies


@settings(max_examples=60, deadline=None)
@given(strategies.models(most=4))
def test_it_agrees_with_the_meaning_of_every_kind(model: Model) -> None:
    checker, solutions = Checker(model), set(brute_force(model))
    for row in product(*(v.domain for v in model.variables)):
        assert (checker.fault(row, {}) is None) == (row in solutions)


NINE = Shape.square(9).model


def hold(values: np.ndarray, givens: np.ndarray | None = None, model: Model = NINE) -> list[bool]:
    """Which rows does the check of batches let through?"""
    givens = np.zeros_like(values) if givens is None else givens
    rows = (slice(i, i + 1) for i in range(len(values)))
    return [_wrong(model, values[row], givens[row], Request()) is None for row in rows]


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
    assert hold(values) == [bool(row % 2) for row in range(300)]


def test_givens_and_candidates_must_be_kept() -> None:
    values = grids(100)
    givens = np.where(np.arange(81) % 3 == 0, values, 0).astype(np.uint8)
    givens[7, 3] = 1 + values[7, 3] % 9
    assert [i for i, good in enumerate(hold(values, givens)) if not good] == [7]
    masks = (1 << (values - 1).astype(np.uint16)).astype(np.uint16) | np.uint16(3)
    masks[9, 80] = 0x1FF & ~(1 << int(values[9, 80]) - 1)
    assert [i for i, good in enumerate(hold(values, masks)) if not good] == [9]


@pytest.mark.parametrize("n", [1, 4, 16, 17, 64])
def test_houses_of_any_size(n: int) -> None:
    square = np.array([[1 + (r + c) % n for r in range(n) for c in range(n)]], np.uint8)
    xs = [Variable(f"x{i}", range(1, n + 1)) for i in range(n * n)]
    lines = [AllDifferent(xs[n * r : n * r + n]) for r in range(n)] + [AllDifferent(xs[c::n]) for c in range(n)]
    assert hold(square, model=Model(xs, lines)) == [True]
    square[0, 0] = n + 1
    assert hold(square, model=Model(xs, lines)) == [False]
