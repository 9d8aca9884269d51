"""Which constraints are stated directly."""

from __future__ import annotations

from sudoku_models.engine.numbers import Numbers
from sudoku_models.model import Constraint, Model, Objective, kinds

KINDS: frozenset[type[Constraint]] = frozenset(
    {
        kinds.AllDifferent,
        kinds.And,
        kinds.Compare,
        kinds.Count,
        kinds.Element,
        kinds.Implies,
        kinds.InDomain,
        kinds.LexLess,
        kinds.Linear,
        kinds.MinMax,
        kinds.MultisetEqual,
        kinds.Not,
        kinds.NValue,
        kinds.Or,
        kinds.Table,
    }
)

LARGEST = 2**31 - 1
"""The largest sum of weights that z3's pseudo-Boolean constraints take."""

NUMBERS = Numbers(
    spreads=dict.fromkeys((kinds.Linear, kinds.Compare, kinds.Count, kinds.NValue, kinds.LexLess, Objective), LARGEST)
)

WIDEST = 10_000
"""The largest number of values of a variable: each is a Boolean."""


def refuses(constraint: Constraint) -> str | None:
    """Return why a constraint with parts is refused; None if each part is of an accepted kind."""
    return next((f"a {type(p).__name__} cannot be a part" for p in _parts(constraint) if type(p) not in KINDS), None)


def _parts(constraint: Constraint) -> list[Constraint]:
    """Return the constraint and all parts within parts."""
    found, waiting = [], [constraint]
    while waiting:
        found.append(last := waiting.pop())
        match last:
            case kinds.Or(parts=parts) | kinds.And(parts=parts):
                waiting += parts
            case kinds.Not(part=part):
                waiting.append(part)
            case kinds.Implies(condition=condition, result=result):
                waiting += [condition, result]
    return found


def refuses_model(model: Model) -> str | None:
    """Return why a model is too large; None if it is not."""
    for variable in model.variables:
        if len(variable.domain) > WIDEST:
            return f"{variable.name} has {len(variable.domain)} values: at most {WIDEST} are stated one by one"
    return None
