"""The backend: capabilities, compiled models and runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from sudoku_models.engine.base import BackendBase, CompiledBase, NoOptions, candidate, complete, variable_name
from sudoku_models.engine.budget import Budget, Meter
from sudoku_models.engine.contract import (
    Capabilities,
    Ending,
    Feature,
    Projection,
    Reason,
    Request,
    Search,
    Solution,
)
from sudoku_models.engine.pulling import pulled, until
from sudoku_models.engine.record import Record
from sudoku_models.errors import Unsupported
from sudoku_models.model import AllDifferent, Compare, InDomain, Model, Table, VariableLike

from .cells import Cells, CoverPlan
from .matrix import CoverMatrix, Item, Option, matrix_of, outside, refuses, refuses_model

OFTEN = 16
"""The number of choices between two readings of the clock."""


class ExactCover(BackendBase):
    """The backend ``exact-cover``."""

    name = "exact-cover"
    capabilities = Capabilities(
        kinds=frozenset({AllDifferent, Compare, InDomain, Table}),
        features=frozenset({Feature.ENUMERATE, Feature.PROVE, Feature.TIME_LIMIT, Feature.SEED}),
        refuses=refuses,
        refuses_model=refuses_model,
    )

    def compile(self, model: Model, options: NoOptions) -> CompiledCover:
        """State a model as items and options; raise Unsupported if it is not an exact cover."""
        self.refuse(model, options)
        return CompiledCover(model)


BACKEND = ExactCover()


class CompiledCover(CompiledBase):
    """A model as an exact cover. Immutable; each run has lists of its own."""

    label = "exact-cover"

    def __init__(self, model: Model) -> None:
        self.model = model
        self._matrix = matrix_of(model)

    @property
    def native(self) -> CoverMatrix:
        """A fresh matrix: items by their meaning, each with the options that cover it."""
        return matrix_of(self.model)

    def variable(self, cell: VariableLike) -> Item:
        """Return the primary item that the options of a variable cover; raise KeyError if there is no such variable."""
        return "variable", variable_name(self.model, cell)

    def literal(self, cell: VariableLike, value: int) -> Option:
        """Return the option that is chosen exactly when a variable has a value.

        Raise KeyError if the variable does not exist or cannot have the value; Unsupported if a constraint on that
        variable alone forbids it.
        """
        option = candidate(self.model, cell, value)
        if option not in self._matrix.primary[self.variable(option[0])]:
            raise Unsupported(f"exact-cover has no option for {option[0]} = {value}: a constraint on it forbids that")
        return option

    def decode(self, answer: Iterable[Option]) -> dict[str, int]:
        """Return the values, by name, of the options of an exact cover; options that are not the model's are ignored.

        Raise ValueError if a variable has no value.
        """
        known = frozenset(self._matrix.options)
        chosen = dict(option for option in answer if option in known)
        return complete({name: chosen.get(name) for name in self.model.names})

    @cached_property
    def _plan(self) -> CoverPlan:
        return CoverPlan(self._matrix)

    def search(self, request: Request, clock: Budget, record: Record) -> Search:
        """Yield the solutions: the values of options that cover all items."""
        watch, meter = record.stopwatch(), Meter(clock, OFTEN)
        record.sizes |= {"items": len(self._plan.lists), "options": len(self._plan.options), "nodes": 0}
        cells = self._cells(request)
        watch.lap("encode")
        if cells is None:
            return Ending(Reason.EXHAUSTED)
        found = until(meter.check, map(self._decoded, cells.solutions(meter)))
        try:
            return (yield from pulled(found, request, watch, Projection(self.model, request.keep).new))
        finally:
            record.sizes["nodes"] = meter.nodes

    def _cells(self, request: Request) -> Cells | None:
        """Return what is to be searched; None if there cannot be a solution."""
        cells = Cells(self._plan, request.seed)
        narrow = {name: frozenset(values) for name, values in request.domains.items()}
        hidden = (cells.hide(self._plan.nodes[option]) for option in outside(self._plan.options, narrow))
        return None if self._matrix.impossible or not all(hidden) else cells

    def _decoded(self, chosen: Iterable[int]) -> Solution:
        values: Mapping[str, int] = dict(map(self._plan.options.__getitem__, chosen))
        return tuple([values[name] for name in self.model.names])
