"""The backend: capabilities, compiled models and runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sudoku_models.engine.base import BackendBase, CompiledBase, candidate, complete, variable_name
from sudoku_models.engine.budget import Budget, GaveUp
from sudoku_models.engine.contract import Capabilities, Feature, Request, Search, Solution, wanted_of
from sudoku_models.engine.numbers import Numbers
from sudoku_models.engine.pulling import pulled
from sudoku_models.engine.record import Record
from sudoku_models.exports.minizinc import CAPABILITIES, identifiers, lines
from sudoku_models.exports.settle import settled
from sudoku_models.model import Compare, Count, Domain, Linear, Model, NValue, Objective, VariableLike

from .quirks import GECODE
from .solvers import INSTALL, PROGRAM, program, solver_of

if TYPE_CHECKING:
    from sudoku_models.engine.program import Program

LARGEST = 2**31 - 2
"""The largest absolute value of a variable, and of a sum or one of its partial sums."""

NUMBERS = Numbers(value=LARGEST, sums=dict.fromkeys((Compare, Count, Linear, NValue, Objective), LARGEST))
"""The largest numbers: solvers count in 32 bits."""


@dataclass(frozen=True)
class MiniZincOptions:
    """``solver`` is a name as the program's ``--solvers`` lists them, or its identifier; BadOption for any other."""

    solver: str = field(default="gecode", metadata={"programs": ("gecode", "chuffed", "coin-bc")})

    def __post_init__(self) -> None:
        solver_of(self.solver)


class MiniZinc(BackendBase):
    """The backend ``minizinc``."""

    name = "minizinc"
    Options = MiniZincOptions

    def capabilities_with(self, options: MiniZincOptions) -> Capabilities:
        """Return what a solver can do."""
        flags = solver_of(options.solver).flags
        by_flag = {"-a": Feature.ENUMERATE, "-p": Feature.WORKERS}
        able = {feature for flag, feature in by_flag.items() if flag in flags}
        return Capabilities(
            kinds=CAPABILITIES.kinds,
            features=frozenset({Feature.PROVE, Feature.OBJECTIVE, Feature.TIME_LIMIT, *able}),
            programs=(PROGRAM,),
            install=INSTALL,
            refuses=CAPABILITIES.refuses,
            numbers=NUMBERS,
            quirks=GECODE if "gecode" in options.solver.lower() else (),
        )

    def compile(self, model: Model, options: MiniZincOptions) -> CompiledMiniZinc:
        """Take a model that the capabilities accept; raise BackendMissing if the program is not on the path."""
        return CompiledMiniZinc(model, options, program())


BACKEND = MiniZinc()


class CompiledMiniZinc(CompiledBase):
    """A model as a text. Each run is a process, which reads it with the domains narrowed."""

    label = "minizinc"

    def __init__(self, model: Model, options: MiniZincOptions, path: str) -> None:
        self.model, self.options, self._path = model, options, path

    @property
    def native(self) -> str:
        """The model in MiniZinc."""
        return self.text({})

    @cached_property
    def _identifiers(self) -> Mapping[str, str]:
        return identifiers(self.model)

    def variable(self, cell: VariableLike) -> str:
        """Return the name of a variable in ``native``; raise KeyError if there is no such variable."""
        return self._identifiers[variable_name(self.model, cell)]

    def literal(self, cell: VariableLike, value: int) -> str:
        """Return the expression, in parentheses, that is true exactly when a variable has a value.

        Raise KeyError if the variable does not exist or cannot have the value.
        """
        name, value = candidate(self.model, cell, value)
        return f"({self._identifiers[name]} == {value})"

    def decode(self, answer: Mapping[str, Any]) -> dict[str, int]:
        """Return the values by name in a solution that the program prints as JSON, read as a mapping.

        Raise ValueError if a variable has no value.
        """
        return complete({name: answer.get(called) for name, called in self._identifiers.items()})

    def text(self, domains: Mapping[str, Domain]) -> str:
        """Return the model in MiniZinc with narrower domains."""
        return "".join(lines(settled(self.model.narrowed(domains))))

    def command(self, request: Request) -> list[str]:
        """Return the command of a run, which reads the model from its input."""
        flags = solver_of(self.options.solver).flags
        found = [self._path, "--solver", self.options.solver, "--json-stream", "--output-mode", "json"]
        if self.model.objective:
            found += ["-i"] if flags & {"-a", "-i"} else []
        elif request.limit != 1:
            found.append("-a")
        if request.workers > 1:
            found += ["-p", str(request.workers)]
        return [*found, "-"]

    def search(self, request: Request, clock: Budget, record: Record) -> Search:
        """Yield those of the program's solutions that are wanted."""
        from sudoku_models.engine.program import Program

        watch = record.stopwatch()
        text = self.text(request.domains)
        record.sizes |= {"variables": len(self.model.variables), "constraints": len(self.model.constraints)}
        watch.lap("encode")
        process = Program(self.command(request), text, clock.memory)
        try:
            found = self._solutions(process, clock, clock.memory is not None)
            return (yield from pulled(found, request, watch, wanted_of(self.model, request.keep)))
        finally:
            process.close()

    def _solutions(self, process: Program, clock: Budget, limited: bool) -> Iterator[Solution]:
        """Yield the solutions that a process prints; raise GaveUp if it does not prove that there are no others."""
        from .answers import MiniZincAnswers

        answers, names = MiniZincAnswers(process, clock, limited), self._identifiers
        for values in answers:
            yield tuple([values[names[x]] for x in self.model.names])
        if not answers.complete:
            raise GaveUp
