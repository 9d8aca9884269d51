"""A formula that was stated with a fault, or of another problem, is seen when it is stated again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from sudoku_models import Model
from sudoku_models.engine.refutation import refute
from sudoku_models.model import AllDifferent, Compare, Constraint, Linear, Variable
from sudoku_models.prove import Certificate, Claim, Statement, certify, check
from sudoku_models.prove.certifying import cnf_of, hinted
from sudoku_models.prove.encoder import WRITERS, claim_formula
from sudoku_models.prove.formula import Clauses


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
    """By the check of a certificate that was made with the fault, or is checked with it."""
    xs = [Variable(name, (1, 2, 3)) for name in "abc"]
    honest = certify(Model(xs, [constraint]), "count")
    assert check(honest)
    monkeypatch.setitem(WRITERS, type(constraint), dropping(WRITERS[type(constraint)], monkeypatch))
    fresh = Model(xs, [constraint])
    statement = Statement.of(fresh)
    faulty = claim_formula(statement, Claim.COUNT, honest.solutions)
    assert "stated again, and differs" in check(replace(honest, statement=statement)).problem
    monkeypatch.undo()
    assert "stated again, and differs" in check(replace(honest, formula=faulty)).problem


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
