"""Several backends at once: the first answer wins and the others end; with an objective all improve side by side."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from sudoku_models.engine import Ending, Outcome, Reason, Request, run, workers
from sudoku_models.engine.combined import PORTFOLIO, Members
from sudoku_models.engine.contract import Solution
from sudoku_models.engine.registry import Selection, select
from sudoku_models.errors import BackendFailed, WrongAnswer
from sudoku_models.model import AllDifferent, Model, Variable, brute_force
from sudoku_models.testing.processes import children, left_behind

from ..held import time_is_up_behind
from ..planted import REGISTERED
from .planted import Improves

XS = [Variable(f"x{i}", range(1, 4)) for i in range(3)]
LEAST = Model(XS, [AllDifferent(XS)]).minimise(XS[0] + 2 * XS[1] + 10)
BAD, GOOD, BEST = (2, 3, 1), (3, 2, 1), (2, 1, 3)
BOTH = "portfolio:(backtracking)|(python-constraint:solver=minconflicts)"


def model(variables: int, values: int) -> Model:
    xs = [Variable(f"x{i}", range(1, values + 1)) for i in range(variables)]
    return Model(xs, [AllDifferent(xs)])


@pytest.fixture(autouse=True)
def clean() -> Iterator[None]:
    workers.close_idle()
    threads, processes = set(threading.enumerate()), children()
    yield
    assert not left_behind(threads, processes)


def test_the_first_answer_wins_and_the_record_names_the_winner() -> None:
    with run(model(3, 3), "portfolio:(backtracking)|(backtracking:strategy=general)", Request(limit=None)) as found:
        assert sorted(found) == list(brute_force(model(3, 3)))
        assert found.outcome.complete
        assert found.record.notes[0].startswith("won by backtracking")


def test_a_member_that_gives_up_drops_out_and_the_proof_counts() -> None:
    with run(model(3, 2), BOTH) as found:
        assert list(found) == []
        assert found.outcome.reason is Reason.EXHAUSTED
    assert found.record.notes[-1] == "won by backtracking"


def test_the_winner_has_its_warm_child_again() -> None:
    slow_first = Selection(PORTFOLIO, Members((select(REGISTERED.spinner), select("backtracking"))))
    assert list(run(model(3, 3), slow_first)) == [(1, 2, 3)]
    assert len(before := workers.waiting()) == 1
    assert list(run(model(3, 3), slow_first)) == [(1, 2, 3)]
    assert workers.waiting() == before


def asked(*members: Improves, limit: int | None = None, seconds: float | None = None) -> tuple[list[Solution], Outcome]:
    portfolio = Selection(PORTFOLIO, Members(tuple(map(select, members))))
    with run(LEAST, portfolio, Request(limit=limit, time_limit=seconds)) as found:
        return list(found), found.outcome


def test_it_ends_with_the_first_proof_and_the_others_are_killed() -> None:
    found, outcome = asked(Improves((BAD, None)), Improves((BEST, None), then=Ending(Reason.EXHAUSTED)))
    assert found in ([BAD, BEST], [BEST])
    assert (outcome.complete, outcome.bound) == (True, 14)
    assert outcome.record.notes == ["won by improves"]


def test_a_limit_leaves_the_best_of_all_and_the_tightest_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    time_is_up_behind(3, monkeypatch)
    found, outcome = asked(Improves((BAD, 13), (GOOD, 13)), Improves((BAD, 14)), seconds=60)
    assert found == [BAD, GOOD]
    assert (outcome.reason, outcome.complete, outcome.bound) == (Reason.TIME, False, 14)


def test_the_bound_of_one_and_the_best_of_another_are_a_proof() -> None:
    found, outcome = asked(Improves((BEST, None)), Improves((BAD, 14)))
    assert found[-1] == BEST
    assert outcome.complete and outcome.bound == 14


@pytest.mark.usefixtures("one_after_the_other")
def test_who_gives_up_drops_out_and_the_last_one_counts() -> None:
    broken = Improves((GOOD, None), then=RuntimeError("out of order"))
    with pytest.raises(BackendFailed, match="out of order"):
        asked(Improves((BAD, None), then=Ending(Reason.GAVE_UP)), broken)


@pytest.mark.usefixtures("one_after_the_other")
def test_a_proof_that_there_is_none_is_no_match_for_a_solution() -> None:
    with pytest.raises(WrongAnswer, match="lost a solution that another engine found"):
        asked(Improves((BAD, None), then=Ending(Reason.GAVE_UP)), Improves(then=Ending(Reason.EXHAUSTED)))


@pytest.fixture
def one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """A member is heard when the members before it have ended."""
    receive = workers.receive
    monkeypatch.setattr(workers, "receive", lambda children, *rest: receive(children[:1], *rest))
