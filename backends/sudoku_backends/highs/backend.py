"""The backend: capabilities, compiled models and runs."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from contextlib import closing
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from sudoku_models.engine.base import (
    CompiledBase,
    HouseSumsBackend,
    HouseSumsOptions,
    candidate,
    complete,
    variable_name,
)
from sudoku_models.engine.budget import Budget
from sudoku_models.engine.contract import Capabilities, Feature, Improving, Isolate, Request, Search, Solution
from sudoku_models.engine.pulling import pulled
from sudoku_models.engine.record import Record
from sudoku_models.exports.zero_one import CAPABILITIES, refuses_model
from sudoku_models.model import Domain, Model, VariableLike, narrowed_domains

from .linear_rows import program_of
from .program import ZeroOneProgram, closed
from .quirks import NUMBERS, QUIRKS

if TYPE_CHECKING:
    from .engine import LoadedProgram


class Highs(HouseSumsBackend):
    """The backend ``highs``."""

    name = "highs"
    capabilities = Capabilities(
        kinds=CAPABILITIES.kinds,
        features=frozenset({Feature.ENUMERATE, Feature.PROVE, Feature.OBJECTIVE, Feature.TIME_LIMIT, Feature.SEED}),
        requires=("highspy", "numpy"),
        install="sudoku-models[highs]",
        conflicts=("ortools",),
        isolate=Isolate.ALWAYS,
        refuses=CAPABILITIES.refuses,
        refuses_model=refuses_model,
        numbers=NUMBERS,
        quirks=QUIRKS,
        adds=("house-sums",),
    )

    def compile(self, model: Model, options: HouseSumsOptions) -> CompiledProgram:
        """State a model that the capabilities accept."""
        return CompiledProgram(model)


BACKEND = Highs()


class CompiledProgram(CompiledBase):
    """A model as a linear program. A run imports the engine, which fails next to OR-tools: it belongs in a child
    process.
    """

    label = "highs"

    def __init__(self, model: Model) -> None:
        self.model, self._program = model, program_of(model)

    @property
    def native(self) -> ZeroOneProgram:
        """A fresh program as plain data; its method ``highs`` turns it into a live ``highspy.Highs``."""
        return program_of(self.model)

    @cached_property
    def _column(self) -> dict[tuple[str, int], int]:
        return {pair: number for number, pair in enumerate(self._program.columns)}

    def variable(self, cell: VariableLike) -> dict[int, int]:
        """Return the columns of a variable by value: exactly one is 1. Raise KeyError if there is no such variable."""
        name = variable_name(self.model, cell)
        return {value: self._column[name, value] for value in self.model.domains[name]}

    def literal(self, cell: VariableLike, value: int) -> int:
        """Return the column that is 1 exactly when a variable has a value.

        Raise KeyError if the variable does not exist or cannot have the value.
        """
        return self._column[candidate(self.model, cell, value)]

    def decode(self, answer: Any) -> dict[str, int]:
        """Return the values by name in a ``HighsSolution``, or in the values of all columns.

        Raise ValueError if a variable has no value: the answer is not a solution in whole numbers.
        """
        found = self._program.decode(getattr(answer, "col_value", answer))
        return complete({name: found.get(name) for name in self.model.names})

    def search(self, request: Request, clock: Budget, record: Record) -> Search:
        """Yield all solutions, or those on the way to the best."""
        from .engine import LoadedProgram

        watch, program = record.stopwatch(), self._program
        record.sizes |= {"variables": program.width, "constraints": len(program.rows)}
        solver = LoadedProgram(program, request.seed, clock)
        watch.lap("encode")
        if self.model.objective is None:
            solutions = ProgramEnumeration(self.model, program, solver, request).solutions()
            return (yield from pulled(solutions, request, watch))
        with closing(self._on_the_way(solver, request, record)) as found:
            return (yield from pulled(found, request, watch, Improving(self.model).new))

    def _on_the_way(self, solver: LoadedProgram, request: Request, record: Record) -> Generator[Solution, None, None]:
        """Solve once; yield the improving solutions as the engine reports them, then the best one."""
        solver.begin(closed(self._program, request.domains))
        with closing(solver.improving(partial(setattr, record, "bound"))) as found:
            for values in found:
                yield self._program.read(values, self.model)


Part = tuple[Mapping[str, Domain], list[Solution]]
"""A part of the space, and the solutions known in it."""


class ProgramEnumeration:
    """The solutions of a program, one for each choice of the kept variables.

    After each solution the part where it was found is split by the values of a kept variable, so that few known ones
    are left in each part: every row that forbids one makes the program harder.
    """

    def __init__(self, model: Model, program: ZeroOneProgram, solver: LoadedProgram, request: Request) -> None:
        self.model, self.program, self.solver = model, program, solver
        self.domains = narrowed_domains(model.domains, request.domains)
        self.kept = model.names if request.keep is None else tuple(dict.fromkeys(request.keep))
        self.column = {pair: number for number, pair in enumerate(program.columns)}

    def solutions(self) -> Generator[Solution, None, None]:
        """Yield every solution."""
        waiting: list[Part] = [(self.domains, [])]
        while waiting:
            domains, known = waiting.pop()
            self.solver.begin(closed(self.program, domains))
            for solution in known:
                self._forbid(solution)
            values = self.solver.solve()
            if values is not None:
                known.append(self.program.read(values, self.model))
                yield known[-1]
                waiting += self._split(domains, known)

    def _split(self, domains: Mapping[str, Domain], known: list[Solution]) -> Iterator[Part]:
        """Yield the parts by the values of the kept variable with the fewest; none if all are decided."""
        open_ones = [name for name in self.kept if len(domains[name]) > 1]
        if open_ones:
            name = min(open_ones, key=lambda x: len(domains[x]))
            at = self.model.index[name]
            for value in domains[name]:
                yield {**domains, name: (value,)}, [s for s in known if s[at] == value]

    def _forbid(self, solution: Solution) -> None:
        values = dict(zip(self.model.names, solution, strict=True))
        self.solver.forbid([self.column[name, values[name]] for name in self.kept])
