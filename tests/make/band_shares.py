"""How many grids have a first band of each of the 416 kinds, counted apart from the generator; and how far a sample is
from that.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations, permutations, product
from typing import Any

import numpy as np

from sudoku_models.make.grid_forms import band_state, bands

Array = Any
PARTITIONS = 280
BANDS_OF_A_STATE = 362_880 * 36
"""Bands of each of the 72,576 states: the names of the digits, and the orders of the columns of two boxes."""

KEEPING = (
    (1, 0, 2, 3, 4, 5, 6, 7, 8),
    (1, 2, 0, 3, 4, 5, 6, 7, 8),
    (3, 4, 5, 0, 1, 2, 6, 7, 8),
    (3, 4, 5, 6, 7, 8, 0, 1, 2),
)
"""Names of digits that keep partition 0, and from which all such names can be put together."""


def grids_of_kinds() -> list[int]:
    """Return how many grids have a first band of each kind."""
    table, alike = bands(), _alike()
    completed: dict[int, int] = {}
    found = []
    for band, size in zip(table.least, table.sizes.tolist(), strict=True):
        first, second, third = (_number(band[:, 3 * box : 3 * box + 3].T) for box in range(3))
        key = alike[_renamed()[first, second] * PARTITIONS + _renamed()[first, third]]
        if key not in completed:
            completed[key] = completions(band)
        found.append(completed[key] * size * BANDS_OF_A_STATE)
    return found


def completions(band: Array) -> int:
    """Return in how many ways a band (3 x 9, digits from 0) can be completed to a grid."""
    boxes = [_parted(band[:, 3 * box : 3 * box + 3].T) for box in range(3)]
    below, last = (_filled(*(box[:, place] for box in boxes)) for place in (0, 1))
    return int((below * last).sum())


def _filled(first: Array, second: Array, third: Array) -> Array:
    """Return the ways to fill a band for each choice of a partition for each of its boxes."""
    table = _renamed()
    return _ways()[table[first[:, None], second][:, :, None], table[first[:, None], third][:, None, :]]


def _parted(columns: Array) -> Array:
    """Return, for the columns of a box, the partitions that the boxes below it may have: second and third band."""
    found, digits = [], frozenset(range(9))
    taken = [frozenset(column.tolist()) for column in columns]
    for a in combinations(digits - taken[0], 3):
        for b in combinations(digits - taken[1] - set(a), 3):
            c = digits - set(a) - set(b)
            if not c & taken[2]:
                left = [digits - used - set(own) for used, own in zip(taken, (a, b, c), strict=True)]
                found.append((_number((a, b, c)), _number(left)))
    return np.array(found)


@lru_cache(maxsize=1)
def _partitions() -> Array:
    """Return the 280 ways to part nine digits into three threes (280 x 9, digits); the first is 012, 345, 678."""
    found = []
    for a in combinations(range(1, 9), 2):
        rest = sorted(set(range(1, 9)) - set(a))
        for b in combinations(rest[1:], 2):
            found.append([0, *a, rest[0], *b, *sorted(set(rest[1:]) - set(b))])
    return np.array(found)


@lru_cache(maxsize=1)
def _numbers() -> Array:
    """Return the number of a partition by the masks of two of its threes, the least ones: 512 times one, and other."""
    found = np.zeros(512 * 512, np.int64)
    found[_keys(_partitions())] = np.arange(PARTITIONS)
    return found


def _keys(threes: Array) -> Array:
    masks = np.sort((1 << threes).reshape(-1, 3, 3).sum(2), 1)
    return masks[:, 0] << 9 | masks[:, 1]


def _number(threes: Any) -> int:
    return int(_numbers()[_keys(np.array([sorted(three) for three in threes]).reshape(1, 9))[0]])


@lru_cache(maxsize=1)
def _renamed() -> Array:
    """Return for each two partitions the second one's number when the first one's digits are renamed to number 0."""
    return np.array([_under(names) for names in np.argsort(_partitions(), 1)])


def _under(names: Array) -> Array:
    """Return the numbers of all partitions when digits are renamed."""
    return _numbers()[_keys(names[_partitions()])]


@lru_cache(maxsize=1)
def _ways() -> Array:
    """Return in how many ways a band can be filled whose boxes have partition 0 and each two others."""
    rows = np.array([_rows(threes.reshape(3, 3).tolist()) for threes in _partitions()])
    found = np.zeros((PARTITIONS, PARTITIONS), np.int64)
    for number, second in enumerate(rows):
        apart = ((rows[0][:, None] & second) == 0).all(2)
        third = (511 ^ rows[0][:, None] ^ second)[apart]
        known = np.bincount(third[:, 0] << 9 | third[:, 1], minlength=1 << 18)
        found[number] = known[rows[:, :, 0] << 9 | rows[:, :, 1]].sum(1)
    return found


def _rows(columns: list[list[int]]) -> Array:
    """Return what the rows of a box contain, as masks (216 x 3), for all orders of the digits in its columns."""
    orders = product(*(permutations(1 << digit for digit in column) for column in columns))
    return np.array([[sum(row) for row in zip(*order, strict=True)] for order in orders])


@lru_cache(maxsize=1)
def _alike() -> Array:
    """Return a label for each two partitions beside number 0: the same where names of digits lead to one another."""
    first, second = np.divmod(np.arange(PARTITIONS**2), PARTITIONS)
    moved = [np.array(_under(np.array(names))) for names in KEEPING]
    others = [second * PARTITIONS + first, *(to[first] * PARTITIONS + to[second] for to in moved)]
    labels, before = np.arange(PARTITIONS**2), np.zeros(0, np.int64)
    while not np.array_equal(labels, before):
        before = labels
        for other in others:
            labels = np.minimum(labels, labels[other])
    return labels


def kinds_met(whole: Array) -> Array:
    """Return how many grids (n x 81) have a first band of each kind."""
    table = bands()
    work: list[Any] = [table.layout, table.order, np.zeros(9, np.int64), np.zeros(9, np.int64)]
    lines = whole.reshape(-1, 9, 9).astype(np.int64) - 1
    kinds = [int(table.kind[band_state(g.reshape(-1), 0, *work)]) for g in lines]
    return np.bincount(kinds, minlength=len(table.least))


def compared(counts: Array, exact: Array) -> tuple[float, float]:
    """Return the chance that a fair sample is as far from exact shares as some counts, and their total variation.

    Kinds of which less than 5 are expected count as one.
    """
    from scipy.special import chdtrc  # type: ignore[import-untyped]

    far = float(abs(counts / counts.sum() - exact).sum() / 2)
    wanted = exact * counts.sum()
    rare = wanted < 5
    met, wanted = (np.append(numbers[~rare], numbers[rare].sum()) for numbers in (counts, wanted))
    met, wanted = met[wanted > 0], wanted[wanted > 0]
    return float(chdtrc(len(met) - 1, ((met - wanted) ** 2 / wanted).sum())), far
