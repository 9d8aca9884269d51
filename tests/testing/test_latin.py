"""The oracle that counts Latin squares by classes of graphs: known numbers, and another oracle."""

from __future__ import annotations

from itertools import product
from math import factorial

import pytest

from tests.testing.counting import filled_boards
from tests.testing.latin_counts import Classes, latin_squares


@pytest.mark.parametrize("n", range(1, 7))
def test_both_oracles_count_the_same(n: int) -> None:
    assert latin_squares(n) == filled_boards(n)


def test_larger_numbers_are_known() -> None:
    assert latin_squares(7) == 61_479_419_904_000
    assert latin_squares(8) == 108_776_032_459_082_956_800


@pytest.mark.parametrize("n", [0, 10, -1])
def test_other_sizes_are_refused(n: int) -> None:
    with pytest.raises(ValueError, match="for 1 to 9 rows"):
        latin_squares(n)


def regular_matrices(n: int, k: int) -> int:
    """Return how many n x n matrices of 0 and 1 have k ones in each row and column: column sums, row by row."""
    rows = [row for row in product((0, 1), repeat=n) if sum(row) == k]
    ways = {(0,) * n: 1}
    for _ in range(n):
        after: dict[tuple[int, ...], int] = {}
        for sums, count in ways.items():
            for row in rows:
                reached = tuple(sorted(a + b for a, b in zip(sums, row, strict=True)))
                if reached[-1] <= k:
                    after[reached] = after.get(reached, 0) + count
        ways = after
    return ways[(k,) * n]


@pytest.mark.parametrize(("n", "k"), [(4, 2), (5, 2), (6, 2), (6, 3), (7, 3)])
def test_the_classes_hold_every_graph_once(n: int, k: int) -> None:
    classes = Classes.of_matchings(n)
    assert classes.sizes() == [factorial(n)]
    for _ in range(k - 1):
        classes = classes.extended()
    assert sum(classes.sizes()) == regular_matrices(n, k)
