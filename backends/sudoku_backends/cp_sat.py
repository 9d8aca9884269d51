"""OR-tools' CP-SAT: integer variables and its own global constraints, or (``form=booleans``) one literal per value.

Solving runs with one worker unless more are asked for: on boards of usual size more threads only burn time.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sudoku_models.engine.contract import (
    Capabilities,
    Ending,
    Feature,
    Isolate,
    Projection,
    Reason,
    Request,
    Run,
    Search,
    Solution,
)
from sudoku_models.engine.record import Clock, Record
from sudoku_models.model import OPERATORS, AllDifferent, Compare, Constraint, Domain, InDomain, Linear, Model, Table

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

AHEAD = 64
"""How many solutions the engine may be ahead of the consumer."""

EARLY = 0.1
"""Seconds, or a quarter of the limit if that is more, by which the engine may stop before its limit."""

INLINE = 2
"""Up to this many solutions are collected in the caller's thread; more come from a thread of their own."""


@dataclass(frozen=True)
class CpSatOptions:
    """``form``: integer variables with global constraints, or a literal for each value with exactly-one constraints.

    ``presolve`` and ``linearization`` (0 to 2) are the engine's parameters of these names.
    """

    form: str = field(default="integers", metadata={"choices": ("integers", "booleans")})
    presolve: bool = True
    linearization: int = field(default=1, metadata={"choices": (0, 1, 2)})


class CpSat:
    """The backend ``cp-sat``."""

    name = "cp-sat"
    Options = CpSatOptions
    capabilities = Capabilities(
        kinds=frozenset({InDomain, AllDifferent, Linear, Compare, Table}),
        features=frozenset({Feature.ENUMERATE, Feature.PROVE, Feature.TIME_LIMIT, Feature.SEED, Feature.WORKERS}),
        requires=("ortools",),
        install="ortools",
        isolate=Isolate.NEVER,
    )

    def capabilities_with(self, options: CpSatOptions) -> Capabilities:
        """The same for all options."""
        return self.capabilities

    def compile(self, model: Model, options: CpSatOptions) -> CompiledCpSat:
        """State the model once; runs narrow the domains of a clone."""
        return CompiledCpSat(model, options)


BACKEND = CpSat()


@dataclass(frozen=True)
class Native:
    """A live ``CpModel`` and its variables by name, the caller's to extend and to solve.

    ``literals`` maps (name, value) to a boolean variable in the form ``booleans``; it is empty in the other.
    """

    model: cp_model.CpModel
    variables: Mapping[str, cp_model.IntVar]
    literals: Mapping[tuple[str, int], cp_model.IntVar]

    def decode(self, solver: cp_model.CpSolver) -> dict[str, int]:
        """Return the value of each variable in a solver's answer."""
        return {name: solver.value(variable) for name, variable in self.variables.items()}


class CompiledCpSat:
    """A model as a ``CpModel``; each run at work has a clone of its own, used again by later ones."""

    def __init__(self, model: Model, options: CpSatOptions) -> None:
        self.model, self.options = model, options
        self._base = _native(model, options)
        proto = self._base.model.proto
        self._sizes = {"variables": len(proto.variables), "constraints": len(proto.constraints)}
        self._idle: list[cp_model.CpModel] = []

    @property
    def native(self) -> Native:
        """A fresh ``CpModel`` with its variables."""
        return _native(self.model, self.options)

    def run(self, request: Request) -> Run:
        clock, record = Clock(request.time_limit), Record(sizes=dict(self._sizes))
        return Run(self._search(request, clock, record), clock, record)

    def _search(self, request: Request, clock: Clock, record: Record) -> Search:
        watch = record.stopwatch()
        narrow = self._narrowed(request.domains)
        if narrow is None:
            return Ending(Reason.EXHAUSTED)
        model = self._borrowed(narrow)
        watch.lap("encode")
        try:
            return (yield from _Task(self, model, request, clock).search())
        finally:
            self._give_back(model, narrow)

    def _narrowed(self, domains: Mapping[str, Domain]) -> dict[int, list[int]] | None:
        """Return the narrowed domain of each variable, by index, as flat intervals; None when one is empty."""
        from ortools.sat.python import cp_model

        found: dict[int, list[int]] = {}
        for name, values in domains.items():
            stated = self.model.domains[name]
            left = values if len(values) == 1 and values[0] in stated else tuple(v for v in values if v in stated)
            if not left:
                return None
            one = len(left) == 1
            flat = [left[0], left[0]] if one else cp_model.Domain.from_values(left).flattened_intervals()
            found[self._base.variables[name].index] = flat
        return found

    def _borrowed(self, narrow: Mapping[int, list[int]]) -> cp_model.CpModel:
        """Take a model that no run is using, and narrow its domains: cheaper than a clone for each run."""
        try:
            model = self._idle.pop()
        except IndexError:
            model = self._base.model.clone()
        _set_domains(model, narrow)
        return model

    def _give_back(self, model: cp_model.CpModel, narrow: Mapping[int, list[int]]) -> None:
        stated = self._base.model.proto.variables
        _set_domains(model, {index: list(stated[index].domain) for index in narrow})
        self._idle.append(model)


def _set_domains(model: cp_model.CpModel, domains: Mapping[int, list[int]]) -> None:
    variables = model.proto.variables
    for index, flat in domains.items():
        bounds = variables[index].domain
        bounds.clear()
        bounds.extend(flat)


class _Task:
    """One request at work on one model."""

    def __init__(self, compiled: CompiledCpSat, model: cp_model.CpModel, request: Request, clock: Clock) -> None:
        self.compiled, self.model, self.request, self.clock = compiled, model, request, clock
        self.projection = Projection(compiled.model, request.keep)
        self.indexes = [compiled._base.variables[name].index for name in compiled.model.names]
        self.solver = self._solver()

    def _solver(self) -> cp_model.CpSolver:
        from ortools.sat.python import cp_model

        solver, options = cp_model.CpSolver(), self.compiled.options
        parameters = solver.parameters
        parameters.num_workers = self.request.workers
        parameters.random_seed = self.request.seed % (1 << 31)
        if (
            self.request.seed
        ):  # a seed alone rarely changes the search: let presolve, or else some branches, depend on it
            parameters.permute_variable_randomly = options.presolve
            parameters.random_branches_ratio = 0.0 if options.presolve else 0.1
        parameters.cp_model_presolve = options.presolve
        parameters.linearization_level = options.linearization
        parameters.catch_sigint_signal = threading.current_thread() is threading.main_thread()
        if self.clock.left is not None:
            parameters.max_time_in_seconds = self.clock.left
        if self.request.limit != 1:
            parameters.enumerate_all_solutions = True
            parameters.num_workers = 1
        return solver

    def search(self) -> Search:
        """Search in the way that suits how many solutions are wanted."""
        if self.request.limit == 1:
            return (yield from self.first())
        if self.request.limit is not None and self.request.limit <= INLINE:
            return (yield from self.collected())
        return (yield from self.streamed())

    def solution(self, values: Any) -> Solution:
        return tuple([values[i] for i in self.indexes])

    def ending(self, status: Any) -> Ending:
        """Read the engine's status. UNKNOWN before any limit means that it swallowed a Ctrl-C: raise it again."""
        from ortools.sat.python import cp_model

        if status in (cp_model.OPTIMAL, cp_model.INFEASIBLE):
            return Ending(Reason.EXHAUSTED)
        if status == cp_model.MODEL_INVALID:
            raise ValueError(f"CP-SAT finds the model invalid: {self.model.validate()}")
        if self._out_of_time():
            return Ending(Reason.TIME)
        raise KeyboardInterrupt

    def _out_of_time(self) -> bool:
        """Tell whether the limit ended the search: the engine stops early when its next step might pass the limit."""
        left, limit = self.clock.left, self.clock.limit
        return left is not None and limit is not None and left <= max(EARLY, limit / 4)

    def first(self) -> Search:
        status = self.solver.solve(self.model)
        values = self.solver.response_proto.solution
        if not values:
            return self.ending(status)
        yield self.solution(values)
        return Ending(Reason.LIMIT)

    def collected(self) -> Search:
        """Collect a few solutions in this thread."""
        found: list[Solution] = []

        def take(solution: Solution) -> bool:
            found.append(solution)
            return len(found) == self.request.limit

        status = self.solver.solve(self.model, self._listener(take))
        yield from found
        return Ending(Reason.LIMIT) if len(found) == self.request.limit else self.ending(status)

    def streamed(self) -> Search:
        """Let a thread search, at most AHEAD solutions before the consumer."""
        stop, found = threading.Event(), queue.Queue[Any](AHEAD)
        self.solver.parameters.catch_sigint_signal = False
        self.solver.parameters.max_time_in_seconds = float("inf")

        def work() -> None:
            try:
                _put(found, self.solver.solve(self.model, self._listener(lambda s: _put(found, s, stop))), stop)
            except Exception as error:
                _put(found, error, stop)

        thread = threading.Thread(target=work, name="cp-sat", daemon=True)
        thread.start()
        try:
            return (yield from self._pulled(found))
        finally:
            stop.set()
            while thread.is_alive():
                self.solver.stop_search()
                thread.join(0.01)

    def _pulled(self, found: queue.Queue[Any]) -> Search:
        count = 0
        while count != self.request.limit:
            try:
                item = found.get(timeout=self.clock.left)
            except queue.Empty:
                return Ending(Reason.TIME)
            if isinstance(item, Exception):
                raise item
            if not isinstance(item, tuple):
                return self.ending(item)
            count += 1
            yield item
        return Ending(Reason.LIMIT)

    def _listener(self, take: Callable[[Solution], bool]) -> cp_model.CpSolverSolutionCallback:
        """Return a callback that hands each new kept solution to ``take`` and stops when that says so."""
        from ortools.sat.python import cp_model

        task = self

        class Listener(cp_model.CpSolverSolutionCallback):
            def on_solution_callback(self) -> None:
                solution = task.solution(self.response_proto.solution)
                if task.projection.new(solution) and take(solution):
                    self.stop_search()

        return Listener()


def _put(found: queue.Queue[Any], item: Any, stop: threading.Event) -> bool:
    """Put an item when there is room; return True when the consumer has gone."""
    while not stop.is_set():
        try:
            found.put(item, timeout=0.05)
            return False
        except queue.Full:
            continue
    return True


def _native(model: Model, options: CpSatOptions) -> Native:
    form = _Integers if options.form == "integers" else _Booleans
    return form(model).native()


class _Integers:
    """States a model with one integer variable each and the engine's global constraints."""

    def __init__(self, model: Model) -> None:
        from ortools.sat.python import cp_model

        self.stated, self.model = model, cp_model.CpModel()
        self.variables: dict[str, cp_model.IntVar] = {}
        self.literals: dict[tuple[str, int], cp_model.IntVar] = {}

    def native(self) -> Native:
        for variable in self.stated.variables:
            self.add_variable(variable.name, variable.domain)
        for constraint in self.stated.constraints:
            self.add(constraint)
        return Native(self.model, self.variables, self.literals)

    def add_variable(self, name: str, values: Domain) -> None:
        from ortools.sat.python import cp_model

        domain = cp_model.Domain.from_values(values or (0,))
        self.variables[name] = self.model.new_int_var_from_domain(domain, name)
        if not values:
            self.model.add_bool_or([])

    def add(self, constraint: Constraint) -> None:
        match constraint:
            case AllDifferent(xs=xs):
                self.all_different(xs)
            case InDomain(x=x, values=values):
                self.table((x,), [(value,) for value in values], True)
            case Table(xs=xs, tuples=rows, allowed=allowed):
                self.table(xs, rows, allowed)
            case Compare(x=x, op=op, y=y, c=c):
                self.linear((1, -1), (x, y), op, c)
            case Linear(coeffs=coeffs, xs=xs, op=op, k=k):
                self.linear(coeffs, xs, op, k)

    def all_different(self, xs: Iterable[str]) -> None:
        self.model.add_all_different([self.variables[x] for x in xs])

    def table(self, xs: Iterable[str], rows: Iterable[tuple[int, ...]], allowed: bool) -> None:
        variables, rows = [self.variables[x] for x in xs], list(rows)
        if not rows or not variables:
            if (not variables and bool(rows) != allowed) or (variables and allowed):
                self.model.add_bool_or([])
        elif allowed:
            self.model.add_allowed_assignments(variables, rows)
        else:
            self.model.add_forbidden_assignments(variables, rows)

    def linear(self, coeffs: Iterable[int], xs: Iterable[str], op: str, k: int) -> None:
        terms: dict[str, int] = {}
        for c, x in zip(coeffs, xs, strict=True):
            terms[x] = terms.get(x, 0) + c
        if any(terms.values()):
            self.model.add(OPERATORS[op](sum(c * self.variables[x] for x, c in terms.items() if c), k))
        elif not OPERATORS[op](0, k):
            self.model.add_bool_or([])


class _Booleans(_Integers):
    """States a model with a literal for each value of each variable; integers are channelled to them."""

    def add_variable(self, name: str, values: Domain) -> None:
        super().add_variable(name, values)
        literals = [self.model.new_bool_var(f"{name}={value}") for value in values]
        self.literals.update({(name, value): literal for value, literal in zip(values, literals, strict=True)})
        if values:
            self.model.add_exactly_one(literals)
            terms = zip(values, literals, strict=True)
            self.model.add(self.variables[name] == sum(value * literal for value, literal in terms))

    def all_different(self, xs: Iterable[str]) -> None:
        xs = list(xs)
        values = sorted({value for x in xs for value in self.stated.domains[x]})
        for value in values:
            literals = [self.literals[x, value] for x in xs if (x, value) in self.literals]
            if len(values) == len(xs):
                self.model.add_exactly_one(literals)
            else:
                self.model.add_at_most_one(literals)
        if len(values) < len(xs):
            self.model.add_bool_or([])
