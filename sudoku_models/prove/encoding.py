"""The encoding that certificates use: each constraint of a model in clauses, one after the other, as plain as can be.

It is trusted: a proof about the formula is one about the model only if every solution of the model extends to an
assignment that satisfies the formula. That much, and no more, has to be seen of each function here. Nothing of it is
shared with the encodings or rewrites that the solvers use.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from ..errors import Unsupported
from ..model import Constraint, Domain, Linear, Model
from .formula import Formula
from .kinds import encode

PAIRWISE = 40
"""Domains of more values than this say "at most one" by a ladder of auxiliary variables."""


def formula_of(model: Model) -> Formula:
    """Return the formula of a model: its domains, then its constraints in order; an objective is left out.

    Unsupported for a constraint that has no encoding, TooLarge for a formula beyond bounds. Kept on the model.
    """
    found = model.memo.get("certificate formula")
    if not isinstance(found, Formula):
        found = _stated(model)
        model.memo["certificate formula"] = found
    return found


def claim_formula(
    model: Model,
    domains: Mapping[str, Domain],
    blocked: Iterable[Mapping[str, int]],
    better: Linear | None = None,
) -> Formula:
    """Return the formula that has to be refuted: the model, narrowed, without the solutions that are known.

    ``domains`` narrow variables of the model, ``blocked`` are solutions as values by name (of the variables that tell
    solutions apart), ``better`` says that the objective is better than the best one known.
    """
    formula = formula_of(model).copy()
    for name, values in domains.items():
        _narrow(formula, name, model.domains[name], values)
    for solution in blocked:
        formula.add([-formula.literals[name, value] for name, value in solution.items()])
    if better is not None:
        encode(formula, model.domains, better, ())
    return formula


def _stated(model: Model) -> Formula:
    formula = Formula.over(model.names, [v.domain for v in model.variables])
    for v in model.variables:
        _one_of(formula, [formula.literals[v.name, value] for value in v.domain])
    for constraint in model.constraints:
        _encode(formula, model, constraint)
    return formula


def _encode(formula: Formula, model: Model, constraint: Constraint) -> None:
    try:
        encode(formula, model.domains, constraint, ())
    except RecursionError:
        raise Unsupported(f"a constraint is nested too deeply for a certificate: {str(constraint)[:200]}") from None


def _one_of(formula: Formula, literals: Sequence[int]) -> None:
    """Say that just one literal is true."""
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


def _narrow(formula: Formula, name: str, stated: Domain, values: Domain) -> None:
    """Say that a variable has one of the values: a given by one literal, else what is ruled out."""
    left = [value for value in stated if value in values]
    if len(left) == 1:
        formula.add((formula.literals[name, left[0]],))
        return
    for value in stated:
        if value not in left:
            formula.add((-formula.literals[name, value],))
