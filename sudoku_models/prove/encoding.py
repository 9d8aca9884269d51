"""The encoding of certificates: each constraint of a model in clauses, one after another, as simply as possible.

This is the first encoder, with which certificates are made. ``check`` states the formula again with the second one,
``plain``, which was written from the same description (``docs/certificates.md``) and shares nothing with this one: so a
proof about the formula is one about the model unless both have the same error. Nothing is shared either with the
encodings or rewrites that the solvers use.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from ..errors import Unsupported
from ..model import Constraint, Domain, Model
from .formula import FlatFormula
from .kinds import encode
from .looking import Look
from .statement import Claim, Statement

PAIRWISE = 40
"""For domains with more values than this, "at most one" is stated by a ladder of auxiliary variables."""


def formula_of(model: Model, look: Look = lambda: None) -> FlatFormula:
    """Return the formula of a model: its domains, then its constraints in order, without the objective.

    Unsupported for a constraint that has no encoding, TooLarge for a formula beyond bounds. Kept on the model.
    ``look`` is called repeatedly; an exception from it ends the work.
    """
    found = model.memo.get("certificate formula")
    if not isinstance(found, FlatFormula):
        found = _stated(model, look)
        model.memo["certificate formula"] = found
    return found


def claim_formula(
    statement: Statement, claim: Claim, found: Sequence[Sequence[int]], look: Look = lambda: None
) -> FlatFormula:
    """Return the formula that must be unsatisfiable if a claim holds.

    It states that there is a solution other than those in ``found`` (values of all variables, in the model's order),
    or, for the claim "optimal", a better one.
    """
    formula = formula_of(statement.model, look).copy()
    claim_clauses(formula, statement, claim, found)
    return formula


def claim_clauses(formula: FlatFormula, statement: Statement, claim: Claim, found: Sequence[Sequence[int]]) -> None:
    """Add to a formula the narrowed variables of its model, and the negation of a claim."""
    model = statement.model
    for name, values in statement.domains.items():
        _narrow(formula, name, model.domains[name], values)
    known = [dict(zip(model.names, values, strict=True)) for values in found]
    if claim is not Claim.OPTIMAL:
        for solution in known:
            formula.add([-formula.literals[x, solution[x]] for x in statement.keep])
    elif model.objective is not None:
        encode(formula, model.domains, model.objective.better_than(model.objective.value(known[0])))


def _stated(model: Model, look: Look) -> FlatFormula:
    formula = FlatFormula.over(model.names, [v.domain for v in model.variables])
    formula.look = look
    for v in model.variables:
        _one_of(formula, [formula.literals[v.name, value] for value in v.domain])
    for constraint in model.constraints:
        _encode(formula, model, constraint)
        look()
    formula.look = _never
    return formula


def _never() -> None:
    """Do nothing: no clock ends the work."""


def _encode(formula: FlatFormula, model: Model, constraint: Constraint) -> None:
    try:
        encode(formula, model.domains, constraint, ())
    except RecursionError:
        raise Unsupported(f"a constraint is nested too deeply for a certificate: {str(constraint)[:200]}") from None


def _one_of(formula: FlatFormula, literals: Sequence[int]) -> None:
    """State that exactly one literal is true."""
    formula.add(literals)
    if len(literals) <= PAIRWISE:
        for a, b in combinations(literals, 2):
            formula.add((-a, -b))
        return
    before = None
    for literal in literals:
        seen = formula.fresh()
        formula.add((-literal, seen))
        if before is not None:
            formula.add((-before, seen))
            formula.add((-before, -literal))
        before = seen


def _narrow(formula: FlatFormula, name: str, stated: Domain, values: Domain) -> None:
    """State that a variable has one of the values: a given by one literal, otherwise by excluding values."""
    left = [value for value in stated if value in values]
    if len(left) == 1:
        formula.add((formula.literals[name, left[0]],))
        return
    for value in stated:
        if value not in left:
            formula.add((-formula.literals[name, value],))
