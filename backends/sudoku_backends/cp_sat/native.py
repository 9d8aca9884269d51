"""A model in the engine's own terms, which the caller may extend."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sudoku_models.model import VariableLike, name_of

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

    from .integers import Integers


@dataclass(frozen=True)
class NativeCpModel:
    """A live ``CpModel`` and its variables by name, which the caller may extend and solve.

    ``literals`` maps (name, value) to a boolean variable; in the form ``integers`` a variable of many values (see
    ``WIDEST``) has none, and ``literal`` makes them on demand.
    """

    model: cp_model.CpModel
    variables: Mapping[str, cp_model.IntVar]
    literals: Mapping[tuple[str, int], cp_model.IntVar]
    builder: Integers = field(repr=False)

    def variable(self, cell: VariableLike) -> cp_model.IntVar:
        """Return the engine's variable; raise KeyError if no variable has that name."""
        return self.variables[name_of(cell)]

    def literal(self, cell: VariableLike, value: int) -> cp_model.LiteralT:
        """Return a literal that is true exactly when a variable has a value; it is made if there is none yet.

        Raise KeyError if the variable does not exist or cannot have the value.
        """
        name = name_of(cell)
        if value not in self.builder.stated.domains[name]:
            raise KeyError(f"{name} is never {value}")
        return self.builder.inside(name, (value,))

    def decode(self, solver: Any) -> dict[str, int]:
        """Return the values, by name, in a solver's answer or in a callback's solution."""
        return {name: solver.value(variable) for name, variable in self.variables.items()}
