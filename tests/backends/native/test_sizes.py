"""Numbers of any size in a model, and compiled models that are copied: right answers, or a refusal with the reason."""

from __future__ import annotations

import copy
import pickle

import pytest

pytest.importorskip("llvmlite", reason="not applicable (feature): llvmlite is not installed")

from sudoku_backends.native import BACKEND, NativeOptions
from sudoku_backends.native.compiled import CompiledNative
from sudoku_backends.native.machine import address

from sudoku_models import solve
from sudoku_models.engine.contract import Request
from sudoku_models.engine.road import prepare
from sudoku_models.model import Automaton, Compare, Inverse, Model, Not, Regular, Variable, brute_force

LETTERS = (1 << 62, 1 << 63, -(1 << 63) - 1, 10**30)


def compiled(model: Model) -> CompiledNative:
    return BACKEND.compile(model, NativeOptions())


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
    """Pair by pair of values they would be millions."""
    xs = [Variable(f"x{i}", range(60)) for i in range(60)]
    model = Model(xs, [Inverse(xs, xs)])
    assert len(prepare(model, "native").compiled.network.net) < 1_000_000
    assert solve(model, "native").values
