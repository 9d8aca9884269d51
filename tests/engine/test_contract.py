"""Runs, projections and capabilities: what backends and callers can count on."""

from __future__ import annotations

import pytest

from sudoku_models.engine import Budget, Capabilities, Ending, Reason, Run
from sudoku_models.engine.contract import Search
from sudoku_models.model import AllDifferent, Compare, InDomain, Model, Variable

X, Y = Variable("x", range(3)), Variable("y", range(3))


def search(events: list[str], reason: Reason = Reason.EXHAUSTED) -> Search:
    try:
        events.append("started")
        yield (1,)
        yield (2,)
        return Ending(reason, bound=7)
    finally:
        events.append("stopped")


def test_work_begins_with_the_first_pull() -> None:
    events: list[str] = []
    run = Run(search(events), Budget())
    assert events == []
    assert next(run) == (1,)
    assert events == ["started"]
    run.close()


@pytest.mark.parametrize("reason", Reason)
def test_the_outcome_says_how_many_and_why_it_ended(reason: Reason) -> None:
    run = Run(search([], reason), Budget())
    assert list(run) == [(1,), (2,)]
    outcome = run.outcome
    assert (outcome.count, outcome.reason, outcome.bound) == (2, reason, 7)
    assert outcome.complete == (reason is Reason.EXHAUSTED)


def test_closing_stops_the_engine_and_is_no_proof() -> None:
    events: list[str] = []
    run = Run(search(events), Budget())
    next(run)
    run.close()
    run.close()
    assert events == ["started", "stopped"]
    assert run.outcome.reason is Reason.CLOSED
    assert not run.outcome.complete
    assert list(run) == []


def test_dropping_a_run_stops_the_engine() -> None:
    events: list[str] = []
    run = Run(search(events), Budget())
    next(run)
    del run
    assert events[-1] == "stopped"


def test_capabilities_tell_why_a_constraint_or_a_model_is_refused() -> None:
    kinds = frozenset({AllDifferent, InDomain})
    some = Capabilities(
        kinds,
        refuses=lambda c: "too long" if len(c.scope) > 2 else None,
        refuses_model=lambda m: "too many variables" if len(m.variables) > 3 else None,
    )
    assert some.accepts(AllDifferent([X, Y])) is None
    assert some.accepts(AllDifferent(["a", "b", "c"])) == "too long"
    assert "Compare" in str(some.accepts(Compare(X, "<", Y)))
    assert some.accepts_model(Model([X, Y], [AllDifferent([X, Y])])) is None
    assert "Compare" in str(some.accepts_model(Model([X, Y], [Compare(X, "<", Y)])))
    assert some.accepts_model(Model([Variable(f"v{i}", (0,)) for i in range(4)])) == "too many variables"
