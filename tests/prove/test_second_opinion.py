"""The encoder of certificates and the second one of the tests: written apart, and an error in one of them is seen."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from sudoku_models import Model, Puzzle
from sudoku_models.collection import Variant, variants
from sudoku_models.engine.refutation import refute
from sudoku_models.model import AllDifferent, Compare, Connected, Constraint, Linear, Not, Objective, Variable
from sudoku_models.prove import Certificate, Claim, Statement, certify, check, encoder, formula
from sudoku_models.prove.certifying import cnf_of, hinted
from sudoku_models.prove.encoder import WRITERS, claim_formula
from sudoku_models.prove.formula import Clauses
from sudoku_models.testing.generators import GENERATORS, random_model

from . import second_encoder
from .boards import SMALL, knapsack, ruled


def same(problem: Puzzle | Model, claim: Claim = Claim.COUNT, found: tuple[tuple[int, ...], ...] = ()) -> bool:
    """Tell whether both encoders write the same formula and the same map, without a literal twice in a clause."""
    statement = Statement.of(problem)
    one = claim_formula(statement, claim, found)
    other = second_encoder.claim_formula(statement, claim, found)
    assert all(len(set(map(abs, clause))) == len(clause) for clause in one)
    return (one.numbers, one.variables, one.literals) == (other.numbers, other.variables, other.literals)


@pytest.mark.parametrize("kind", list(GENERATORS), ids=lambda kind: kind.__name__)
def test_both_encoders_write_each_kind_and_its_contrary_alike(kind: type[Constraint]) -> None:
    for seed in range(6):
        rng = Random(f"plain {kind.__name__} {seed}")
        model = random_model(rng, [kind], rng.randint(1, 4), 1)
        assert same(model), str(model)
        assert same(Model(model.variables, [Not(c) for c in model.constraints])), str(model)


def test_both_encoders_write_random_mixtures_alike() -> None:
    for seed in range(30):
        rng = Random(f"plain mixture {seed}")
        assert same(random_model(rng, list(GENERATORS), rng.randint(2, 4), rng.randint(2, 3))), seed


@pytest.mark.parametrize("problem", [SMALL, ruled(), knapsack()], ids=["unique", "rules", "objective"])
def test_both_encoders_write_claims_alike(problem: Any) -> None:
    stated = Puzzle.parse(problem) if isinstance(problem, str) else problem
    made = certify(stated, None if isinstance(stated, Model) else "count")
    assert same(stated, made.claim, made.solutions)


@pytest.mark.parametrize("variant", variants()[::4], ids=lambda variant: variant.name)
def test_both_encoders_write_the_shipped_variants_alike(variant: Variant) -> None:
    assert same(variant.puzzle, Claim.UNSATISFIABLE)


def test_both_encoders_write_wide_domains_and_groups_alike() -> None:
    wide = [Variable("x", range(30)), Variable("y", range(50))]
    assert same(Model(wide, [Compare(*wide[:1], "<", wide[1])]))
    cells = [Variable(name, (1, 2)) for name in "abcd"]
    joined = Connected(cells, [(0, 1), (1, 2), (2, 2), (2, 3)], (2,))
    assert same(Model(cells, [joined])) and same(Model(cells, [Not(joined)]))
    again = Connected(["a", "b", "a", "c"], [(0, 1), (1, 0), (1, 1), (0, 3), (0, 2)], (2,))
    assert same(Model(cells, [again])) and same(Model(cells, [Not(again)]))


def test_both_encoders_know_every_kind() -> None:
    assert set(WRITERS) == set(second_encoder.ENCODERS) == set(Constraint.kinds.values())


def test_the_second_encoder_shares_no_code_with_the_first() -> None:
    taken = list(ast.walk(ast.parse(Path(second_encoder.__file__).read_text("utf-8"))))
    found = {(node.module, name.name) for node in taken if isinstance(node, ast.ImportFrom) for name in node.names}
    ours = {(module, name) for module, name in found if (module or "").startswith("sudoku_models")}
    assert {module for module, _ in ours} == {"sudoku_models.errors", "sudoku_models.model", "sudoku_models.prove"}
    assert {name for module, name in ours if module == "sudoku_models.prove"} == {"Claim", "Statement"}


def dropping(writer: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Return a writer that leaves out the last clause that it should write."""

    def faulty(*arguments: Any) -> None:
        written: list[tuple[int, ...]] = []
        kept = Clauses.say
        with monkeypatch.context() as patch:
            patch.setattr(Clauses, "say", lambda _, *clause: written.append(clause))
            writer(*arguments)
        for clause in written[:-1]:
            kept(arguments[0], *clause)

    return faulty


PLANTED = [
    AllDifferent(("a", "b", "c")),
    Compare("a", "<", "b"),
    Linear((1, 2, 1), ("a", "b", "c"), "<=", 7),
    Linear((1, 1, 1), ("a", "b", "c"), "!=", 6),
]


@pytest.mark.parametrize("constraint", PLANTED, ids=lambda c: f"{type(c).__name__} {getattr(c, 'op', '')}")
def test_a_clause_left_out_is_seen(constraint: Constraint, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the second encoder, and by the check of a certificate that was made with the fault, or is checked with it."""
    xs = [Variable(name, (1, 2, 3)) for name in "abc"]
    honest = certify(Model(xs, [constraint]), "count")
    assert same(Model(xs, [constraint])) and check(honest)
    monkeypatch.setitem(WRITERS, type(constraint), dropping(WRITERS[type(constraint)], monkeypatch))
    fresh = Model(xs, [constraint])
    assert not same(fresh)
    statement = Statement.of(fresh)
    faulty = claim_formula(statement, Claim.COUNT, honest.solutions)
    assert "stated again, and differs" in check(replace(honest, statement=statement)).problem
    monkeypatch.undo()
    assert "stated again, and differs" in check(replace(honest, formula=faulty)).problem


def test_a_model_too_large_to_be_stated_again_is_not_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    made = certify(Model([Variable(x, range(9)) for x in "abc"], [Linear((1, 2, 3), ("a", "b", "c"), "==", 0)]))
    again = replace(made, statement=Statement(Model.parse(str(made.statement.model)), {}))
    monkeypatch.setattr(encoder, "MOST_STATES", 3)
    assert "more than 3 states" in check(again).problem
    monkeypatch.setattr(formula, "LONGEST", 50)
    assert "more than 50 numbers" in check(again).problem
    monkeypatch.undo()
    assert check(again)


def test_an_objective_is_stated_again_too() -> None:
    model = knapsack()
    assert model.objective
    other = Model(model.variables, model.constraints, Objective("maximize", (1, 6, 8), model.variables))
    made = certify(model)
    mixed = Statement(other, {})
    assert not check(replace(made, statement=mixed))


@pytest.mark.parametrize("narrowed", [{"x": ()}, {"x": (1,), "y": (1,)}, {"x": (1, 2, 3)}])
def test_variables_that_are_narrowed_without_a_puzzle_are_refused(narrowed: dict[str, tuple[int, ...]]) -> None:
    """What is certified of a model is the model alone: its own text says what its variables may be."""
    xs = [Variable(name, (1, 2, 3)) for name in "xy"]
    statement = Statement(Model(xs, [AllDifferent(xs)]), narrowed)
    stated = claim_formula(statement, Claim.UNSATISFIABLE, ())
    _, lemmas = refute(cnf_of(stated), "cdcl", None)
    lines = () if lemmas is None else tuple(hinted(stated, lemmas, None))
    found = check(Certificate(statement, Claim.UNSATISFIABLE, (), stated, lines, "cdcl"))
    assert (found.accepted, "narrows variables of its model" in found.problem) == (False, True)
