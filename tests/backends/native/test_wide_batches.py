"""Batches of models with values that reach too far for a word: row by row the answers of brute force."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import pytest

pytest.importorskip("llvmlite", reason="not applicable (feature): llvmlite is not installed")

from sudoku_models.engine.batch import run_batch, run_candidates
from sudoku_models.engine.contract import Batch, BatchStatus, Request
from sudoku_models.engine.registry import select
from sudoku_models.errors import LimitReached, Unsupported
from sudoku_models.model import AllDifferent, Compare, InDomain, Linear, Model, Variable, brute_force

from .test_digits import wide
from .test_numbered import pairs, truth

Solution = tuple[int, ...]
NATIVE = select("native")


def masks(rng: Random, model: Model, rows: int) -> np.ndarray:
    """Return boards of candidates; a wide variable often has values that are not all choices of some digits."""
    found = np.empty((rows, len(model.variables)), np.uint16)
    for row, x in product(range(rows), range(len(model.variables))):
        every = (1 << len(model.variables[x].domain)) - 1
        found[row, x] = every if rng.random() < 0.5 else rng.randint(0 if rng.random() < 0.1 else 1, every)
    return found


def values(rng: Random, model: Model, rows: int) -> np.ndarray:
    """Return boards of values, with open variables."""
    sizes = [len(v.domain) for v in model.variables]
    return np.array([[rng.choice((0, rng.randint(1, k))) for k in sizes] for _ in range(rows)], np.uint8)


def allowed(model: Model, board: np.ndarray, solutions: list[Solution]) -> list[Solution]:
    """Return solutions that keep a board."""

    def keeps(code: int, k: int) -> bool:
        return code in (0, k + 1) if board.dtype == np.uint8 else bool(code >> k & 1)

    places = [[v.domain.index(value) for v, value in zip(model.variables, s, strict=True)] for s in solutions]
    codes = board.tolist()
    return [s for s, at in zip(solutions, places, strict=True) if all(map(keeps, codes, at))]


def check(model: Model, boards: np.ndarray, solutions: list[Solution], request: Request) -> None:
    """Hold a batch of boards and their candidates to all solutions of a model."""
    assert request.limit
    domains = {name: frozenset(values) for name, values in request.domains.items()}
    inside = [s for s in solutions if all(s[model.index[name]] in d for name, d in domains.items())]
    batch = run_batch(model, NATIVE, boards, request)
    candidates = run_candidates(model, NATIVE, boards, request)
    for row, board in enumerate(boards):
        right = allowed(model, board, inside)
        assert batch.count[row] == min(len(right), request.limit), (model, board)
        assert (batch.status[row] == BatchStatus.EXHAUSTED) >= (len(right) < request.limit)
        assert not right or solution_of(model, batch, row) in right
        for x, variable in enumerate(model.variables):
            met = {s[x] for s in right}
            assert candidates[row, x] == sum(1 << k for k, value in enumerate(variable.domain) if value in met)


def solution_of(model: Model, batch: Batch, row: int) -> Solution:
    return tuple(v.domain[k - 1] for v, k in zip(model.variables, batch.values[row].tolist(), strict=True))


@pytest.mark.parametrize("boards", [masks, values])
def test_random_wide_models_have_the_answers_of_brute_force_row_by_row(boards) -> None:  # type: ignore[no-untyped-def]
    for number in range(40):
        model, domains = wide(number)
        check(model, boards(Random(number), model, 4), [*brute_force(model)], Request(domains, 1 + number % 3))


@pytest.mark.parametrize("boards", [masks, values])
def test_so_have_variables_that_number_pairs(boards) -> None:  # type: ignore[no-untyped-def]
    for number in range(4):
        model = pairs(number, 3, 2, 3)
        check(model, boards(Random(number), model, 6), truth(model), Request(limit=2))


def test_a_variable_that_is_narrowed_to_a_word_takes_part_in_a_batch() -> None:
    near = Variable("near", range(-100, 100))
    model = Model([near, Variable("y", (7, 8))], [InDomain(near, [7, 9]), Compare(near, "!=", "y")])
    boards = np.array([[0, 0], [108, 0], [1, 0], [110, 2]], np.uint8)
    batch = run_batch(model, NATIVE, boards, Request(limit=10))
    assert batch.count.tolist() == [3, 1, 0, 1]
    assert [solution_of(model, batch, row) for row in (1, 3)] == [(7, 8), (9, 8)]


def test_threads_give_the_same_answers_and_no_time_none() -> None:
    xs = [Variable(f"x{i}", range(1, 8)) for i in range(4)]
    total = Variable("total", range(200))
    model = Model([*xs, total], [AllDifferent(xs), Linear([9, 8, 7, 6, -1], [*xs, total], "==", 0)])
    boards = np.zeros((600, 5), np.uint8)
    boards[:, 4] = np.arange(600) % 200 + 1
    one, two = (run_batch(model, NATIVE, boards, Request(limit=2, workers=workers)) for workers in (1, 2))
    assert (one.count == two.count).all()
    assert (one.values == two.values).all()
    assert 0 < (one.count > 0).sum() < 600
    with pytest.raises(LimitReached, match="time limit"):
        run_candidates(pairs(1, 2, 2, 2), NATIVE, np.zeros((1, 6), np.uint8), Request(time_limit=0.0))


def test_more_values_than_a_board_has_codes_are_refused() -> None:
    model = Model([Variable("x", (1, 2)), Variable("total", range(300))])
    with pytest.raises(Unsupported, match="boards of a batch have bytes, and total has 300 values"):
        run_batch(model, NATIVE, np.zeros((1, 2), np.uint8), Request())
