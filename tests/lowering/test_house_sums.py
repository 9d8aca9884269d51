"""Sums that houses imply: which ones are found, and that the solutions stay the same."""

from __future__ import annotations

from random import Random

from sudoku_models.lowering import lower
from sudoku_models.lowering.house_sums import house_sums
from sudoku_models.model import AllDifferent, Linear, Model, Variable, brute_force

NAMES = [f"r{r}c{c}" for r in range(3) for c in range(3)]
LINES = [NAMES[0:3], NAMES[3:6], NAMES[6:9], NAMES[0::3], NAMES[1::3], NAMES[2::3]]


def random_square(rng: Random) -> Model:
    """Return a Latin square whose cells are cut into cages, with the sums of some Latin square, or one of them off."""
    solution = [1 + (r + c) % 3 for r in range(3) for c in range(3)]
    order, sums = rng.sample(range(9), 9), []
    while order:
        cells = [order.pop() for _ in range(min(len(order), rng.randint(1, 3)))]
        total = sum(solution[i] for i in cells) + (rng.random() < 0.1)
        if rng.random() < 0.9:
            sums.append(Linear([1] * len(cells), [NAMES[i] for i in cells], "==", total))
    return Model([Variable(name, range(1, 4)) for name in NAMES], [*map(AllDifferent, LINES), *sums])


def test_the_solutions_stay_the_same() -> None:
    models = [random_square(Random(seed)) for seed in range(25)]
    assert sum(bool(house_sums(model)) for model in models) > 10
    for model in models[:6]:
        lowered = lower(model, model.kinds() | {*map(type, house_sums(model))}, lambda c: None, adds=["house-sums"])
        assert sorted(brute_force(lowered.model)) == sorted(brute_force(model))
