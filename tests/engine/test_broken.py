"""Engines of others that end a search or name a core in no way that is declared: their error names them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from sudoku_models import BackendFailed, WrongAnswer, candidates, core, count, is_unique, solutions, solve
from sudoku_models.engine import run
from sudoku_models.engine.base import StatedAnew
from sudoku_models.engine.combined import RELAY, Members
from sudoku_models.engine.contract import Capabilities, Ending, Feature, Reason, Request, Search, Solution
from sudoku_models.engine.registry import Selection, select
from sudoku_models.engine.switches import Session
from sudoku_models.model import AllDifferent, Count, InDomain, Model, Table, Variable, brute_force

from . import planted

DONE = Ending(Reason.EXHAUSTED)


class Strange(Ending):
    """An ending with fields of other types."""


ENDINGS: dict[str, Any] = {
    "nothing": None,
    "a reason": Reason.EXHAUSTED,
    "an unknown reason": Strange("finished"),  # type: ignore[arg-type]
    "a bound that is a text": Strange(Reason.EXHAUSTED, "7"),  # type: ignore[arg-type]
    "a bound that is a fraction": Strange(Reason.TIME, 0.5),  # type: ignore[arg-type]
}
CORES: list[Any] = [7, [1], (1, 99), (1.0, 1.5), (True, False)]


class Broken(planted.Planted):
    """Ends behind some solutions, and names its cores, with whatever it is told to."""

    features = planted.EVERY | {Feature.OBJECTIVE, Feature.ASSUME}

    def __init__(self, ending: Any = DONE, solutions: int = 99, core: Any = None) -> None:
        self.ending, self.before, self.core = ending, solutions, core

    def compile(self, model: Model, options: Any) -> Any:
        return BrokenCompiled(self, model)

    def search(self, model: Model, request: Any, *rest: Any) -> Search:
        for number, row in enumerate(self.solutions(model.narrowed(request.domains))):
            if number == self.before:
                break
            if number == request.limit:
                return Ending(Reason.LIMIT)
            yield row
        return self.ending  # type: ignore[no-any-return]


class BrokenCompiled(planted.Compiled):
    backend: Broken

    def assume(self) -> Any:
        return BrokenParts(self.model, lambda stated: BrokenCompiled(self.backend, stated))


class BrokenParts(StatedAnew):
    def search(self, request: Any, budget: Any, record: Any, switches: Sequence[int] = ()) -> Search:
        stated: Any = self._state(self.model.with_(*(c for number in switches for c in self._parts[number - 1])))
        ending = yield from stated.search(request, budget, record)
        named = tuple(switches) if stated.backend.core is None else stated.backend.core
        return Strange(ending.reason, failed=named) if ending is DONE else ending


X, Y = Variable("x", (0, 1, 2)), Variable("y", (0, 1, 2))
STATED = Model([X, Y], [AllDifferent([X, Y])])
WITHOUT = STATED.with_(InDomain(X, [1]), InDomain(Y, [1]), InDomain(Y, [1, 2]))
VERBS: dict[str, Callable[[Any], object]] = {
    "solve": lambda engine: solve(STATED, engine),
    "unique": lambda engine: solve(STATED, engine, unique=True),
    "in a child": lambda engine: solve(STATED, engine, unique=True, memory_limit=1 << 30),
    "objective": lambda engine: solve(STATED.minimise(X + Y), engine),
    "count": lambda engine: count(STATED, engine),
    "is_unique": lambda engine: is_unique(STATED, engine),
    "solutions": lambda engine: list(solutions(STATED, engine)),
    "candidates": lambda engine: candidates(STATED, engine),
    "core": lambda engine: core(WITHOUT, engine),
}


def endings() -> Iterator[tuple[str, int, str]]:
    """Yield verbs that meet the end of the search: what is told to end after a solution, and verbs that ask for two."""
    for verb in VERBS:
        yield from ((ending, 0, verb) for ending in ENDINGS)
        yield from ((ending, 1, verb) for ending in ENDINGS if verb not in ("solve", "core"))


@pytest.mark.parametrize(("ending", "after", "verb"), list(endings()))
def test_an_ending_that_is_none_is_the_fault_of_its_engine(ending: str, after: int, verb: str) -> None:
    with pytest.raises(BackendFailed, match=r"^broken.* failed: TypeError: its search ended with .* is expected"):
        VERBS[verb](Broken(ENDINGS[ending], after))


class Longer(Broken):
    """Gives each solution a value too many."""

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(frozenset({AllDifferent, InDomain, Table}), self.features)

    def solutions(self, model: Model) -> Iterator[Solution]:
        yield from ((*row, 1) for row in super().solutions(model))


class LongerInBlocks(Longer):
    """Gives many solutions at once, as a list or an array."""

    def search(self, model: Model, request: Any, *rest: Any) -> Search:
        rows = list(self.solutions(model.narrowed(request.domains)))
        yield rows if model.kinds() == {AllDifferent} else np.array(rows)
        return DONE


LOWERED = Model([X, Y], [Count([X, Y], (1,), "==", 1)])  # with a further variable
LENGTHS: dict[str, Callable[[Model, Any], object]] = {
    "solve": solve,
    "in a child": lambda model, engine: solve(model, engine, memory_limit=1 << 30),
    "session": lambda model, engine: list(Session(model, engine).run()),
    "core": core,
}


@pytest.mark.parametrize("engine", [Longer(), LongerInBlocks()], ids=["one by one", "in blocks"])
@pytest.mark.parametrize("model", [STATED, LOWERED], ids=["as stated", "lowered"])
@pytest.mark.parametrize("verb", LENGTHS)
def test_a_value_too_many_makes_a_solution_wrong(verb: str, model: Model, engine: Any) -> None:
    with pytest.raises(WrongAnswer, match=r"^longer\w* returned a wrong solution: .*( for 2 variables|of 2 whole)"):
        LENGTHS[verb](model, engine)


class Unready(Broken):
    """Stops while it compiles, with the exception that ends an iteration."""

    def compile(self, model: Model, options: Any) -> Any:
        return next(iter(()))


@pytest.mark.parametrize("verb", VERBS)
def test_an_iteration_that_ends_while_compiling_is_the_fault_of_its_engine(verb: str) -> None:
    with pytest.raises(BackendFailed, match=r"^unready could not compile the model: StopIteration"):
        VERBS[verb](Unready())


@pytest.mark.parametrize("named", CORES, ids=str)
def test_a_core_that_is_none_is_the_fault_of_its_engine(named: Any) -> None:
    with pytest.raises(BackendFailed, match=r"broken returned the core .*: switches that it was given are expected"):
        core(WITHOUT, Broken(core=named))


def relay(*engines: Any) -> Selection:
    return Selection(RELAY, Members(tuple(map(select, engines))))


@pytest.mark.parametrize("engine", [Unready(), Broken(None, 0), Broken(None, 1)], ids=["unready", "at once", "later"])
def test_a_relay_passes_over_a_member_that_fails_and_yields_no_solution_twice(engine: Any) -> None:
    with run(STATED, relay(engine, "backtracking"), Request(limit=None)) as found:
        assert sorted(found) == sorted(brute_force(STATED))
    assert found.record.notes[0].startswith(f"{engine.name} was passed over: {engine.name} ")
    assert found.outcome.complete


def test_a_relay_in_which_nothing_is_settled_fails_as_its_member_did() -> None:
    gives_up = Broken(Ending(Reason.GAVE_UP), 0)
    for engines in ([Unready()], [gives_up, Unready()], [Unready(), gives_up]):
        with pytest.raises(BackendFailed, match=r"^unready could not compile"):
            solve(STATED, relay(*engines))
