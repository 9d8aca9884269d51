"""The backend ``minizinc``: the program of that name, with any of the solvers that it knows.

Each run is a separate process, which ends with this one. The package ``minizinc`` of Python is not needed.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any

from sudoku_models.engine.base import BackendBase, CompiledBase
from sudoku_models.engine.budget import Budget, GaveUp, OutOfMemory
from sudoku_models.engine.contract import Capabilities, Feature, Quirk, Request, Search, wanted_of
from sudoku_models.engine.numbers import Numbers
from sudoku_models.engine.program import Program
from sudoku_models.engine.pulling import pulled
from sudoku_models.engine.record import Record
from sudoku_models.errors import BackendMissing, BadOption
from sudoku_models.exports.common import settled
from sudoku_models.exports.minizinc import CAPABILITIES, identifiers, lines
from sudoku_models.model import (
    Compare,
    Constraint,
    Count,
    Domain,
    Linear,
    Model,
    NValue,
    Objective,
)
from sudoku_models.model.logic import nested

COUNTS: tuple[type[Constraint], ...] = (Count, NValue)


def _nested_counts(model: Model) -> bool:
    return any(isinstance(part, COUNTS) for c in model.constraints for part in nested(c) if part is not c)


GECODE_QUIRKS = (
    Quirk(
        "counts within other constraints",
        "a != between sums that is a part of another constraint ignores the factors of the sums",
        "Gecode 6.2 with MiniZinc 2.6",
        "such a != is written as < or >; what else counts within another constraint is confirmed",
        _nested_counts,
    ),
)


PROGRAM = "minizinc"
INSTALL = "apt install minizinc (or: brew install minizinc, https://www.minizinc.org)"


GECODE, GECODE_FLAGS = "gecode", frozenset({"-a", "-p"})
"""The default solver and its flags, listed here so that the program need not be asked."""


def flags_of(name: str) -> frozenset[str]:
    """Return the standard flags that a solver accepts; raise BadOption, with the choices, if it is not known."""
    if name == GECODE:
        return GECODE_FLAGS
    known = _known()
    if name.lower() not in known:
        choices = ", ".join(sorted(known, key=str.lower))
        raise BadOption(f"minizinc: solver={name} is not known: {choices}")
    return known[name.lower()]


def program() -> str:
    """Return the path of the program; raise BackendMissing if there is none."""
    found = shutil.which(PROGRAM)
    if found is None:
        raise BackendMissing(f"minizinc needs the program {PROGRAM} on the path: {INSTALL}")
    return found


@lru_cache(maxsize=1)
def _known() -> dict[str, frozenset[str]]:
    """Ask the program for the flags of its solvers, by name, by identifier and by its last part."""
    done = subprocess.run([program(), "--solvers-json"], capture_output=True, text=True, timeout=60, check=True)
    found: dict[str, frozenset[str]] = {}
    for entry in json.loads(done.stdout):
        names = entry["id"], entry["name"], entry["id"].rpartition(".")[2]
        found |= dict.fromkeys(map(str.lower, names), frozenset(entry.get("stdFlags", ())))
    return found


PROVED = frozenset({"ALL_SOLUTIONS", "OPTIMAL_SOLUTION", "UNSATISFIABLE"})
"""Statuses that end a search in which nothing is left to find."""

NO_MEMORY = ("bad_alloc", "memory", "not allocate", "failed to map", "temporarily unavailable")
"""Words that programs print when they cannot allocate more memory."""


def answers(process: Program, clock: Budget) -> Iterator[Mapping[str, int]]:
    """Yield the values of each solution by identifier, as they come.

    Raise GaveUp unless it is proved that there are no others, OutOfTime or OutOfMemory, or RuntimeError with the
    program's words when it fails.
    """
    status, errors = "", []
    for line in process.lines(clock):
        message: dict[str, Any] = json.loads(line) if line.startswith(b"{") else {}  # a solver may print its own
        match message.get("type"):
            case "solution":
                yield message["output"]["json"]
            case "status":
                status = message["status"]
            case "error":
                errors.append(str(message.get("message", message)))
    if errors or status in ("", "ERROR"):
        reason = "; ".join(filter(None, [*errors, process.remarks()])) or "the program ended without an answer"
        if clock.memory is not None and any(word in reason for word in NO_MEMORY):
            raise OutOfMemory
        raise RuntimeError(reason)
    if status not in PROVED:
        raise GaveUp


LARGEST = 2**31 - 2
"""The largest absolute value of a variable, and of a sum or one of its partial sums."""

NUMBERS = Numbers(
    value=LARGEST, stated=LARGEST, sums=dict.fromkeys((Compare, Count, Linear, NValue, Objective), LARGEST)
)
"""The largest numbers: solvers count in 32 bits."""


@dataclass(frozen=True)
class MiniZincOptions:
    """``solver`` is a name as the program's ``--solvers`` lists them, or its identifier; BadOption for any other."""

    solver: str = field(default="gecode", metadata={"programs": ("gecode", "chuffed", "coin-bc")})

    def __post_init__(self) -> None:
        flags_of(self.solver)


class MiniZinc(BackendBase):
    """The backend ``minizinc``."""

    name = "minizinc"
    Options = MiniZincOptions

    def capabilities_with(self, options: MiniZincOptions) -> Capabilities:
        """Return what a solver can do."""
        flags = flags_of(options.solver)
        by_flag = {"-a": Feature.ENUMERATE, "-p": Feature.WORKERS}
        able = {feature for flag, feature in by_flag.items() if flag in flags}
        return replace(
            CAPABILITIES,
            features=frozenset({Feature.PROVE, Feature.OBJECTIVE, Feature.TIME_LIMIT, *able}),
            programs=(PROGRAM,),
            install=INSTALL,
            numbers=NUMBERS,
            quirks=GECODE_QUIRKS if "gecode" in options.solver.lower() else (),
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
        return self.text({})

    @cached_property
    def _identifiers(self) -> Mapping[str, str]:
        return identifiers(self.model)

    def of_variable(self, name: str) -> str:
        """Return the name of a variable in ``native``."""
        return self._identifiers[name]

    def of_value(self, name: str, value: int) -> str:
        """Return the expression, in parentheses, that is true exactly when a variable has a value."""
        return f"({self._identifiers[name]} == {value})"

    def values_in(self, answer: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values by name in a solution that the program prints as JSON, read as a mapping."""
        return {name: answer.get(called) for name, called in self._identifiers.items()}

    def text(self, domains: Mapping[str, Domain]) -> str:
        """Return the model in MiniZinc with narrower domains."""
        return "".join(lines(settled(self.model.narrowed(domains))))

    def command(self, request: Request) -> list[str]:
        """Return the command of a run, which reads the model from its input."""
        flags = flags_of(self.options.solver)
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
        watch = record.stopwatch()
        text, names = self.text(request.domains), [self._identifiers[x] for x in self.model.names]
        record.sizes |= {"variables": len(self.model.variables), "constraints": len(self.model.constraints)}
        watch.lap("encode")
        with closing(Program(self.command(request), text, clock.memory)) as process:
            found = (tuple([values[name] for name in names]) for values in answers(process, clock))
            return (yield from pulled(found, request, watch, wanted_of(self.model, request.keep)))
