"""Random solution grids: complete, reproducible, and as even as the text says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sudoku_models import Shape
from sudoku_models.make import grids, verify_arrays
from sudoku_models.make.bands import Array, bands
from sudoku_models.make.grid_forms import _band_state

UNLIKELY = 1e-6
"""A fair sampler fails a test here once in a million seeds; the seeds are fixed."""


def chance(counts: Array, expected: Any, freedom: int) -> float:
    """Return the chance that a fair sampler is as far from what is expected, or farther (Pearson's test)."""
    from scipy.special import chdtrc

    return float(chdtrc(freedom, ((counts - expected) ** 2 / expected).sum()))


def test_every_4x4_grid_has_the_same_chance() -> None:
    made = grids(288 * 60, Shape.square(4), seed=1)
    found, counts = np.unique(made, axis=0, return_counts=True)
    assert len(found) == 288
    assert chance(counts, 60, 287) > UNLIKELY


def test_2x3_grids_are_even_over_their_classes_and_all_28200960_are_reached() -> None:
    from sudoku_models.make.small_grids import small_grids

    assert len(small_grids(6, 2, 3)) * 720 == 28_200_960
    made = grids(40_000, Shape.square(6), seed=1).astype(np.int64)
    names = np.argsort(made[:, :6], 1)
    second = np.take_along_axis(names, made[:, 6:12] - 1, 1) @ 6 ** np.arange(6)
    _, counts = np.unique(second, return_counts=True)
    table = np.argsort(small_grids(6, 2, 3)[:, :6].astype(np.int64), 1)
    shares = np.take_along_axis(table, small_grids(6, 2, 3)[:, 6:12].astype(np.int64) - 1, 1) @ 6 ** np.arange(6)
    _, expected = np.unique(shares, return_counts=True)
    wanted = expected * (40_000 / expected.sum())
    assert len(counts) == len(wanted)
    assert chance(counts, wanted, len(counts) - 1) > UNLIKELY


def _kinds(lines: Array, start: int) -> list[int]:
    table, columns, names = bands(), np.zeros(9, np.int64), np.zeros(9, np.int64)
    columns[1], columns[2] = 1, 2
    return [int(table.kind[_band_state(g, start, table.layout, table.order, columns, names)]) for g in lines]


def test_the_bands_of_even_9x9_grids_are_alike_wherever_they_lie() -> None:
    """The boxes are drawn in turn, so that a bias would show as a difference between the first band and the last."""
    made = grids(12_000, seed=3).reshape(-1, 9, 9).astype(np.int64) - 1
    counts = np.array([np.bincount(_kinds(made, start), minlength=416) for start in (0, 6)])
    common = counts[:, counts.sum(0) >= 40]
    assert common.shape[1] > 100
    expected = np.outer(common.sum(1), common.sum(0)) / common.sum()
    assert chance(common, expected, common.shape[1] - 1) > UNLIKELY


@pytest.mark.parametrize("fast", [False, True])
def test_grids_are_complete_and_depend_on_the_seed_alone(fast: bool) -> None:
    made = grids(5000, seed=7, fast=fast)
    assert verify_arrays(np.zeros_like(made), made).all()
    assert (grids(4500, seed=7, fast=fast, workers=3) == made[:4500]).all()
    assert (grids(10, seed=8, fast=fast) != made[:10]).any()
    assert len(np.unique(made, axis=0)) == 5000


@pytest.mark.parametrize(
    "shape", [Shape.square(10), Shape.latin(5), Shape.irregular("1112 1322 3324 3444".replace(" ", ""))]
)
def test_other_shapes_have_grids_too(shape: Shape) -> None:
    made = grids(2, shape, seed=1)
    assert verify_arrays(np.zeros_like(made), made, shape).all()


def test_plain_python_makes_the_same_grids() -> None:
    from sudoku_models.make import grid_chance
    from sudoku_models.make.chance import Stream

    loop = grid_chance._random_grids
    plain = getattr(loop, "py_func", loop)
    t = grid_chance.tables()
    tables = t.beside, t.below, t.places, t.turned, t.orders, t.members
    results = []
    for run in (loop, plain):
        found = np.zeros((3, 81), np.uint8)
        results.append((run(Stream("test").numbers(3000), *tables, True, found, 0), found.tolist()))
    assert results[0] == results[1]


def test_a_wrong_number_is_refused() -> None:
    with pytest.raises(ValueError, match="0 or more"):
        grids(-1)
