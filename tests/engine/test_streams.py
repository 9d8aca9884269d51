"""Solutions one by one out of blocks: each is checked, in order, and the first is there before others are found."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
import pytest

pytest.importorskip("llvmlite", reason="not applicable (feature): llvmlite is not installed")

from sudoku_backends.native import BACKEND
from sudoku_backends.native.backend import CompiledNative

from sudoku_models import Puzzle, solutions
from sudoku_models.engine import streams
from sudoku_models.engine.budget import Budget
from sudoku_models.engine.contract import Ending, Reason, Request
from sudoku_models.engine.record import Record
from sudoku_models.engine.road import prepare, run
from sudoku_models.errors import WrongAnswer
from sudoku_models.model import AllDifferent, Model, Variable

ROWS = 720
SIX = Model(xs := [Variable(f"x{i}", range(6)) for i in range(6)], [AllDifferent(xs)])


@pytest.fixture(autouse=True)
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let blocks begin after ten solutions."""
    monkeypatch.setattr(streams, "FIRST", 10)


def test_the_order_is_that_of_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    in_blocks = [*run(SIX, "native", Request(limit=None))]
    monkeypatch.setattr(streams, "takes", lambda request: False)
    assert in_blocks == [*run(SIX, "native", Request(limit=None))]
    assert len(set(in_blocks)) == ROWS


@pytest.mark.parametrize("limit", [9, 10, 11, 15, 16, 500, ROWS - 1, ROWS, ROWS + 1])
def test_limits_end_a_stream_where_they_should(limit: int) -> None:
    found = run(SIX, "native", Request(limit=limit))
    assert sum(1 for _ in found) == min(limit, ROWS)
    assert found.outcome.reason is (Reason.EXHAUSTED if limit > ROWS else Reason.LIMIT)
    assert found.outcome.record.sizes["nodes"] > 0


def test_the_first_solutions_come_before_all_are_found() -> None:
    with run(Puzzle.parse("." * 81).structure, "native", Request(limit=None)) as found:
        assert len(list(islice(found, 300))) == 300
    assert found.outcome.reason is Reason.CLOSED
    assert {"encode", "run", "check"} <= found.outcome.record.phases.keys()


def changed(monkeypatch: pytest.MonkeyPatch, number: int, row: Any) -> None:
    """Let the engine say something else in place of one of its solutions."""
    asked = CompiledNative.blocks

    def blocks(self: Any, request: Request, record: Record | None = None) -> Generator[Any, None, Ending]:
        source, at = asked(self, request, record), 0
        while True:
            try:
                block = next(source)
            except StopIteration as stop:
                return stop.value  # type: ignore[no-any-return]
            if at <= number < at + len(block):
                block[number - at] = row
            at += len(block)
            yield block

    monkeypatch.setattr(CompiledNative, "blocks", blocks)


@pytest.mark.parametrize("number", [3, 40, 600])
@pytest.mark.parametrize("row", [(0, 1, 2, 3, 4, 4), (0, 1, 2, 3, 4, 6), (1, 0, 2, 3, 4, 5)])
def test_a_wrong_solution_is_named_in_its_place(number: int, row: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    right = [*run(SIX, "native", Request({"x0": (0, 2)}, None))]
    changed(monkeypatch, number % len(right), row)
    come, found = [], run(SIX, "native", Request({"x0": (0, 2)}, None))
    with pytest.raises(WrongAnswer, match=r"violates|not in its domain|not allowed"):
        while True:
            come.append(next(found))
    assert come == right[: number % len(right)]


@pytest.mark.parametrize(("first", "again"), [(0, 5), (2, 300), (200, 201), (100, 700)])
def test_a_solution_that_comes_again_is_noticed(first: int, again: int, monkeypatch: pytest.MonkeyPatch) -> None:
    right = [*run(SIX, "native", Request(limit=None))]
    changed(monkeypatch, again, right[first])
    come: list[Any] = []
    with pytest.raises(WrongAnswer, match="it was returned before"):
        come.extend(run(SIX, "native", Request(limit=None)))
    assert come == right[: len(come)]
    assert len(come) <= again


@dataclass(frozen=True)
class Refusing:
    """A judge who refuses one solution."""

    row: tuple[int, ...]

    def broken(self, values: Mapping[str, int]) -> str | None:
        return "the rule" if tuple(values[f"x{i}"] for i in range(6)) == self.row else None

    def of(self, _: Any) -> Refusing:
        return self

    def each(self) -> tuple[Refusing]:
        return (self,)


@pytest.mark.parametrize("number", [5, 400])
def test_every_solution_is_judged(number: int) -> None:
    right = [*run(SIX, "native", Request(limit=None))]
    judged = Model(SIX.variables, SIX.constraints, judge=Refusing(right[number]))
    found, come = run(judged, "native", Request(limit=None)), 0
    with pytest.raises(WrongAnswer, match="it breaks the rule, though every constraint holds"):
        for _ in found:
            come += 1
    assert come == number


def test_an_engine_that_goes_on_leaves_out_what_came(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = CompiledNative.blocks

    def blocks(self: Any, request: Request, record: Record | None = None) -> Generator[Any, None, Ending]:
        if not self.options.patience:
            return (yield from asked(self, request, record))
        yield from islice(asked(self, request, record), 3)
        return Ending(Reason.GAVE_UP)

    monkeypatch.setattr(CompiledNative, "blocks", blocks)
    found = run(SIX, "relay:(native:patience=100000)|(native)", Request(limit=None))
    assert len({*found}) == found.outcome.count == ROWS
    assert found.outcome.complete


LATE: list[bool] = []


class Watched(Refusing):
    """A judge who lets the limit of time pass when he looks at a certain solution."""

    def broken(self, values: Mapping[str, int]) -> str | None:
        if super().broken(values):
            LATE.append(True)
        return None

    def of(self, _: Any) -> Watched:
        return self

    def each(self) -> tuple[Watched]:
        return (self,)


def test_the_clock_is_looked_at_after_each_solution_that_is_judged_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    right = [*run(SIX, "native", Request(limit=None))]
    monkeypatch.setattr(streams, "FIRST", ROWS)
    monkeypatch.setattr(Budget, "expired", property(lambda _: bool(LATE)))
    try:
        found = run(Model(SIX.variables, SIX.constraints, judge=Watched(right[40])), "native", Request(limit=None))
        assert [*found] == right[:41]
        assert found.outcome.reason is Reason.TIME
    finally:
        LATE.clear()


def test_grids_of_a_stream_know_their_board() -> None:
    with solutions(".Shape~4x4.Cage~5~R1C1~R1C2", "native") as found:
        grids = [*found]
    assert len(set(grids)) == len(grids) > 10
    assert all(grid["R1C1"] + grid["R1C2"] == 5 for grid in grids)


def test_what_asks_for_more_than_solutions_goes_one_by_one() -> None:
    assert not streams.takes(Request(limit=10))
    assert not streams.takes(Request(limit=None, keep=("x0",)))
    assert not streams.takes(Request(limit=None, trace=lambda step: None))
    kept = [*run(SIX, "native", Request(limit=None, keep=("x0", "x1")))]
    assert len({row[:2] for row in kept}) == len(kept) == 30


def test_blocks_are_arrays_that_agree_with_the_stream() -> None:
    blocks = [*prepare(SIX, BACKEND).compiled.blocks(Request(limit=None))]
    assert len(blocks[0]) == 1
    assert [*map(tuple, np.concatenate(blocks).tolist())] == [*run(SIX, "native", Request(limit=None))]
