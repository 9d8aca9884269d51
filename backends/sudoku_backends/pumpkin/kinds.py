"""Which constraints are stated directly, and the largest numbers and models."""

from __future__ import annotations

from sudoku_models.engine.numbers import Numbers
from sudoku_models.model import Constraint, InDomain, Linear, Model, Objective, kinds

KINDS: frozenset[type[Constraint]] = frozenset(
    {
        kinds.AllDifferent,
        kinds.Compare,
        kinds.Count,
        kinds.Element,
        kinds.InDomain,
        kinds.Linear,
        kinds.MinMax,
        kinds.Or,
        kinds.Table,
    }
)

LARGEST = 2**28
"""The largest absolute value of a variable, and of a sum or one of its partial sums: the engine counts in 32 bits."""

NUMBERS = Numbers(value=LARGEST, sums=dict.fromkeys((kinds.Compare, kinds.Count, Linear, Objective), LARGEST))

WIDEST = 100_000
"""The largest number of values that may be missing within the domain of a variable: each is taken out separately."""


def refuses(constraint: Constraint) -> str | None:
    """Return why a constraint is refused; None if it is accepted."""
    if isinstance(constraint, kinds.Or) and not all(isinstance(part, InDomain) for part in constraint.parts):
        return "an Or is a clause only when its parts are domains"
    return None


def refuses_model(model: Model) -> str | None:
    """Return why a model is too large; None if it is not."""
    for variable in model.variables:
        values = variable.domain
        holes = values[-1] - values[0] + 1 - len(values) if values else 0
        if holes > WIDEST:
            return f"{variable.name} lacks {holes} values between its ends: at most {WIDEST} are taken out"
    return None
