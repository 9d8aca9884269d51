"""The backend ``python-constraint``: the package python-constraint2, imported as ``constraint``."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from sudoku_models.engine.base import BackendBase, CompiledBase
from sudoku_models.engine.budget import Budget
from sudoku_models.engine.contract import (
    Capabilities,
    Ending,
    Feature,
    Isolate,
    Projection,
    Reason,
    Request,
    Search,
    Solution,
)
from sudoku_models.engine.pulling import pulled, until
from sudoku_models.engine.record import Record
from sudoku_models.errors import Unsupported
from sudoku_models.model import Constraint, Domain, Model, narrowed_domains

if TYPE_CHECKING:
    from .engine import ClockConstraint, FirstWatch


Assignment = Mapping[int, int]
"""A value for each variable, by its position in the model: the engine is faster with numbers than with names."""

Scope = list[Any]
_ENGINES = {
    "backtracking": "BacktrackingSolver",
    "optimized": "OptimizedBacktrackingSolver",
    "recursive": "RecursiveBacktrackingSolver",
    "minconflicts": "MinConflictsSolver",
    "parallel": "ParallelSolver",
}
_FEATURES = {
    "minconflicts": frozenset({Feature.TIME_LIMIT, Feature.SEED}),
    "parallel": frozenset({Feature.PROVE, Feature.OBJECTIVE, Feature.TIME_LIMIT}),
}
_ALL_IN_TURN = frozenset({Feature.ENUMERATE, Feature.PROVE, Feature.OBJECTIVE, Feature.TIME_LIMIT})
_DEEPEST = 400
"""The largest number of variables for the recursive solver: one frame of recursion each."""


@dataclass(frozen=True)
class PythonConstraintOptions:
    """``minconflicts`` may miss solutions and proves nothing; ``parallel`` runs threads and gives one solution."""

    solver: str = field(default="backtracking", metadata={"choices": tuple(_ENGINES)})


class PythonConstraint(BackendBase):
    """The package python-constraint2 behind the contract. It takes any kind of constraint that can evaluate itself."""

    name = "python-constraint"
    Options = PythonConstraintOptions

    def capabilities_with(self, options: PythonConstraintOptions) -> Capabilities:
        """Return what a solver can do. Ctrl-C cannot interrupt the parallel one, which belongs in a child process."""
        return Capabilities(
            kinds=frozenset(Constraint.kinds.values()),
            features=_FEATURES.get(options.solver, _ALL_IN_TURN),
            requires=("constraint",),
            install="python-constraint2",
            isolate=Isolate.ALWAYS if options.solver == "parallel" else Isolate.NEVER,
            refuses_model=partial(_refuses, options.solver),
        )

    def compile(self, model: Model, options: PythonConstraintOptions) -> CompiledProblem:
        """Make the engine's constraints; raise Unsupported if the solver does not take the model."""
        self.refuse(model, options)
        return CompiledProblem(model, options.solver)


BACKEND = PythonConstraint()


def _refuses(solver: str, model: Model) -> str | None:
    if solver == "recursive" and len(model.variables) > _DEEPEST:
        return f"solver=recursive takes at most {_DEEPEST} variables: it recurses once for each"
    return None


class CompiledProblem(CompiledBase):
    """A model in the engine's terms: constraints over two or more variables, and domains narrowed by the others."""

    label = "python-constraint"

    def __init__(self, model: Model, solver: str) -> None:
        from .engine import maker, unary

        self.model, self.solver = model, solver
        self._domains = dict(model.domains)
        self._makers: list[Callable[[], Any]] = []
        self._scopes: list[list[str]] = []
        self._impossible = False
        for constraint in model.constraints:
            scope = constraint.scope
            if not scope:
                self._impossible |= not constraint.holds({})
            elif len(scope) == 1:
                self._domains[scope[0]] = unary(constraint, self._domains[scope[0]])
            else:
                self._makers.append(maker(constraint))
                self._scopes.append(list(scope))
        self._positions = [[model.index[name] for name in scope] for scope in self._scopes]

    @property
    def native(self) -> Any:
        """A fresh ``constraint.Problem`` over the names. Raise Unsupported if some variable has no value left."""
        empty = next((name for name, values in self._domains.items() if not values), None)
        if self._impossible or empty is not None:
            reason = f"{empty} has no value left" if empty is not None else "a constraint over no variable is false"
            raise Unsupported(f"python-constraint cannot state this unsatisfiable model: {reason}")
        return self._problem(self._domains, self._scopes, 0)

    def of_variable(self, name: str) -> str:
        """Return the variable of ``native``, which is its name."""
        return name

    def of_value(self, name: str, value: int) -> Any:
        """Raise Unsupported: the engine has variables and functions over them, but no literals."""
        raise Unsupported(f"python-constraint has no literals: state {name} == {value} as a function of the variable")

    def values_in(self, answer: Mapping[str, int]) -> Mapping[str, int]:
        """Return a solution of ``native`` or its extension."""
        return answer

    def search(self, request: Request, clock: Budget, record: Record) -> Search:
        """Yield what the engine finds; a solver that proves nothing gives up when it finds no more."""
        timer, watch = record.stopwatch(), self._watch(clock)
        record.sizes |= {"variables": len(self.model.names), "constraints": len(self._makers)}
        try:
            found = self._improving(request, watch) if self.model.objective else self._assignments(request, watch)
            timer.lap("encode")
            solutions = until(watch.check, map(self._decoded, found))
            ending = yield from pulled(solutions, request, timer, Projection(self.model, request.keep).new)
        finally:
            record.sizes["nodes"] = watch.nodes
        proves = Feature.PROVE in _FEATURES.get(self.solver, _ALL_IN_TURN)
        return ending if proves or ending.reason is not Reason.EXHAUSTED else Ending(Reason.GAVE_UP)

    def _decoded(self, assignment: Assignment) -> Solution:
        return tuple([assignment[position] for position in range(len(assignment))])

    def _watch(self, clock: Budget) -> ClockConstraint:
        from .engine import ClockConstraint, FirstWatch

        return (FirstWatch if self.solver == "parallel" else ClockConstraint)(clock, len(self.model.names))

    def _improving(self, request: Request, watch: ClockConstraint) -> Iterator[Assignment]:
        """Search repeatedly, each time for something better than what was found before."""
        objective, better = self.model.objective, self
        assert objective
        while (found := next(better._assignments(request, watch), None)) is not None:
            yield found
            value = objective.value({name: found[i] for i, name in enumerate(self.model.names)})
            better = CompiledProblem(self.model.with_(objective.better_than(value)), self.solver)
            watch.reset()

    def _assignments(self, request: Request, watch: ClockConstraint) -> Iterator[Assignment]:
        """Return an iterator of all assignments, or of one where the solver finds no more."""
        from .engine import FirstWatch

        domains = narrowed_domains(self._domains, request.domains)
        if self._impossible or not all(domains.values()):
            return iter(())
        if not domains:
            return iter([{}])
        problem = self._problem(dict(enumerate(domains.values())), self._positions, request.seed)
        problem.addConstraint(watch, list(range(len(domains))))
        if self.solver == "minconflicts":
            return _single(problem)
        if isinstance(watch, FirstWatch):
            return _first(problem, watch)
        found: Iterator[Assignment] = problem.getSolutionIter()
        return found

    def _problem(self, domains: Mapping[Any, Domain], scopes: list[Scope], seed: int) -> Any:
        import constraint

        problem = constraint.Problem()
        problem.setSolver(_solver(self.solver, seed))
        for variable, values in domains.items():
            problem.addVariable(variable, values)
        for make, scope in zip(self._makers, scopes, strict=True):
            problem.addConstraint(make(), scope)
        return problem


def _solver(name: str, seed: int) -> Any:
    import constraint

    solver = getattr(constraint, _ENGINES[name])
    return solver(rand=random.Random(seed)) if name == "minconflicts" else solver()


def _single(problem: Any) -> Iterator[Assignment]:
    found = problem.getSolution()
    if found is not None:
        yield found


def _first(problem: Any, watch: FirstWatch) -> Iterator[Assignment]:
    from .engine import Found

    with suppress(Found):
        problem.getSolutions()
    if watch.first is not None:
        yield watch.first
