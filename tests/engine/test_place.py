"""Where a run with a limit takes place: here only when stating is known to be short beside the limit."""

from __future__ import annotations

from random import Random

import pytest

from sudoku_models import Shape
from sudoku_models.engine import Part, Request, core, place, run
from sudoku_models.engine.contract import Feature
from sudoku_models.engine.registry import select
from sudoku_models.errors import BackendFailed, LimitReached
from sudoku_models.lowering import lower
from sudoku_models.model import AllDifferent, Linear, Model, Table, Variable
from sudoku_models.testing.generators import random_model

from . import planted

XS = [Variable(f"x{i}", range(1, 4)) for i in range(3)]


def variant() -> Model:
    return Model(XS, [AllDifferent(XS), Linear([1, 1], XS[:2], "==", 5)])


def test_what_was_never_stated_runs_apart_and_then_here_as_its_stating_was_short() -> None:
    stated = variant()
    asked = Request(time_limit=60)
    for isolated in (True, False):
        with run(stated, "backtracking", asked) as found:
            assert next(found, None) is not None
            assert found.outcome.record.isolated == isolated


def test_stating_that_took_long_runs_apart_under_a_short_limit_alone() -> None:
    stated, selection = variant(), select("backtracking")
    place.learn(selection, stated, once=0.0, each=3.0)
    assert place.isolated(selection, Request(time_limit=4), stated)
    assert not place.isolated(selection, Request(time_limit=40), stated)
    assert not place.isolated(selection, Request(), stated)


def test_what_is_done_once_counts_until_it_is_done() -> None:
    stated, selection = variant(), select("backtracking")
    place.learn(selection, stated, once=3.0, each=0.0)
    assert not place.is_prompt(selection, Request(time_limit=4), stated)
    stated.memo[place.prepared_key(selection)] = "done"
    assert place.is_prompt(selection, Request(time_limit=4), stated)


def test_boards_of_houses_need_no_measuring_once_the_engine_is_loaded() -> None:
    board = Model(Shape.square(9).model.variables, Shape.square(9).model.constraints)
    assert place.is_prompt(select("backtracking"), Request(time_limit=0.2), board)
    wide = [Variable(f"v{i}", range(200)) for i in range(200)]
    assert not place.is_prompt(select("backtracking"), Request(time_limit=0.2), Model(wide))


def test_lowering_ends_when_it_is_called_off() -> None:
    stated = random_model(Random(1), [Linear], 6, 4)
    calls = []

    def check() -> None:
        calls.append(1)
        if len(calls) == 3:
            raise TimeoutError

    with pytest.raises(TimeoutError):
        lower(stated, {Table}, lambda c: None if isinstance(c, Table) else "no", check=check)


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


class CoreOf(planted.Planted):
    """An engine that tells cores, by a function of its own."""

    features = planted.EVERY | {Feature.CORE}


class CoreRaises(CoreOf):
    def compile(self, model: Model, options: object) -> object:
        compiled = super().compile(model, options)
        compiled.core = lambda parts, request: 1 // 0
        return compiled


class CoreSpins(CoreOf):
    def compile(self, model: Model, options: object) -> object:
        def spin(parts: object, request: object) -> None:
            while True:
                pass

        compiled = super().compile(model, options)
        compiled.core = spin
        return compiled


DIFFERENT = [Part(i, (AllDifferent(XS),), {"x0": (1,), "x1": (1,)}) for i in range(2)]


@pytest.mark.parametrize("request_", [Request(), Request(memory_limit=4 << 30)], ids=str)
def test_what_an_engine_raises_over_a_core_is_a_failure_of_the_backend(request_: Request) -> None:
    with pytest.raises(BackendFailed, match="ZeroDivisionError"):
        core(BASE, DIFFERENT, CoreRaises(), request_)


def test_a_core_is_not_waited_for_beyond_the_limit() -> None:
    with pytest.raises(LimitReached, match="time limit"):
        core(BASE.with_(XS[0] <= XS[1]), DIFFERENT, CoreSpins(), Request(time_limit=1.5))
