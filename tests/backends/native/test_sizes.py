"""Numbers of any size in a model, and compiled models that are copied: right answers, or a refusal with the reason."""

from __future__ import annotations

import copy
import pickle
import time

import pytest

pytest.importorskip("llvmlite", reason="not applicable (feature): llvmlite is not installed")

from sudoku_backends.native import BACKEND, NativeOptions
from sudoku_backends.native.backend import MOST_VARIABLES, CompiledNative
from sudoku_backends.native.machine import address

from sudoku_models import count, solve
from sudoku_models.engine.contract import Request
from sudoku_models.model import AllDifferent, Automaton, Compare, Inverse, Model, Not, Regular, Variable, brute_force

LETTERS = (1 << 62, 1 << 63, -(1 << 63) - 1, 10**30)


def compiled(model: Model) -> CompiledNative:
    return BACKEND.compile(model, NativeOptions())


@pytest.mark.parametrize("least", [(1 << 62) - 3, 1 << 63, 10**30, -(1 << 62), -(10**30)])
def test_values_that_do_not_fit_into_a_number_of_the_kernel_are_refused_and_left_to_others(least: int) -> None:
    xs = [Variable(name, range(least, least + 4)) for name in "xy"]
    model = Model(xs, [Compare("x", "<", "y")])
    assert "it has values of 4611686018427387904 (2^62) or more" in str(BACKEND.capabilities.accepts_model(model))
    assert count(model).value == 6


@pytest.mark.parametrize("least", [(1 << 62) - 4, 1 - (1 << 62)])
def test_the_largest_values_that_are_taken_are_found(least: int) -> None:
    model = Model([Variable(name, range(least, least + 4)) for name in "xyz"], [AllDifferent(["x", "y", "z"])])
    assert sorted(compiled(model).run(Request({}, None))) == sorted(brute_force(model))


def test_more_variables_than_the_memory_of_a_search_is_meant_for_are_refused_and_left_to_others() -> None:
    names = [f"x{i}" for i in range(MOST_VARIABLES + 1)]
    model = Model([Variable(name, (0, 1)) for name in names], [Compare(names[0], "<", names[-1])])
    assert "more than 20,000 variables" in str(BACKEND.capabilities.accepts_model(model))
    assert solve(model).values[names[-1]] == 1


@pytest.mark.parametrize("letter", LETTERS)
@pytest.mark.parametrize("negated", [False, True])
def test_an_automaton_may_have_letters_of_any_size_that_no_variable_has(letter: int, negated: bool) -> None:
    xs = [Variable(name, range(4)) for name in "xyz"]
    arrows = [(0, letter, 1), (0, 1, 1), (1, 2, 0), (1, 3, 1), (1, letter, 0)]
    regular = Regular(xs, Automaton(2, 0, (1,), arrows))
    model = Model(xs, [Not(regular) if negated else regular])
    assert sorted(compiled(model).run(Request({}, None))) == sorted(brute_force(model))


def test_a_copy_searches_its_own_memory() -> None:
    asked = compiled(Model([Variable(name, range(4)) for name in "xy"], [Compare("x", "<", "y")]))
    found = list(asked.run(Request({}, None)))
    for made in (copy.copy(asked), copy.deepcopy(asked), pickle.loads(pickle.dumps(asked))):
        assert made.network.address == address(made.network.net)
        assert list(made.run(Request({}, None))) == found


def test_relations_on_wide_variables_are_stated_from_the_masks_of_their_parts() -> None:
    xs = [Variable(f"x{i}", range(60)) for i in range(60)]
    began = time.process_time()
    assert solve(Model(xs, [Inverse(xs, xs)]), "native", time_limit=60).values
    assert time.process_time() - began < 8  # pair by pair of values it took over a minute
