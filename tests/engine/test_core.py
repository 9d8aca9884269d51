"""Cores against brute force: what is returned has no solution, and without any part of it there is one."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from sudoku_models.engine import Part, core
from sudoku_models.engine.contract import Ending, Feature, Reason, Search
from sudoku_models.engine.registry import BackendLike
from sudoku_models.errors import LimitReached, WrongAnswer
from sudoku_models.model import Model, brute_force
from sudoku_models.testing import Wrapper
from sudoku_models.testing.generators import GENERATORS, random_domains, random_model


def solvable(base: Model, parts: Sequence[Part]) -> bool:
    return any(True for _ in brute_force(base.with_(*(c for part in parts for c in part.stated))))


def cut_down(spec: BackendLike, quick: BackendLike | None = None) -> int:
    """Ask for the cores of random contradictions, hold them against brute force, and return how many there were."""
    kinds, found = list(GENERATORS), 0
    for seed in range(24):
        rng = Random(seed)
        model = random_model(rng, kinds, rng.randint(1, 4), rng.randint(0, 5))
        base = Model(model.variables)
        parts = [Part(x, domains={x: values}) for x, values in random_domains(rng, model).items()]
        parts += [Part(i, (constraint,)) for i, constraint in enumerate(model.constraints)]
        said = core(base, parts, spec, quick=quick)
        if said is None:
            assert solvable(base, parts)
            continue
        found += 1
        assert not solvable(base, said)
        assert all(solvable(base, said[:i] + said[i + 1 :]) for i in range(len(said)))
    return found


@pytest.mark.parametrize("spec", ["backtracking", "cp-sat", "cp-sat:form=booleans", "pycosat"])
def test_random_contradictions_are_cut_down_to_what_is_needed(spec: str) -> None:
    assert cut_down(spec) > 8


class Claims(Wrapper):
    """Says of itself which parts contradict each other."""

    def __init__(self, expected: list[int] | None) -> None:
        super().__init__("backtracking")
        self.expected = expected

    @property
    def capabilities(self) -> Any:
        from dataclasses import replace

        return replace(super().capabilities, features=super().capabilities.features | {Feature.CORE})

    def compile(self, model: Model, options: Any) -> Any:
        compiled: Any = super().compile(model, options)
        compiled.core = lambda parts, request: self.expected
        return compiled


MODEL = random_model(Random(0), [], 2, 0)
X = MODEL.variables[0]
PARTS = [Part("never", (X.domain[0] != X, X.domain[0] == X)), Part("always", (X.domain[0] <= X,))]


@pytest.mark.parametrize(
    ("expected", "says"), [([1], "returned a core that has a solution"), (None, "missed a contradiction")]
)
def test_an_engine_is_held_to_its_word(expected: list[int] | None, says: str) -> None:
    assert [part.label for part in core(MODEL, PARTS, Claims([0, 1])) or ()] == ["never"]
    with pytest.raises(WrongAnswer, match=says):
        core(MODEL, PARTS, Claims(expected))


class Tires(Wrapper):
    """Answers so many requests and then runs out of time."""

    def __init__(self, answers: int) -> None:
        super().__init__("backtracking")
        self.answers = answers

    def compile(self, model: Model, options: Any) -> Any:
        inner, tires = super().compile(model, options), self

        class Compiled:
            native = None

            def search(self, *asked: Any) -> Search:
                tires.answers -= 1
                return inner.search(*asked) if tires.answers >= 0 else _late()

        return Compiled()


def _late() -> Any:
    yield from ()
    return Ending(Reason.TIME)


def test_what_is_known_when_the_time_is_up_is_reported() -> None:
    parts = [Part("idle", (X.domain[-1] >= X,)), *PARTS]
    with pytest.raises(LimitReached) as nothing:
        core(MODEL, parts, Tires(0))
    assert nothing.value.known is None
    with pytest.raises(LimitReached) as some:
        core(MODEL, parts, Tires(2))
    known: Any = some.value.known
    assert {part.label for part in known} > {"never"}
    assert [part.label for part in core(MODEL, parts, Tires(99)) or ()] == ["never"]


class Hasty(Wrapper):
    """Gives up on a question with more than some constraints, and answers all others."""

    def __init__(self, most: int) -> None:
        super().__init__("backtracking")
        self.most = most

    def compile(self, model: Model, options: Any) -> Any:
        return super().compile(model, options) if len(model.constraints) <= self.most else _Vain()


class _Vain:
    native = None

    def search(self, *asked: Any) -> Search:
        return _vain()


def _vain() -> Any:
    yield from ()
    return Ending(Reason.GAVE_UP)


@pytest.mark.parametrize("most", [0, 2, 3, 99])
def test_what_a_quick_engine_does_not_settle_is_asked_of_the_other(most: int) -> None:
    assert cut_down("pycosat", Hasty(most)) > 8
