"""Random small models: a generator for each kind of constraint, driven by a ``random.Random``.

A kind that comes later registers its own: ``@generator(Kind) def _(rng, variables): ...``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from random import Random

from ..model import (
    OPERATORS,
    AllDifferent,
    And,
    Automaton,
    Circuit,
    Compare,
    Connected,
    Constraint,
    Count,
    Cumulative,
    Domain,
    Element,
    GlobalCardinality,
    Implies,
    InDomain,
    Inverse,
    LexLess,
    LexLessWhere,
    Linear,
    MinMax,
    Model,
    MultisetEqual,
    NoOverlap,
    NoSubsetSum,
    Not,
    NValue,
    Or,
    Regular,
    Table,
    Variable,
)

Generator = Callable[[Random, Sequence[Variable]], Constraint]

OPS = tuple(OPERATORS)


def generator(kind: type[Constraint]) -> Callable[[Generator], Generator]:
    """Register the decorated function as the generator of a kind."""

    def register(function: Generator) -> Generator:
        GENERATORS[kind] = function
        return function

    return register


def random_domain(rng: Random) -> Domain:
    """Return one to four values: an interval, or values with holes and negative ones."""
    size = rng.randint(1, 4)
    if rng.random() < 0.6:
        low = rng.randint(-2, 3)
        return tuple(range(low, low + size))
    return tuple(sorted(rng.sample(range(-6, 9), size)))


def random_variables(rng: Random, count: int) -> list[Variable]:
    """Return variables that share a domain, or have one each."""
    shared = random_domain(rng) if rng.random() < 0.5 else None
    return [Variable(f"x{i}", shared or random_domain(rng)) for i in range(count)]


def random_model(rng: Random, kinds: Sequence[type[Constraint]], variables: int, constraints: int) -> Model:
    """Return a model with given numbers of variables and constraints, of kinds that are chosen among ``kinds``."""
    xs = random_variables(rng, variables)
    return Model(xs, [GENERATORS[rng.choice(kinds)](rng, xs) for _ in range(constraints)])


def random_domains(rng: Random, model: Model) -> dict[str, Domain]:
    """Narrow some variables, as a request does: to one value, to some, from time to time to none or to values
    outside.
    """
    found: dict[str, Domain] = {}
    for variable in rng.sample(model.variables, rng.randint(0, min(2, len(model.variables)))):
        values = [*variable.domain, *([] if rng.random() < 0.8 else [17])]
        size = 1 if rng.random() < 0.5 else rng.randint(0 if rng.random() < 0.1 else 1, len(values))
        found[variable.name] = tuple(sorted(rng.sample(values, size)))
    return found


def _some(rng: Random, variables: Sequence[Variable], least: int, most: int) -> list[Variable]:
    most = min(most, len(variables))
    return rng.sample(list(variables), rng.randint(min(least, most), most))


def _in_domain(rng: Random, variables: Sequence[Variable]) -> Constraint:
    x = rng.choice(variables)
    values = [*x.domain, rng.randint(-7, 9)]
    return InDomain(x, rng.sample(values, rng.randint(0 if rng.random() < 0.1 else 1, len(values))))


def _compare(rng: Random, variables: Sequence[Variable]) -> Constraint:
    x, y = rng.choice(variables), rng.choice(variables)
    return Compare(x, rng.choice(OPS), y, rng.randint(-2, 2))


def _linear(rng: Random, variables: Sequence[Variable]) -> Constraint:
    """A sum whose bound is near what some assignment gives; names may repeat, coefficients may be 0."""
    xs = [rng.choice(variables) for _ in range(rng.randint(1, 4))]
    coeffs = [rng.randint(-3, 3) for _ in xs]
    near = {x.name: rng.choice(x.domain) for x in xs}
    total = sum(c * near[x.name] for c, x in zip(coeffs, xs, strict=True))
    return Linear(coeffs, xs, rng.choice(OPS), total + rng.randint(-1, 1))


def _table(rng: Random, variables: Sequence[Variable]) -> Constraint:
    """Some rows of the product of the domains, sometimes with a column twice or a value outside."""
    xs = [rng.choice(variables) for _ in range(rng.randint(1, 3))]
    most = min(8, prod(len(x.domain) for x in xs))
    rows = [[rng.choice(x.domain) for x in xs] for _ in range(rng.randint(0 if rng.random() < 0.1 else 1, most))]
    if rows and rng.random() < 0.1:
        rows[0][0] = 17
    return Table(xs, rows, allowed=rng.random() < 0.6)


def _element(rng: Random, variables: Sequence[Variable]) -> Constraint:
    xs = [rng.choice(variables) for _ in range(rng.randint(1, 4))]
    return Element(xs, rng.choice(variables), _term(rng, variables, rng.choice(xs[0].domain)))


def _count(rng: Random, variables: Sequence[Variable]) -> Constraint:
    xs = [rng.choice(variables) for _ in range(rng.randint(1, 4))]
    values = rng.sample(xs[0].domain, rng.randint(0 if rng.random() < 0.1 else 1, len(xs[0].domain)))
    return Count(xs, values, rng.choice(OPS), _term(rng, variables, rng.randint(0, len(xs))))


def _n_value(rng: Random, variables: Sequence[Variable]) -> Constraint:
    xs = [rng.choice(variables) for _ in range(rng.randint(1, 4))]
    return NValue(xs, rng.choice(OPS), _term(rng, variables, rng.randint(1, len(xs))))


def _min_max(rng: Random, variables: Sequence[Variable]) -> Constraint:
    xs = [rng.choice(variables) for _ in range(rng.randint(1, 4))]
    ends = [_term(rng, variables, rng.choice(rng.choice(xs).domain)) for _ in range(2)]
    lo, hi = rng.choice([(ends[0], None), (None, ends[1]), (ends[0], ends[1])])
    return MinMax(xs, lo, hi)


def _regular(rng: Random, variables: Sequence[Variable]) -> Constraint:
    xs = [rng.choice(variables) for _ in range(rng.randint(1, 4))]
    values = sorted({value for x in xs for value in x.domain})
    states = rng.randint(1, 3)
    pairs = [(state, value) for state in range(states) for value in values if rng.random() < 0.8]
    arrows = [(state, value, rng.randrange(states)) for state, value in pairs]
    return Regular(xs, Automaton(states, 0, rng.sample(range(states), rng.randint(1, states)), arrows))


def _global_cardinality(rng: Random, variables: Sequence[Variable]) -> Constraint:
    xs = [rng.choice(variables) for _ in range(rng.randint(1, 4))]
    values = rng.sample(xs[0].domain, rng.randint(1, len(xs[0].domain)))
    return GlobalCardinality(xs, values, [_term(rng, variables, rng.randint(0, 2)) for _ in values], rng.random() < 0.3)


def _lex_less_where(rng: Random, variables: Sequence[Variable]) -> Constraint:
    lists = [_two(rng, variables, 3)[0] for _ in range(rng.randint(1, 3))]
    y = rng.choice(variables) if rng.random() < 0.4 else rng.choice((0, 1))
    return LexLessWhere(lists, rng.choice(lists[0][0].domain), _two(rng, variables, 3)[0], y, rng.random() < 0.5)


def _no_overlap(rng: Random, variables: Sequence[Variable]) -> Constraint:
    xs = _some(rng, variables, 1, 4)
    return NoOverlap(xs, [rng.randint(1, 3) for _ in xs])


def _cumulative(rng: Random, variables: Sequence[Variable]) -> Constraint:
    xs = [rng.choice(variables) for _ in range(rng.randint(1, 4))]
    return Cumulative(xs, [rng.randint(1, 3) for _ in xs], [rng.randint(0, 3) for _ in xs], rng.randint(0, 4))


def _connected(rng: Random, variables: Sequence[Variable]) -> Constraint:
    xs = _some(rng, variables, 2, 5)
    pairs = [(a, b) for b in range(len(xs)) for a in range(b)]
    edges = rng.sample(pairs, rng.randint(0, len(pairs)))
    values = xs[0].domain
    return Connected(xs, edges, rng.sample(values, rng.randint(1, len(values))))


def _two(rng: Random, variables: Sequence[Variable], most: int) -> tuple[list[Variable], list[Variable]]:
    """Return two lists of variables of the same length, in which one may appear several times."""
    size = rng.randint(1, most)
    return [rng.choice(variables) for _ in range(size)], [rng.choice(variables) for _ in range(size)]


def _parts(rng: Random, variables: Sequence[Variable], most: int) -> list[Constraint]:
    return [_part(rng, variables) for _ in range(rng.randint(0 if rng.random() < 0.1 else 1, most))]


def _term(rng: Random, variables: Sequence[Variable], number: int) -> Variable | int:
    return rng.choice(variables) if rng.random() < 0.4 else number + rng.choice((0, 0, 0, 1, -1))


def _part(rng: Random, variables: Sequence[Variable], depth: int = 0) -> Constraint:
    """Return a constraint to stand inside another one; from time to time it has parts itself."""
    if depth < 2 and rng.random() < 0.2:
        return (
            Not(_part(rng, variables, depth + 1))
            if rng.random() < 0.5
            else Or(_part(rng, variables, depth + 1), _part(rng, variables, depth + 1))
        )
    plain = (InDomain, Compare, Linear, Table, AllDifferent)
    return GENERATORS[rng.choice(plain if rng.random() < 0.5 else _OTHERS)](rng, variables)


_OTHERS = (
    Element, Count, NValue, MinMax, Regular, LexLess, MultisetEqual, Connected, Inverse, GlobalCardinality, NoOverlap,
    Cumulative, LexLessWhere, NoSubsetSum,
)  # fmt: skip
"""Kinds that stand inside another one from time to time."""


GENERATORS: dict[type[Constraint], Generator] = {
    InDomain: _in_domain,
    AllDifferent: lambda rng, xs: AllDifferent(_some(rng, xs, 1 if rng.random() < 0.1 else 2, 5)),
    Compare: _compare,
    Linear: _linear,
    Table: _table,
    Element: _element,
    Count: _count,
    NValue: _n_value,
    MinMax: _min_max,
    Regular: _regular,
    LexLess: lambda rng, xs: LexLess(*_two(rng, xs, 3), rng.random() < 0.5),
    LexLessWhere: _lex_less_where,
    MultisetEqual: lambda rng, xs: MultisetEqual(*_two(rng, xs, 3)),
    Circuit: lambda rng, xs: Circuit(_some(rng, xs, 1, 4)),
    Inverse: lambda rng, xs: Inverse(*_two(rng, xs, 2)),
    GlobalCardinality: _global_cardinality,
    NoOverlap: _no_overlap,
    NoSubsetSum: lambda rng, xs: NoSubsetSum(_some(rng, xs, 1, 4), rng.randint(-3, 12)),
    Cumulative: _cumulative,
    Connected: _connected,
    Or: lambda rng, xs: Or(_parts(rng, xs, 3)),
    And: lambda rng, xs: And(_parts(rng, xs, 2)),
    Not: lambda rng, xs: Not(_part(rng, xs)),
    Implies: lambda rng, xs: Implies(_part(rng, xs), _part(rng, xs)),
}
"""A generator for each kind of constraint."""
