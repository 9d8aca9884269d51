"""The time limit of a batch includes lowering and compiling its model."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("numpy", reason="not applicable (platform): numpy is not there")

import numpy as np

from sudoku_models.engine import budget
from sudoku_models.engine.batch import run_batch, run_candidates
from sudoku_models.engine.contract import Batch, BatchStatus, Feature, Request
from sudoku_models.engine.record import Record
from sudoku_models.engine.registry import Selection
from sudoku_models.errors import LimitReached
from sudoku_models.model import AllDifferent, Model, Variable

from .planted import EVERY, Compiled, Planted, PlantedOptions

COMPILING = 3.0
"""Seconds that compiling takes by the clock of these tests."""


class Answering(Compiled):
    """Notes the limits of the requests; answers every open row with (1, 2)."""

    backend: SlowToCompile

    def rows(self, grids: Any, request: Request) -> Batch:
        self.backend.limits.append(request.time_limit)
        n = len(grids)
        values = np.tile(np.array([1, 2], np.uint8), (n, 1))
        return Batch(np.full(n, BatchStatus.LIMIT, np.uint8), np.ones(n, np.int32), values, Record())


class SlowToCompile(Planted):
    """Takes batches; compiling a model takes three seconds of ``now``."""

    features = EVERY | {Feature.BATCH}

    def __init__(self) -> None:
        self.now = 100.0
        self.limits: list[float | None] = []

    def compile(self, model: Model, options: Any) -> Answering:
        self.now += COMPILING
        return Answering(self, model)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> SlowToCompile:
    """Return a backend whose clock is the clock of every limit."""
    found = SlowToCompile()
    clocks = SimpleNamespace(perf_counter=lambda: found.now, process_time=time.process_time)
    monkeypatch.setattr(budget, "time", clocks)
    return found


def model() -> Model:
    xs = [Variable(name, (1, 2)) for name in "xy"]
    return Model(xs, [AllDifferent(xs)])


def asked(slow: SlowToCompile, limit: float | None) -> Batch:
    return run_batch(model(), chosen(slow), boards(), Request(limit=1, time_limit=limit))


def chosen(slow: SlowToCompile) -> Selection:
    return Selection(slow, PlantedOptions())


def boards() -> Any:
    return np.zeros((4, 2), np.uint8)


@pytest.mark.parametrize(("limit", "left"), [(10, 7.0), (2, 0.0), (None, None)])
def test_an_engine_gets_the_time_that_compiling_leaves(
    slow: SlowToCompile, limit: float | None, left: float | None
) -> None:
    assert asked(slow, limit).count.tolist() == [1, 1, 1, 1]
    assert slow.limits == [left]


def test_rows_are_unknown_if_the_time_is_up_before_the_model_is_compiled(slow: SlowToCompile) -> None:
    batch = asked(slow, 0.0)
    assert batch.status.tolist() == [BatchStatus.UNKNOWN] * 4
    assert batch.count.tolist() == [0] * 4
    assert batch.values.tolist() == [[0, 0]] * 4
    assert batch.record.backend == "slowtocompile"
    assert batch.record.sizes == {"puzzles": 4}
    with pytest.raises(LimitReached, match="the candidates are not settled: time limit"):
        run_candidates(model(), chosen(slow), boards(), Request(limit=2, time_limit=0.0))
    assert (slow.limits, slow.now) == ([], 100.0)
