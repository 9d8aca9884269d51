"""A model in the engine's own terms, the caller's to extend."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ortools.sat.python import cp_model


@dataclass(frozen=True)
class Native:
    """A live ``CpModel`` and its variables by name, the caller's to extend and to solve.

    ``literals`` maps (name, value) to a boolean variable in the form ``booleans``; it is empty in the other.
    """

    model: cp_model.CpModel
    variables: Mapping[str, cp_model.IntVar]
    literals: Mapping[tuple[str, int], cp_model.IntVar]

    def decode(self, solver: cp_model.CpSolver) -> dict[str, int]:
        """Return the value of each variable in a solver's answer."""
        return {name: solver.value(variable) for name, variable in self.variables.items()}
