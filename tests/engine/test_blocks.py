"""Counting in blocks: exact, checked side by side, and by groups where the model falls apart."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
import pytest

pytest.importorskip("llvmlite", reason="not applicable (feature): llvmlite is not installed")

from sudoku_backends.native.compiled import CompiledNative

from sudoku_models import Puzzle, count
from sudoku_models.engine import road
from sudoku_models.engine.budget import Budget
from sudoku_models.engine.contract import Ending, Request
from sudoku_models.engine.record import Record
from sudoku_models.engine.road import prepare, run
from sudoku_models.errors import WrongAnswer
from sudoku_models.model import AllDifferent, Compare, Linear, Model, Variable, brute_force

SMALL = Puzzle.parse(".Shape~4x4.Cage~5~R1C1~R1C2")


def permutations(size: int, times: int) -> Model:
    """Return a model of so many separate permutations."""
    rows = [[Variable(f"x{i}_{j}", range(size)) for j in range(size)] for i in range(times)]
    return Model([x for row in rows for x in row], [AllDifferent(row) for row in rows])


def test_groups_that_nothing_links_are_counted_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(road, "ENOUGH", 10)
    found = count(permutations(5, 6), "native")
    assert (found.value, found.exact) == (120**6, True)
    assert "counted in 6 independent groups of cells" in found.record.notes
    some = count(permutations(5, 6), "native", limit=10**9)
    assert (some.value, some.exact) == (10**9, False)


@dataclass(frozen=True)
class Across:
    """A judge who refuses one pair of values of two variables; the second is read only where the first fits."""

    refused: Mapping[str, int]

    def broken(self, values: Mapping[str, int]) -> str | None:
        return "the rule" if all(values[x] == value for x, value in self.refused.items()) else None

    def of(self, _: Any) -> Across:
        return self

    def each(self) -> tuple[Across]:
        return (self,)


@pytest.mark.parametrize("turned", [False, True], ids=["seen late", "seen at first"])
def test_a_judge_who_looks_at_several_groups_sees_all_their_combinations(
    turned: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pair is not in the first blocks, nor in a group's count, where all other groups are as in one solution."""
    monkeypatch.setattr(road, "ENOUGH", 10)
    model = permutations(4, 4)
    first: list[np.ndarray] = []
    for block in prepare(model, "native").compiled.search(Request({}, None), Budget(), Record()):
        first.append(block)
        if sum(map(len, first)) >= 10:
            break
    changes = (np.concatenate(first) != first[0][0]).any(axis=0)
    steady, moving = (~changes).nonzero()[0][0], changes.nonzero()[0][0]
    pair = {model.names[x]: (int(block[0][x]) + 1) % 4 for x in ((moving, steady) if turned else (steady, moving))}
    with pytest.raises(WrongAnswer, match="the rule"):
        count(Model(model.variables, model.constraints, judge=Across(pair)), "native")


@pytest.mark.parametrize("seed", range(4))
def test_models_that_fall_apart_have_as_many_solutions_as_brute_force_finds(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(road, "ENOUGH", 1)
    rng = Random(f"apart {seed}")
    xs = [Variable(f"x{i}", sorted(rng.sample(range(6), rng.randint(1, 4)))) for i in range(7)]
    stated = [AllDifferent(rng.sample(xs, 3)), Compare(*rng.sample(xs, 1), "!=", xs[0], 0)] if seed % 2 else []
    stated = [c for c in stated if not (isinstance(c, Compare) and c.x == c.y)]
    model = Model(xs, [*stated, Linear((1, 1), rng.sample(xs, 2), "<=", 5), AllDifferent(rng.sample(xs, 2))])
    assert count(model, "native").value == len(list(brute_force(model)))


ROWS = 720
SIX = Model(xs := [Variable(f"x{i}", range(6)) for i in range(6)], [AllDifferent(xs)])


def changed(monkeypatch: pytest.MonkeyPatch, number: int, row: Any) -> None:
    """Let the engine say something else in place of one of its solutions."""
    asked = CompiledNative.search

    def search(self: Any, *content: Any) -> Generator[Any, None, Ending]:
        source, at = asked(self, *content), 0
        while True:
            try:
                block = next(source)
            except StopIteration as stop:
                return stop.value  # type: ignore[no-any-return]
            if at <= number < at + len(block):
                block[number - at] = row
            at += len(block)
            yield block

    monkeypatch.setattr(CompiledNative, "search", search)


@pytest.mark.parametrize("number", [3, 600])
@pytest.mark.parametrize("row", [(0, 1, 2, 3, 4, 4), (0, 1, 2, 3, 4, 6), (1, 0, 2, 3, 4, 5)])
def test_nothing_comes_after_a_wrong_solution(number: int, row: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    right = [*run(SIX, "native", Request({"x0": (0, 2)}, None))]
    changed(monkeypatch, number % len(right), row)
    come, found = [], run(SIX, "native", Request({"x0": (0, 2)}, None))
    with pytest.raises(WrongAnswer, match=r"violates|not in its domain|not allowed"):
        while True:
            come.append(next(found))
    assert come == right[: len(come)]
    assert len(come) <= number % len(right)


@pytest.mark.parametrize(("first", "again"), [(0, 5), (100, 700)])
def test_a_solution_that_comes_again_is_noticed(first: int, again: int, monkeypatch: pytest.MonkeyPatch) -> None:
    right = [*run(SIX, "native", Request(limit=None))]
    changed(monkeypatch, again, right[first])
    come: list[Any] = []
    with pytest.raises(WrongAnswer, match="it was returned before"):
        come.extend(run(SIX, "native", Request(limit=None)))
    assert come == right[: len(come)]
    assert len(come) <= again


def test_blocks_and_single_solutions_of_a_run_are_the_same_and_counted_alike() -> None:
    found = run(SIX, "native", Request(limit=None))
    first = next(found)
    rest = [tuple(row) for block in found.blocks() for row in block]
    assert [first, *rest] == [*run(SIX, "native", Request(limit=None))]
    assert found.outcome.count == ROWS
