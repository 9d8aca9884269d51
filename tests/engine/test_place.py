"""Where a run with a limit takes place: here only when stating is known to be short beside the limit."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from sudoku_models.engine import Budget, Part, Request, core
from sudoku_models.engine.base import StatedAnew
from sudoku_models.engine.contract import Feature, Search
from sudoku_models.engine.record import Record
from sudoku_models.errors import BackendFailed, LimitReached
from sudoku_models.model import AllDifferent, Model, Variable

from . import planted

XS = [Variable(f"x{i}", range(1, 4)) for i in range(3)]


PARTS = [Part("never", (XS[0] < XS[1], XS[1] < XS[0])), Part("idle", (XS[0] <= XS[2],))]
BASE = Model(XS)


@pytest.mark.parametrize("backend", ["backtracking", "cp-sat", "pysat", "z3", "pycosat"])
@pytest.mark.parametrize("request_", [Request(), Request(time_limit=60), Request(memory_limit=4 << 30)], ids=str)
def test_cores_are_the_same_whatever_the_limits(backend: str, request_: Request) -> None:
    found = core(BASE, PARTS, backend, request_)
    assert found is not None
    assert [part.label for part in found] == ["never"]


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
