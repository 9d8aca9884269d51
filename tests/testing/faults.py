"""Backends with a fault each, made from a good one: the suite must catch every one of them."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

from sudoku_models.engine.budget import Budget
from sudoku_models.engine.contract import (
    Capabilities,
    Compiled,
    Ending,
    Feature,
    Reason,
    Request,
    Run,
    Search,
    Solution,
)
from sudoku_models.engine.record import Record
from sudoku_models.errors import Unsupported
from sudoku_models.model import Compare, Constraint, Linear, Model, Table
from sudoku_models.testing import Wrapper
from sudoku_models.testing.processes import PaceMeter

GOOD = "backtracking"


class Faulty(Wrapper):
    """Changes the model, the request, the solutions or the ending; here none of them."""

    def __init__(self) -> None:
        super().__init__(GOOD)

    def compile(self, model: Model, options: Any) -> Compiled:
        return _Compiled(self, super().compile(self.model(model), options), model)

    def model(self, model: Model) -> Model:
        return model

    def request(self, request: Request, model: Model) -> Request:
        return request

    def solutions(self, found: Run, request: Request, model: Model) -> Iterator[Solution]:
        return found

    def ending(self, ending: Ending) -> Ending:
        return ending

    def session(self, session: Any) -> Any:
        return session

    def maps(self, compiled: Any) -> Any:
        return compiled


class _Compiled:
    def __init__(self, fault: Faulty, inner: Compiled, model: Model) -> None:
        self.fault, self.inner, self.model = fault, inner, model

    @property
    def native(self) -> Any:
        return self.inner.native

    def search(self, request: Request, budget: Budget, record: Record) -> Search:
        found = Run(self.inner.search(self.fault.request(request, self.model), budget, record), budget.part(), record)
        try:
            yield from self.fault.solutions(found, request, self.model)
            return self.fault.ending(found.ending)
        finally:
            found.close()

    def assume(self) -> Any:
        inner: Any = self.inner
        return self.fault.session(inner.assume())

    def variable(self, cell: Any) -> Any:
        return self.fault.maps(self.inner).variable(cell)

    def literal(self, cell: Any, value: int) -> Any:
        return self.fault.maps(self.inner).literal(cell, value)

    def decode(self, answer: Any) -> dict[str, int]:
        found: dict[str, int] = self.fault.maps(self.inner).decode(answer)
        return found


def _changed(model: Model, change: Callable[[Constraint], Constraint | None]) -> Model:
    constraints = [new for c in model.constraints if (new := change(c)) is not None]
    return Model(model.variables, constraints, model.objective)


class DropsAConstraint(Faulty):
    def model(self, model: Model) -> Model:
        return Model(model.variables, model.constraints[:-1])


class IgnoresUnequal(Faulty):
    def model(self, model: Model) -> Model:
        return _changed(model, lambda c: None if isinstance(c, Compare | Linear) and c.op == "!=" else c)


class BoundOffByOne(Faulty):
    def model(self, model: Model) -> Model:
        return _changed(
            model, lambda c: replace(c, k=c.k - 1) if isinstance(c, Linear) and c.op == "<=" and len(c.xs) > 1 else c
        )


class StrictForLoose(Faulty):
    def model(self, model: Model) -> Model:
        return _changed(model, lambda c: replace(c, op=">") if isinstance(c, Compare) and c.op == ">=" else c)


class TableRowLost(Faulty):
    def model(self, model: Model) -> Model:
        return _changed(
            model, lambda c: Table(c.xs, c.tuples[:-1]) if isinstance(c, Table) and c.allowed and c.tuples[3:] else c
        )


class LosesTheLastSolution(Faulty):
    def solutions(self, found: Run, request: Request, model: Model) -> Iterator[Solution]:
        previous = next(found, None)
        for solution in found:
            assert previous is not None
            yield previous
            previous = solution


class Duplicates(Faulty):
    def solutions(self, found: Run, request: Request, model: Model) -> Iterator[Solution]:
        for i, solution in enumerate(found):
            yield solution
            if i == 3:
                yield solution


class CompleteTooEarly(Faulty):
    def request(self, request: Request, model: Model) -> Request:
        return replace(request, limit=10 if request.limit is None else request.limit)

    def ending(self, ending: Ending) -> Ending:
        return Ending(Reason.EXHAUSTED)


class NeverComplete(Faulty):
    def ending(self, ending: Ending) -> Ending:
        return Ending(Reason.GAVE_UP) if ending.reason is Reason.EXHAUSTED else ending


class IgnoresDomains(Faulty):
    def request(self, request: Request, model: Model) -> Request:
        return replace(request, domains={})


class IgnoresLimit(Faulty):
    def request(self, request: Request, model: Model) -> Request:
        return replace(request, limit=None)


class WrongValue(Faulty):
    def solutions(self, found: Run, request: Request, model: Model) -> Iterator[Solution]:
        return ((*solution[:-1], solution[-1] + 1) if solution else solution for solution in found)


class WrongUnsatisfiable(Faulty):
    """Finds nothing on larger models, and says that it has proved it."""

    def solutions(self, found: Run, request: Request, model: Model) -> Iterator[Solution]:
        return iter(()) if len(model.constraints) > 6 else found

    def ending(self, ending: Ending) -> Ending:
        return Ending(Reason.EXHAUSTED) if ending.reason is Reason.CLOSED else ending


class SwapsVariables(Faulty):
    def solutions(self, found: Run, request: Request, model: Model) -> Iterator[Solution]:
        return ((*solution[1::-1], *solution[2:]) for solution in found)


class IgnoresKeep(Faulty):
    def request(self, request: Request, model: Model) -> Request:
        return replace(request, keep=None)


class KeptOnly(Faulty):
    """Yields the kept values alone instead of whole solutions."""

    def solutions(self, found: Run, request: Request, model: Model) -> Iterator[Solution]:
        at = [model.index[x] for x in request.keep or model.names]
        return (tuple(solution[i] for i in at) for solution in found)


class IgnoresSeed(Faulty):
    def request(self, request: Request, model: Model) -> Request:
        return replace(request, seed=0)


class AnyAnswer(Faulty):
    def request(self, request: Request, model: Model) -> Request:
        return replace(request, seed=random.randrange(1 << 30))


class IgnoresTimeLimit(Faulty):
    """Stops, but more than a second of work late."""

    def solutions(self, found: Run, request: Request, model: Model) -> Iterator[Solution]:
        yield from found
        meter = PaceMeter()
        while found.budget.left is not None and meter.spent() < 1.8:
            pass


class TimeoutIsProof(Faulty):
    def ending(self, ending: Ending) -> Ending:
        return Ending(Reason.EXHAUSTED) if ending.reason is Reason.TIME else ending


class CountsTheConsumersTime(Faulty):
    def solutions(self, found: Run, request: Request, model: Model) -> Iterator[Solution]:
        started, limit = time.perf_counter(), found.budget.left
        for solution in found:
            yield solution
            if limit is not None and time.perf_counter() - started > limit:
                return


class KeepsAThread(Faulty):
    def solutions(self, found: Run, request: Request, model: Model) -> Iterator[Solution]:
        threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
        return found


class KeepsAProcess(Faulty):
    def solutions(self, found: Run, request: Request, model: Model) -> Iterator[Solution]:
        if len(model.names) == 81:
            self.process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        return found


class WorksOnUnasked(Faulty):
    """Burns CPU time in a thread while the consumer rests."""

    def solutions(self, found: Run, request: Request, model: Model) -> Iterator[Solution]:
        stop = threading.Event()
        thread = threading.Thread(target=_burn, args=(15, stop), daemon=True)
        thread.start()
        try:
            yield from found
        finally:
            stop.set()
            thread.join()


def _burn(seconds: float, stop: threading.Event | None = None) -> None:
    meter = PaceMeter()
    while not (stop and stop.is_set()) and meter.spent() < seconds:
        pass


class Hoards(Faulty):
    """Keeps something large for every solution."""

    def solutions(self, found: Run, request: Request, model: Model) -> Iterator[Solution]:
        hoard = []
        for solution in found:
            hoard.append(bytearray(b"x" * (1 << 18)))
            yield solution


class SwallowsCtrlC(Faulty):
    def solutions(self, found: Run, request: Request, model: Model) -> Iterator[Solution]:
        try:
            yield from found
        except KeyboardInterrupt:
            return


class IgnoresCtrlC(Faulty):
    """Takes a Ctrl-C for something else, and continues."""

    def solutions(self, found: Run, request: Request, model: Model) -> Iterator[Solution]:
        while len(model.names) > 16:
            try:
                time.sleep(0.001)
                _burn(0.1)
            except KeyboardInterrupt:
                continue
        return found


class TriesEveryNumber(Faulty):
    """Goes through all numbers from the least to the greatest of a domain."""

    def solutions(self, found: Run, request: Request, model: Model) -> Iterator[Solution]:
        for variable in model.variables:
            for value in range(min(variable.domain, default=0), max(variable.domain, default=0)):
                with suppress(Exception):
                    variable.domain.index(value)
        return found


class Sleeps(Faulty):
    """Waits for ever, and for nothing."""

    def solutions(self, found: Run, request: Request, model: Model) -> Iterator[Solution]:
        while True:
            with suppress(Exception):
                time.sleep(600)


class ListsEveryNumber(Faulty):
    """Makes a list of all numbers up to a large one."""

    def solutions(self, found: Run, request: Request, model: Model) -> Iterator[Solution]:
        for variable in model.variables:
            assert max(variable.domain, default=0) < 1 << 31 or list(range(1 << 31))
        return found


class Remembers(Faulty):
    """Domains of one request are still in force in the next."""

    def __init__(self) -> None:
        super().__init__()
        self.domains: dict[str, Any] = {}

    def request(self, request: Request, model: Model) -> Request:
        self.domains.update(request.domains)
        return replace(request, domains={x: d for x, d in self.domains.items() if x in model.index})


class OneNative(Faulty):
    """Hands out one and the same native model, a list that anybody may change."""

    def compile(self, model: Model, options: Any) -> Compiled:
        compiled: Any = super().compile(model, options)
        shared: list[int] = []
        return type("Shared", (), {"native": shared, "search": staticmethod(compiled.search)})()


class RefusesWhatItDeclares(Faulty):
    def model(self, model: Model) -> Model:
        if any(isinstance(c, Linear) and 0 in c.coeffs for c in model.constraints):
            raise Unsupported("a coefficient is 0")
        return model


class TakesAnything(Faulty):
    """Declares kinds that it has never heard of, and ignores them."""

    @property
    def capabilities(self) -> Capabilities:
        return replace(super().capabilities, kinds=_Everything())

    def model(self, model: Model) -> Model:
        return _changed(model, lambda c: c if type(c).__name__ in Constraint.kinds else None)


class _Everything(frozenset):  # type: ignore[type-arg]
    def __contains__(self, kind: object) -> bool:
        return True


class ProvesUndeclared(Faulty):
    """Does not declare proofs; says "no further solution exists" of its own accord, when it has found one."""

    @property
    def capabilities(self) -> Capabilities:
        capabilities = super().capabilities
        return replace(capabilities, features=capabilities.features - {Feature.ENUMERATE})

    def solutions(self, found: Run, request: Request, model: Model) -> Iterator[Solution]:
        return iter(()) if len(model.constraints) > 6 else found

    def ending(self, ending: Ending) -> Ending:
        return Ending(Reason.EXHAUSTED)


class DoesNothing(Faulty):
    """Refuses every model, so that no check fails."""

    @property
    def capabilities(self) -> Capabilities:
        return replace(super().capabilities, refuses_model=_too_hard)


def _too_hard(model: Model) -> str:
    return "it is too hard"


FAULTS: dict[type[Faulty], str] = {
    DropsAConstraint: "known_counts",
    IgnoresUnequal: "every_operator",
    BoundOffByOne: "every_operator",
    StrictForLoose: "every_operator",
    TableRowLost: "Table_alone",
    LosesTheLastSolution: "known_counts",
    Duplicates: "known_counts",
    CompleteTooEarly: "known_counts",
    NeverComplete: "known_counts",
    IgnoresDomains: "odd_requests",
    IgnoresLimit: "limits_on_the_compiled_model",
    WrongValue: "known_satisfiability",
    WrongUnsatisfiable: "boards_against_the_reference",
    SwapsVariables: "odd_models",
    IgnoresKeep: "kept_cells",
    KeptOnly: "kept_variables",
    IgnoresSeed: "another_seed_another_search",
    AnyAnswer: "same_seed_same_answer",
    IgnoresTimeLimit: "time_limit_while_none_comes",
    CountsTheConsumersTime: "consumer_time_is_free",
    KeepsAThread: "ending_leaves_nothing",
    KeepsAProcess: "closing_leaves_nothing",
    WorksOnUnasked: "pulled_not_pushed",
    Hoards: "flat_memory",
    SwallowsCtrlC: "ctrl_c_ends_a_search",
    IgnoresCtrlC: "ctrl_c_ends_an_enumeration",
    ListsEveryNumber: "large_numbers",
    Remembers: "runs_leave_no_trace",
    OneNative: "native_is_fresh",
    RefusesWhatItDeclares: "odd_constraints",
    TakesAnything: "undeclared_constraints",
    ProvesUndeclared: "known_satisfiability",
    DoesNothing: "enough_cases",
}
"""Each fault, and a check that must catch it."""
