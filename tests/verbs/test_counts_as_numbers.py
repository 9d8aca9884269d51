"""An exact count is a number wherever a number is expected; one that is not exact refuses with what to write."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from sudoku_models import SolutionCount, count

ONE, NONE, MANY = "1234341221434321", "1134341221434321", "1...341221434321"
EXACT, LEAST = SolutionCount(3, True), SolutionCount(3, False)
USES: dict[str, tuple[Callable[[Any], object], object]] = {
    "equal": (lambda n: n == 3, True),
    "unequal": (lambda n: n != 3, False),
    "less": (lambda n: n < 4, True),
    "at most": (lambda n: n <= 3, True),
    "more": (lambda n: n > 3, False),
    "at least": (lambda n: n >= 2.5, True),
    "from the right": (lambda n: sorted([9, n, 2]), [2, 3, 9]),
    "int": (int, 3),
    "float": (float, 3.0),
    "index": (lambda n: "abcd"[n], "d"),
    "range": (lambda n: len(range(n)), 3),
    "sum": (lambda n: sum([n, n]), 6),
    "difference": (lambda n: (n - 1, 5 - n), (2, 2)),
    "product": (lambda n: (2 * n, n * n), (6, 9)),
    "format": (lambda n: f"{n:04d}", "0003"),
}


def test_the_count_of_a_puzzle_is_compared_with_a_number() -> None:
    assert count(ONE) == 1 and count(NONE) == 0 and count(ONE) > count(NONE) and count(MANY) >= 1


@pytest.mark.parametrize("use", USES)
def test_an_exact_count_is_used_as_its_number(use: str) -> None:
    wanted, result = USES[use]
    assert wanted(EXACT) == result


@pytest.mark.parametrize("use", USES)
def test_a_count_that_is_not_exact_refuses(use: str) -> None:
    with pytest.raises(TypeError, match=r"is not known, only that it is at least 3: ask for the value of the count"):
        USES[use][0](LEAST)


@pytest.mark.parametrize("found", [EXACT, LEAST, SolutionCount(0, True)])
def test_no_count_has_a_truth_value(found: SolutionCount) -> None:
    with pytest.raises(TypeError, match="a SolutionCount has no truth value: compare it with a number"):
        bool(found)


def test_equal_counts_have_equal_hashes_and_travel() -> None:
    assert hash(EXACT) == hash(3) and {3: "three"}[EXACT] == "three"  # type: ignore[index]
    assert SolutionCount(3, True) == EXACT and EXACT != LEAST and SolutionCount(3, False) == LEAST
    assert len({EXACT, SolutionCount(3, True), LEAST, SolutionCount(3, False)}) == 2
    for found in (EXACT, LEAST):
        assert pickle.loads(pickle.dumps(found)) == deepcopy(found) == found
    assert (EXACT == "3") is False and (str(EXACT), str(LEAST), f"{LEAST}") == ("3", "at least 3", "at least 3")
