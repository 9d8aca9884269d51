"""Random models of all kinds and nestings: the kernel, compiled and as plain Python, against brute force.

``python -m tests.backends.native.test_random 220000 1000000`` asks those from a number up to another, compiled; a
difference ends it.
"""

from __future__ import annotations

import sys
from random import Random

import pytest

pytest.importorskip("llvmlite", reason="not applicable (feature): llvmlite is not installed")

from sudoku_backends.native import BACKEND, NativeOptions
from sudoku_backends.native.backend import CompiledNative
from sudoku_backends.native.kernel import layout, restarts

from sudoku_models.engine.contract import Request
from sudoku_models.model import AllDifferent, Model, Variable, brute_force
from sudoku_models.testing.generators import GENERATORS, random_domains, random_model

from .guarded import plain_solutions

KINDS = list(GENERATORS)
CASES = 1_000


def case(number: int) -> tuple[Model, dict[str, tuple[int, ...]]]:
    """Return a random model that the engine takes, and narrower domains; every third has variables all different."""
    rng = Random(f"native {number}")
    while True:
        model = random_model(rng, KINDS, rng.randint(1, 5), rng.randint(1, 4))
        if number % 3 == 0 and len(model.variables) > 1:
            model = model.with_(AllDifferent(model.variables[: rng.randint(2, len(model.variables))]))
        if BACKEND.capabilities.accepts_model(model) is None:
            return model, random_domains(rng, model)


def compiled(model: Model, without: str = "") -> CompiledNative:
    return BACKEND.compile(model, NativeOptions(without=without))


def check(number: int) -> None:
    model, domains = case(number)
    found = list(compiled(model).run(Request(domains, None)))
    truth = list(brute_force(model.narrowed(domains)))
    assert sorted(found) == sorted(truth), f"case {number}:\n{model}\nwith domains {domains}"


@pytest.mark.parametrize("block", range(10))
def test_the_compiled_kernel_finds_every_solution_once(block: int) -> None:
    for number in range(block * CASES // 10, (block + 1) * CASES // 10):
        check(number)


@pytest.mark.parametrize("block", range(4))
def test_the_kernel_as_plain_python_stays_within_its_arrays_and_agrees(block: int) -> None:
    for number in range(block * 25, (block + 1) * 25):
        model, domains = case(number)
        asked = compiled(model)
        start = asked.start(domains)
        found = [] if start is None else plain_solutions(asked.network, start)
        kept = list(dict.fromkeys(found))
        assert sorted(kept) == sorted(brute_force(model.narrowed(domains))), f"case {number}:\n{model}\n{domains}"


@pytest.mark.parametrize("probed", [1, 2])
def test_a_search_that_begins_anew_at_every_turn_finds_the_same(monkeypatch: pytest.MonkeyPatch, probed: int) -> None:
    monkeypatch.setattr(restarts, "FIRST", 1)
    monkeypatch.setattr(restarts, "PROBED", probed)
    begun = 0
    for number in range(100 * probed, 100 * probed + 25):
        model, domains = case(number)
        asked = compiled(model)
        start = asked.start(domains)
        found = [] if start is None else plain_solutions(asked.network, start)
        assert sorted(dict.fromkeys(found)) == sorted(brute_force(model.narrowed(domains))), f"case {number}:\n{model}"
        begun += len(found)
    assert begun


def test_each_kind_is_among_the_cases() -> None:
    used = {type(c) for number in range(CASES) for c in case(number)[0].constraints}
    assert used >= set(KINDS)


def test_plain_python_notices_a_place_outside() -> None:
    asked = compiled(Model([Variable("x", (1, 2))]))
    asked.network.sections[layout.DECIDED] = 0
    with pytest.raises((AssertionError, IndexError)):
        plain_solutions(asked.network, asked.network.start)


if __name__ == "__main__":
    for at in range(*map(int, sys.argv[1:3])):
        check(at)
        if at % 10_000 == 0:
            print(at, flush=True)
