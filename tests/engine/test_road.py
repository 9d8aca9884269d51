"""The road refuses what is not declared, checks what comes back, and never reads unknown as an answer."""

from __future__ import annotations

from typing import Any

import pytest

from sudoku_models.engine import Reason, Request, plan, run
from sudoku_models.errors import BackendCrashed, BackendFailed, Unsupported, WrongAnswer
from sudoku_models.model import AllDifferent, InDomain, Linear, Model, Table, Variable
from sudoku_models.testing import Restricted

from . import planted

XS = [Variable(f"x{i}", range(1, 4)) for i in range(3)]


def model() -> Model:
    return Model(XS, [AllDifferent(XS)])


@pytest.mark.parametrize(
    ("row", "domains", "expected"),
    [
        ((1, 1, 1), {}, "violates the constraint all_different"),
        ((1,), {}, "1 values for 3 variables"),
        ((100, 1, 2), {}, "x0 is 100, which is not in its domain"),
        ((1, 2, 3), {"x0": (3,)}, "x0 is 1, which was not allowed there"),
    ],
)
def test_wrong_solutions_never_leave_the_road(row: Any, domains: Any, expected: str) -> None:
    found = run(model(), planted.Gives(row), Request(domains))
    with pytest.raises(WrongAnswer, match=expected) as caught:
        next(found)
    assert caught.value.backend == "gives"
    assert found.outcome.count == 0
    assert not found.outcome.complete


def test_a_repeated_solution_is_a_wrong_answer() -> None:
    found = run(model(), planted.Gives((1, 2, 3), (1, 2, 3)), Request(limit=2))
    next(found)
    with pytest.raises(WrongAnswer, match="returned before"):
        next(found)


def test_a_backend_that_goes_on_is_cut_off_at_the_limit() -> None:
    class Endless(planted.Planted):
        def search(self, model: Model, request: Request, *rest: Any) -> Any:
            return super().search(model, Request(limit=None), *rest)

    with run(model(), Endless(), Request(limit=2)) as found:
        assert len(list(found)) == 2
        assert found.outcome.reason is Reason.LIMIT


def test_what_an_engine_raises_becomes_one_error_that_names_it() -> None:
    found = run(model(), planted.Gives((1, 2, 3), then=RuntimeError("it is out of order")), Request(limit=None))
    next(found)
    with pytest.raises(BackendFailed, match="gives failed: RuntimeError: it is out of order"):
        next(found)
    with pytest.raises(BackendFailed, match="could not compile the model: RuntimeError: the model is too beautiful"):
        next(run(model(), planted.RaisesInCompile()))


@pytest.mark.parametrize(
    ("backend", "request_"),
    [
        (planted.FirstOnly, Request(limit=2)),
        (planted.FirstOnly, Request(limit=None)),
        (planted.Planted, Request(seed=1)),
        (planted.Planted, Request(workers=2)),
    ],
)
def test_what_is_not_declared_is_refused_before_any_work(backend: Any, request_: Request) -> None:
    with pytest.raises(Unsupported, match="does not declare"):
        run(model(), backend(), request_)


def test_without_proofs_nothing_found_is_unknown() -> None:
    clash = Model(XS, [AllDifferent(XS), *(InDomain(x, (1,)) for x in XS)])
    with run(clash, planted.Unproved(), Request(limit=None)) as found:
        assert list(found) == []
        assert found.outcome.reason is Reason.GAVE_UP
        assert not found.outcome.complete


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        (Request(limit=0), "limit is 0"),
        (Request(workers=0), "workers is 0"),
        (Request(memory_limit=0), "memory_limit is 0"),
        (Request(memory_limit=1), "memory_limit is 1 byte: at least 16777216"),
        (Request(memory_limit=10**30), "memory_limit is more than the 4,194,303T"),
        (Request(memory_limit=10**5000), "memory_limit is more than "),
        (Request(workers=10**30), "workers is more than 10,000"),
        (Request(time_limit=-1), "time_limit is -1"),
        (Request(time_limit=float("nan")), "time_limit is nan"),
        (Request({"y": (1,)}), "y is not a variable"),
        (Request(keep=("y",)), "y is not a variable"),
    ],
)
def test_a_request_that_makes_no_sense_is_reported(request_: Request, expected: str) -> None:
    with pytest.raises(ValueError, match=expected):
        run(model(), planted.Planted(), request_)


def test_solutions_are_over_the_stated_variables_only() -> None:
    dice = [Variable(f"d{i}", range(1, 7)) for i in range(6)]
    stated = Model(dice, [Linear([1] * 6, dice, "==", 8)])
    backend = Restricted("backtracking", {Table})
    assert len(plan(stated, backend).model.variables) > 6
    with run(stated, backend, Request(limit=None)) as found:
        rows = list(found)
    assert len(rows) == 21
    assert all(len(row) == 6 and sum(row) == 8 for row in rows)


class Leaves(planted.Planted):
    def solutions(self, model: Model) -> Any:
        raise SystemExit(3)


class LeavesInCompile(planted.Planted):
    def compile(self, model: Model, options: Any) -> Any:
        raise SystemExit(3)


@pytest.mark.parametrize("backend", [Leaves(), LeavesInCompile()])
@pytest.mark.parametrize("isolate", [False, True])
def test_an_engine_that_wants_to_leave_the_program_has_crashed(backend: Any, isolate: bool) -> None:
    with pytest.raises(BackendCrashed, match="tried to exit the program with code 3"):
        list(run(model(), backend, isolate=isolate))
