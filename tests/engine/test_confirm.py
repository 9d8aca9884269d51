"""What an engine with a known quirk says does not exist is confirmed by another engine, or said not to be."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from sudoku_models import candidates, core, count, is_unique, solutions, solve
from sudoku_models.engine import Capabilities, Request, Session, run
from sudoku_models.engine import road as confirming
from sudoku_models.engine.contract import Feature, Quirk, Solution
from sudoku_models.errors import WrongAnswer
from sudoku_models.model import AllDifferent, Compare, InDomain, Model, Or, Table, Variable, brute_force

from .planted import EVERY, Planted

X, Y = Variable("x", (1, 2, 3)), Variable("y", (1, 2, 3))
SEVERAL = Model([X, Y], [AllDifferent([X, Y])])
ONE = SEVERAL.with_(InDomain(X, [1]), InDomain(Y, [3]))
NONE = ONE.with_(InDomain(Y, [1]))
CONFIRMER = "native:patience=5000000"


@pytest.fixture(autouse=True)
def time_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let confirming take as long as a busy machine takes."""
    monkeypatch.setattr(confirming, "CONFIRMING", 600.0)


class Quirky(Planted):
    """Declares a quirk that touches every model, and does nothing wrong."""

    features = EVERY | {Feature.OBJECTIVE}

    @property
    def capabilities(self) -> Capabilities:
        quirk = Quirk("planted", "it loses solutions", "all", "there is no way round", lambda model: True)
        return Capabilities(frozenset({AllDifferent, InDomain, Compare}), self.features, quirks=(quirk,))

    def solutions(self, model: Model) -> Iterator[Solution]:
        """Yield solutions, with an objective those that improve."""
        best: int | None = None
        for solution in brute_force(model):
            if model.objective:
                value = model.objective.value(dict(zip(model.names, solution, strict=True)))
                if not model.objective.improves(value, best):
                    continue
                best = value
            yield solution


class LosesAll(Quirky):
    def solutions(self, model: Model) -> Iterator[Solution]:
        yield from ()


class LosesLast(Quirky):
    def solutions(self, model: Model) -> Iterator[Solution]:
        yield from list(super().solutions(model))[:-1]


def test_a_negative_of_a_quirky_engine_is_confirmed_and_the_record_says_by_what() -> None:
    unique, none, best = (
        solve(ONE, Quirky(), unique=True),
        solve(NONE, Quirky()),
        solve(SEVERAL.minimise(X + Y), Quirky()),
    )
    assert (unique.unique, unique.record.confirmed) == (True, CONFIRMER)
    assert (str(none.status), none.record.confirmed) == ("unsatisfiable", CONFIRMER)
    assert (best.objective, best.record.confirmed) == (3, CONFIRMER)
    assert unique.record.phases["confirm"].wall > 0
    assert unique.record.as_dict()["confirmed"] == CONFIRMER


def test_many_solutions_are_counted_again_too(monkeypatch: pytest.MonkeyPatch) -> None:
    many = Model([Variable(name, range(16)) for name in "xyz"], [Compare("x", "<", "y")])
    found = count(many, Quirky())
    assert found == 1920 and found.record.confirmed and not found.record.unconfirmed
    with pytest.raises(WrongAnswer, match=r"loseslast lost a solution: .* beyond the 1919 that it found"):
        count(many, LosesLast())


@pytest.mark.parametrize(
    "ask",
    [
        lambda backend: solve(ONE, backend),
        lambda backend: solve(ONE, backend, unique=True),
        lambda backend: count(ONE, backend),
        lambda backend: is_unique(ONE, backend),
        lambda backend: candidates(ONE, backend),
        lambda backend: core(ONE, backend),
        lambda backend: list(solutions(ONE, backend)),
        lambda backend: solve(ONE.minimise(X), backend),
    ],
    ids=["solve", "unique", "count", "is_unique", "candidates", "core", "solutions", "best"],
)
def test_a_lost_solution_is_a_wrong_answer_of_every_verb(ask: Any) -> None:
    with pytest.raises(
        WrongAnswer, match=f"losesall lost a solution: {CONFIRMER} has one where it found none"
    ) as raised:
        ask(LosesAll())
    assert raised.value.backend == "losesall"


def test_a_lost_second_or_better_solution_is_a_wrong_answer() -> None:
    two = SEVERAL.with_(InDomain(X, [1]))
    with pytest.raises(WrongAnswer, match="has one beyond the 1 that it found"):
        solve(two, LosesLast(), unique=True)
    with pytest.raises(WrongAnswer, match="has one better than the best"):
        solve(two.maximise(Y), LosesLast())


def test_the_engines_word_is_taken_where_that_is_asked_for() -> None:
    found = solve(ONE, LosesAll(), confirm=False)
    assert (str(found.status), found.record.confirmed) == ("unsatisfiable", "")


def test_what_nobody_confirms_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(confirming, "_others", lambda first: iter([confirming.select(Quirky())]))
    assert solve(ONE, Quirky(), unique=True).record.confirmed == "not confirmed (planted): no other engine"
    found = count(SEVERAL, Quirky())
    assert str(found) == "6 (not confirmed (planted): no other engine)" and found == 6
    assert str(solve(NONE, Quirky())) == "unsatisfiable, not confirmed (planted): no other engine"


def test_sessions_and_children_confirm_too() -> None:
    x = Variable("x", range(5))
    model = Model([x, Y], [Or([InDomain(x, [0]), InDomain(x, [1])]), Table([x, Y], [[3, 1], [2, 2]])])
    with Session(model, "cp-sat") as session, session.run() as found:
        assert list(found) == []
        assert found.record.confirmed == CONFIRMER
    with run(model, "cp-sat", Request(), isolate=True) as found:
        assert list(found) == []
        assert found.record.confirmed == CONFIRMER
    assert solve(model, "portfolio:(cp-sat)|(cp-sat:linearization=0)").record.confirmed == CONFIRMER
