"""Every engine finds the same best value, the same as brute force; limits leave the best so far with a bound."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_models.engine import Reason, Request, run
from sudoku_models.model import Model, Objective, brute_force
from sudoku_models.puzzle import Shape
from sudoku_models.testing.generators import random_domains
from tests import strategies

ENGINES = ("backtracking", "cp-sat", "pycosat", "python-constraint")


@st.composite
def asked(draw: st.DrawFn) -> tuple[Model, dict[str, tuple[int, ...]]]:
    """A model of any kinds with an objective, and domains that narrow it."""
    model = draw(strategies.models())
    coeffs = draw(st.dictionaries(st.sampled_from(model.names), st.integers(-5, 5), max_size=4))
    objective = Objective(
        draw(st.sampled_from(("minimize", "maximize"))), coeffs.values(), coeffs, draw(st.integers(-9, 9))
    )
    rng = draw(st.randoms(use_true_random=False))
    return model.with_(objective=objective), random_domains(rng, model)


@settings(max_examples=25, deadline=None, derandomize=True, database=None)
@given(asked())
def test_models_of_every_kind_have_the_same_best_value_on_every_engine(
    question: tuple[Model, dict[str, tuple[int, ...]]],
) -> None:
    model, domains = question
    objective = model.objective
    assert objective
    values = [objective.value(dict(zip(model.names, row, strict=True))) for row in brute_force(model.narrowed(domains))]
    best = (min if objective.minimizes else max)(values, default=None)
    for engine in ENGINES:
        with run(model, engine, Request(domains, limit=None)) as found:
            came = [objective.value(dict(zip(model.names, row, strict=True))) for row in found]
        assert all(objective.improves(b, a) for a, b in pairwise(came)), engine
        assert (came[-1] if came else None) == found.outcome.bound == best, engine
        assert found.outcome.complete, engine


@pytest.mark.parametrize("engine", ENGINES)
def test_a_time_limit_leaves_the_best_so_far_and_a_bound(engine: str) -> None:
    shape, rng = Shape.square(9), Random(5)
    model = shape.model.with_(objective=Objective("minimize", [rng.randint(-9, 9) for _ in range(81)], shape.names))
    assert model.objective
    next(run(model, engine))  # which loads the engine
    with run(model, engine, Request(limit=None, time_limit=1.0)) as found:
        values = [model.objective.value(dict(zip(model.names, row, strict=True))) for row in found]
    outcome = found.outcome
    assert outcome.reason is Reason.TIME
    assert values == sorted(set(values), reverse=True)
    assert outcome.bound is not None and values and outcome.bound <= values[-1]
