"""Every kind of propagator on all small domains: it loses no solution, and decides once every variable is settled.

Each family is a constraint over three or four variables, alone and beside AllDifferent where the kernel has code of its
own for variables that differ; each is asked with every choice of domains from a few values.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations, permutations, product
from random import Random

import pytest

pytest.importorskip("llvmlite", reason="not applicable (feature): llvmlite is not installed")

from sudoku_backends.native import BACKEND, NativeOptions
from sudoku_backends.native.network import network_arrays

from sudoku_models import solutions
from sudoku_models.model import OPERATORS as RELATIONS
from sudoku_models.model import (
    AllDifferent,
    And,
    Automaton,
    Compare,
    Connected,
    Constraint,
    Count,
    Element,
    Implies,
    InDomain,
    LexLess,
    LexLessWhere,
    Linear,
    MinMax,
    Model,
    MultisetEqual,
    NoSubsetSum,
    Not,
    NValue,
    Or,
    Regular,
    Table,
    Variable,
)

from ...lowering.test_house_sums import random_square
from .guarded import built_plainly, plain_solutions
from .ways import propagated

X, Y, Z, W = NAMES = ("x", "y", "z", "w")
VALUES = (0, 1, 2)
CHOICES = list(chain.from_iterable(combinations(VALUES, size) for size in (1, 2, 3)))
"""Every domain of a variable."""

RISING = Automaton(3, 0, (1, 2), [(0, 0, 0), (0, 1, 1), (1, 1, 1), (1, 2, 2), (2, 2, 2), (0, 2, 2)])
ADDING = Automaton(7, 0, (1, 4, 6), [(total, v, total + v) for total in range(5) for v in VALUES])
RING = ((0, 1), (1, 2), (2, 3))

FAMILIES: dict[str, list[list[Constraint]]] = {
    "different": [[AllDifferent((X, Y, Z))], [AllDifferent((X, Y)), AllDifferent((Y, Z))]],
    "sums": [[Linear((1, 1, 1), (X, Y, Z), op, k)] for op in RELATIONS for k in (2, 3)] + [
        [Linear((1, 1, 1), (X, Y, Z), "==", 3), AllDifferent((X, Y, Z))],
        [Linear((1, 1, 1), (X, Y, Z), "==", 4), AllDifferent((X, Y))],
        [Linear((2, -1, 1), (X, Y, Z), "<=", 1)], [Linear((2, -1, -1), (X, Y, Z), "!=", 0)],
    ],
    "relations": [[Compare(X, op, Y, c), Compare(Y, op, Z)] for op in RELATIONS for c in (0, 1)],
    "tables": [
        [Table((X, Y, Z), [(0, 1, 2), (1, 1, 1), (2, 0, 0)], allowed)] for allowed in (True, False)
    ] + [[Table((X, Y), [(0, 1), (2, 2)], False)], [Table((X, Y), [(1, 1)], False), AllDifferent((Y, Z))],
     [Table((X, Y, X), [(0, 1, 0), (2, 2, 1)])]],
    "orders": [[LexLess([*a], [*b], c)] for c in (True, False) for a, b in (("x", "y"), ("xyz", "yzx"), ("yx", "yx"))],
    "ranks": [[LexLessWhere([(X, Y), (Y, X)], 1, (Z, Y), y, c)] for y in (0, 1, Z) for c in (True, False)],
    "sums of choices": [[NoSubsetSum((X, Y, Z), total)] for total in (0, 1, 2, 3, 4)],
    "words": [
        [Regular((X, Y, Z), RISING)], [Regular((X, Y, Z), RISING), AllDifferent((X, Y, Z))],
        [Regular((X, Y, X), RISING)], [Regular((X, Y, Z), ADDING)], [Regular((X, Y, X), ADDING)],
    ],
    "counts": [[Count((X, Y, Z), (0, 2), op, 2)] for op in RELATIONS] + [
        [Count((X, Y), (1,), "==", Z)], [Count((X, Y, Z), (1,), ">=", 1), AllDifferent((X, Y))],
        [Count((X, Y, Z), (0,), "==", 1), Count((X, Y, Z), (1,), "<=", 1)],
    ],
    "numbers of values": [[NValue((X, Y, Z), op, 2), *e] for op in RELATIONS for e in ([], [AllDifferent((X, Y))])]
    + [[NValue((X, Y), "==", Z)]],
    "look-ups": [[Element((X, Y), Z, 1)], [Element((X, Y, Z), X, Y)], [Not(Element((X, Y), Z, 1))]],
    "ends": [
        [MinMax((X, Y), Z, None)], [MinMax((X, Y), None, Z)], [MinMax((X, Y, Z), 0, 2)], [Not(MinMax((X, Y), 0, 2))],
    ],
    "bags": [[MultisetEqual((X, Y), (Z, X))], [MultisetEqual((X, Y), (Y, Z))]],
    "alternatives": [
        [Or(InDomain(X, (0,)), InDomain(Y, (1,)), InDomain(Z, (2,)))],
        [Or(And(Compare(X, "<", Y), Compare(Y, "<", Z)), AllDifferent((X, Y, Z)))],
        [Implies(Compare(X, "==", Y), Linear((1, 1, 1), (X, Y, Z), "==", 3))],
        [Not(And(AllDifferent((X, Y, Z)), Count((X, Y, Z), (1,), "==", 1)))],
        [Or(And(InDomain(X, (0,)), Or(InDomain(Y, (1, 2)), Linear((1, 1), (Y, Z), "==", 2))), InDomain(Z, (0,)))],
    ],
}  # fmt: skip

FOUR: dict[str, list[list[Constraint]]] = {
    "groups": [[Connected(NAMES, RING, (1,))], [Connected(NAMES, RING, (1,)), Count(NAMES, (1,), "==", 2)]],
    "sets of values": [[AllDifferent((X, Y, Z)), *(Compare(a, "!=", b, 1) for a, b in permutations((X, Y, Z), 2))]],
    "parts": [
        [Or(And(InDomain(X, (0,)), Compare(Y, "<", Z), InDomain(W, (1, 2))), Linear((1, 1, 1, 1), NAMES, "==", 6))],
        [Or(And(Compare(X, "<", Y), Compare(Z, "<", W)), And(AllDifferent((X, Y, Z)), InDomain(W, (0,))))],
    ],
    "too many cells": [[AllDifferent(NAMES), Linear((1, 1, 1, 1), NAMES, op, 4)] for op in ("==", "<=", "!=")],
    "locked values": [[AllDifferent((X, Y, Z)), AllDifferent((X, Y, W))]],
}  # fmt: skip


def choices(size: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Return choices of domains for some variables: each second one of three variables, each third of four."""
    every = product(CHOICES, repeat=size)
    return (domains for i, domains in enumerate(every) if i % (size - 1) == 0)


def stated(constraints: list[Constraint], size: int) -> Model:
    return Model([Variable(name, VALUES) for name in NAMES[:size]], constraints)


def check(model: Model, without: str = "") -> None:
    """Hold the first propagation to brute force over ``holds``, for all small domains."""
    compiled = BACKEND.compile(model, NativeOptions(without=without))
    names = model.names
    right = [
        row
        for row in product(VALUES, repeat=len(names))
        if all(c.holds(dict(zip(names, row, strict=True))) for c in model.constraints)
    ]
    for domains in choices(len(names)):
        left = propagated(compiled, dict(zip(names, domains, strict=True)))
        inside = [row for row in right if all(v in d for v, d in zip(row, domains, strict=True))]
        asked = f"{model}\nwith {domains}: {left}"
        assert all(v in left[x] for row in inside for x, v in zip(names, row, strict=True)), f"lost:\n{asked}"
        assert all(set(left[x]) <= set(d) for x, d in zip(names, domains, strict=True)), asked
        if all(len(d) == 1 for d in domains):
            assert all(left.values()) == bool(inside), f"not decided:\n{asked}"


CASES = [(family, 3) for family in FAMILIES] + [(family, 4) for family in FOUR]


@pytest.mark.parametrize(("family", "size"), CASES)
def test_a_propagator_loses_nothing_and_decides_what_is_settled(family: str, size: int) -> None:
    for constraints in (FAMILIES if size == 3 else FOUR)[family]:
        check(stated(constraints, size))


@pytest.mark.parametrize(("family", "size"), CASES)
def test_the_plain_kernel_stays_within_its_arrays(family: str, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for number, constraints in enumerate((FAMILIES if size == 3 else FOUR)[family]):
        model = stated(constraints, size)
        compiled = BACKEND.compile(model, NativeOptions())
        assert built_plainly(model, monkeypatch).net == compiled.network.net
        for at, domains in enumerate(choices(size)):
            if (at + number) % 120 == 0 or domains == (VALUES,) * size:
                narrower = dict(zip(model.names, domains, strict=True))
                found = plain_solutions(compiled.network, compiled.start(narrower))
                rows = product(*domains)
                named = [dict(zip(model.names, row, strict=True)) for row in rows]
                right = [tuple(row.values()) for row in named if all(c.holds(row) for c in constraints)]
                assert sorted(dict.fromkeys(found)) == right, f"{model}\n{domains}"


def test_machine_code_and_plain_python_imply_the_same_sums(monkeypatch: pytest.MonkeyPatch) -> None:
    for model in map(random_square, map(Random, range(10))):
        assert built_plainly(model, monkeypatch) == network_arrays.network_of(model)


def test_the_families_have_every_kind_of_constraint_of_the_kernel() -> None:
    used = set()
    for size, families in ((3, FAMILIES), (4, FOUR)):
        for constraints in chain.from_iterable(families.values()):
            network = network_arrays.network_of(stated(constraints, size))
            first = network_arrays.layout.Net(network.net).kinds.place
            used.update(network.net[first : first + network.constraints].tolist())
    every = set(range(network_arrays.layout.KINDS_OF_CONSTRAINT))
    assert every - used == {network_arrays.layout.NEVER}


@pytest.mark.parametrize(
    "constraint",
    [
        Not(MultisetEqual((X, Y), (Z, X))),
        Implies(MultisetEqual((X, Y), (Z, Z)), InDomain(X, (1,))),
        Not(Connected(NAMES, RING, (1,))),
        Or(And(Not(Connected(NAMES, RING, (1,))), InDomain(X, (0,))), Compare(Y, "==", Z)),
        Implies(Connected((X, Y, X, W), RING, (1, 2)), Not(MultisetEqual((X, Y), (Z, W)))),
        Not(Not(Connected(NAMES, RING, (1,)))),
    ],
    ids=str,
)
def test_negated_groups_and_bags_are_rewritten_before_they_are_stated(constraint: Constraint) -> None:
    model = stated([constraint], 4)
    taken = BACKEND.capabilities.accepts(constraint) is None
    assert taken == str(constraint).startswith("Not(Not(")
    right = [row for row in product(VALUES, repeat=4) if constraint.holds(dict(zip(NAMES, row, strict=True)))]
    with solutions(model, "native") as found:
        assert sorted(tuple(row.values()) for row in found) == right
