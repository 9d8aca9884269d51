"""The backend ``z3``: a Boolean for each value of each variable, sums and all-different as pseudo-Boolean constraints.

Measured on 9x9 boards, first solution and proof of uniqueness: integers with Distinct 200 ms and more, bit vectors 60,
Booleans 12.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import Any

from sudoku_models.engine.base import (
    CompiledBase,
    HouseSumsBackend,
    HouseSumsOptions,
)
from sudoku_models.engine.budget import Budget
from sudoku_models.engine.contract import Capabilities, Feature, Isolate, Projection, Request, Search, Solution
from sudoku_models.engine.numbers import Numbers
from sudoku_models.engine.pulling import pulled, streamed
from sudoku_models.engine.record import Record
from sudoku_models.exports.zero_one import CAPABILITIES, EngineForm
from sudoku_models.model import Compare, Count, Linear, Model, Objective

LARGEST = 2**31 - 1
"""The largest sum of weights that z3's pseudo-Boolean constraints take."""

NUMBERS = Numbers(values=10_000, spreads=dict.fromkeys((Linear, Compare, Count, Objective), LARGEST))


class Z3(HouseSumsBackend):
    """The backend ``z3``."""

    name = "z3"
    capabilities = Capabilities(
        kinds=CAPABILITIES.kinds,
        features=frozenset({Feature.ENUMERATE, Feature.PROVE, Feature.TIME_LIMIT, Feature.SEED}),
        requires=("z3",),
        install="sudoku-models[z3]",
        isolate=Isolate.IF_LIMITED,  # stating takes seconds, and z3 looks at its clock when it likes
        refuses=CAPABILITIES.refuses,
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
        import z3

        return self.native_in(z3.main_ctx())

    def native_in(self, context: Any) -> NativeSolver:
        """Return a fresh solver in a context; for use in another thread give it a new one (``z3.Context()``)."""
        from .engine import World

        world = World(self._form, context)
        return NativeSolver(world.solver(), world.literals)

    def of_variable(self, name: str) -> Any:
        """Return the value of a variable as an integer term over its Booleans, in z3's main context."""
        import z3

        return z3.Sum(z3.IntVal(0), *(z3.If(self.of_value(name, v), v, 0) for v in self.model.domains[name]))

    def of_value(self, name: str, value: int) -> Any:
        """Return the Boolean of ``native`` that is true exactly when a variable has a value."""
        import z3

        from .engine import name_of_boolean

        return z3.Bool(name_of_boolean(name, value))

    def values_in(self, answer: Any) -> dict[str, int | None]:
        """Return the values by name in a ``ModelRef``, from any context."""
        import z3

        true = {declared.name() for declared in answer.decls() if z3.is_true(answer[declared])}
        return {x: next((v for v in vs if f"{x}={v}" in true), None) for x, vs in self.model.domains.items()}

    def search(self, request: Request, clock: Budget, record: Record) -> Search:
        """Yield what a solver finds in a context and a thread of its own: the main thread hears Ctrl-C meanwhile."""
        import z3

        record.sizes |= {"variables": len(self._form.meanings), "constraints": len(self._form.rows)}
        context = z3.Context()
        work = partial(self._found, context, request, clock, record)
        with closing(streamed("z3", work, context.interrupt, clock)) as found:
            return (yield from pulled(found, request, record.stopwatch()))

    def _found(
        self, context: Any, request: Request, clock: Budget, record: Record, take: Callable[[Solution], bool]
    ) -> None:
        """Ask one solver repeatedly, each time with the solutions found forbidden."""
        from .engine import World, satisfiable

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
