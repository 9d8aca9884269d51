"""Sums that houses imply: which ones are found, and that the solutions stay the same."""

from __future__ import annotations

from random import Random

import pytest

from sudoku_models.lowering import lower
from sudoku_models.lowering.house_sums import house_sums
from sudoku_models.model import AllDifferent, Linear, Model, Variable, brute_force

NAMES = [f"r{r}c{c}" for r in range(3) for c in range(3)]
LINES = [NAMES[0:3], NAMES[3:6], NAMES[6:9], NAMES[0::3], NAMES[1::3], NAMES[2::3]]


def latin(*cages: tuple[str, int]) -> Model:
    """Return a Latin square of side 3 with cages: cells by their numbers from 0, and their sum."""
    variables = [Variable(name, range(1, 4)) for name in NAMES]
    sums = [Linear([1] * len(cells), [NAMES[int(i)] for i in cells], "==", total) for cells, total in cages]
    return Model(variables, [*map(AllDifferent, LINES), *sums])


def random_square(rng: Random) -> Model:
    """Return a Latin square whose cells are cut into cages, with the sums of some Latin square, or one of them off."""
    solution = [1 + (r + c) % 3 for r in range(3) for c in range(3)]
    order, cages = rng.sample(range(9), 9), []
    while order:
        size = rng.randint(1, 3)
        cells, order = order[:size], order[size:]
        total = sum(solution[i] for i in cells) + (rng.random() < 0.1)
        if rng.random() < 0.9:
            cages.append(("".join(map(str, cells)), total))
    return latin(*cages)


@pytest.mark.parametrize("seed", range(4))
def test_the_solutions_stay_the_same(seed: int) -> None:
    model = random_square(Random(seed))
    lowered = lower(model, model.kinds() | {type(c) for c in house_sums(model)}, lambda c: None, adds=["house-sums"])
    assert sorted(brute_force(lowered.model)) == sorted(brute_force(model))


def test_random_squares_have_sums_to_add() -> None:
    assert sum(bool(house_sums(random_square(Random(seed)))) for seed in range(25)) > 10
