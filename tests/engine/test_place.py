"""Where a run with a limit takes place: here only when stating is known to be short beside the limit."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from sudoku_models.engine import Budget, Part, Request, core, road, run
from sudoku_models.engine.base import StatedAnew
from sudoku_models.engine.contract import Feature, Reason, Search
from sudoku_models.engine.record import Record
from sudoku_models.engine.registry import select
from sudoku_models.engine.road import Place, place_of
from sudoku_models.errors import BackendFailed, LimitReached, Unsupported
from sudoku_models.lowering import lower
from sudoku_models.model import AllDifferent, InDomain, Linear, Model, Table, Variable
from sudoku_models.testing.generators import random_model

from . import planted

XS = [Variable(f"x{i}", range(1, 4)) for i in range(3)]


def variant() -> Model:
    return Model(XS, [AllDifferent(XS), Linear([1, 1], XS[:2], "==", 5)])


@pytest.mark.parametrize("limit", [0.01, 1, 60])
def test_a_modest_model_is_begun_here_whatever_the_limit(limit: float) -> None:
    assert place_of(select("backtracking"), Budget(limit), variant()) is Place.HERE
    assert place_of(select("pycosat"), Budget(limit), variant()) is Place.TRIED


def test_a_large_model_that_was_never_stated_runs_apart_under_a_limit_alone() -> None:
    wide = Model([Variable(f"v{i}", range(1000)) for i in range(1 + road.MODEST // 1000)])
    assert place_of(select("backtracking"), Budget(1), wide) is Place.APART
    assert place_of(select("backtracking"), Budget(), wide) is Place.HERE
    road.prepare(wide, "backtracking")
    assert place_of(select("backtracking"), Budget(1), wide) is Place.HERE


def test_what_is_lowered_to_something_large_goes_to_a_child(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(road, "RATE", 10.0)
    stated, selection = variant(), select("backtracking")
    with run(stated, selection, Request(time_limit=60)) as found:
        assert next(found, None) is not None
        assert found.outcome.record.isolated
    assert road.prepared(stated, selection) is None


def test_memory_and_what_hears_no_signals_are_matters_for_a_child() -> None:
    assert place_of(select("backtracking"), Budget(None, 1 << 30), variant()) is Place.APART
    assert place_of(select("pycosat"), Budget(None, 1 << 30), variant()) is Place.APART


def test_no_time_is_no_search() -> None:
    with run(variant(), "backtracking", Request(time_limit=0)) as found:
        assert list(found) == []
    assert found.outcome.reason is Reason.TIME
    assert not found.outcome.record.isolated


def test_lowering_ends_when_it_is_called_off() -> None:
    stated = random_model(Random(1), [Linear], 6, 4)
    calls = []

    def check() -> None:
        calls.append(1)
        if len(calls) == 3:
            raise TimeoutError

    with pytest.raises(TimeoutError):
        lower(stated, {Table}, lambda c: None if isinstance(c, Table) else "no", check=check)


def test_a_sum_that_takes_long_to_be_read_ends_when_it_is_called_off() -> None:
    xs = [Variable(f"x{i}", range(40)) for i in range(12)]
    long = Model(xs, [Linear(range(1, 445, 37), xs, "==", 5003)])
    calls = []

    def check() -> None:
        calls.append(1)
        if len(calls) == 1_000:
            raise TimeoutError

    with pytest.raises(TimeoutError):
        lower(long, {Table, InDomain}, lambda c: None if isinstance(c, Table | InDomain) else "no", check=check)


PARTS = [Part("never", (XS[0] < XS[1], XS[1] < XS[0])), Part("idle", (XS[0] <= XS[2],))]
BASE = Model(XS)


@pytest.mark.parametrize("backend", ["backtracking", "cp-sat", "pysat", "z3", "pycosat"])
@pytest.mark.parametrize("request_", [Request(), Request(time_limit=60), Request(memory_limit=4 << 30)], ids=str)
def test_cores_are_the_same_whatever_the_limits(backend: str, request_: Request) -> None:
    found = core(BASE, PARTS, backend, request_)
    assert found is not None
    assert [part.label for part in found] == ["never"]


def test_a_core_takes_several_workers() -> None:
    found = core(BASE, PARTS, "cp-sat", Request(workers=2))
    assert found is not None
    assert [part.label for part in found] == ["never"]
    with pytest.raises(Unsupported, match="workers"):
        core(BASE, DIFFERENT, CoreOf(), Request(workers=2))


def test_every_question_of_a_core_has_the_workers_that_were_asked_for() -> None:
    asked = CoreSees()
    assert core(BASE, DIFFERENT, asked, Request(workers=2)) is not None
    assert len(asked.cores) > 1 and asked.runs
    assert {*asked.cores, *asked.runs} == {2}


class KeptParts(StatedAnew):
    """Does something at each question."""

    def __init__(self, model: Model, backend: CoreOf) -> None:
        super().__init__(model, lambda stated: planted.Compiled(backend, stated))
        self.backend = backend

    def search(self, request: Request, budget: Budget, record: Record, switches: Sequence[int] = ()) -> Search:
        self.backend.asked(request)
        return super().search(request, budget, record, switches)


class CoreOf(planted.Planted):
    """An engine that keeps parts."""

    features = planted.EVERY | {Feature.ASSUME}

    def asked(self, request: Request) -> None:
        """Do nothing."""

    def compile(self, model: Model, options: object) -> object:
        compiled = super().compile(model, options)
        compiled.assume = lambda: KeptParts(model, self)
        return compiled


class CoreSees(CoreOf):
    """Remembers how many workers it was given for a core, and for the runs around it."""

    features = CoreOf.features | {Feature.WORKERS}

    def __init__(self) -> None:
        self.cores: list[int] = []
        self.runs: list[int] = []

    def asked(self, request: Request) -> None:
        self.cores.append(request.workers)

    def compile(self, model: Model, options: object) -> object:
        compiled: Any = super().compile(model, options)
        plain = compiled.search

        def seen(request: Request, *content: object) -> object:
            self.runs.append(request.workers)
            return plain(request, *content)

        compiled.search = seen
        return compiled


class CoreRaises(CoreOf):
    def asked(self, request: Request) -> None:
        raise ZeroDivisionError


DIFFERENT = [Part(i, (AllDifferent(XS),), {"x0": (1,), "x1": (1,)}) for i in range(2)]


def test_what_an_engine_raises_over_a_core_is_a_failure_of_the_backend() -> None:
    with pytest.raises(BackendFailed, match="ZeroDivisionError"):
        core(BASE, DIFFERENT, CoreRaises())


def test_a_core_keeps_to_the_limit_of_memory() -> None:
    with pytest.raises(LimitReached, match="memory limit"):
        core(BASE, DIFFERENT, planted.Hungry(), Request(memory_limit=300 << 20))


def test_a_core_is_not_waited_for_beyond_the_limit() -> None:
    with pytest.raises(LimitReached, match="time limit"):
        core(BASE, DIFFERENT, planted.Spins(), Request(time_limit=1.5))
