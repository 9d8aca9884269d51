"""A constraint that a user states over the cells of a board, as a rule beside the others."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...model import Constraint
from . import fields as f
from .base import Rule
from .board import Filled

if TYPE_CHECKING:
    from .board import Board


def _constraint(value: object) -> Constraint:
    if not isinstance(value, Constraint):
        raise ValueError(f"{value!r:.60} is no constraint")
    return value


@dataclass(frozen=True)
class _Constrained(Rule):
    """Any core constraint over the cells of the board, by their names: ``Compare("R1C1", "<", "R2C2")``."""

    constraint: Constraint = f.stated(_constraint, {"type": "string"}, scope=lambda value: value.scope)  # noqa: RUF009

    def constraints(self, board: Board) -> Iterable[Constraint]:
        """Yield the constraint as it is; parts of a large comparison are auxiliary variables."""
        from .stated import parted

        yield from parted(board, self.constraint)

    def judge(self, grid: Filled) -> bool:
        """Tell whether the values of the filled board satisfy the constraint."""
        return self.constraint.holds(grid.values)

    def __str__(self) -> str:
        return str(self.constraint)


def constrained(constraint: Constraint) -> Rule:
    """Return a constraint as a rule; ValueError for anything else."""
    return _Constrained(constraint)
