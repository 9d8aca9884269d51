"""The backend ``dimacs``: any program on the path that takes part in the SAT competitions.

The program gets a DIMACS file and prints ``s`` and ``v`` lines. Each question is a separate process, which ends with
this one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from sudoku_models.engine.base import BackendBase
from sudoku_models.engine.budget import Budget
from sudoku_models.engine.contract import Capabilities, Feature, Request, Search
from sudoku_models.engine.program import UNSATISFIABLE, ask, command_of, literals, on_the_path
from sudoku_models.engine.record import Record
from sudoku_models.model import Model

from .compiled import CLAUSES, CompiledFormula, EncodingOptions, Reloaded

if TYPE_CHECKING:
    from .formula import Formula

KNOWN = ("kissat", "cadical", "cryptominisat5", "glucose", "lingeling", "picosat")
"""Programs that are tried in this order if none is named."""

INSTALL = "apt install cadical (or any program of the competitions: dimacs:program=NAME)"


@dataclass(frozen=True)
class DimacsOptions(EncodingOptions):
    """The options of the encoding, and ``program``: a program on the path, with arguments if needed.

    ``auto`` is the first known program that is there. Raise BadOption if there is no such program.
    """

    program: str = field(default="auto", metadata={"programs": KNOWN})

    def __post_init__(self) -> None:
        super().__post_init__()
        on_the_path(self.program, KNOWN)

    @property
    def command(self) -> tuple[str, ...]:
        return command_of(self.program, KNOWN)


class Dimacs(BackendBase):
    name = "dimacs"
    Options = DimacsOptions

    def capabilities_with(self, options: DimacsOptions) -> Capabilities:
        """Return the same for all programs, except for what has to be on the path."""
        features, programs = CLAUSES.features | {Feature.TIME_LIMIT}, options.command[:1]
        return replace(CLAUSES, features=features, programs=programs, install=INSTALL)

    def compile(self, model: Model, options: DimacsOptions | None = None) -> CompiledDimacs:
        return CompiledDimacs(model, options or DimacsOptions())


BACKEND = Dimacs()


class CompiledDimacs(CompiledFormula):
    """A model ready for a program. Immutable; any number of threads may run it at the same time."""

    label = "dimacs"
    options: DimacsOptions

    def search(self, request: Request, budget: Budget, record: Record) -> Search:
        """Give the program the formula, then again with the solutions found forbidden."""
        from .search import search

        command = self.options.command
        return (yield from search(self, request, record, lambda formula, _: Rerun(command, formula, budget)))


class Rerun(Reloaded):
    """A program that is asked repeatedly about a formula with a growing list of clauses."""

    def __init__(self, command: Sequence[str], formula: Formula, budget: Budget) -> None:
        super().__init__(formula)
        self._command, self._budget = command, budget

    def solve(self, assumptions: Sequence[int] = ()) -> list[int] | None:
        """Return a model; None if there is none. Raise OutOfTime or OutOfMemory."""
        if not self.variables:
            return None  # over nothing at all, a clause is empty
        answer = ask(self._command, self._lines(), ".cnf", self._budget, self._budget.memory)
        if answer.status == UNSATISFIABLE:
            return None
        true = set(literals(answer.values))
        return [number if number in true else -number for number in range(1, self.variables + 1)]

    def _lines(self) -> Iterator[str]:
        yield f"p cnf {self.variables} {self.formula.clauses + len(self.added)}\n"
        yield from (f"{' '.join(map(str, clause))} 0\n" for clause in self.clauses())
