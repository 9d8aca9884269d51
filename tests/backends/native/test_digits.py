"""Variables whose values reach too far for a word: the network has their digits, and finds the same solutions."""

from __future__ import annotations

from random import Random

import pytest

pytest.importorskip("llvmlite", reason="not applicable (feature): llvmlite is not installed")

from sudoku_backends.native import BACKEND, NativeOptions
from sudoku_backends.native.digits import Digits

from sudoku_models.engine.contract import Request
from sudoku_models.engine.counting import counted
from sudoku_models.engine.record import Record
from sudoku_models.engine.road import prepare, run
from sudoku_models.engine.session import Session
from sudoku_models.errors import Unsupported
from sudoku_models.model import (
    AllDifferent,
    Automaton,
    Count,
    Domain,
    InDomain,
    Linear,
    Model,
    Objective,
    Regular,
    Variable,
    brute_force,
)
from sudoku_models.testing.generators import GENERATORS, random_domains

from .guarded import plain_solutions

KINDS = list(GENERATORS)


def far(rng: Random) -> Domain:
    """Return a few values, near to each other and to 0, near to each other alone, or far apart."""
    size, least = rng.randint(1, 4), rng.choice([-100, -2, 1, 58, 60, 1000])
    if rng.random() < 0.6:
        return tuple(range(least, least + size))
    top = rng.choice([70, 130, 5_000, 10**6])
    return tuple(sorted({rng.randint(-top, top) for _ in range(size)}))


def wide(number: int) -> tuple[Model, dict[str, Domain]]:
    """Return a random model of values that do not fit into a word, and narrower domains."""
    rng = Random(f"wide {number}")
    while True:
        xs = [Variable(f"x{i}", far(rng)) for i in range(rng.randint(1, 5))]
        model = Model(xs, [GENERATORS[rng.choice(KINDS)](rng, xs) for _ in range(rng.randint(1, 4))])
        ends = [end for v in xs for end in (v.domain[0], v.domain[-1])]
        if max(ends) - min(ends) >= 62 and BACKEND.capabilities.accepts_model(model) is None:
            return model, random_domains(rng, model)


@pytest.mark.parametrize("block", range(4))
def test_random_models_of_all_kinds_have_the_solutions_of_brute_force(block: int) -> None:
    for number in range(block * 60, (block + 1) * 60):
        model, domains = wide(number)
        found = list(BACKEND.compile(model, NativeOptions()).run(Request(domains, None)))
        assert sorted(found) == sorted(brute_force(model.narrowed(domains))), f"{number}:\n{model}\nwith {domains}"


def test_the_kernel_as_plain_python_agrees() -> None:
    for number in range(20):
        model, _ = wide(number)
        network = BACKEND.compile(model, NativeOptions()).network
        assert sorted({*plain_solutions(network, network.start)}) == sorted(brute_force(model))


@pytest.mark.parametrize(("least", "most", "places"), [(-5, 56, 1), (-5, 57, 2), (0, 3_843, 2), (7, 10**6, 4)])
def test_each_value_has_digits_of_its_own_within_the_window(least: int, most: int, places: int) -> None:
    digits = Digits(-3, least, most, 62)
    values = {*range(least, min(most, least + 500)), most}
    assert len({digits.written(value) for value in values}) == len(values)
    for value in values:
        row = digits.written(value)
        assert len(row) == places
        assert all(-3 <= digit < 59 for digit in row)
        assert sum(w * d for w, d in zip(digits.weights, row, strict=True)) + digits.offset == value
    assert not digits.fits(least - 1)


def totals(cells: int, whole: range) -> Model:
    xs = [Variable(f"x{i}", range(1, 10)) for i in range(cells)]
    total = Variable("total", whole)
    return Model([*xs, total], [AllDifferent(xs), Linear([i + 5 for i in range(cells)] + [-1], [*xs, total], "==", 0)])


def test_a_total_of_hundreds_of_values_follows_from_its_sum() -> None:
    model = totals(4, range(300))
    with run(model, "native", Request({"total": (150,)}, None)) as found:
        assert all(sum((i + 5) * v for i, v in enumerate(s[:4])) == s[4] == 150 for s in found)
    assert found.outcome.count == sum(s[4] == 150 for s in run(model, "native", Request(limit=None))) > 0
    odd = Request({"total": tuple(range(101, 200, 2))}, None)
    counted_odd = counted(model, "native", odd, Record())
    assert counted_odd is not None
    assert counted_odd.count == sum(1 for _ in run(model, "native", odd)) > 0


def test_several_wide_variables_are_narrowed_at_once() -> None:
    xs = [Variable(name, (-90, -85, -10, 2)) for name in "xy"]
    asked = Request({"x": (-85, -10, 2), "y": (-90,)}, None)
    assert sorted(run(Model(xs), "native", asked)) == [(x, -90) for x in (-85, -10, 2)]


def test_a_variable_that_is_narrowed_to_a_word_or_to_nothing_needs_no_digits() -> None:
    x, y = Variable("x", range(100)), Variable("y", ())
    assert [*run(Model([x], [InDomain(x, [7, 9])]), "native", Request(limit=None))] == [(7,), (9,)]
    assert [*run(Model([x, y]), "native", Request(limit=None))] == []
    assert [*run(Model([x], [InDomain(x, [])]), "native", Request(limit=None))] == []


def test_an_objective_over_wide_variables_is_as_good_as_it_gets() -> None:
    model = totals(4, range(300))
    best = Model(model.variables, model.constraints, Objective("maximize", [1], ["total"]))
    assert [*run(best, "native", Request(limit=None))][-1][4] == 5 * 6 + 6 * 7 + 7 * 8 + 8 * 9


def test_what_is_left_of_domains_is_known_also_below_the_word() -> None:
    near, far = Variable("near", range(-100, 100)), Variable("far", [-5000, -70, 3])
    others = [Variable(f"x{i}", range(1, 8)) for i in range(5)]
    model = Model([near, far, *others], [InDomain(near, [7, 9]), AllDifferent(others)])
    left = prepare(model, "native").compiled.propagated({"x0": (4,)})
    assert (left["near"], left["far"], left["x0"], left["x1"]) == ((7, 9), (-5000, -70, 3), (4,), (1, 2, 3, 5, 6, 7))
    found = counted(model, "native", Request(limit=None), Record())
    assert found is not None
    assert found.count == 2 * 3 * (7 * 6 * 5 * 4 * 3)
    with pytest.raises(Unsupported, match="the values of near reach too far for a word"):
        prepare(model, "native").compiled.literal("near", -50)


def test_a_session_adds_to_wide_variables() -> None:
    with Session(totals(3, range(300)), "native") as session:
        before = sum(1 for _ in session.run(Request(limit=None)))
        session.add(InDomain("total", range(100, 130)))
        assert 0 < sum(1 for _ in session.run(Request(limit=None))) < before


def test_an_automaton_may_tell_any_number_of_distant_values_apart() -> None:
    values = range(0, 4_000, 100)
    xs = [Variable(f"x{i}", values) for i in range(2)]
    rising = Automaton(41, 0, range(1, 41), [(s, v, i + 1) for s in range(41) for i, v in enumerate(values) if s <= i])
    model = Model([*xs, Variable("y", (0, 1))], [Regular(xs, rising), Regular([xs[0], "y"], rising)])
    assert sorted(run(model, "native", Request(limit=None))) == sorted(brute_force(model))
    assert len([*run(Model(xs, [Regular(xs, rising)]), "native", Request(limit=None))]) == 40 * 39 // 2


def test_an_automaton_that_would_be_too_large_over_digits_is_refused_with_the_reason() -> None:
    values = range(0, 4_000, 100)
    long = Automaton(50_001, 0, [50_000], [(i, values[i % 40], i + 1) for i in range(50_000)])
    xs = [Variable(f"x{i}", values) for i in range(2)]
    reason = BACKEND.capabilities.accepts_model(Model(xs, [Regular(xs, long)]))
    assert reason == "an automaton of 100001 states would be needed to read values so far apart"
    assert BACKEND.capabilities.accepts_model(Model(xs, [Count(xs, [0, 100], "==", 1)])) is None
