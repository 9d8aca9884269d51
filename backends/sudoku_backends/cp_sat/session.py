"""A model that grows: CP-SAT keeps nothing from one solve to the next, so what stays is the model as it was built.

A constraint is appended to it instead of stating everything anew, and the last solution is given as a hint: after a
constraint that it still satisfies the engine has an answer at once. A switch is a Boolean that
enforces its constraints.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from sudoku_models.engine.budget import Budget
from sudoku_models.engine.contract import Request, Search, Solution
from sudoku_models.engine.record import Record
from sudoku_models.model import Constraint, Model, Variable

from .backend import CompiledCpSat, CpSatOptions, _set_domains, refuse_overflow

if TYPE_CHECKING:
    from ortools.sat.python import cp_model


class CpSatAssuming(CompiledCpSat):
    """A model that grows; each search has a clone of it with the domains of the request."""

    last: Solution | None = None

    def __init__(self, model: Model, options: CpSatOptions) -> None:
        super().__init__(model, options)
        self._switches: list[int] = []
        self._assumed: Sequence[int] = ()

    def add(self, constraints: Sequence[Constraint], variables: Sequence[Variable] = (), switch: bool = False) -> int:
        """Append variables and constraints to the engine's model; raise Unsupported if 64 bits do not suffice."""
        self._try(constraints, variables)
        self.model = self.builder.stated = self.model.with_(*(() if switch else constraints), variables=variables)
        for variable in variables:
            self.builder.add_variable(variable.name, variable.domain)
        literal = self.builder.model.new_bool_var("") if switch else None
        self.builder.when = [] if literal is None else [literal]
        for constraint in constraints:
            self.builder.add(constraint)
        self.builder.when = []
        self._idle.clear()
        if literal is None:
            return 0
        self._switches.append(literal.index)
        return literal.index

    def _try(self, constraints: Sequence[Constraint], variables: Sequence[Variable]) -> None:
        """State the additions in a separate model for the engine to check: what it refuses is not added."""
        scope = dict.fromkeys(x for constraint in constraints for x in constraint.scope)
        known = [self.model[x] for x in scope if x in self.model.index]
        refuse_overflow(self.builder_of(Model([*known, *variables], constraints)).native().model)

    def search(self, request: Request, clock: Budget, record: Record, switches: Sequence[int] = ()) -> Search:
        """Search, and remember the last solution."""
        self._assumed = switches
        search = super().search(request, clock, record)
        try:
            while True:
                try:
                    self.last = next(search)
                except StopIteration as stop:
                    return stop.value  # type: ignore[no-any-return]
                yield self.last
        finally:
            search.close()

    def _borrowed(self, narrow: Mapping[int, list[int]]) -> cp_model.CpModel:
        model = super()._borrowed(narrow)
        model.clear_hints()  # type: ignore[no-untyped-call]
        for name, value in zip(self.model.names, self.last or (), strict=False):
            model.add_hint(model.get_int_var_from_proto_index(self.base.variables[name].index), value)
        model.clear_assumptions()
        model.add_assumptions([model.get_bool_var_from_proto_index(number) for number in self._assumed])
        fixed = {number: [0, 0] for number in self._switches if number not in self._assumed}
        _set_domains(model, fixed | {number: [0, 1] for number in self._assumed})
        return model

    def close(self) -> None:
        """Release the models."""
        self._idle.clear()
