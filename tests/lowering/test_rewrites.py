"""Each rewrite has equal sets of solutions on both sides, and so has each chain of them."""

from __future__ import annotations

from random import Random

import pytest

from sudoku_models.errors import Unsupported
from sudoku_models.lowering import REWRITES, Rewrite, Scratch, lower
from sudoku_models.lowering.negation import form_of
from sudoku_models.model import AllDifferent, Compare, Constraint, InDomain, Linear, Model, Or, Table, brute_force
from sudoku_models.testing.generators import GENERATORS, random_model, random_variables

NAMES = [rewrite.name for rewrite in REWRITES]


def rewritten(rewrite: Rewrite, stated: Model) -> Model:
    scratch = Scratch(dict(stated.domains))
    made = [c for constraint in stated.constraints for c in rewrite.apply(constraint, scratch)]
    return Model((*stated.variables, *scratch.added), made)


def test_every_kind_has_rewrites_of_different_names() -> None:
    assert {rewrite.source for rewrite in REWRITES} == set(Constraint.kinds.values())
    assert len(set(NAMES)) == len(NAMES)


def applied(rewrite: Rewrite, cases: int) -> list[tuple[Model, Model]]:
    """Return random models of one constraint that a rewrite applies to, and what they become."""
    rng, found = Random(rewrite.name), []
    for _ in range(2_000):
        xs = random_variables(rng, rng.randint(1, 4))
        stated = Model(xs, [GENERATORS[rewrite.source](rng, xs)])
        if rewrite.cost(stated.constraints[0], Scratch(dict(stated.domains))) is not None:
            found.append((stated, rewritten(rewrite, stated)))
        if len(found) == cases:
            break
    return found


@pytest.mark.parametrize("rewrite", REWRITES, ids=NAMES)
def test_the_solutions_stay_the_same_and_only_the_promised_kinds_are_made(rewrite: Rewrite) -> None:
    pairs = applied(rewrite, 12)
    assert len(pairs) >= 10
    assert all(rewrite.unfolds or lowered.kinds() <= rewrite.targets for _, lowered in pairs)
    for stated, lowered in pairs:
        kept = [solution[: len(stated.names)] for solution in brute_force(lowered)]
        assert set(kept) == set(brute_force(stated)), f"{stated}\nbecame\n{lowered}"
        if rewrite.functional:
            assert len(kept) == len(set(kept)), f"{stated}\nbecame\n{lowered}"


def test_two_constraints_have_one_form_only_if_they_are_the_same_on_other_variables() -> None:
    equal, unequal = (Or([Compare("a", op, op), Compare("a", op, op, 1)]) for op in ("==", "!="))
    assert form_of(equal) != form_of(unequal)
    assert form_of(equal) == form_of(Or([Compare("x", "==", "y"), Compare("x", "==", "y", 1)]))


CORE = (AllDifferent, Compare, InDomain, Linear, Table)


@pytest.mark.parametrize("kind", CORE, ids=lambda kind: kind.__name__)
def test_random_models_keep_their_solutions_wherever_they_get(kind: type[Constraint]) -> None:
    rng, reached = Random(kind.__name__), 0
    for _ in range(150):
        model = random_model(rng, CORE, rng.randint(1, 4), rng.randint(1, 3))
        try:
            found = lower(model, {kind}, lambda c: None if type(c) is kind else "another kind")
        except Unsupported:
            continue
        reached += 1
        kept = [solution[: len(model.names)] for solution in brute_force(found.model)]
        assert sorted(kept) == sorted(brute_force(model)), f"{model}\nbecame\n{found.model}"
        assert found.model.kinds() <= {kind}
    assert reached >= 10
