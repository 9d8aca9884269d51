"""The whole vocabulary on the four backends: deep mixtures, enumeration once each, and what is taken as it is."""

from __future__ import annotations

from random import Random

import pytest

from sudoku_models.engine.contract import Request
from sudoku_models.engine.road import run
from sudoku_models.model import (
    And,
    Connected,
    Constraint,
    Implies,
    Model,
    Not,
    Or,
    Variable,
    brute_force,
)
from sudoku_models.testing.generators import GENERATORS, random_domains, random_variables

BACKENDS = ["backtracking", "cp-sat", "cp-sat:form=booleans", "pycosat", "python-constraint"]


def solutions(model: Model, backend: str, **request: object) -> list[tuple[int, ...]]:
    with run(model, backend, Request(limit=None, **request)) as found:  # type: ignore[arg-type]
        return list(found)


def nested(rng: Random, xs: list[Variable], depth: int) -> Constraint:
    """Return an Or, And, Not or Implies with parts of any kind, up to ``depth`` levels of them."""
    if not depth:
        return GENERATORS[rng.choice(sorted(GENERATORS, key=lambda kind: kind.__name__))](rng, xs)
    kind = rng.choice((Or, And, Not, Implies))
    count = {Not: 1, Implies: 2}.get(kind, rng.randint(0 if rng.random() < 0.1 else 1, 3))
    return kind(*[nested(rng, xs, rng.randint(0, depth - 1)) for _ in range(count)])


@pytest.mark.parametrize("backend", BACKENDS)
def test_parts_within_parts_mean_what_they_say(backend: str) -> None:
    rng = Random("parts within parts")
    for _ in range(60):
        xs = random_variables(rng, rng.randint(1, 4))
        model = Model(xs, [nested(rng, xs, 3)])
        domains = random_domains(rng, model)
        truth = list(brute_force(model.narrowed(domains)))
        assert sorted(solutions(model, backend, domains=domains)) == truth, str(model)


@pytest.mark.parametrize("backend", BACKENDS)
def test_connected_cells_of_a_board_are_counted(backend: str) -> None:
    """Connected sets of cells of a 3 x 3 board, the empty one included: 218 + 1."""
    xs = [Variable(f"x{i}", (0, 1)) for i in range(9)]
    edges = [(p, p + 1) for p in range(9) if p % 3 < 2] + [(p, p + 3) for p in range(6)]
    assert len(solutions(Model(xs, [Connected(xs, edges, [1])]), backend)) == 219
    assert len(solutions(Model(xs, [Not(Connected(xs, edges, [1]))]), backend)) == 512 - 219
