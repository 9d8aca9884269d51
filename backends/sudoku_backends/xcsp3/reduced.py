"""A model as both programs read it: some forms of the format make them fail, though they are sound."""

from __future__ import annotations

from collections.abc import Iterator

from sudoku_models.exports.zero_one import tuples_of
from sudoku_models.model import OPERATORS, Constraint, Count, InDomain, Model, Table


class Contradiction(Exception):
    """The model has no solution."""


def reduced(model: Model) -> Model:
    """Return a model of the same solutions without tables over decided variables, on which ACE fails.

    Counts that hold anyway, or never, are settled too: Choco fails on some. Raises Contradiction.
    """
    constraints = [left for constraint in model.constraints for left in _left_of(constraint, model)]
    return Model(model.variables, constraints, model.objective)


def _left_of(constraint: Constraint, model: Model) -> Iterator[Constraint]:
    """Yield a constraint, a smaller one instead, or nothing where it always holds."""
    match constraint:
        case Table():
            yield from _of_table(constraint, model)
        case Count():
            yield from _of_count(constraint, model)
        case _:
            yield constraint


def _of_count(c: Count, model: Model) -> Iterator[Constraint]:
    """Count only what may have one of the values, and only values that something may have."""
    values = [value for value in c.values if any(value in model.domains[x] for x in c.xs)]
    xs = [x for x in c.xs if not frozenset(values).isdisjoint(model.domains[x])]
    numbers = [c.y] if isinstance(c.y, int) else model.domains[c.y]
    held = {OPERATORS[c.op](number, y) for number in range(len(xs) + 1) for y in numbers}
    if True not in held:
        raise Contradiction
    if False in held:
        none = [y for y in numbers if OPERATORS[c.op](0, y)]
        yield Count(xs, values, c.op, c.y) if xs else InDomain(str(c.y), none)


def _of_table(constraint: Table, model: Model) -> Iterator[Table]:
    tuples = tuples_of(constraint, model.domains)
    places = [place for place, x in enumerate(constraint.scope) if len(model.domains[x]) > 1]
    if not tuples or not places:
        if bool(tuples) != constraint.allowed:
            raise Contradiction
        return
    scope = [constraint.scope[place] for place in places]
    yield Table(scope, [tuple(row[place] for place in places) for row in tuples], constraint.allowed)
