"""The budget of a job: time passes while the job works, shares end with the whole, and cancelling ends everything."""

from __future__ import annotations

import pytest

from sudoku_models import count, solutions, solve
from sudoku_models.engine import Budget, Outcome, Reason
from sudoku_models.engine.budget import OutOfTime
from sudoku_models.engine.record import Record
from sudoku_models.puzzle import Puzzle, Shape

from ..held import HeldClock


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> HeldClock:
    clock = HeldClock()
    monkeypatch.setattr("sudoku_models.engine.budget.time", clock)
    return clock


def test_only_time_inside_a_block_counts(held: HeldClock) -> None:
    budget = Budget(5.0)
    assert budget.left == 5.0
    with budget:
        held.sleep(1)
        with budget:
            held.sleep(1)
    held.sleep(20)
    assert budget.left == 3.0
    budget.start()
    held.sleep(1)
    assert budget.left == 2.0
    budget.stop()
    held.sleep(1)
    assert budget.left == 2.0


@pytest.mark.parametrize("limit", [0.0, 0.01])
def test_a_budget_expires_and_never_goes_below_zero(held: HeldClock, limit: float) -> None:
    with Budget(limit) as budget:
        held.sleep(0.02)
        assert budget.left == 0.0
    assert budget.expired
    with pytest.raises(OutOfTime):
        budget.check()


def test_a_share_ends_with_the_whole_and_spends_its_time(held: HeldClock) -> None:
    whole = Budget(5.0, 1 << 30)
    short, endless = whole.part(2.0), whole.part(None, 1 << 40)
    assert short.memory == endless.memory == 1 << 30
    with short:
        held.sleep(1)
    assert (short.left, whole.left, endless.left) == (1.0, 4.0, 4.0)
    with endless:
        held.sleep(3.5)
    assert (short.left, whole.left) == (0.5, 0.5)


def test_several_calls_share_one_budget() -> None:
    empty, budget = Puzzle.empty(Shape.square(9)), Budget(0.2)
    assert not count(empty, "backtracking", budget=budget).exact
    assert budget.expired
    assert str(solve(empty, "backtracking", budget=budget).status) == "unknown"


def test_a_cancelled_job_is_not_begun() -> None:
    budget = Budget()
    budget.cancel()
    with solutions(Puzzle.empty(Shape.square(9)), "backtracking", budget=budget) as found:
        assert list(found) == []
        assert str(found.outcome.reason) == "time limit"


def test_a_limit_that_was_spent_on_loading_the_engine_says_so() -> None:
    record = Record()
    record.add("compile", 2.0, 2.0)
    outcome = Outcome(0, False, Reason.TIME, None, record)
    assert outcome.missing == "time limit: 2.0 s were spent on loading the engine and stating the model"
    record.add("run", 3.0, 3.0)
    assert outcome.missing == "time limit"
    assert Outcome(0, False, Reason.MEMORY, None, Record()).missing == str(Reason.MEMORY)
    assert Outcome(1, True, Reason.EXHAUSTED, None, record).missing == ""
