"""The backend ``highs``: linear programs over 0 and 1, by HiGHS.

HiGHS and OR-tools cannot be loaded in one process, so every run belongs into a child process; this package imports the
engine only where a program is solved.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from sudoku_models.engine.base import (
    CompiledBase,
    HouseSumsBackend,
    HouseSumsOptions,
)
from sudoku_models.engine.budget import Budget
from sudoku_models.engine.contract import Capabilities, Feature, Improving, Isolate, Quirk, Request, Search, Solution
from sudoku_models.engine.numbers import Numbers, measured, sums_of
from sudoku_models.engine.pulling import pulled
from sudoku_models.engine.record import Record
from sudoku_models.exports.zero_one import CAPABILITIES, PAIRS, WIDEST, EngineForm
from sudoku_models.model import Compare, Count, Domain, Linear, Model, Objective, narrowed_domains

if TYPE_CHECKING:
    from .engine import LoadedProgram


SPREAD = 200_000
"""The largest range of a sum: rows hold up to a tolerance of 1e-6, relative to such numbers."""

NUMBERS = Numbers(values=WIDEST, pairs={Compare: PAIRS}, spreads=dict.fromkeys((Linear, Count, Objective), SPREAD))
"""Offsets do not matter: the least value of each variable is taken out of the rows."""

NEAR = 1_000
"""Sums whose range is no larger are far from any tolerance."""


def _wide_sums(model: Model) -> bool:
    return any(measured(stated, model.domains)[1] > NEAR for stated in sums_of(model))


QUIRKS = (
    Quirk(
        "floating point",
        "rows hold up to a tolerance, so that from 10^11 on solutions are lost, and from 10^14 on optima are wrong",
        "HiGHS 1.11 to 1.15 (older ones crash on objectives)",
        "the least value of each variable is taken out of the rows, a sum may vary by 200,000, and what is wide is"
        " confirmed",
        _wide_sums,
    ),
)


class HighsForm(EngineForm):
    """The columns and rows of a model: a program over 0 and 1."""

    def highs(self) -> Any:
        """Return the program as a live ``highspy.Highs``; raise Unsupported in a process that has loaded OR-tools."""
        from .engine import load

        return load(self)

    def closed(self, domains: Mapping[str, Domain]) -> list[int]:
        """Return the columns that narrower domains set to 0."""
        left = {name: frozenset(values) for name, values in domains.items()}
        return [c for name in left for value, c in self.columns[name].items() if value not in left[name]]


@dataclass(frozen=True)
class HighsOptions(HouseSumsOptions):
    """``house_sums`` as in other backends; with ``log`` the engine writes what it does to the error stream."""

    log: bool = False


class Highs(HouseSumsBackend):
    """The backend ``highs``."""

    name = "highs"
    Options = HighsOptions
    capabilities = Capabilities(
        kinds=CAPABILITIES.kinds,
        features=frozenset({Feature.ENUMERATE, Feature.PROVE, Feature.OBJECTIVE, Feature.TIME_LIMIT, Feature.SEED}),
        requires=("highspy", "numpy"),
        install="sudoku-models[highs]",
        conflicts=("ortools",),
        isolate=Isolate.ALWAYS,
        refuses=CAPABILITIES.refuses,
        numbers=NUMBERS,
        quirks=QUIRKS,
        adds=("house-sums",),
        log="log=true",
    )

    def compile(self, model: Model, options: HighsOptions) -> CompiledProgram:
        """State a model that the capabilities accept."""
        return CompiledProgram(model, options)


BACKEND = Highs()


Part = tuple[Mapping[str, Domain], list[Solution]]
"""A part of the space, and the solutions known in it."""


class CompiledProgram(CompiledBase):
    """A model as a linear program. A run imports the engine, which fails next to OR-tools: it belongs in a child
    process.
    """

    label = "highs"

    options: HighsOptions

    def __init__(self, model: Model, options: HighsOptions) -> None:
        super().__init__(model, options)
        self._form = HighsForm(model)

    @property
    def native(self) -> HighsForm:
        """A fresh program as plain data; its method ``highs`` turns it into a live ``highspy.Highs``."""
        return HighsForm(self.model)

    def of_variable(self, name: str) -> dict[int, int]:
        """Return the columns of a variable by value: exactly one is 1."""
        return dict(self._form.columns[name])

    def of_value(self, name: str, value: int) -> int:
        """Return the column that is 1 exactly when a variable has a value."""
        return self._form.columns[name][value]

    def values_in(self, answer: Any) -> dict[str, int]:
        """Return the values by name in a ``HighsSolution``, or in the values of all columns."""
        values = getattr(answer, "col_value", answer)
        return self._form.values(column for column, x in enumerate(values) if x > 0.5)

    def search(self, request: Request, clock: Budget, record: Record) -> Search:
        """Yield all solutions, or those on the way to the best."""
        from .engine import LoadedProgram

        watch, form = record.stopwatch(), self._form
        record.sizes |= {"variables": len(form.meanings), "constraints": len(form.rows)}
        solver = LoadedProgram(form, request.seed, clock, self.options.log)
        watch.lap("encode")
        if self.model.objective is None:
            return (yield from pulled(self._enumerated(solver, request), request, watch))
        with closing(self._on_the_way(solver, request, record)) as found:
            return (yield from pulled(found, request, watch, Improving(self.model).new))

    def _read(self, values: Sequence[float]) -> Solution:
        found = self.values_in(values)
        return tuple([found[name] for name in self.model.names])

    def _on_the_way(self, solver: LoadedProgram, request: Request, record: Record) -> Generator[Solution, None, None]:
        """Solve once; yield the improving solutions as the engine reports them, then the best one."""
        solver.begin(self._form.closed(request.domains))
        with closing(solver.improving(partial(setattr, record, "bound"))) as found:
            yield from map(self._read, found)

    def _enumerated(self, solver: LoadedProgram, request: Request) -> Iterator[Solution]:
        """Yield the solutions, one for each choice of the kept variables.

        After each solution the part where it was found is split by the values of a kept variable, so that few known
        ones are left in each part: every row that forbids one makes the program harder.
        """
        kept = self.model.names if request.keep is None else tuple(dict.fromkeys(request.keep))
        waiting: list[Part] = [(narrowed_domains(self.model.domains, request.domains), [])]
        while waiting:
            domains, known = waiting.pop()
            solver.begin(self._form.closed(domains))
            for solution in known:
                solver.forbid([self._form.columns[x][solution[self.model.index[x]]] for x in kept])
            values = solver.solve()
            if values is not None:
                known.append(self._read(values))
                yield known[-1]
                waiting += self._split(domains, known, kept)

    def _split(self, domains: Mapping[str, Domain], known: list[Solution], kept: Sequence[str]) -> Iterator[Part]:
        """Yield the parts by the values of the kept variable with the fewest; none if all are decided."""
        open_ones = [name for name in kept if len(domains[name]) > 1]
        if open_ones:
            name = min(open_ones, key=lambda x: len(domains[x]))
            at = self.model.index[name]
            for value in domains[name]:
                yield {**domains, name: (value,)}, [s for s in known if s[at] == value]
