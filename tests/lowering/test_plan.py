"""The plan: what is accepted stays, the cheapest chain is taken, and what cannot be reached is reported."""

from __future__ import annotations

from random import Random

import pytest

from sudoku_models.errors import Unsupported
from sudoku_models.lowering import lower
from sudoku_models.model import (
    AllDifferent,
    Compare,
    Constraint,
    Count,
    InDomain,
    Linear,
    Model,
    Table,
    Variable,
    brute_force,
)
from sudoku_models.testing.generators import random_model

XS = [Variable(f"x{i}", range(1, 4)) for i in range(3)]
CORE = (AllDifferent, Compare, InDomain, Linear, Table)


def accepting(*kinds: type[Constraint]) -> object:
    return lambda c: None if type(c) in kinds else f"{type(c).__name__} is not among its kinds"


def lowered(model: Model, *kinds: type[Constraint]) -> object:
    return lower(model, kinds, accepting(*kinds), "this backend")  # type: ignore[arg-type]


def test_a_chain_of_rewrites_is_a_tree_with_costs_and_what_was_turned_down() -> None:
    found = lower(Model(XS, [AllDifferent(XS), XS[0] < XS[1]]), {Linear}, accepting(Linear), "x")  # type: ignore[arg-type]
    assert str(found).splitlines() == [
        "1 x AllDifferent: AllDifferent to differences, cost 9; not AllDifferent to a table (cost at least 27)",
        "  3 x Compare: comparison to Linear, cost 6; not Compare to a table (cost at least 27)",
        "    3 x Linear: kept",
        "1 x Compare: comparison to Linear, cost 2; not Compare to a table (cost at least 9)",
        "  1 x Linear: kept",
    ]
    assert found.steps == (
        ("AllDifferent", "AllDifferent to differences", 1),
        ("Compare", "comparison to Linear", 4),
        ("Linear", "kept", 4),
    )


def test_a_dead_end_is_left_for_the_next_way_and_what_was_begun_there_is_undone() -> None:
    def accepts(constraint: Constraint) -> str | None:
        own = isinstance(constraint, Table) and {x.name for x in xs}.issuperset(constraint.scope)
        return None if own else "no table over the stated variables"

    xs = [Variable(f"x{i}", range(1, 4)) for i in range(4)]
    model = Model(xs, [Count([x.name for x in xs], (1,), "==", 2)])
    found = lower(model, {Table}, accepts, "this backend")
    assert str(found).splitlines() == [
        "1 x Count: Count to a table, cost 81; not Count by running numbers, Count to a sum (leads to a dead end)",
        "  1 x Table: kept",
    ]
    assert found.model.variables == tuple(xs)
    assert set(brute_force(found.model)) == set(brute_force(model))


@pytest.mark.parametrize("kinds", [(), (AllDifferent,), (InDomain,)])
def test_what_no_rewrite_leads_from_is_reported(kinds: tuple[type[Constraint], ...]) -> None:
    with pytest.raises(
        Unsupported,
        match=r"this backend takes neither the constraint x0 < x1 \(Compare\) nor what it can be rewritten to: ",
    ):
        lowered(Model(XS, [XS[0] < XS[1]]), *kinds)


@pytest.mark.parametrize("kind", CORE, ids=lambda kind: kind.__name__)
def test_random_models_keep_their_solutions_wherever_they_get(kind: type[Constraint]) -> None:
    rng, reached = Random(kind.__name__), 0
    for _ in range(150):
        model = random_model(rng, CORE, rng.randint(1, 4), rng.randint(1, 3))
        try:
            found = lower(model, {kind}, accepting(kind))  # type: ignore[arg-type]
        except Unsupported:
            continue
        reached += 1
        kept = [solution[: len(model.names)] for solution in brute_force(found.model)]
        assert sorted(kept) == sorted(brute_force(model)), f"{model}\nbecame\n{found.model}"
        assert found.model.kinds() <= {kind}
    assert reached >= 10
