"""The backends ``ace`` and ``choco``: constraint solvers in Java, which read what the export ``xcsp3`` writes.

The package ``pycsp3`` brings both as jars; it is not imported. A run is a process of Java, and ends with this one.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import cached_property
from importlib.util import find_spec
from itertools import islice, product
from pathlib import Path
from typing import Any

from sudoku_models.engine.base import BackendBase, CompiledBase
from sudoku_models.engine.budget import Budget, GaveUp, OutOfMemory
from sudoku_models.engine.contract import (
    Capabilities,
    Ending,
    Feature,
    Quirk,
    Reason,
    Request,
    Search,
    Solution,
    wanted_of,
)
from sudoku_models.engine.numbers import Numbers
from sudoku_models.engine.program import Program
from sudoku_models.engine.pulling import pulled
from sudoku_models.engine.record import Record, Stopwatch
from sudoku_models.errors import BackendFailed, BackendMissing
from sudoku_models.exports.common import settled
from sudoku_models.exports.xcsp3 import CAPABILITIES, identifiers, lines
from sudoku_models.exports.zero_one import tuples_of
from sudoku_models.model import OPERATORS, Constraint, Domain, Model, Objective, kinds

KINDS = CAPABILITIES.kinds - {kinds.NValue, kinds.Regular}
"""Choco loses solutions of NValue (see ``quirks``) and takes no negative value in Regular; ACE fails on some."""

LARGEST = (2**31 - 1) // 100
"""The largest absolute value and sum: Choco takes no larger ones, and both count in 32 bits."""

NUMBERS = Numbers(
    value=LARGEST,
    stated=LARGEST,
    values=100_000,
    sums=dict.fromkeys((kinds.Compare, kinds.Count, kinds.Linear, Objective), LARGEST),
)


def refuses(constraint: Constraint) -> str | None:
    """Return why a constraint is refused; None if it is accepted."""
    match constraint:
        case kinds.MinMax(xs=xs) if len(set(xs)) < max(2, len(xs)):
            return "a MinMax of one variable, or with a repeated one, makes ACE or Choco fail"
        case kinds.LexLess(xs=xs, ys=ys) if len(xs) < 2 or len({*xs, *ys}) < len(xs) + len(ys):
            return "a LexLess of single variables, or with a repeated one, makes ACE or Choco fail"
        case kinds.Element(xs=xs, i=i, y=y) if len(set(xs)) < len(xs) or i == y:
            return "an Element with a repeated variable, or whose value is its index, makes ACE or Choco fail"
        case kinds.Count(xs=xs, op=op) if op == "!=" or len(set(xs)) < len(xs):
            return "a Count with a repeated variable, or with !=, is miscounted, or makes ACE or Choco fail"
    return CAPABILITIES.refuses(constraint)


def _n_values(model: Model) -> bool:
    return any(isinstance(constraint, kinds.NValue) for constraint in model.constraints)


def _repeated_counts(model: Model) -> bool:
    return any(isinstance(c, kinds.Count) and len(set(c.xs)) < len(c.xs) for c in model.constraints)


ACE_QUIRKS = (
    Quirk(
        "counts of a variable twice",
        "a Count in which a variable appears twice is miscounted",
        "ACE 2.6",
        "such a Count is written as other constraints",
        _repeated_counts,
    ),
)
CHOCO_QUIRKS = (
    Quirk(
        "numbers of values",
        "an NValue that is compared with a variable by < > or != loses solutions, or repeats them",
        "Choco 4.10.15, in XCSP3",
        "NValue is written as other constraints for it",
        _n_values,
    ),
)


PACKAGE = "pycsp3"
PROGRAM = "java"
INSTALL = "pip install 'sudoku-models[java]', and Java 11 or newer (apt install default-jre-headless)"

PLAIN = ("-XX:+UseSerialGC", "-Xshare:auto")
"""Flags with which a process of Java starts quickly and does not occupy other cores."""

LEAN = ("-XX:CompressedClassSpaceSize=64m", "-XX:ReservedCodeCacheSize=64m")
"""Flags for what it reserves besides its heap, if memory is limited."""

BESIDE = 320 << 20
"""Bytes of address space that a process of Java then needs besides its heap."""

LEAST = 16 << 20
"""Bytes of the smallest heap."""


def jar(pattern: str) -> str:
    """Return the path of a jar within the package; raise BackendMissing if there is none."""
    spec = find_spec(PACKAGE)
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        found = sorted(Path(folder, "solvers").glob(pattern))
        if found:
            return str(found[-1])
    raise BackendMissing(f"the package {PACKAGE} has no {pattern} among its solvers: {INSTALL}")


def java_command(memory_limit: int | None) -> list[str]:
    """Return Java with its flags. ``memory_limit`` is in bytes of address space, which the system may limit already."""
    import resource  # not on Windows

    allowed, _ = resource.getrlimit(resource.RLIMIT_AS)
    limits = [limit for limit in (memory_limit, allowed) if limit not in (None, resource.RLIM_INFINITY)]
    heap = [*LEAN, f"-Xmx{max(LEAST, min(limits) - BESIDE) >> 10}k"] if limits else []
    return [shutil.which(PROGRAM) or PROGRAM, *PLAIN, *heap]


class CompiledXcsp3(CompiledBase):
    """A model as a text. Each run is a process, which reads it with the domains narrowed."""

    late = False
    """Whether the program reports the best solution only when it has ended."""

    archive = ""
    """The place of the program's jar among those of the package; a star stands for its version."""

    def __init__(self, model: Model, options: Any) -> None:
        self.jar = jar(self.archive)
        self.model, self.options, self.names = model, options, identifiers(model)

    @property
    def native(self) -> str:
        """The model in XCSP3."""
        return self.text({})

    def of_variable(self, name: str) -> str:
        """Return the name of a variable in ``native``."""
        return self.names[name]

    def of_value(self, name: str, value: int) -> str:
        """Return the expression that is true exactly when a variable has a value."""
        return f"eq({self.names[name]},{value})"

    def values_in(self, answer: Mapping[str, int]) -> dict[str, int | None]:
        """Return the values by name in a solution that is read as a mapping.

        A variable that the program does not mention may have any value.
        """
        some = {name: values[0] for name, values in settled(self.model).domains.items()}
        return {name: answer.get(called, some.get(name)) for name, called in self.names.items()}

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
            command = [*java_command(clock.memory), *self.arguments(str(path), request, model, every)]
            with closing(Program(command)) as process:
                best = model.objective is not None
                for values in instantiations(process, clock, every and not best, best and self.late):
                    yield from self._meant(values, model) if every else islice(self._meant(values, model), 1)
                    if not every:
                        return

    def _meant(self, values: Mapping[str, int], model: Model) -> Iterator[Solution]:
        """Yield the solutions that an answer represents: what it does not mention may have any value of its domain."""
        domains = [(self.names[name], model.domains[name]) for name in self.model.names]
        return product(*[(values[called],) if called in values else domain for called, domain in domains])


def _with_two_together(model: Model) -> Model:
    """Add a trivial constraint on two variables if none has two: ACE fails on objectives over single variables."""
    if len(model.names) < 2 or any(len(constraint.scope) > 1 for constraint in model.constraints):
        return model
    xs = model.names[:2]
    return model.with_(kinds.Linear((1, 1), xs, ">=", sum(model.domains[x][0] for x in xs)))


COMPLETE = frozenset({"UNSATISFIABLE", "OPTIMUM FOUND"})
"""Statuses that end a search in which nothing is left to find."""

CUT_SHORT = ("INCOMPLETE EXPLORATION", "Unexpected resolution interruption")
"""Words of a line printed after a search for all solutions that was not completed."""

CONTRADICTION = "Constraint with only conflicts"
"""What ACE prints about a constraint that never holds, before it gives up: the answer is known then."""

NO_MEMORY = ("OutOfMemoryError", "Could not reserve", "insufficient memory", "Not enough space", "unable to create")
"""Words that Java prints when it cannot allocate more memory."""

_INSTANTIATION = re.compile(r"<list>\s*(.*?)\s*</list>\s*<values>\s*(.*?)\s*</values>", re.DOTALL)


def instantiations(process: Program, clock: Budget, all_asked: bool, again: bool) -> Iterator[dict[str, int]]:
    """Yield the values of each solution by identifier, as the program prints them.

    ``all_asked``: all solutions were asked for, so that a search which was not cut short found them. ``again``: what
    follows the status is new too (Choco prints the best solution only there); otherwise it repeats the last one. Raise
    GaveUp unless it is proved that there are no others, OutOfTime or OutOfMemory, or BackendFailed with the program's
    words when it fails.
    """
    status, text, cut = "", "", False
    for line in (raw.decode(errors="replace").strip() for raw in process.lines(clock)):
        if line.startswith("s "):
            status = line[2:].strip()
        elif line.startswith("v"):
            text += line[1:]
            if "</instantiation>" in text:
                if not status or again:
                    yield _values(text)
                text = ""
        cut = cut or any(word in line for word in CUT_SHORT)
    remarks = process.remarks()
    if CONTRADICTION in remarks:
        return
    if cut or status in ("", "UNKNOWN", "UNSUPPORTED"):
        if any(word in remarks for word in NO_MEMORY):
            raise OutOfMemory
        if status != "SATISFIABLE":
            raise BackendFailed(remarks[:500] or f"the program ended with {status or 'no answer'}")
    if cut or not (status in COMPLETE or (all_asked and status == "SATISFIABLE")):
        raise GaveUp


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
        case kinds.Table():
            yield from _of_table(constraint, model)
        case kinds.Count():
            yield from _of_count(constraint, model)
        case _:
            yield constraint


def _of_count(c: kinds.Count, model: Model) -> Iterator[Constraint]:
    """Count only variables that may have one of the values, and only values that some variable may have."""
    values = [value for value in c.values if any(value in model.domains[x] for x in c.xs)]
    xs = [x for x in c.xs if not frozenset(values).isdisjoint(model.domains[x])]
    numbers = [c.y] if isinstance(c.y, int) else model.domains[c.y]
    held = {OPERATORS[c.op](number, y) for number in range(len(xs) + 1) for y in numbers}
    if True not in held:
        raise Contradiction
    if False in held:
        none = [y for y in numbers if OPERATORS[c.op](0, y)]
        yield kinds.Count(xs, values, c.op, c.y) if xs else kinds.InDomain(str(c.y), none)


def _of_table(constraint: kinds.Table, model: Model) -> Iterator[kinds.Table]:
    tuples = tuples_of(constraint, model.domains)
    places = [place for place, x in enumerate(constraint.scope) if len(model.domains[x]) > 1]
    if not tuples or not places:
        if bool(tuples) != constraint.allowed:
            raise Contradiction
        return
    scope = [constraint.scope[place] for place in places]
    yield kinds.Table(scope, [tuple(row[place] for place in places) for row in tuples], constraint.allowed)


FEATURES = frozenset({Feature.ENUMERATE, Feature.PROVE, Feature.OBJECTIVE, Feature.TIME_LIMIT})
"""What both can do."""


@dataclass(frozen=True)
class Xcsp3Options:
    """``variables``: the search takes the one of most failures (``wdeg``), of fewest values, or the first one."""

    variables: str = field(default="wdeg", metadata={"choices": ("wdeg", "dom", "first")})


class Xcsp3(BackendBase):
    """A backend in Java that reads XCSP3: its form of a model, its faults, and the features that only it has."""

    Options = Xcsp3Options

    def __init__(
        self, compiled: type[CompiledXcsp3], quirks: tuple[Quirk, ...], more: frozenset[Feature] = frozenset()
    ) -> None:
        self.name, self._compiled, self._quirks, self._more = compiled.label, compiled, quirks, more

    @cached_property
    def capabilities(self) -> Capabilities:
        """What the solver can do, whatever its options."""
        return Capabilities(
            kinds=KINDS,
            features=FEATURES | self._more,
            requires=(PACKAGE,),
            programs=(PROGRAM,),
            install=INSTALL,
            refuses=refuses,
            numbers=NUMBERS,
            quirks=self._quirks,
        )

    def compile(self, model: Model, options: Xcsp3Options) -> CompiledXcsp3:
        """Take a model that the capabilities accept; raise BackendMissing if the package has no such solver."""
        return self._compiled(model, options)


ACE_HEURISTICS = {"wdeg": "", "dom": "Dom", "first": "Lexico"}
"""The variable that the search takes next, by the program's names; ACE has its own default."""

ACE_FLAGS = ("-xe", "-xc=false", "-npc", "-v=-1", "-ev", "-riv=false", "-omv=false", "-positive=V")
"""Print each solution on a line, and leave no variable out; some of its tables fail on domains of one value."""

ACE_SEEDS = 1 << 31


class CompiledAce(CompiledXcsp3):
    label = "ace"
    archive = "ace/ACE-*.jar"

    def arguments(self, path: str, request: Request, model: Model, every: bool) -> Sequence[str]:
        """Return the jar and the program's options; a seed makes its choices random."""
        heuristic = ACE_HEURISTICS[self.options.variables]
        found = ["-jar", self.jar, path, *ACE_FLAGS, f"-s={'all' if every else 1}"]
        if request.seed:
            return [*found, "-varh=Rand", "-valh=Rand", f"-seed={request.seed % ACE_SEEDS}"]
        return [*found, f"-varh={heuristic}"] if heuristic else found


ACE = Xcsp3(CompiledAce, ACE_QUIRKS, frozenset({Feature.SEED}))


CHOCO_MAIN = "org.chocosolver.parser.xcsp.ChocoXCSP"

CHOCO_HEURISTICS = {"wdeg": "", "dom": "DOM", "first": "INPUT"}
"""The variable that the search takes next, by the program's names; Choco has its own default."""


class CompiledChoco(CompiledXcsp3):
    label, late = "choco", True
    archive = "choco/choco-parsers-*.jar"

    def arguments(self, path: str, request: Request, model: Model, every: bool) -> Sequence[str]:
        """Return the jar, its class and the program's options."""
        heuristic = CHOCO_HEURISTICS[self.options.variables]
        found = ["-cp", self.jar, CHOCO_MAIN, *(["-a"] if every and not model.objective else [])]
        return [*found, *(["-f", "-varh", heuristic] if heuristic else []), path]


CHOCO = Xcsp3(CompiledChoco, CHOCO_QUIRKS)
