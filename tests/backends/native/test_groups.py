"""Connected groups of a known size: cells that are needed, and cells that are too far away."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

pytest.importorskip("llvmlite", reason="not applicable (feature): llvmlite is not installed")

from sudoku_backends.native import BACKEND, NativeOptions

from sudoku_models.engine.contract import Request
from sudoku_models.engine.road import run
from sudoku_models.model import Connected, Constraint, Count, Model, Variable, brute_force

from .guarded import plain_solutions

Edges = tuple[tuple[int, int], ...]


def grid(height: int, width: int) -> Edges:
    at = [(r, c) for r in range(height) for c in range(width)]
    near = [(i, j) for (i, a), (j, b) in combinations(enumerate(at), 2) if abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1]
    return tuple(near)


def groups(rng: Random) -> Model:
    """Return a model of cells with labels on a random graph, some labels connected and perhaps counted."""
    cells, labels = rng.randint(2, 7), rng.randint(2, 3)
    every = list(combinations(range(cells), 2))
    edges = rng.sample(every, rng.randint(1, len(every)))
    xs = [Variable(f"x{i}", tuple(v for v in range(labels) if rng.random() < 0.8) or (0,)) for i in range(cells)]
    stated: list[Constraint] = []
    for label in range(labels):
        if rng.random() < 0.8:
            stated.append(Connected(xs, edges, (label,)))
        for _ in range(rng.choice((0, 1, 1, 2))):
            stated.append(Count(xs, (label,), rng.choice(("==", "<=", ">=", "<", ">", "!=")), rng.randint(0, cells)))
    return Model(xs, stated)


def test_groups_on_random_graphs_are_those_of_brute_force_also_in_the_plain_kernel() -> None:
    for number in range(120):
        model = groups(Random(f"groups {number}"))
        assert sorted(run(model, "native", Request(limit=None))) == (right := sorted(brute_force(model))), model
        if number % 10 == 0:
            network = BACKEND.compile(model, NativeOptions()).network
            assert sorted(plain_solutions(network, network.start)) == right, model


def board(height: int, width: int, size: int, *sure: int) -> Model:
    """Return a board on which a group has so many cells, some of them known."""
    xs = [Variable(f"x{i}", (1,) if i in sure else (0, 1)) for i in range(height * width)]
    return Model(xs, [Connected(xs, grid(height, width), (1,)), Count(xs, (1,), "==", size)])


@pytest.mark.parametrize(
    ("model", "solutions"),
    [
        (board(1, 6, 6, 0, 5), 1),  # what joins its ends
        (board(1, 6, 3, 2), 3),  # what is too far away
        (board(1, 6, 5), 2),  # what gives it its size
        (board(1, 7, 2, 0, 3), 0),
        (board(3, 3, 9), 1),
    ],
)
def test_what_is_needed_is_inside_and_what_is_too_far_is_outside(model: Model, solutions: int) -> None:
    found = run(model, "native", Request(limit=None))
    assert sum(1 for _ in found) == solutions == sum(1 for _ in brute_force(model))
    assert found.outcome.record.sizes["nodes"] <= max(0, solutions - 1)
