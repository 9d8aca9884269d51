"""Tiny random models: one to three variables and several constraints on the same ones.

Engines err where two constraints meet in the literals of one variable; larger random models rarely come so close.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from random import Random

from ..model import AllDifferent, Constraint, Count, Domain, InDomain, Model, Objective, Or, Table, Variable
from .generators import GENERATORS, OPS

_KINDS = tuple(sorted(GENERATORS, key=lambda kind: kind.__name__))


def tiny_model(rng: Random) -> Model:
    """Return a model of one to three variables, with two to five constraints, from time to time with an objective."""
    xs = [Variable(f"x{i}", _domain(rng)) for i in range(rng.choice((1, 1, 2, 2, 3)))]
    sharp = rng.random() < 0.5
    kinds = rng.sample(_KINDS, rng.randint(1, 4))
    constraints = [
        rng.choice(_SHARP)(rng, xs) if sharp else GENERATORS[rng.choice(kinds)](rng, xs)
        for _ in range(rng.randint(2, 5))
    ]
    return Model(xs, constraints, _objective(rng, xs) if rng.random() < 0.1 else None)


def _domain(rng: Random) -> Domain:
    """Return two to seven values, an interval or with holes."""
    size = rng.randint(2, 7)
    low = rng.randint(-2, 2)
    return tuple(range(low, low + size)) if rng.random() < 0.5 else tuple(sorted(rng.sample(range(-3, 9), size)))


def _objective(rng: Random, xs: Sequence[Variable]) -> Objective:
    chosen = [rng.choice(xs) for _ in range(rng.randint(1, 3))]
    return Objective(rng.choice(("minimize", "maximize")), [rng.randint(-3, 3) for _ in chosen], chosen)


def _clause(rng: Random, xs: Sequence[Variable]) -> Constraint:
    """Return an Or of several values of one variable, at times beside some of another."""
    x = rng.choice(xs)
    named = [x if rng.random() < 0.8 else rng.choice(xs) for _ in range(rng.randint(2, 4))]
    return Or([InDomain(y, rng.sample(y.domain, 1 if rng.random() < 0.7 else 2)) for y in named])


def _table(rng: Random, xs: Sequence[Variable]) -> Constraint:
    """Return a Table of up to three variables, of few tuples or of nearly all."""
    scope = rng.sample(list(xs), rng.randint(1, len(xs)))
    rows = list(product(*(x.domain for x in scope)))
    return Table(scope, rng.sample(rows, rng.randint(1, min(len(rows), 20))), rng.random() < 0.5)


def _count(rng: Random, xs: Sequence[Variable]) -> Constraint:
    """Return a Count that meets the same variable more than once."""
    counted = [rng.choice(xs) for _ in range(rng.randint(1, 4))]
    return Count(counted, rng.sample(counted[0].domain, rng.randint(1, 2)), rng.choice(OPS), rng.randint(0, 3))


def _different(rng: Random, xs: Sequence[Variable]) -> Constraint:
    return AllDifferent(rng.sample(list(xs), rng.randint(1, len(xs))))


def _other(rng: Random, xs: Sequence[Variable]) -> Constraint:
    return GENERATORS[rng.choice(_KINDS)](rng, xs)


_SHARP = (_clause, _clause, _table, _table, _count, _different, _other)
