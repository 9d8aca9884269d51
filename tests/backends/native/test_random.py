"""Random models of all kinds and nestings: the kernel, compiled and as plain Python, against brute force."""

from __future__ import annotations

from random import Random

import pytest

pytest.importorskip("llvmlite", reason="not applicable (feature): llvmlite is not installed")

from sudoku_backends.native import BACKEND
from sudoku_backends.native.kernel import search

from sudoku_models.model import AllDifferent, Automaton, Compare, Count, Model, Regular, Variable, brute_force
from sudoku_models.testing.generators import GENERATORS, random_domains, random_model

from .guarded import plain_solutions, read_diagrams_plainly
from .ways import WAYS, Way, compiled

KINDS = [kind for kind in GENERATORS if kind in BACKEND.capabilities.kinds]
CASES = 500


def case(number: int) -> tuple[Model, dict[str, tuple[int, ...]]]:
    """Return a random model that the engine takes, and narrower domains; every third has variables all different."""
    rng = Random(f"native {number}")
    while True:
        model = random_model(rng, KINDS, rng.randint(1, 5), rng.randint(1, 4))
        if number % 3 == 0 and len(model.variables) > 1:
            model = model.with_(AllDifferent(model.variables[: rng.randint(2, len(model.variables))]))
        if BACKEND.capabilities.accepts_model(model) is None:
            return model, random_domains(rng, model)


def check(number: int) -> None:
    """Ask for a random model in the way whose turn it is."""
    model, domains = case(number)
    truth = list(brute_force(model.narrowed(domains)))
    way = WAYS[number % len(WAYS)]
    assert way(model, domains, sorted(truth)), f"case {number}, {way.__name__}:\n{model}\nwith domains {domains}"


@pytest.mark.parametrize("block", range(5))
def test_the_compiled_kernel_finds_every_solution_once_in_every_way_to_ask(block: int) -> None:
    for number in range(block * CASES // 5, (block + 1) * CASES // 5):
        check(number)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_a_solution_too_many_and_one_too_few_are_noticed_in_every_way(way: Way) -> None:
    xs = [Variable(name, (1, 2, 3)) for name in "xy"]
    model, right = Model(xs, [Compare("x", "<", "y")]), [(1, 2), (1, 3), (2, 3)]
    assert way(model, {}, right)
    assert not way(model, {}, right[:2])
    assert not way(model, {}, [*right, (3, 1)])


@pytest.mark.parametrize("block", range(4))
def test_the_kernel_as_plain_python_stays_within_its_arrays_and_agrees(
    block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    readers = read_diagrams_plainly(monkeypatch)
    for number in range(block * 25, (block + 1) * 25):
        model, domains = case(number)
        asked = compiled(model)
        start = asked.start(domains)
        found = [] if start is None else plain_solutions(asked.network, start)
        kept = list(dict.fromkeys(found))
        assert sorted(kept) == sorted(brute_force(model.narrowed(domains))), f"case {number}:\n{model}\n{domains}"
    assert "read_automaton" in readers


def test_words_with_few_letters_and_with_none_twice_are_read_within_their_arrays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    readers, xs = read_diagrams_plainly(monkeypatch), [Variable(name, range(4)) for name in "xyz"]
    for number in range(15):
        rng = Random(number)
        arrows = [(s, v, rng.randrange(4)) for s in range(4) for v in range(4) if rng.random() < 0.8]
        counts = [Count(xs, rng.sample(range(4), 2), rng.choice((">=", "<=")), rng.randint(0, 2)) for _ in range(2)]
        model = Model(xs, [AllDifferent(xs), Regular(xs, Automaton(4, 0, (1, 2), arrows)), *counts])
        network = compiled(model).network
        assert sorted(plain_solutions(network, network.start)) == sorted(brute_force(model)), model
    assert readers == {"read_automaton", "read_different"}


def test_a_search_that_begins_anew_at_every_turn_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "FIRST", 1)
    begun = 0
    for number in range(100, 125):
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
    asked.network.sections["decided"] = 0
    with pytest.raises((AssertionError, IndexError)):
        plain_solutions(asked.network, asked.network.start)
