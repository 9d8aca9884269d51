"""The backends ``exact`` and ``opb``: solvers of sums of 0-1 variables, in the form that the export ``opb`` writes.

``exact`` is Exact by its Python package, ``opb`` any program of the pseudo-Boolean competitions. Both ask one engine
repeatedly, each time with one more row, which forbids what was found or asks for better.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

from sudoku_models.engine.base import CompiledBase
from sudoku_models.engine.budget import Budget
from sudoku_models.engine.contract import Projection, Request, Search, Solution
from sudoku_models.engine.pulling import pulled
from sudoku_models.engine.record import Record
from sudoku_models.exports.common import settled
from sudoku_models.exports.zero_one import ColumnRow, EngineForm, ZeroOne
from sudoku_models.model import Domain


class CompiledColumns(CompiledBase):
    """A model that is stated as columns and rows for each run. Immutable; any number of threads may run it.

    An engine has ``ask``, which returns the numbers of the columns that are 1 in a solution, None if there is none, or
    raises OutOfTime; and ``add``, which demands one more row.
    """

    def engine(self, form: ZeroOne, request: Request, clock: Budget) -> Any:
        """Return an engine that holds columns and rows."""
        raise NotImplementedError

    def improving(self, form: ZeroOne, engine: Any, record: Record) -> Iterator[Solution]:
        """Yield solutions, each better than the one before, the best last."""
        raise NotImplementedError

    def search(self, request: Request, clock: Budget, record: Record) -> Search:
        """State the columns and rows to an engine, and yield what it finds."""
        watch = record.stopwatch()
        form = self.form(request.domains)
        record.sizes |= {"variables": len(form.meanings), "constraints": len(form.rows)}
        engine = self.engine(form, request, clock)
        watch.lap("encode")
        if self.model.objective:
            return (yield from pulled(self.improving(form, engine, record), request, watch))
        return (yield from pulled(self.enumerated(form, engine, request), request, watch))

    def form(self, domains: Mapping[str, Domain]) -> ZeroOne:
        """Return the columns and rows of the model with narrower domains."""
        return ZeroOne(settled(self.model.narrowed(domains)))

    @cached_property
    def whole(self) -> ZeroOne:
        """The columns and rows of the model itself, with columns for every variable: not to be changed."""
        return EngineForm(self.model)

    def of_variable(self, name: str) -> dict[int, str]:
        """Return the names of a variable's columns in ``native``, by value: exactly one is 1."""
        return {value: column_name(column) for value, column in self.whole.columns[name].items()}

    def of_value(self, name: str, value: int) -> str:
        """Return the column that is 1 exactly when a variable has a value."""
        return column_name(self.whole.columns[name][value])

    def values_in(self, answer: Collection[str]) -> dict[str, int]:
        """Return the values by name in a solution of ``native``, given as the names of the columns that are 1 in it."""
        return self.whole.values(int(called[1:]) - 1 for called in answer)

    def read(self, form: ZeroOne, ones: Iterable[int]) -> Solution:
        """Return a solution in the order of the model's variables."""
        values = form.values(ones)
        return tuple([values[name] for name in self.model.names])

    def enumerated(self, form: ZeroOne, engine: Any, request: Request) -> Iterator[Solution]:
        """Ask repeatedly, each time with the solutions found forbidden."""
        positions = Projection(self.model, request.keep).positions
        while (ones := engine.ask()) is not None:
            solution = self.read(form, ones)
            yield solution
            kept = [(self.model.names[i], solution[i]) for i in positions]
            columns = {form.columns[name][value] for name, value in kept if name in form.columns}
            if not columns:  # all of them are decided
                return
            engine.add(ColumnRow(dict.fromkeys(columns, 1), "<=", len(columns) - 1))


def column_name(column: int) -> str:
    """Return the name of a column, as in the format OPB."""
    return f"x{column + 1}"
