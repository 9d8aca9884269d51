"""Constraints within constraints: a hundred levels work everywhere, and far more are refused in plain words."""

import pytest

from sudoku_models import solve
from sudoku_models.engine.registry import Listing, listings
from sudoku_models.errors import Unsupported
from sudoku_models.model import And, Compare, Constraint, Model, Not, Or, Variable

XS = [Variable(f"x{i}", range(3)) for i in range(4)]
ENGINES = ("native", "backtracking", "cp-sat", "pycosat", "python-constraint", "auto")


def nested(levels: int) -> Constraint:
    """Return a constraint in which each level lies within the next, so that no chain becomes flat."""
    found: Constraint = Compare("x0", "<", "x1")
    for level in range(levels):
        beside = Compare(f"x{level % 4}", "!=", f"x{(level + 1) % 4}")
        found = Not(And(beside, found)) if level % 2 else Or(beside, found)
    return found


def installed(engine: str) -> bool:
    """Return whether an engine is there."""
    found: list[Listing] = [listing for listing in listings() if listing.name == engine]
    return engine == "auto" or not found[0].problem


@pytest.mark.parametrize("engine", ENGINES)
def test_a_hundred_levels_are_solved(engine: str) -> None:
    if not installed(engine):
        pytest.skip("not applicable (feature): the engine is not installed")
    model = Model(XS, [nested(100)])
    values = solve(model, engine).values
    assert values is not None and model.holds(values)


@pytest.mark.parametrize("engine", ["native", "cp-sat", "pycosat"])
def test_an_engine_says_that_constraints_are_nested_too_deeply_for_it(engine: str) -> None:
    if not installed(engine):
        pytest.skip("not applicable (feature): the engine is not installed")
    with pytest.raises(Unsupported, match=r"does not accept this model: its constraints .* are nested too deeply"):
        solve(Model(XS, [nested(400)]), engine)


def test_a_model_says_that_its_constraints_are_nested_too_deeply() -> None:
    with pytest.raises(ValueError, match=r"cannot be checked: its constraints .* nested too deeply; a hundred levels"):
        Model(XS, [nested(2_000)])
