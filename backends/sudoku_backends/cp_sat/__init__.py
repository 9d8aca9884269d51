"""OR-tools' CP-SAT: integer variables and its own global constraints, or (``form=booleans``) one literal per value.

Solving runs with one worker unless more are asked for: on boards of usual size more threads only waste time. The engine
always works in a thread of its own, so that Ctrl-C and the clock reach the thread that waits for it.
"""

from __future__ import annotations

import math
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sudoku_models.engine.base import CompiledBase, HouseSumsBackend
from sudoku_models.engine.budget import Budget, GaveUp
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
from sudoku_models.engine.pulling import streamed
from sudoku_models.engine.record import Record
from sudoku_models.errors import BackendMissing, BadOption, Unsupported, meant
from sudoku_models.lazy import Loaded
from sudoku_models.model import Constraint, Domain, Model, Variable, kinds
from sudoku_models.model.logic import nested

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

    from .stating import Integers, NativeCpModel
else:
    cp_model = Loaded("ortools.sat.python.cp_model")

__all__ = ["BACKEND", "CpSat", "CpSatOptions"]

ALONE: frozenset[type[Constraint]] = frozenset(
    {
        kinds.InDomain,
        kinds.AllDifferent,
        kinds.Linear,
        kinds.Compare,
        kinds.Table,
        kinds.Element,
        kinds.Count,
        kinds.NValue,
        kinds.MinMax,
        kinds.MultisetEqual,
    }
)
"""The kinds that can be stated alone, and be enforced by literals.

Not Regular: the engine's automaton leaves states open, and an enumeration meets the same solution many times (seen with
9.15: 500 for 80). Rewritten to tables over states it costs about the same.
"""

WHOLE: frozenset[type[Constraint]] = frozenset({kinds.Circuit, kinds.Inverse, kinds.NoOverlap, kinds.Cumulative})
"""The engine's own constraints that cannot be enforced by literals."""

CLAUSES: tuple[type[Constraint], ...] = (kinds.Or, kinds.Count, kinds.NValue, kinds.MultisetEqual, kinds.Circuit)
"""The kinds that are stated over literals of single values."""

LARGEST = 2**62 - 1
"""The engine computes in 64 bits: values, coefficients, bounds, and the sums of their products, must lie within this.
"""

LONGEST = 2**22
"""Durations and demands must lie this many times within that: the engine adds them up."""

LARGEST_BOUND, HAIR = float(1 << 50), 1e-6
"""Beyond the first a bound, which the engine reports as a floating-point number, is not exact; the second is the
tolerance for a bound that ought to be an integer.
"""

VERSIONS = "OR-tools 9.12 to 9.15"
"""Releases that have the fault below, including some older than this package accepts; tests/quirks has the smallest
cases, also without the library.
"""


def refuses(constraint: Constraint) -> str | None:
    """Return why a constraint is refused: its numbers are too large, or it is an Or of several parts; None if it is
    accepted.

    Besides domains, which become literals, an Or has at most one other part.
    """
    others = [constraint]
    if isinstance(constraint, kinds.Or):
        others = [part for part in constraint.parts if not isinstance(part, kinds.InDomain)]
    if any(abs(number) > LARGEST for part in others for number in _numbers(part)):
        return f"the engine takes numbers up to {LARGEST} (2^62 - 1)"
    if not isinstance(constraint, kinds.Or):
        return None
    if len(others) > 1:
        return "an Or has at most one part that is not a domain"
    if others and type(others[0]) not in ALONE:
        return f"a {type(others[0]).__name__} cannot be a part of an Or"
    return None


def _numbers(constraint: Constraint) -> tuple[int, ...]:
    match constraint:
        case kinds.Linear():
            return (*constraint.coeffs, constraint.k)
        case kinds.Compare():
            return (constraint.c,)
        case kinds.NoOverlap(durations=durations):
            return tuple(LONGEST * number for number in durations)
        case kinds.Cumulative(durations=durations, demands=demands):
            return tuple(LONGEST * number for number in (*durations, *demands))
        case kinds.Count(y=y) | kinds.NValue(y=y) | kinds.Element(y=y):
            return (y,) if isinstance(y, int) else ()
        case kinds.MinMax(lo=lo, hi=hi):
            return tuple(end for end in (lo, hi) if isinstance(end, int))
        case kinds.Or():
            return tuple(number for part in constraint.parts for number in _numbers(part))
        case _:
            return ()


def _meets(beside: tuple[type[Constraint], ...]) -> Callable[[Model], bool]:
    """Return the test of whether a Table shares a variable of more than two values with a constraint of some kinds."""

    def touches(model: Model) -> bool:
        tables = [t for c in model.constraints for t in nested(c) if isinstance(t, kinds.Table)]
        tabled = {x for table in tables for x in table.scope if len(model.domains[x]) > 2}
        return any(not tabled.isdisjoint(c.scope) for c in model.constraints if isinstance(c, beside))

    return touches


def _has_gaps(model: Model) -> bool:
    """Return whether a sum or count is not some number: with an objective, presolve then loses solutions, and the best
    ones with them, unless it has to keep all.
    """
    parts = (part for c in model.constraints for part in nested(c))
    return any(getattr(part, "op", "") == "!=" and not isinstance(part, kinds.Compare) for part in parts)


def _quirk(beside: tuple[type[Constraint], ...]) -> Quirk:
    return Quirk(
        "tables beside clauses",
        "presolve loses solutions where a table meets a clause over several values of one of its variables",
        VERSIONS,
        "forbidden tuples and tables of one variable are no tables of the engine's, and the values of one variable in"
        " a clause are one literal; what is left is confirmed",
        _meets(beside),
        "presolve=false",
    )


QUIRKS = {"integers": (_quirk(CLAUSES),), "booleans": (_quirk((*CLAUSES, kinds.AllDifferent)),)}
"""The quirks of each form; without presolve there are none."""


def _binary(compiled: CompiledCpSat, domains: Mapping[str, Domain]) -> Iterator[bytes]:
    """Yield a ``CpModelProto``, narrowed by further domains, in the binary form."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "model.pb")
        compiled.narrowed(domains).export_to_file(str(file))
        yield file.read_bytes()


def _text(compiled: CompiledCpSat, domains: Mapping[str, Domain]) -> Iterator[str]:
    """Yield a ``CpModelProto``, narrowed by further domains, in the text form."""
    yield "# proto-message: operations_research.sat.CpModelProto\n"
    yield from str(compiled.narrowed(domains).proto).splitlines(keepends=True)


@dataclass(frozen=True)
class CpSatOptions:
    """``form``: integer variables with global constraints, or a literal for each value with exactly-one constraints.

    ``presolve`` and ``linearization`` (0 to 2) are the engine's parameters of these names. ``workers`` is the number of
    threads that search for a first or best solution, unless a request asks for more. ``house_sums`` adds the sums that
    houses and cages imply together: hard killers take a third to a tenth of the time, others as long as before. Other
    parameters of the engine go by their names: ``cp-sat:symmetry_level=0,search_branching=PORTFOLIO_SEARCH``.
    """

    form: str = field(default="integers", metadata={"choices": ("integers", "booleans")})
    presolve: bool = True
    linearization: int = field(default=1, metadata={"choices": (0, 1, 2)})
    workers: int = 1
    house_sums: bool = True
    parameters: tuple[tuple[str, str], ...] = field(default=(), metadata={"engine": True})

    def __post_init__(self) -> None:
        if self.parameters:
            _set_parameters(self.parameters)
        if not 1 <= self.workers <= 10_000:
            raise BadOption(
                f"cp-sat: workers={self.workers}: a number from 1 to 10,000, the most that it takes, is expected"
            )


OWN = {
    "num_workers": "the option workers=N",
    "num_search_workers": "the option workers=N",
    "random_seed": "seed=N of solve, or --seed",
    "max_time_in_seconds": "time_limit=SECONDS of solve, or --time-limit",
    "max_deterministic_time": "time_limit=SECONDS of solve, or --time-limit",
    "enumerate_all_solutions": "solutions or count, for all solutions",
    "stop_after_first_solution": "solve, for one solution",
    "cp_model_presolve": "the option presolve=false",
    "catch_sigint_signal": "nothing: Ctrl-C always ends a search",
}
"""Parameters that requests and options state, each with what to use instead."""


def _set_parameters(pairs: Sequence[tuple[str, str]], parameters: Any = None) -> None:
    """Set parameters of the engine by name; BadOption for one that it does not have, or a value that it refuses."""
    _load()
    parameters = cp_model.CpSolver().parameters if parameters is None else parameters
    for name, value in pairs:
        known = [x for x in dir(parameters) if x.islower() and not x.startswith(("_", "has_", "clear_"))]
        if name in OWN:
            raise BadOption(f"cp-sat: {name} is not set by its name: use {OWN[name]}")
        if name not in known:
            keys = ", ".join(option.name for option in fields(CpSatOptions) if "engine" not in option.metadata)
            what = f"is neither an option nor a parameter of the engine (the keys are: {keys})"
            raise BadOption(f"cp-sat: {name} {what}{meant(name, known)}")
        plain = re.fullmatch(r"[A-Za-z0-9_.+-]{1,60}", value)
        if not plain or not parameters.merge_text_format(f"{name}: {value}"):
            raise BadOption(f"cp-sat: {name}={value}: the engine takes no such value")


class CpSat(HouseSumsBackend):
    name = "cp-sat"
    Options = CpSatOptions
    capabilities = Capabilities(
        kinds=ALONE | WHOLE | {kinds.Or},
        features=frozenset(
            {
                Feature.ENUMERATE,
                Feature.PROVE,
                Feature.OBJECTIVE,
                Feature.ASSUME,
                Feature.TIME_LIMIT,
                Feature.SEED,
                Feature.WORKERS,
                Feature.HINT,
            }
        ),
        requires=("ortools",),
        install="ortools",
        conflicts=("highspy",),
        refuses=refuses,
        numbers=Numbers(value=LARGEST, spread=LARGEST),
        quirks=QUIRKS["integers"],
        adds=("house-sums",),
        exports={"cp-sat": _binary, "cp-sat-text": _text},
        log="log_search_progress=true",
    )

    def capabilities_with(self, options: CpSatOptions) -> Capabilities:
        """Return the same for all options, but for what is added, and the quirks: all known ones are of presolve."""
        return replace(super().capabilities_with(options), quirks=QUIRKS[options.form] if options.presolve else ())

    def compile(self, model: Model, options: CpSatOptions) -> CompiledCpSat:
        """State the model once; runs narrow the domains of a clone. Raise Unsupported if 64 bits do not suffice."""
        self.refuse(model, options)
        _load()
        compiled = CompiledCpSat(model, options)
        _refuse_overflow(compiled.base.model)
        return compiled


BACKEND = CpSat()


def _load() -> None:
    """Load OR-tools; raise BackendMissing if that is impossible, as it is in a process that has loaded highspy."""
    try:
        import ortools.sat.python.cp_model  # noqa: F401
    except ImportError as error:
        if "highspy" not in sys.modules:
            raise BackendMissing(f"cp-sat: OR-tools cannot be loaded: {error}") from error
        raise BackendMissing(
            "cp-sat: OR-tools cannot be loaded in a process that has loaded highspy, whose libraries have the same"
            " names: import ortools first, or ask by a verb such as solve, which runs cp-sat in another process"
        ) from error


def _refuse_overflow(model: cp_model.CpModel) -> None:
    """Raise Unsupported if the engine finds that a sum may leave 64 bits."""
    if "overflow" in (invalid := model.validate()):
        raise Unsupported(f"cp-sat: sums in the model may leave 64 bits: {' '.join(invalid.split())[:200]}")


class CompiledCpSat(CompiledBase):
    """A model as a ``CpModel``; each run has a clone of its own."""

    label = "cp-sat"

    def __init__(self, model: Model, options: CpSatOptions) -> None:
        self.model, self.options = model, options
        self.builder = self._builder_of(model)
        self.base = self.builder.native()

    @property
    def native(self) -> NativeCpModel:
        """A fresh ``CpModel`` with its variables, and a literal for each value of each variable."""
        return self._builder_of(self.model).native(literals=True)

    def _builder_of(self, model: Model) -> Integers:
        """Return the builder that states a model in the form of the options."""
        from .stating import Booleans, Integers

        form = Integers if self.options.form == "integers" else Booleans
        return form(model)

    def of_variable(self, name: str) -> int:
        """Return the index of a variable in the proto of each ``native``.

        ``native.model.get_int_var_from_proto_index`` turns it into the live variable, as ``native.variable`` does.
        """
        return int(self.base.variables[name].index)

    def of_value(self, name: str, value: int) -> int:
        """Return the index in each ``native`` of the Boolean that is true exactly when a variable has a value.

        Raise Unsupported if the variable has so many values that ``native.literal`` has to make the Boolean.
        """
        index = self._literals.get((name, value))
        if index is None:
            many = f"{name} has {len(self.model.domains[name])} values, too many for a literal of each"
            raise Unsupported(f"cp-sat: {many}: native.literal(cell, value) makes one in a native model")
        return index

    @cached_property
    def _literals(self) -> Mapping[tuple[str, int], int]:
        """The index of each literal of a ``native``."""
        return {pair: literal.index for pair, literal in self.native.literals.items()}

    def values_in(self, answer: Any) -> dict[str, int]:
        """Return the values, by name, in the answer of a solver (or a callback's) to a ``native`` or its extension.

        Raise ValueError if it found no solution.
        """
        values = answer.response_proto.solution
        if self.base.variables and not values:
            raise ValueError("the solver has no solution to decode")
        return {name: values[variable.index] for name, variable in self.base.variables.items()}

    def assume(self) -> CpSatAssuming:
        """Begin with this model."""
        return CpSatAssuming(self.model, self.options)

    def narrowed(self, domains: Mapping[str, Domain]) -> cp_model.CpModel:
        """Return a fresh ``CpModel`` with narrower domains; it is a contradiction if one of them is empty."""
        model = self.base.model.clone()
        for name, values in domains.items():
            stated = self.model.domains[name]
            left = values if len(values) == 1 and values[0] in stated else tuple(v for v in values if v in stated)
            if not left:
                model.add_bool_or([])
            else:
                one = len(left) == 1
                flat = [left[0], left[0]] if one else cp_model.Domain.from_values(left).flattened_intervals()
                _set_domain(model, self.base.variables[name].index, flat)
        return model

    def search(self, request: Request, budget: Budget, record: Record) -> Search:
        """Let the engine work on a model of this run."""
        watch, proto = record.stopwatch(), self.base.model.proto
        record.sizes |= {"variables": len(proto.variables), "constraints": len(proto.constraints)}
        if max(request.workers, self.options.workers) > 1 and request.limit != 1 and not self.model.objective:
            record.notes.append("one worker: CP-SAT enumerates with no more")
        model = self._model(request)
        watch.lap("encode")
        return (yield from self._searched(model, request, budget, record))

    def _model(self, request: Request, hint: Mapping[str, int] | None = None) -> cp_model.CpModel:
        """Return a narrowed model with the hint of the request, or another one if it has none."""
        model = self.narrowed(request.domains)
        for x, value in (request.hint or hint or {}).items():
            model.add_hint(model.get_int_var_from_proto_index(self.base.variables[x].index), value)
        return model

    def _searched(self, model: cp_model.CpModel, request: Request, budget: Budget, record: Record) -> Search:
        """Yield what the engine finds in a model, from a thread that is a few solutions ahead."""
        solver, ended = self._solver(request, budget), list[Any]()
        if self.model.objective:
            solver.best_bound_callback = self._bounds(record)
        rows = self._rows(request)

        def work(take: Callable[[Solution], bool]) -> None:
            ended.append(solver.solve(model, _listener(rows, take)))

        with closing(streamed("cp-sat", work, solver.stop_search, budget)) as found:
            for count, solution in enumerate(found, 1):
                self._seen(solution)
                yield solution
                if count == request.limit:
                    return Ending(Reason.LIMIT)
        if ended[0] in (cp_model.OPTIMAL, cp_model.INFEASIBLE):
            assumed = ended[0] == cp_model.INFEASIBLE and model.proto.assumptions
            return Ending(
                Reason.EXHAUSTED, failed=tuple(solver.sufficient_assumptions_for_infeasibility() if assumed else ())
            )
        if ended[0] == cp_model.MODEL_INVALID:
            raise _invalid(model)
        if request.patience is not None and not budget.expired:
            raise GaveUp
        return Ending(Reason.TIME)

    def _seen(self, solution: Solution) -> None:
        """Take notice of a solution."""

    def _solver(self, request: Request, budget: Budget) -> cp_model.CpSolver:
        solver, options = cp_model.CpSolver(), self.options
        parameters = solver.parameters
        parameters.catch_sigint_signal = False
        parameters.num_workers = max(request.workers, options.workers)
        parameters.random_seed = request.seed % (1 << 31)
        if request.seed:  # a seed alone rarely changes the search: let presolve or some branches depend on it
            parameters.permute_variable_randomly = options.presolve
            parameters.random_branches_ratio = 0.0 if options.presolve else 0.1
        parameters.cp_model_presolve = options.presolve
        parameters.linearization_level = options.linearization
        if self.model.objective and _has_gaps(self.model):
            parameters.keep_all_feasible_solutions_in_presolve = True
        if request.hint:
            parameters.symmetry_level = 0  # which would lead to another solution than the one hinted at
        if options.parameters:
            _set_parameters(options.parameters, parameters)
        if parameters.log_search_progress:  # on the error stream, since answers are written to the other one
            parameters.log_to_stdout = False
            solver.log_callback = partial(print, file=sys.stderr)
        if request.patience is not None:
            parameters.max_deterministic_time = request.patience * 1e-7
        if request.limit != 1 and not self.model.objective:
            parameters.enumerate_all_solutions = True
            parameters.num_workers = 1
        elif budget.left is not None and not self.model.objective:
            parameters.max_time_in_seconds = budget.left
        return solver

    def _rows(self, request: Request) -> Callable[[Any], Solution | None]:
        """Return a function that reads the values of the stated variables; None for a solution that is not wanted.

        With linearization=2 the engine leaves literals of a minimum or maximum open, and reports a solution twice.
        """
        indexes = [self.base.variables[name].index for name in self.model.names]
        level = dict(self.options.parameters).get("linearization_level", str(self.options.linearization))
        twice = level == "2" and request.keep is None
        new = wanted_of(self.model, request.keep)
        met = set[Solution]()

        def read(values: Any) -> Solution | None:
            """Return the row in an answer's values, which are by the indexes of the engine's variables."""
            solution = tuple([values[i] for i in indexes])
            again = solution in met
            if twice:
                met.add(solution)
            return None if again or not new(solution) else solution

        return read

    def _bounds(self, record: Record) -> Callable[[float], None]:
        """Return a function that records what the engine has proved, as the integer that it amounts to."""
        objective = self.model.objective
        assert objective

        def bounded(bound: float) -> None:
            if abs(bound) < LARGEST_BOUND:
                record.bound = math.ceil(bound - HAIR) if objective.minimizes else math.floor(bound + HAIR)

        return bounded


def _listener(
    read: Callable[[Any], Solution | None], take: Callable[[Solution], bool]
) -> cp_model.CpSolverSolutionCallback:
    """Return a callback that passes each wanted solution to ``take`` and stops when that says so."""

    class Listener(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            solution = read(self.response_proto.solution)
            if solution is not None and take(solution):
                self.stop_search()

    return Listener()


def _invalid(model: cp_model.CpModel) -> Exception:
    """Return the error for a model that the engine refuses: if no reason is given, its numbers are too large."""
    reason = model.validate()
    if reason:
        return ValueError(f"CP-SAT finds the model invalid: {reason}")
    return Unsupported("cp-sat: the numbers of the model are too large for the engine, which computes in 64 bits")


def _set_domain(model: cp_model.CpModel, index: int, flat: Sequence[int]) -> None:
    bounds = model.proto.variables[index].domain
    bounds.clear()
    bounds.extend(flat)


class CpSatAssuming(CompiledCpSat):
    """A model that grows; each search has a clone of it with the domains of the request.

    CP-SAT keeps nothing from one solve to the next, so what stays is the model as it was built. A constraint is
    appended to it, and the last solution is given as a hint: after a constraint that it still satisfies the engine has
    an answer at once. A switch is a Boolean that enforces its constraints.
    """

    last: Solution | None = None

    def __init__(self, model: Model, options: CpSatOptions) -> None:
        super().__init__(model, options)
        self._switches: list[int] = []
        self._assumed: Sequence[int] = ()

    def add(self, constraints: Sequence[Constraint], variables: Sequence[Variable] = (), switch: bool = False) -> int:
        """Append variables and constraints to the engine's model; raise Unsupported if 64 bits do not suffice."""
        whole = next((type(c).__name__ for c in constraints if switch and type(c) in WHOLE), None)
        if whole:
            raise Unsupported(f"cp-sat: a {whole} cannot be switched off")
        self._try(constraints, variables)
        self.model = self.builder.stated = self.model.with_(*(() if switch else constraints), variables=variables)
        for variable in variables:
            self.builder.add_variable(variable.name, variable.domain)
        literal = self.builder.model.new_bool_var("") if switch else None
        self.builder.when = [] if literal is None else [literal]
        for constraint in constraints:
            self.builder.add(constraint)
        self.builder.when = []
        if literal is None:
            return 0
        self._switches.append(literal.index)
        return literal.index

    def _try(self, constraints: Sequence[Constraint], variables: Sequence[Variable]) -> None:
        """State the additions in a separate model for the engine to check: what it refuses is not added."""
        scope = dict.fromkeys(x for constraint in constraints for x in constraint.scope)
        known = [self.model[x] for x in scope if x in self.model.index]
        _refuse_overflow(self._builder_of(Model([*known, *variables], constraints)).native().model)

    def search(self, request: Request, budget: Budget, record: Record, switches: Sequence[int] = ()) -> Search:
        """Search with the constraints of the switches."""
        self._assumed = switches
        return super().search(request, budget, record)

    def _seen(self, solution: Solution) -> None:
        self.last = solution

    def _model(self, request: Request, hint: Mapping[str, int] | None = None) -> cp_model.CpModel:
        model = super()._model(request, dict(zip(self.model.names, self.last or (), strict=False)))
        model.add_assumptions([model.get_bool_var_from_proto_index(number) for number in self._assumed])
        for number in self._switches:
            on = int(number in self._assumed)
            _set_domain(model, number, [0, on])
        return model

    def close(self) -> None:
        """Release nothing: the models go with their runs."""
