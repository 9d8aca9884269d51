"""What both have in common: a model as XCSP3, and a process for each run."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice, product
from pathlib import Path
from typing import Any

from sudoku_models.engine.base import CompiledBase, candidate, complete, variable_name
from sudoku_models.engine.budget import Budget, GaveUp, OutOfMemory
from sudoku_models.engine.contract import Ending, Reason, Request, Search, Solution, wanted_of
from sudoku_models.engine.program import Program
from sudoku_models.engine.pulling import pulled
from sudoku_models.engine.record import Record, Stopwatch
from sudoku_models.errors import BackendFailed
from sudoku_models.exports.settle import settled
from sudoku_models.exports.xcsp3 import identifiers, lines
from sudoku_models.exports.zero_one import tuples_of
from sudoku_models.model import (
    OPERATORS,
    Constraint,
    Count,
    Domain,
    InDomain,
    Linear,
    Model,
    Objective,
    Table,
    VariableLike,
)

from . import java


class CompiledXcsp3(CompiledBase):
    """A model as a text. Each run is a process, which reads it with the domains narrowed."""

    late = False
    """Whether the program reports the best solution only when it has ended."""

    archive = ""
    """The place of the program's jar among those of the package; a star stands for its version."""

    def __init__(self, model: Model, options: Any) -> None:
        self.jar = java.jar(self.archive)
        self.model, self.options, self.names = model, options, identifiers(model)

    @property
    def native(self) -> str:
        """The model in XCSP3."""
        return self.text({})

    def variable(self, cell: VariableLike) -> str:
        """Return the name of a variable in ``native``; raise KeyError if there is no such variable."""
        return self.names[variable_name(self.model, cell)]

    def literal(self, cell: VariableLike, value: int) -> str:
        """Return the expression that is true exactly when a variable has a value.

        Raise KeyError if the variable does not exist or cannot have the value.
        """
        name, value = candidate(self.model, cell, value)
        return f"eq({self.names[name]},{value})"

    def decode(self, answer: Mapping[str, int]) -> dict[str, int]:
        """Return the values by name in a solution that is read as a mapping; raise ValueError if a variable has no
        value.

        A variable that the program does not mention may have any value.
        """
        some = {name: values[0] for name, values in settled(self.model).domains.items()}
        return complete({name: answer.get(called, some.get(name)) for name, called in self.names.items()})

    def text(self, domains: Mapping[str, Domain]) -> str:
        """Return the model in XCSP3 with narrower domains; a contradiction is left as it is."""
        model = settled(self.model.narrowed(domains))
        with suppress(Contradiction):
            model = reduced(model)
        return "".join(lines(model))

    def arguments(self, path: str, request: Request, model: Model, every: bool) -> Sequence[str]:
        """Return what follows Java's own flags: the program, its options, and the path of the model."""
        raise NotImplementedError

    def search(self, request: Request, clock: Budget, record: Record) -> Search:
        """Yield those of the program's solutions that are wanted."""
        record.sizes |= {"variables": len(self.model.variables), "constraints": len(self.model.constraints)}
        model = settled(self.model.narrowed(request.domains))
        watch = record.stopwatch()
        try:
            found = self._solutions(model, request, clock, watch)
            return (yield from pulled(found, request, watch, wanted_of(self.model, request.keep)))
        except Contradiction:
            return Ending(Reason.EXHAUSTED)

    def _solutions(self, model: Model, request: Request, clock: Budget, watch: Stopwatch) -> Iterator[Solution]:
        """Yield solutions as the program prints them; a ``late`` program is asked for a first one before the best."""
        objective = model.objective
        if objective is None:
            yield from self._asked(model, request, clock, watch, every=request.limit != 1)
            return
        terms = {x: factor for x, factor in objective.terms.items() if len(model.domains[x]) > 1}
        if not terms:  # all solutions are equally good
            yield from self._asked(model.without_objective(), request, clock, watch, every=False)
            return
        plain = Objective(objective.sense, terms.values(), terms)
        model = _with_two_together(model.with_(objective=plain))  # ACE fails on some with constants
        if self.late:
            best = None
            for solution in self._asked(model.without_objective(), request, clock, watch, every=False):
                best = objective.value(dict(zip(self.model.names, solution, strict=True)))
                yield solution
            if best is None:
                return
            model = model.with_(objective.better_than(best))
        yield from self._asked(model, request, clock, watch, every=True)

    def _asked(
        self, model: Model, request: Request, clock: Budget, watch: Stopwatch, every: bool
    ) -> Iterator[Solution]:
        """Yield what the program prints for a model; without ``every`` a first solution is enough."""
        if not model.names:
            yield ()  # a contradiction has a variable
            return
        with tempfile.TemporaryDirectory(prefix="sudoku-models-") as folder:
            path = Path(folder, "model.xml")
            path.write_text("".join(lines(reduced(model))), encoding="utf-8")
            watch.lap("encode")
            command = [*java.command(clock.memory), *self.arguments(str(path), request, model, every)]
            process = Program(command, "", None)
            try:
                late = bool(model.objective) and self.late
                answers = Instantiations(process, clock, every and not model.objective, late)
                for values in answers:
                    yield from self._meant(values, model) if every else islice(self._meant(values, model), 1)
                    if not every:
                        return
                if not answers.complete:
                    raise GaveUp
            finally:
                process.close()

    def _meant(self, values: Mapping[str, int], model: Model) -> Iterator[Solution]:
        """Yield the solutions that an answer represents: what it does not mention may have any value of its domain."""
        domains = [(self.names[name], model.domains[name]) for name in self.model.names]
        return product(*[(values[called],) if called in values else domain for called, domain in domains])


def _with_two_together(model: Model) -> Model:
    """Add a trivial constraint on two variables if none has two: ACE fails on objectives over single variables."""
    if len(model.names) < 2 or any(len(constraint.scope) > 1 for constraint in model.constraints):
        return model
    xs = model.names[:2]
    return model.with_(Linear((1, 1), xs, ">=", sum(model.domains[x][0] for x in xs)))


COMPLETE = frozenset({"UNSATISFIABLE", "OPTIMUM FOUND"})
"""Statuses that end a search in which nothing is left to find."""

CUT_SHORT = ("INCOMPLETE EXPLORATION", "Unexpected resolution interruption")
"""Words of a line printed after a search for all solutions that was not completed."""

CONTRADICTION = "Constraint with only conflicts"
"""What ACE prints about a constraint that never holds, before it gives up: the answer is known then."""

NO_MEMORY = ("OutOfMemoryError", "Could not reserve", "insufficient memory", "Not enough space", "unable to create")
"""Words that Java prints when it cannot allocate more memory."""

_INSTANTIATION = re.compile(r"<list>\s*(.*?)\s*</list>\s*<values>\s*(.*?)\s*</values>", re.DOTALL)


@dataclass
class Instantiations:
    """The instantiations that a program prints; ``complete`` afterwards: it is proved that there are no further ones.

    ``all_asked``: all solutions were asked for, so that a search which was not cut short found them. ``again``: what
    follows the status is new too (Choco prints the best solution only there); otherwise it repeats the last one.
    """

    process: Program
    clock: Budget
    all_asked: bool
    again: bool
    complete: bool = False

    def __iter__(self) -> Iterator[dict[str, int]]:
        """Yield the values of each solution by identifier.

        Raise OutOfTime or OutOfMemory, or BackendFailed with the program's words when it fails.
        """
        status, text, cut = "", "", False
        for line in (raw.decode(errors="replace").strip() for raw in self.process.lines(self.clock)):
            if line.startswith("s "):
                status = line[2:].strip()
            elif line.startswith("v"):
                text += line[1:]
                if "</instantiation>" in text:
                    if not status or self.again:
                        yield _values(text)
                    text = ""
            cut = cut or any(word in line for word in CUT_SHORT)
        self._end(status, cut)

    def _end(self, status: str, cut: bool) -> None:
        found = status in COMPLETE or (self.all_asked and status == "SATISFIABLE")
        remarks = self.process.remarks()
        if CONTRADICTION in remarks:
            found, cut = True, False
        elif cut or status in ("", "UNKNOWN", "UNSUPPORTED"):
            if any(word in remarks for word in NO_MEMORY):
                raise OutOfMemory
            if status != "SATISFIABLE":
                raise BackendFailed(remarks[:500] or f"the program ended with {status or 'no answer'}")
        self.complete = found and not cut


def _values(text: str) -> dict[str, int]:
    found = _INSTANTIATION.search(text)
    names, values = (found[1].split(), found[2].split()) if found else ([], [""])
    if len(names) != len(values):
        raise BackendFailed(f"an instantiation was expected, but the program printed {text[:200]!r}")
    return {name: int(value) for name, value in zip(names, values, strict=True)}


class Contradiction(Exception):
    """The model has no solution."""


def reduced(model: Model) -> Model:
    """Return a model of the same solutions without tables over decided variables, on which ACE fails.

    Counts that always hold, or never, are settled too: Choco fails on some. Raise Contradiction if nothing can hold.
    """
    constraints = [left for constraint in model.constraints for left in _left_of(constraint, model)]
    return Model(model.variables, constraints, model.objective)


def _left_of(constraint: Constraint, model: Model) -> Iterator[Constraint]:
    """Yield a constraint, a smaller one instead, or nothing if it always holds."""
    match constraint:
        case Table():
            yield from _of_table(constraint, model)
        case Count():
            yield from _of_count(constraint, model)
        case _:
            yield constraint


def _of_count(c: Count, model: Model) -> Iterator[Constraint]:
    """Count only variables that may have one of the values, and only values that some variable may have."""
    values = [value for value in c.values if any(value in model.domains[x] for x in c.xs)]
    xs = [x for x in c.xs if not frozenset(values).isdisjoint(model.domains[x])]
    numbers = [c.y] if isinstance(c.y, int) else model.domains[c.y]
    held = {OPERATORS[c.op](number, y) for number in range(len(xs) + 1) for y in numbers}
    if True not in held:
        raise Contradiction
    if False in held:
        none = [y for y in numbers if OPERATORS[c.op](0, y)]
        yield Count(xs, values, c.op, c.y) if xs else InDomain(str(c.y), none)


def _of_table(constraint: Table, model: Model) -> Iterator[Table]:
    tuples = tuples_of(constraint, model.domains)
    places = [place for place, x in enumerate(constraint.scope) if len(model.domains[x]) > 1]
    if not tuples or not places:
        if bool(tuples) != constraint.allowed:
            raise Contradiction
        return
    scope = [constraint.scope[place] for place in places]
    yield Table(scope, [tuple(row[place] for place in places) for row in tuples], constraint.allowed)
