"""Simplify what is already settled, for all formats: reduced domains, constraints over nothing, contradictions."""

from __future__ import annotations

from collections.abc import Container

from ..model import Constraint, Domain, Element, InDomain, Linear, Model, Variable


def settled(model: Model) -> Model:
    """Return a model of the same solutions without empty domains, empty scopes and domains stated as constraints.

    The domain of an Element's index contains only positions in its list, as some readers require.
    A model with an empty domain, or with a constraint over nothing that does not hold, becomes one contradiction.
    """
    domains, rest = dict(model.domains), []
    for constraint in model.constraints:
        if isinstance(constraint, InDomain):
            domains[constraint.x] = _meet(domains[constraint.x], frozenset(constraint.values))
        elif constraint.scope:
            rest.append(constraint)
            if isinstance(constraint, Element):
                domains[constraint.i] = _meet(domains[constraint.i], range(len(constraint.xs)))
        elif not constraint.holds({}):
            return _contradiction(model)
    if not all(domains.values()):
        return _contradiction(model)
    return Model((Variable(name, values) for name, values in domains.items()), rest, model.objective)


def _meet(values: Domain, allowed: Container[int]) -> Domain:
    return tuple(v for v in values if v in allowed)


def _contradiction(model: Model) -> Model:
    """Keep the variables, and state something impossible about the first one."""
    variables = [Variable(v.name, v.domain or (0,)) for v in model.variables] or [Variable("none", (0,))]
    first = variables[0]
    impossible = Linear((1,), (first.name,), ">=", first.domain[-1] + 1)
    return Model(variables, [impossible], model.objective)


def known(constraint: Constraint) -> bool | None:
    """Return whether a constraint without variables holds; None if it has variables."""
    return None if constraint.scope else constraint.holds({})
