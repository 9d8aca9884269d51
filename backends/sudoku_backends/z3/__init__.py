"""The backend ``z3``: a Boolean for each value of each variable, sums and all-different as pseudo-Boolean constraints.

Measured on 9x9 boards, first solution and proof of uniqueness: integers with Distinct 200 ms and more, bit vectors 60,
Booleans 12.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from ctypes import ArgumentError
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sudoku_models.engine.base import (
    CompiledBase,
    HouseSumsBackend,
    HouseSumsOptions,
)
from sudoku_models.engine.budget import Budget, OutOfTime
from sudoku_models.engine.contract import Capabilities, Feature, Isolate, Projection, Request, Search, Solution
from sudoku_models.engine.numbers import Numbers
from sudoku_models.engine.pulling import pulled
from sudoku_models.engine.record import Record
from sudoku_models.exports.zero_one import CAPABILITIES, EngineForm
from sudoku_models.model import Compare, Count, Linear, Model, Objective

if TYPE_CHECKING:
    from .engine import World


LARGEST = 2**31 - 1
"""The largest sum of weights that z3's pseudo-Boolean constraints take."""

NUMBERS = Numbers(values=10_000, spreads=dict.fromkeys((Linear, Compare, Count, Objective), LARGEST))

EARLY = 0.05
"""The number of seconds before its limit at which the engine may stop because of it."""

BRIEF = 0.2
"""Seconds in which Python handles Ctrl-C: if the engine gets one just as it ends, it does not report it."""

NO_TIMEOUT = 2**32 - 1
"""The value that the engine takes for no limit, in milliseconds."""


class Z3(HouseSumsBackend):
    """The backend ``z3``."""

    name = "z3"
    capabilities = Capabilities(
        kinds=CAPABILITIES.kinds,
        features=frozenset({Feature.ENUMERATE, Feature.PROVE, Feature.TIME_LIMIT, Feature.SEED}),
        requires=("z3",),
        install="sudoku-models[z3]",
        deaf=True,
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
        """Yield what a solver in its own context finds."""
        from .engine import World

        watch = record.stopwatch()
        record.sizes |= {"variables": len(self._form.meanings), "constraints": len(self._form.rows)}
        with interruption_kept():
            world = World(self._form)
            solver = world.solver(request.seed)
            solver.add(world.narrowed(request.domains))
        watch.lap("encode")
        return (yield from pulled(self._solutions(world, solver, request, clock), request, watch))

    def _solutions(self, world: World, solver: Any, request: Request, clock: Budget) -> Iterator[Solution]:
        """Ask one solver repeatedly, each time with the solutions found forbidden."""
        positions = Projection(self.model, request.keep).positions
        while True:
            with interruption_kept():
                if not satisfiable(solver, clock):
                    return
                solution = world.read(solver.model())
            yield solution
            with interruption_kept():
                solver.add(world.forbidding(positions, solution))


def _checked(solver: Any, seconds: float | None, ctrl_c: bool, assumptions: Sequence[Any]) -> Any:
    solver.set("timeout", NO_TIMEOUT if seconds is None else min(NO_TIMEOUT, max(1, int(seconds * 1000))))
    solver.set("ctrl_c", ctrl_c)
    return solver.check(*assumptions)


def satisfiable(solver: Any, clock: Budget, *assumptions: Any) -> bool:
    """Return whether a solver finds a solution; raise OutOfTime if the clock expired first, KeyboardInterrupt on
    Ctrl-C.
    """
    import z3

    if clock.expired:
        raise OutOfTime
    answer = _checked(solver, min(BRIEF, clock.left or BRIEF), False, assumptions)
    if answer == z3.unknown and solver.reason_unknown() in ("timeout", "canceled") and not clock.expired:
        answer = _checked(solver, clock.left, threading.current_thread() is threading.main_thread(), assumptions)
    if answer == z3.unknown:
        if clock.left is not None and clock.left <= EARLY:
            raise OutOfTime
        if solver.reason_unknown() in ("canceled", "interrupted from keyboard"):
            raise KeyboardInterrupt
        raise RuntimeError(f"z3 gave up: {solver.reason_unknown()}")
    return bool(answer == z3.sat)


@contextmanager
def interruption_kept() -> Iterator[None]:
    """Raise the KeyboardInterrupt that a destructor swallowed, or that came while an argument was converted.

    Python passes the exceptions of destructors to ``sys.unraisablehook`` and goes on; ctypes turns one that comes while
    it reads an argument into an ArgumentError.
    """
    before, lost = sys.unraisablehook, list[Any]()

    def keep(unraisable: Any) -> None:
        if issubclass(unraisable.exc_type, KeyboardInterrupt):
            lost.append(unraisable.exc_type)
        else:
            before(unraisable)

    sys.unraisablehook = keep
    try:
        yield
    except ArgumentError as error:
        if KeyboardInterrupt.__name__ in str(error):
            raise KeyboardInterrupt from error
        raise
    finally:
        sys.unraisablehook = before
    if lost:
        raise KeyboardInterrupt
