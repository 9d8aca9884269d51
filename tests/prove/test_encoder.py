"""The formula of a certificate has the solutions of the model, whatever the model states."""

from __future__ import annotations

import hashlib
from random import Random

import pytest
from pysat.solvers import Solver

from sudoku_models import Model
from sudoku_models import model as m
from sudoku_models.model import Constraint, Linear, Not, Variable, brute_force
from sudoku_models.prove import TooLarge, formula
from sudoku_models.prove.encoder import WRITERS, formula_of
from sudoku_models.testing.generators import GENERATORS, random_model


def solutions(model: Model) -> set[tuple[int, ...]]:
    """Return the solutions of the model's formula, over the model's variables."""
    stated = formula_of(model)
    assert all(len(set(map(abs, clause))) == len(clause) for clause in stated), "a variable twice in a clause"
    if any(not clause for clause in stated):
        return set()
    values = {number: pair for pair, number in stated.literals.items()}
    found = set()
    with Solver("minisat22", bootstrap_with=list(stated)) as engine:
        while engine.solve():
            true = [x for x in engine.get_model() if 0 < x <= len(values)]
            chosen = dict(values[x] for x in true)
            assert len(true) == len(model.names)
            found.add(tuple(chosen[name] for name in model.names))
            engine.add_clause([-x for x in true])
    return found


def negated(model: Model) -> Model:
    return Model(model.variables, [Not(c) for c in model.constraints])


@pytest.mark.parametrize("kind", list(GENERATORS), ids=lambda kind: kind.__name__)
def test_each_kind_and_its_contrary_have_the_solutions_of_brute_force(kind: type[Constraint]) -> None:
    for seed in range(8):
        rng = Random(f"{kind.__name__} {seed}")
        model = random_model(rng, [kind], rng.randint(1, 4), 1)
        assert solutions(model) == set(brute_force(model)), str(model)
        assert solutions(negated(model)) == set(brute_force(negated(model))), str(model)


def test_random_mixtures_have_the_solutions_of_brute_force() -> None:
    for seed in range(60):
        rng = Random(f"mixture {seed}")
        model = random_model(rng, list(GENERATORS), rng.randint(2, 4), rng.randint(2, 3))
        assert solutions(model) == set(brute_force(model)), str(model)


def test_every_kind_of_constraint_can_be_stated() -> None:
    assert set(WRITERS) == set(Constraint.kinds.values())


def test_a_wide_domain_has_one_value_at_most_too() -> None:
    model = Model([Variable("x", range(60))])
    assert solutions(model) == {(value,) for value in range(60)}


def test_a_formula_beyond_bounds_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formula, "LONGEST", 100)
    xs = [Variable(name, range(9)) for name in "abc"]
    with pytest.raises(TooLarge, match="more than 100 literals and clauses"):
        formula_of(Model(xs, [Linear((1, 2, 3), xs, "==", 20)]))


def test_the_clauses_of_each_kind_stay_as_they_are() -> None:
    """A certificate that was made before is accepted if its formula is stated again, number by number."""
    xs, a = [Variable(name, range(1, 4)) for name in "abcd"], ("a", "b", "c")
    constraints: list[Constraint] = [
        m.AllDifferent(a), m.Linear((1, 2, -1), a, "<=", 3), m.Compare("a", "<", "b", 1), m.Element(a, "d", "b"),
        m.Table(a, [(1, 2, 3), (3, 1, 1)]), m.Count(a, (1, 2), ">=", "d"), m.NValue(a, "==", 2),
        m.LexLess(a, ("b", "c", "d")),
        m.MinMax(a, "d", 3), m.MultisetEqual(("a", "b"), ("c", "d")), m.Circuit(("a", "b", "c")),
        m.Connected(a, [(0, 1), (1, 2)], (2, 3)), m.Or([m.InDomain("a", (1,)), m.Compare("b", "!=", "c")]),
    ]  # fmt: skip
    whole = hashlib.sha256()
    for constraint in constraints:
        for stated in (constraint, Not(constraint)):
            whole.update(formula_of(Model(xs, [stated])).dimacs.encode())
    assert whole.hexdigest()[:16] == "e85fd9cb4a3a47d8"
