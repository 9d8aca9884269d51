"""Wide variables that number pairs: the network keeps the pairs apart and has no such variables."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

pytest.importorskip("llvmlite", reason="not applicable (feature): llvmlite is not installed")

from sudoku_backends.native import BACKEND, NativeOptions

from sudoku_models import solve
from sudoku_models.engine.contract import Request
from sudoku_models.engine.road import run
from sudoku_models.errors import Unsupported
from sudoku_models.model import AllDifferent, Constraint, Model, Table, Variable, brute_force

from .guarded import plain_solutions

NUMBERS = Table(("a", "b", "c"), [(a, b, 100 * a + b) for a, b in product(range(3), range(4))])


def pairs(number: int, cells: int, firsts: int, seconds: int, *beside: Constraint) -> Model:
    """Return some pairs, with a wide variable that numbers each, all different."""
    rng = Random(f"pairs {number}")
    some = [Variable(f"a{i}", sorted(rng.sample(range(firsts), rng.randint(1, firsts)))) for i in range(cells)]
    more = [Variable(f"b{i}", sorted(rng.sample(range(seconds), rng.randint(1, seconds)))) for i in range(cells)]
    wide = [Variable(f"w{i}", [row[2] for row in NUMBERS.tuples]) for i in range(cells)]
    tables = [NUMBERS.over(a.name, b.name, w.name) for a, b, w in zip(some, more, wide, strict=True)]
    return Model([*some, *more, *wide], [*tables, AllDifferent(wide), *beside])


def truth(model: Model) -> list[tuple[int, ...]]:
    """Return all solutions, by brute force over the pairs alone."""
    cells = len(model.variables) // 3
    chosen = brute_force(Model(model.variables[: 2 * cells]))
    full = [(*s, *(100 * a + b for a, b in zip(s[:cells], s[cells:], strict=True))) for s in chosen]
    return sorted(s for s in full if model.holds(dict(zip(model.names, s, strict=True))))


@pytest.mark.parametrize("number", range(40))
def test_pairs_of_random_domains_are_those_of_brute_force(number: int) -> None:
    model = pairs(number, 2 + number % 3, 1 + number % 3, 2 + number % 2)
    assert sorted(run(model, "native", Request(limit=None))) == truth(model)


@pytest.mark.parametrize("number", range(8))
def test_as_many_pairs_as_there_are_take_every_place(number: int) -> None:
    model = pairs(number, 4, 2, 2)
    full = Model(
        [Variable(v.name, (0, 1) if v.name[0] in "ab" else v.domain) for v in model.variables], model.constraints
    )
    narrow = {"a0": (number % 2,), "b1": (number // 2 % 2,), "a2": (0, 1)}
    assert sum(1 for _ in run(full, "native", Request(limit=None))) == 24
    found = sorted(run(full, "native", Request(narrow, None)))
    assert found == [s for s in truth(full) if s[0] == number % 2 and s[5] == number // 2 % 2]


def test_the_kernel_of_pairs_as_plain_python_stays_within_its_arrays() -> None:
    for number in range(6):
        model = pairs(number, 3, 2, 3)
        network = BACKEND.compile(model, NativeOptions()).network
        found = plain_solutions(network, network.start)
        assert sorted(s[:6] for s in found) == [s[:6] for s in truth(model)]


@pytest.mark.parametrize("cells", [3, 4])
def test_the_propagator_of_pairs_loses_nothing_and_decides_what_is_settled(cells: int) -> None:
    """Of four pairs of two values each, every pair has a place; each seventh choice of their domains is asked."""
    both = [Variable(f"{x}{i}", (0, 1)) for x in "ab" for i in range(cells)]
    wide = [Variable(f"w{i}", [row[2] for row in NUMBERS.tuples]) for i in range(cells)]
    tables = [NUMBERS.over(f"a{i}", f"b{i}", f"w{i}") for i in range(cells)]
    model = Model([*both, *wide], [*tables, AllDifferent(wide)])
    compiled, names = BACKEND.compile(model, NativeOptions()), model.names[: 2 * cells]
    right = [
        row for row in product((0, 1), repeat=2 * cells) if len({*zip(row[:cells], row[cells:], strict=True)}) == cells
    ]
    for domains in list(product([(0,), (1,), (0, 1)], repeat=2 * cells))[:: 1 if cells == 3 else 7]:
        left = compiled.propagated(dict(zip(names, domains, strict=True)))
        inside = [row for row in right if all(v in d for v, d in zip(row, domains, strict=True))]
        assert all(v in left[x] for row in inside for x, v in zip(names, row, strict=True)), domains
        if all(len(d) == 1 for d in domains):
            assert all(left[x] for x in names) == bool(inside), domains


def test_kept_wide_variables_tell_solutions_apart_by_their_pairs() -> None:
    model = pairs(5, 3, 3, 4)
    found = list(run(model, "native", Request(limit=None, keep=("w0", "w1"))))
    assert sorted((s[6], s[7]) for s in found) == sorted({(s[6], s[7]) for s in truth(model)})


@pytest.mark.parametrize(
    "change",
    [
        lambda m: m.with_(AllDifferent([m.variables[0], m.variables[6]])),  # something else has a wide variable
        lambda m: Model(m.variables, m.constraints[1:]),  # one is not numbered
        lambda m: Model(m.variables, [*m.constraints[:-1], *(AllDifferent(m.variables[6:8]),)]),
        lambda m: Model([*m.variables[:-1], Variable("w2", (0, 1, 100, 101))], m.constraints),  # a pair has no number
    ],
)
def test_other_wide_variables_are_written_in_digits(change) -> None:  # type: ignore[no-untyped-def]
    model = change(pairs(7, 3, 3, 4))
    compiled = BACKEND.compile(model, NativeOptions())
    assert compiled.network.parted
    assert not compiled.network.numbered
    expected = sorted(s for s in brute_force(model) if model.holds(dict(zip(model.names, s, strict=True))))
    assert sorted(run(model, "native", Request(limit=None))) == expected


def test_numbers_of_pairs_may_be_narrowed_in_any_way() -> None:
    model = pairs(2, 3, 3, 4)
    for some in ((0, 1), (0, 101), (0, 1, 2, 100), (203,)):
        found = sorted(run(model, "native", Request({"w0": some}, None)))
        assert found == [s for s in truth(model) if s[6] in some]


def test_a_value_that_is_no_bit_of_the_network_has_no_literal() -> None:
    model = pairs(2, 3, 3, 4)
    compiled = BACKEND.compile(model, NativeOptions())
    with pytest.raises(Unsupported, match="the values of w1 reach too far for a word"):
        compiled.literal("w1", 0)


def test_unknown_regions_of_eight_by_eight_are_found() -> None:
    result = solve(".Shape~8x8.NoBoxes.ChaosConstruction.~R1C1_1~R2C2_2~R3C3_3", "native")
    assert result.values is not None
    assert {name[:2] for name in result.values} > {"R1", "CC"}
