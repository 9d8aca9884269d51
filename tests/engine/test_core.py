"""Cores against brute force: what is returned has no solution, and without any part of it there is one."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from sudoku_models.engine import Part, Request, core
from sudoku_models.engine.base import StatedAnew
from sudoku_models.engine.contract import Ending, Feature, Reason, Search
from sudoku_models.engine.registry import BackendLike
from sudoku_models.errors import LimitReached, WrongAnswer
from sudoku_models.model import AllDifferent, Model, Variable, brute_force
from sudoku_models.testing import Wrapper
from sudoku_models.testing.generators import GENERATORS, random_domains, random_model

from ..planted import REGISTERED, Planted, spins


def solvable(base: Model, parts: Sequence[Part]) -> bool:
    return any(True for _ in brute_force(base.with_(*(c for part in parts for c in part.stated))))


def cut_down(spec: BackendLike) -> int:
    """Ask for the cores of random contradictions, hold them against brute force, and return how many there were."""
    kinds, found = list(GENERATORS), 0
    for seed in range(24):
        rng = Random(seed)
        model = random_model(rng, kinds, rng.randint(1, 4), rng.randint(0, 5))
        base = Model(model.variables)
        parts = [Part(x, domains={x: values}) for x, values in random_domains(rng, model).items()]
        parts += [Part(i, (constraint,)) for i, constraint in enumerate(model.constraints)]
        said = core(base, parts, spec)
        if said is None:
            assert solvable(base, parts)
            continue
        found += 1
        assert not solvable(base, said)
        assert all(solvable(base, said[:i] + said[i + 1 :]) for i in range(len(said)))
    return found


@pytest.mark.parametrize("spec", ["auto", "backtracking", "cp-sat", "cp-sat:form=booleans", "native", "pycosat"])
def test_random_contradictions_are_cut_down_to_what_is_needed(spec: str) -> None:
    assert cut_down(spec) > 8


class Claims(Wrapper):
    """Says of itself which parts contradict each other, or claims that nothing does."""

    def __init__(self, expected: list[int]) -> None:
        super().__init__("backtracking")
        self.expected = expected

    def compile(self, model: Model, options: Any) -> Any:
        compiled: Any = super().compile(model, options)
        compiled.assume = lambda: ClaimedParts(self.expected, compiled.assume_truly())
        compiled.assume_truly = type(compiled).assume.__get__(compiled)
        return compiled


class ClaimedParts:
    """Nothing has a solution, and always the same parts are named."""

    def __init__(self, expected: list[int], inner: Any) -> None:
        self.expected, self.inner = expected, inner
        self.add, self.close = inner.add, inner.close

    def search(self, request: Any, budget: Any, record: Any, switches: Sequence[int] = ()) -> Search:
        yield from ()
        return Ending(Reason.EXHAUSTED, failed=tuple(switch for switch in switches if switch - 1 in self.expected))


MODEL = random_model(Random(0), [], 2, 0)
X = MODEL.variables[0]
PARTS = [Part("never", (X.domain[0] != X, X.domain[0] == X)), Part("always", (X.domain[0] <= X,))]


def test_an_engine_is_held_to_its_word() -> None:
    assert [part.label for part in core(MODEL, PARTS, "backtracking") or ()] == ["never"]
    with pytest.raises(WrongAnswer, match="returned a core that has a solution"):
        core(MODEL, PARTS, Claims([1]))


class Tires(Wrapper):
    """Answers so many requests and then runs out of time."""

    def __init__(self, answers: int) -> None:
        super().__init__("backtracking")
        self.answers = answers

    def compile(self, model: Model, options: Any) -> Any:
        inner, tires = super().compile(model, options), self

        class Compiled:
            native = None

            def assume(self) -> StatedAnew:
                return StatedAnew(model, lambda stated: tires.compile(stated, options))

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


@pytest.mark.parametrize(
    ("backend", "request_", "reason"),
    [
        (REGISTERED.leaker, Request(memory_limit=300 << 20), "memory limit"),
        (Planted("spins", spins, Feature.PROVE), Request(time_limit=1.5), "time limit"),
    ],
)
def test_a_core_keeps_to_its_limits_whatever_the_engine_does(backend: Any, request_: Request, reason: str) -> None:
    xs = [Variable(f"x{i}", range(1, 4)) for i in range(3)]
    different = [Part(i, (AllDifferent(xs),), {"x0": (1,), "x1": (1,)}) for i in range(2)]
    with pytest.raises(LimitReached, match=reason):
        core(Model(xs), different, backend, request_)
