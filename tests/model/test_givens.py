"""Givens are the mapping of domains of one value that they stand for."""

from __future__ import annotations

import pickle

from sudoku_models import Puzzle
from sudoku_models.model import Givens

GIVENS = Givens(("a", "b", "c"), (3, None, 1))
SAME = {"a": (3,), "c": (1,)}


def test_they_are_equal_to_the_mapping_and_read_as_it() -> None:
    assert GIVENS == SAME
    assert (dict(GIVENS), len(GIVENS), repr(GIVENS)) == (SAME, 2, repr(SAME))
    assert (GIVENS["a"], GIVENS.get("b"), GIVENS.get("b", ())) == ((3,), None, ())
    assert ("b" in GIVENS, "c" in GIVENS) == (False, True)
    assert (list(GIVENS.keys()), list(GIVENS.values()), list(GIVENS.items())) == (
        list(SAME), list(SAME.values()), list(SAME.items()),
    )  # fmt: skip


def test_they_are_pickled() -> None:
    assert pickle.loads(pickle.dumps(GIVENS)) == SAME


def test_a_puzzle_with_candidates_has_the_domains_that_both_leave() -> None:
    puzzle = Puzzle.parse("1..............2").with_candidates({"R1C1": [1, 2], "R1C2": [3, 4]})
    assert puzzle.domains == {"R1C1": (1,), "R1C2": (3, 4), "R4C4": (2,)}
