"""The Results of a batch are made when they are looked at, and are what single calls return."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from typing import Any

import pytest

from sudoku_models import Result, solve, solve_many
from sudoku_models.collection import puzzles

pytest.importorskip("llvmlite", reason="llvmlite is not installed")

LINES = [item.puzzle.to_line() for item in puzzles("9x9-easy")][:4]
CLASH = "11" + "." * 79


def unseen(*lines: str) -> list[Any]:
    return list(solve_many(lines, "bitset", unique=True))


@pytest.mark.parametrize("name", [field.name for field in dataclasses.fields(Result)])
def test_every_field_can_be_the_first_that_is_looked_at(name: str) -> None:
    for found, line in zip(unseen(*LINES, CLASH), [*LINES, CLASH], strict=True):
        wanted = getattr(solve(line, "bitset", unique=True), name)
        assert getattr(found, name) == wanted or name == "record"
        assert type(found) is Result


def test_a_result_can_be_compared_copied_and_sent_before_it_was_looked_at() -> None:
    (plain,) = unseen(LINES[0])
    assert plain.grid is not None
    for found in unseen(*[LINES[0]] * 3):
        for other in (found, pickle.loads(pickle.dumps(found)), copy.deepcopy(found)):
            assert isinstance(other, Result)
            assert dataclasses.replace(other, record=plain.record) == plain
    first, second = unseen(LINES[0], LINES[0])
    assert dataclasses.replace(second, record=plain.record) == dataclasses.replace(first, record=plain.record)
