"""Sums that houses imply: which ones are found, and that the solutions stay the same."""

from __future__ import annotations

from random import Random

import pytest

from sudoku_models import Puzzle
from sudoku_models.engine.contract import Request
from sudoku_models.engine.road import plan, run
from sudoku_models.errors import BackendMissing
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


def added(model: Model) -> list[str]:
    return [str(c) for c in house_sums(model)]


def test_one_cell_that_cages_leave_of_a_house_is_known() -> None:
    found = added(latin(("01", 3), ("34", 4), ("67", 5), ("25", 5)))
    assert {"InDomain(r0c2, [3])", "InDomain(r1c2, [2])", "InDomain(r2c2, [1])"} <= set(found)


def test_cells_inside_less_those_outside_have_a_known_sum() -> None:
    """The first row has the cells 0, 1 and 2; a cage takes 1 and 4, another one 2 and 5."""
    found = added(latin(("14", 4), ("25", 4), ("36", 4), ("78", 4)))
    assert "Linear([1, -1, -1], [r0c0, r1c1, r1c2], ==, -2)" in found


def test_two_houses_together_tell_more_than_each_alone() -> None:
    """The cages cover both rows but for one cell, and neither of them alone."""
    found = added(latin(("14", 4), ("25", 4), ("03", 3), ("67", 3)))
    assert "InDomain(r2c2, [3])" in found


def test_a_contradiction_is_found() -> None:
    """Cages cover all three rows, and their sums do not add up to 18."""
    model = latin(("036", 6), ("147", 6), ("25", 3), ("8", 1))
    assert any("{}" in text or "[]" in text for text in added(model))
    assert list(brute_force(model)) == []


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


@pytest.mark.parametrize("seed", range(8))
def test_the_solutions_stay_the_same(seed: int) -> None:
    model = random_square(Random(seed))
    lowered = lower(model, model.kinds() | {type(c) for c in house_sums(model)}, lambda c: None, adds=["house-sums"])
    assert sorted(brute_force(lowered.model)) == sorted(brute_force(model))


def test_random_squares_have_sums_to_add() -> None:
    assert sum(bool(house_sums(random_square(Random(seed)))) for seed in range(25)) > 10


@pytest.mark.parametrize("name", ["cp-sat", "z3", "highs"])
def test_an_engine_that_asks_for_them_gets_them_and_its_path_says_so(name: str) -> None:
    text = ".Shape~4x4.Cage~3~R1C1~R1C2.Cage~4~R1C3~R2C3.Cage~9~R2C1~R2C2~R3C1.Cage~7~R4C1~R4C2"
    model = Puzzle.parse(text).structure
    specs = (name, f"{name}:house_sums=false")
    try:
        plans = [str(plan(model, spec)) for spec in specs]
    except BackendMissing as reason:
        pytest.skip(f"not applicable (feature): {reason}")
    assert "x Linear: added by house-sums" in plans[0]
    assert "added" not in plans[1]
    found = [sorted(run(model, spec, Request(limit=None))) for spec in specs]
    assert found[0] == found[1] != []
