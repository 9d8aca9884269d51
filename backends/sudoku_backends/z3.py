"""The backend ``z3``: a Boolean for each value of each variable, sums and all-different as pseudo-Boolean constraints.

On boards this takes a fraction of the time of integers with Distinct, or of bit vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from ctypes import c_int
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from sudoku_models.engine.base import CompiledBase, HouseSumsBackend, HouseSumsOptions
from sudoku_models.engine.budget import Budget, OutOfTime
from sudoku_models.engine.contract import Feature, Isolate, Projection, Request, Search, Solution
from sudoku_models.engine.numbers import Numbers
from sudoku_models.engine.pulling import pulled, streamed
from sudoku_models.engine.record import Record
from sudoku_models.exports.zero_one import CAPABILITIES, ColumnRow, EngineForm
from sudoku_models.lazy import Loaded
from sudoku_models.model import Compare, Count, Domain, Linear, Model, Objective

if TYPE_CHECKING:
    import z3
else:
    z3 = Loaded("z3")

LARGEST = 2**31 - 1
"""The largest sum of weights that z3's pseudo-Boolean constraints take."""

NUMBERS = Numbers(values=10_000, spreads=dict.fromkeys((Linear, Compare, Count, Objective), LARGEST))


class Z3(HouseSumsBackend):
    name = "z3"
    capabilities = replace(
        CAPABILITIES,
        features=frozenset({Feature.ENUMERATE, Feature.PROVE, Feature.TIME_LIMIT, Feature.SEED}),
        requires=("z3",),
        install="sudoku-models[z3]",
        isolate=Isolate.IF_LIMITED,  # stating takes seconds, and z3 looks at its clock when it likes
        numbers=NUMBERS,
        adds=("house-sums",),
    )

    def compile(self, model: Model, options: HouseSumsOptions) -> CompiledZ3:
        """State a model that the capabilities accept."""
        return CompiledZ3(model)


BACKEND = Z3()


@dataclass(frozen=True)
class NativeSolver:
    """A live solver that holds the model, with the Boolean of each (name, value), which the caller may extend.

    ``solver`` and Booleans live in one context of z3, which belongs to one thread at a time.
    """

    solver: Any
    literals: Mapping[tuple[str, int], Any]


class CompiledZ3(CompiledBase):
    """A model as columns and rows, stated to z3 for each run in a context of its own."""

    label = "z3"

    def __init__(self, model: Model) -> None:
        self.model, self._form = model, EngineForm(model)

    @property
    def native(self) -> NativeSolver:
        """A fresh solver in z3's main context, the one of expressions that are made without naming a context."""
        return self.native_in(z3.main_ctx())

    def native_in(self, context: Any) -> NativeSolver:
        """Return a fresh solver in a context; for use in another thread give it a new one (``z3.Context()``)."""
        world = World(self._form, context)
        return NativeSolver(world.solver(), world.literals)

    def of_variable(self, name: str) -> Any:
        """Return the value of a variable as an integer term over its Booleans, in z3's main context."""
        return z3.Sum(z3.IntVal(0), *(z3.If(self.of_value(name, v), v, 0) for v in self.model.domains[name]))

    def of_value(self, name: str, value: int) -> Any:
        """Return the Boolean of ``native`` that is true exactly when a variable has a value."""
        return z3.Bool(name_of_boolean(name, value))

    def values_in(self, answer: Any) -> dict[str, int | None]:
        """Return the values by name in a ``ModelRef``, from any context."""
        true = {declared.name() for declared in answer.decls() if z3.is_true(answer[declared])}
        return {x: next((v for v in vs if f"{x}={v}" in true), None) for x, vs in self.model.domains.items()}

    def search(self, request: Request, clock: Budget, record: Record) -> Search:
        """Yield what a solver finds in a context and a thread of its own: the main thread hears Ctrl-C meanwhile."""
        record.sizes |= {"variables": len(self._form.meanings), "constraints": len(self._form.rows)}
        z3.Context.owner = False  # of one whose making Ctrl-C interrupts: it is dropped without a word
        context = z3.Context()
        work = partial(self._found, context, request, clock, record)
        with closing(streamed("z3", work, context.interrupt, clock)) as found:
            return (yield from pulled(found, request, record.stopwatch()))

    def _found(
        self, context: Any, request: Request, clock: Budget, record: Record, take: Callable[[Solution], bool]
    ) -> None:
        """Ask one solver repeatedly, each time with the solutions found forbidden."""
        watch, left = record.stopwatch(), request.limit
        world = World(self._form, context)
        solver = world.solver(request.seed)
        solver.add(world.narrowed(request.domains))
        watch.lap("encode")
        positions = Projection(self.model, request.keep).positions
        while left != 0 and satisfiable(solver, clock):
            solution = world.read(solver.model())
            if take(solution):
                return
            left = None if left is None else left - 1
            solver.add(world.forbidding(positions, solution))


# ---------------------------------------------------------------- a model in a context of z3

Formula = Any
"""A truth value of z3."""


def name_of_boolean(x: str, value: int) -> str:
    """Return the name of the Boolean that says that a variable has a value."""
    return f"{x}={value}"


class World:
    """A model in a context of z3, of one thread. Each run has its own: what one does affects the answers of the next.

    ``literals`` are the Booleans by name and value.
    """

    def __init__(self, form: EngineForm, context: z3.Context | None = None) -> None:
        self.form, self.context = form, context or z3.Context()
        names = [name_of_boolean(*m) if m else f"tuple {n}" for n, m in enumerate(form.meanings)]
        self._columns = [z3.Bool(name, self.context) for name in names]
        pairs = zip(form.meanings, self._columns, strict=True)
        self.literals: Mapping[tuple[str, int], Formula] = {meaning: column for meaning, column in pairs if meaning}

    def solver(self, seed: int = 0) -> Any:
        """Return a solver that holds the model."""
        solver = z3.SimpleSolver(ctx=self.context)
        if seed:
            solver.set("random_seed", seed % (1 << 31))
            solver.set("phase_selection", 5)
        here, handle = self.context.ref(), solver.solver
        for row in self.form.rows:
            z3.Z3_solver_assert(here, handle, self._formula(row).as_ast())
        return solver

    def _formula(self, row: ColumnRow) -> Formula:
        """Return a row as a pseudo-Boolean constraint without negative weights."""
        columns = self._columns
        literals = [columns[c] if w > 0 else z3.Not(columns[c]) for c, w in row.terms.items()]
        weights = [abs(w) for w in row.terms.values()]
        bound = row.bound - sum(w for w in row.terms.values() if w < 0)
        most = sum(weights)
        if (row.op != "<=" and bound > most) or (row.op != ">=" and bound < 0):
            return z3.BoolVal(False, self.context)
        size, make = len(literals), {"==": z3.Z3_mk_pbeq, "<=": z3.Z3_mk_pble, ">=": z3.Z3_mk_pbge}[row.op]
        asts = (z3.Ast * size)(*[literal.as_ast() for literal in literals])
        bound = max(0, min(bound, most))
        return z3.BoolRef(make(self.context.ref(), size, asts, (c_int * size)(*weights), bound), self.context)

    def narrowed(self, domains: Mapping[str, Domain]) -> list[Formula]:
        """Return what narrowed domains say: a literal for a domain of one value, otherwise the negations of the missing
        ones.
        """
        found = []
        for x, values in domains.items():
            if len(values) == 1:
                found.append(self.literals.get((x, values[0]), z3.BoolVal(False, self.context)))
            else:
                left = frozenset(values)
                found += [z3.Not(self.literals[x, v]) for v in self.form.domains[x] if v not in left]
        return found

    def read(self, answer: z3.ModelRef) -> tuple[int, ...]:
        """Return the values under an answer of a solver."""
        return tuple([self._value(answer, x, values) for x, values in self.form.domains.items()])

    def _value(self, answer: z3.ModelRef, x: str, values: Domain) -> int:
        context = self.context.ref()
        for value in values:
            declared = z3.Z3_get_app_decl(context, self.literals[x, value].as_ast())
            truth = z3.Z3_model_get_const_interp(context, answer.model, declared)
            if truth and z3.Z3_get_bool_value(context, truth) == z3.Z3_L_TRUE:
                return value
        raise ValueError("the engine's answer gives some variable no value")

    def forbidding(self, positions: Sequence[int], solution: Sequence[int]) -> Formula:
        """Return the clause that one of some variables must change its value."""
        names = list(self.form.domains)
        others = [z3.Not(self.literals[names[p], solution[p]]) for p in positions]
        return z3.Or(others) if others else z3.BoolVal(False, self.context)


EARLY = 0.05
"""The number of seconds before its limit at which the engine may stop because of it."""

NO_TIMEOUT = 2**32 - 1
"""The value that the engine takes for no limit, in milliseconds."""


def satisfiable(solver: Any, clock: Budget) -> bool:
    """Return whether a solver finds a solution; raise OutOfTime if the clock expired first, or it was interrupted."""
    clock.check()
    left = clock.left
    solver.set("timeout", NO_TIMEOUT if left is None else min(NO_TIMEOUT, max(1, int(left * 1000))))
    solver.set("ctrl_c", False)
    answer = solver.check()
    if answer == z3.unknown:
        reason, left = solver.reason_unknown(), clock.left
        if reason in ("canceled", "interrupted", "interrupted from keyboard") or (left is not None and left <= EARLY):
            raise OutOfTime
        raise RuntimeError(f"z3 gave up: {reason}")
    return bool(answer == z3.sat)
