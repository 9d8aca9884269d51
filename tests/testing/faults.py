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
from sudoku_models.model import Compare, Constraint, InDomain, Linear, Model, Objective, Table
from sudoku_models.testing import Wrapper


class Faulty(Wrapper):
    """Changes the model, the request, the solutions, the ending, sessions or maps by ``hooks``; here none of them."""

    def __init__(self, name: str = "faultless", check: str = "", **hooks: Callable[..., Any]) -> None:
        super().__init__("backtracking")
        self.name, self.check, self.hooks = name, check, hooks

    @property
    def capabilities(self) -> Capabilities:
        return self.changed("capabilities", super().capabilities)  # type: ignore[no-any-return]

    def compile(self, model: Model, options: Any) -> Compiled:
        return _Compiled(self, super().compile(self.changed("model", model), options), model)

    def changed(self, what: str, value: Any, *others: Any) -> Any:
        return self.hooks[what](value, *others) if what in self.hooks else value

    def solutions(self, found: Run, request: Request, model: Model) -> Iterator[Solution]:
        return self.changed("solutions", found, request, model)  # type: ignore[no-any-return]


class _Compiled:
    def __init__(self, fault: Faulty, inner: Any, model: Model) -> None:
        self.fault, self.inner, self.model = fault, inner, model

    @property
    def native(self) -> Any:
        return self.fault.changed("native", self.inner.native)

    def search(self, request: Request, budget: Budget, record: Record) -> Search:
        asked = self.fault.changed("request", request, self.model)
        found = Run(self.inner.search(asked, budget, record), budget.part(), record)
        try:
            yield from self.fault.solutions(found, request, self.model)
            return self.fault.changed("ending", found.ending)  # type: ignore[no-any-return]
        finally:
            found.close()

    def assume(self) -> Any:
        return self.fault.changed("session", self.inner.assume())

    def variable(self, cell: Any) -> Any:
        return self.fault.changed("variable", self.inner.variable)(cell)

    def literal(self, cell: Any, value: int) -> Any:
        return self.fault.changed("literal", self.inner.literal)(cell, value)

    def decode(self, answer: Any) -> Any:
        return self.fault.changed("decode", self.inner.decode)(answer)


# ---- models


def _constraints(change: Callable[[Any], Constraint | None]) -> Callable[[Model], Model]:
    def changed(model: Model) -> Model:
        constraints = [new for c in model.constraints if (new := change(c)) is not None]
        return Model(model.variables, constraints, model.objective)

    return changed


def _objective(change: Callable[[Objective], Objective]) -> Callable[[Model], Model]:
    return lambda model: model.with_(objective=change(model.objective)) if model.objective else model


def _refuses_zeros(model: Model) -> Model:
    if any(isinstance(c, Linear) and 0 in c.coeffs for c in model.constraints):
        raise Unsupported("a coefficient is 0")
    return model


# ---- solutions


def _without_last(found: Run, request: Request, model: Model) -> Iterator[Solution]:
    previous = next(found, None)
    for solution in found:
        assert previous is not None
        yield previous
        previous = solution


def _duplicates(found: Run, request: Request, model: Model) -> Iterator[Solution]:
    for i, solution in enumerate(found):
        yield solution
        if i == 3:
            yield solution


def _wrong_value(found: Run, request: Request, model: Model) -> Iterator[Solution]:
    return ((*solution[:-1], solution[-1] + 1) if solution else solution for solution in found)


def _none_of_larger_models(found: Run, request: Request, model: Model) -> Iterator[Solution]:
    return iter(()) if len(model.constraints) > 6 else found


def _kept_only(found: Run, request: Request, model: Model) -> Iterator[Solution]:
    at = [model.index[x] for x in request.keep or model.names]
    return (tuple(solution[i] for i in at) for solution in found)


def _best_kept_back(found: Run, request: Request, model: Model) -> Iterator[Solution]:
    came = list(found) if model.objective else []
    return iter(came[:-1] or came) if came else found


def _worse_in_between(found: Run, request: Request, model: Model) -> Iterator[Solution]:
    came = list(found) if model.objective else []
    return iter(came[1:] + came[:1]) if came else found


# ---- time, memory, threads and processes


def _counts_the_consumers_time(found: Run, request: Request, model: Model) -> Iterator[Solution]:
    started, limit = time.perf_counter(), found.budget.left
    for solution in found:
        yield solution
        if limit is not None and time.perf_counter() - started > limit:
            return


def _holds_back(found: Run, request: Request, model: Model) -> Iterator[Solution]:
    first = next(found)
    time.sleep(found.budget.left or 0)
    yield first
    yield from found


def _keeps_a_thread(found: Run, request: Request, model: Model) -> Iterator[Solution]:
    threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
    return found


_KEPT: list[Any] = []


def _keeps_a_process(found: Run, request: Request, model: Model) -> Iterator[Solution]:
    if len(model.names) == 81:
        _KEPT.append(subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]))
    return found


def _works_on_unasked(found: Run, request: Request, model: Model) -> Iterator[Solution]:
    """Burns CPU time in a thread while the consumer rests."""
    stop = threading.Event()
    thread = threading.Thread(target=_burn, args=(60, stop), daemon=True)
    thread.start()
    try:
        yield from found
    finally:
        stop.set()
        thread.join()


def _burn(seconds: float, stop: threading.Event | None = None) -> None:
    began = time.thread_time()
    while not (stop and stop.is_set()) and time.thread_time() - began < seconds:
        pass


def _hoards(found: Run, request: Request, model: Model) -> Iterator[Solution]:
    hoard = []
    for solution in found:
        hoard.append(bytearray(b"x" * (1 << 18)))
        yield solution


def _lists_every_number(found: Run, request: Request, model: Model) -> Iterator[Solution]:
    for variable in model.variables:
        assert max(variable.domain, default=0) < 1 << 31 or list(range(1 << 31))
    return found


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


# ---- sessions and maps, which remember


def _remembers() -> Callable[[Request, Model], Request]:
    domains: dict[str, Any] = {}

    def request(request: Request, model: Model) -> Request:
        domains.update(request.domains)
        return replace(request, domains={x: d for x, d in domains.items() if x in model.index})

    return request


def _takes_the_first_only(session: Any) -> Any:
    add, count = session.add, [0]

    def once(constraints: Any, variables: Any = ()) -> None:
        count[0] += 1
        add(constraints if count[0] == 1 else [], variables)

    session.add = once
    return session


def _remembers_in_sessions(session: Any) -> Any:
    search, domains = session.search, dict[str, Any]()

    def narrower(request: Request, *content: Any) -> Any:
        domains.update(request.domains)
        return search(replace(request, domains=dict(domains)), *content)

    session.search = narrower
    return session


def _spoilt_by_refusals(session: Any) -> Any:
    """Add what comes before a constraint that is refused."""
    add = session.add

    def hasty(constraints: Any, variables: Any = ()) -> None:
        add(constraints[:1], variables)
        if len(constraints) > 1:
            raise Unsupported("one constraint at a time")

    session.add = hasty
    return session


class _Everything(frozenset):  # type: ignore[type-arg]
    def __contains__(self, kind: object) -> bool:
        return True


def _when(reason: Reason, ending: Ending) -> Callable[[Ending], Ending]:
    return lambda given: ending if given.reason is reason else given


PROVED = Ending(Reason.EXHAUSTED)

FAULTS = (
    Faulty("drops-a-constraint", "known_counts", model=lambda m: Model(m.variables, m.constraints[:-1])),
    Faulty(
        "ignores-unequal",
        "every_operator",
        model=_constraints(lambda c: None if isinstance(c, Compare | Linear) and c.op == "!=" else c),
    ),
    Faulty(
        "bound-off-by-one",
        "every_operator",
        model=_constraints(
            lambda c: replace(c, k=c.k - 1) if isinstance(c, Linear) and c.op == "<=" and len(c.xs) > 1 else c
        ),
    ),
    Faulty(
        "strict-for-loose",
        "every_operator",
        model=_constraints(lambda c: replace(c, op=">") if isinstance(c, Compare) and c.op == ">=" else c),
    ),
    Faulty(
        "table-row-lost",
        "Table_alone",
        model=_constraints(
            lambda c: Table(c.xs, c.tuples[:-1]) if isinstance(c, Table) and c.allowed and c.tuples[3:] else c
        ),
    ),
    Faulty("refuses-what-it-declares", "odd_constraints", model=_refuses_zeros),
    Faulty(
        "takes-anything",
        "undeclared_constraints",
        capabilities=lambda able: replace(able, kinds=_Everything()),
        model=_constraints(lambda c: c if type(c).__name__ in Constraint.kinds else None),
    ),
    Faulty("does-nothing", "enough_cases", capabilities=lambda able: replace(able, refuses_model=lambda m: "too hard")),
    Faulty("loses-the-last-solution", "known_counts", solutions=_without_last),
    Faulty("duplicates", "known_counts", solutions=_duplicates),
    Faulty("wrong-value", "known_satisfiability", solutions=_wrong_value),
    Faulty("swaps-variables", "odd_models", solutions=lambda found, *_: ((*s[1::-1], *s[2:]) for s in found)),
    Faulty("kept-only", "kept_variables", solutions=_kept_only),
    Faulty(
        "wrong-unsatisfiable",
        "boards_against_the_reference",
        solutions=_none_of_larger_models,
        ending=_when(Reason.CLOSED, PROVED),
    ),
    Faulty(
        "proves-undeclared",
        "known_satisfiability",
        capabilities=lambda able: replace(able, features=able.features - {Feature.ENUMERATE}),
        solutions=_none_of_larger_models,
        ending=lambda _: PROVED,
    ),
    Faulty(
        "complete-too-early",
        "known_counts",
        request=lambda r, _: replace(r, limit=10 if r.limit is None else r.limit),
        ending=lambda _: PROVED,
    ),
    Faulty("never-complete", "known_counts", ending=_when(Reason.EXHAUSTED, Ending(Reason.GAVE_UP))),
    Faulty("ignores-domains", "odd_requests", request=lambda r, _: replace(r, domains={})),
    Faulty("ignores-limit", "limits_on_the_compiled_model", request=lambda r, _: replace(r, limit=None)),
    Faulty("ignores-keep", "kept_cells", request=lambda r, _: replace(r, keep=None)),
    Faulty("ignores-seed", "another_seed_another_search", request=lambda r, _: replace(r, seed=0)),
    Faulty("any-answer", "same_seed_same_answer", request=lambda r, _: replace(r, seed=random.randrange(1 << 30))),
    Faulty("remembers", "runs_leave_no_trace", request=_remembers()),
    Faulty("one-native", "native_is_fresh", native=lambda _: _KEPT),
    Faulty("counts-the-consumers-time", "consumer_time_is_free", solutions=_counts_the_consumers_time),
    Faulty("keeps-a-thread", "ending_leaves_nothing", solutions=_keeps_a_thread),
    Faulty("keeps-a-process", "closing_leaves_nothing", solutions=_keeps_a_process),
    Faulty("works-on-unasked", "pulled_not_pushed", solutions=_works_on_unasked),
    Faulty("hoards", "flat_memory", solutions=_hoards),
    Faulty("lists-every-number", "large_numbers", solutions=_lists_every_number),
    SwallowsCtrlC("swallows-Ctrl-C", "ctrl_c_ends_a_search"),
    IgnoresCtrlC("ignores-Ctrl-C", "ctrl_c_ends_an_enumeration"),
    Faulty("holds-back", "improvements_as_they_are_found", solutions=_holds_back),
    Faulty("keeps-the-best-back", "best_of_a_board", solutions=_best_kept_back),
    Faulty("worse-in-between", "best_of_a_board", solutions=_worse_in_between),
    Faulty("wrong-direction", "objectives", model=_objective(lambda o: replace(o, sense="maximize"))),
    Faulty("forgets-negatives", "odd_objectives", model=_objective(lambda o: replace(o, coeffs=map(abs, o.coeffs)))),
    Faulty(
        "complete-at-the-first",
        "objectives_cut_short",
        request=lambda r, model: replace(r, limit=1) if model.objective else r,
        ending=lambda _: PROVED,
    ),
    Faulty(
        "the-best-so-far-is-the-best",
        "best_of_a_board",
        request=lambda r, model: replace(r, limit=r.limit or 2) if model.objective else r,
        ending=lambda ending: replace(ending, reason=Reason.EXHAUSTED) if ending.reason is Reason.LIMIT else ending,
    ),
    Faulty("bound-out-of-reach", "objectives_cut_short", ending=lambda ending: Ending(ending.reason, 1000)),
    Faulty("forgets-what-was-added", "sessions_grow", session=_takes_the_first_only),
    Faulty("remembers-in-sessions", "sessions_grow", session=_remembers_in_sessions),
    Faulty("spoilt-by-refusals", "sessions_outlive_refusals", session=_spoilt_by_refusals),
    Faulty(
        "literal-of-the-next-value",
        "maps_lead_both_ways",
        literal=lambda _: lambda x, value: InDomain(x, (value % 4 + 1,)),
    ),
    Faulty(
        "literal-true-of-the-value-above-too",
        "maps_lead_both_ways",
        literal=lambda _: lambda x, value: InDomain(x, (value, value + 1)),
    ),
    Faulty("decodes-backwards", "maps_lead_both_ways", decode=lambda decode: lambda answer: decode(answer[::-1])),
    Faulty("stumbles-over-a-map", "maps_or_reasons", literal=lambda _: None),
)
"""Each fault with the name of a check that must catch it."""


def every_number_tried(found: Run, request: Request, model: Model) -> Iterator[Solution]:
    """Go through all numbers from the least to the greatest of a domain."""
    for variable in model.variables:
        for value in range(min(variable.domain, default=0), max(variable.domain, default=0)):
            with suppress(Exception):
                variable.domain.index(value)
    return found


def asleep(found: Run, request: Request, model: Model) -> Iterator[Solution]:
    """Wait for ever, and for nothing."""
    while True:
        with suppress(Exception):
            time.sleep(600)
