"""Count in blocks: an engine returns arrays of solutions, which are checked in bulk on the stated model.

If the domains as narrowed by the engine make the model fall apart into groups of variables that no constraint links,
the solutions of each group are counted with the others fixed as in one solution, and the numbers are multiplied.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations, pairwise
from math import prod
from typing import TYPE_CHECKING, Any

from ..errors import BackendMissing, Unsupported, WrongAnswer
from ..model import AllDifferent, Compare, Constraint, Domain, Model
from . import place, relay
from .budget import Budget, OutOfTime
from .contract import CompiledWithBlocks, Ending, Outcome, Reason, Request
from .guard import guarded
from .record import Record
from .registry import BackendLike, Selection, select
from .road import Prepared, normal, prepare, refuse_undeclared, run
from .streams import gives_blocks, rows_of

if TYPE_CHECKING:
    from numpy.typing import NDArray


ENOUGH = 1_000
"""After this number of solutions it is worth testing whether the model falls apart."""


def counted(
    model: Model, spec: BackendLike, request: Request, record: Record, budget: Budget | None = None
) -> Outcome | None:
    """Count solutions in blocks; None if the engine has no blocks or gave up: then they are counted one by one.

    For a relay, the first member counts; if that member passes over puzzles with several solutions and the next one
    answers them, the second member counts. Raises the same errors as ``road.run``.
    """
    with Budget(request.time_limit, request.memory_limit, budget) as clock:
        return _counted(model, select(spec), request, record, clock)


def _counted(model: Model, selection: Selection, request: Request, record: Record, clock: Budget) -> Outcome | None:
    turns = iter(selection.options) if isinstance(selection.backend, relay.Relay) else iter((selection,))
    member = next(turns)
    if getattr(member.options, "several", "") == "pass" and member is not selection:
        with run(model, member, request, record, budget=clock) as found:
            solved = sum(1 for _ in found)
            if solved or found.outcome.reason is not Reason.GAVE_UP:
                return found.outcome
        record.notes.append(f"{member} gave up")
        member = next(turns)
    request = normal(model, replace(request, time_limit=clock.left, memory_limit=clock.memory))
    refuse_undeclared(selection, request, model)
    if model.objective or request.keep or request.trace or place.isolated(member, request, model):
        return None
    try:
        prepared = prepare(model, member, record, clock)
    except OutOfTime:
        return Outcome(0, False, Reason.TIME, None, record)
    except (Unsupported, BackendMissing):
        if member is selection:
            raise
        return None
    if not (gives_blocks(prepared.compiled) and prepared.lowered.functional):
        return None
    record.backend, record.options, record.seed = member.backend.name, member.changed, request.seed
    record.plan = prepared.plan_later
    ending, count = _Counting(prepared, request, clock, record).counted()
    if ending.reason is Reason.GAVE_UP:
        return None
    return Outcome(count, ending.reason is Reason.EXHAUSTED, ending.reason, None, record)


class _Counting:
    """One count, for a prepared model and some domains."""

    def __init__(self, prepared: Prepared[Any], request: Request, clock: Budget, record: Record) -> None:
        self.prepared, self.request, self.clock, self.record = prepared, request, clock, record
        self.model, self.selection = prepared.model, prepared.selection
        self.rows = rows_of(prepared.checker, request.domains)
        self.watch = record.stopwatch()

    def counted(self, whole: bool = True) -> tuple[Ending, int]:
        """Return how the search ended and the number of solutions; only a ``whole`` model is tested for independent
        groups.
        """
        count, source = 0, self._blocks()
        while True:
            try:
                block = guarded(self.selection, lambda: next(source))
            except StopIteration as stop:
                self.watch.lap("run")
                return guarded(self.selection, partial(Ending.of, stop.value)), count
            self.watch.lap("run")
            try:
                self._check(block)
            except OutOfTime:
                source.close()
                return Ending(Reason.TIME), count
            self.watch.lap("check")
            count += len(block)
            if self.clock.expired and count != self.request.limit:
                source.close()
                return Ending(Reason.TIME), count  # the engine's own clock may have stood still during the checks
            if whole and count >= ENOUGH:
                whole = False
                groups = self._groups()
                if len(groups) > 1 and self.rows.parted(groups):
                    source.close()
                    solution = dict(zip(self.model.names, block[0].tolist(), strict=False))
                    ending, other = self._product(groups, solution) or self._anew().counted(whole=False)
                    return ending, other if ending.reason is Reason.EXHAUSTED else max(count, other)

    def _blocks(self) -> Generator[NDArray[Any], None, Ending]:
        compiled: CompiledWithBlocks = self.prepared.compiled
        request = replace(self.request, time_limit=self.clock.left)
        blocks = guarded(self.selection, lambda: compiled.blocks(request))
        self.watch.lap("encode")
        return blocks

    def _check(self, block: NDArray[Any]) -> None:
        fault = self.rows.fault(block, self.clock.check)
        if fault:
            raise WrongAnswer(f"{self.selection} returned a wrong solution: {fault}", self.selection.backend.name)

    def _groups(self) -> list[tuple[str, ...]]:
        compiled: CompiledWithBlocks = self.prepared.compiled
        return independent(self.model, {**self.model.domains, **compiled.narrowed(self.request)})

    def _anew(self, **changed: Any) -> _Counting:
        return _Counting(self.prepared, replace(self.request, **changed), self.clock, self.record)

    def _product(self, groups: Sequence[Sequence[str]], solution: Mapping[str, int]) -> tuple[Ending, int] | None:
        """Count each group separately, with the other variables as in a solution, and return the product.

        None if a judge read variables of several groups: then it has to see all solutions.
        """
        counts: list[int] = []
        ending, limit = Ending(Reason.EXHAUSTED), self.request.limit
        for group in groups:
            one = self._anew(domains={**self.request.domains, **_fixed(solution, group)})
            ending, count = one.counted(whole=False)
            if not one.rows.parted(groups):
                return None
            counts.append(count)
            if ending.reason is not Reason.EXHAUSTED or (limit is not None and prod(counts) >= limit):
                break
        self.record.notes.append(f"counted in {len(groups)} independent groups of cells")
        total = prod(counts)
        if limit is not None and total >= limit:
            return Ending(Reason.LIMIT), limit
        return ending, total


def _fixed(solution: Mapping[str, int], group: Sequence[str]) -> dict[str, Domain]:
    inside = set(group)
    return {x: (value,) for x, value in solution.items() if x not in inside}


def independent(model: Model, domains: Mapping[str, Domain]) -> list[tuple[str, ...]]:
    """Return the groups of variables, each with several values in ``domains``, that no constraint links to one another.

    Variables that must differ are linked only if they have a value in common. Any combination of solutions of
    the groups, together with the variables that have one value, is a solution of the model.
    """
    open_ones = [x for x in model.names if len(domains[x]) > 1]
    leader = {x: x for x in open_ones}

    def head(x: str) -> str:
        while leader[x] != x:
            leader[x] = leader[leader[x]]
            x = leader[x]
        return x

    for constraint in model.constraints:
        for x, y in _links(constraint, leader, domains):
            leader[head(x)] = head(y)
    groups: dict[str, list[str]] = {}
    for x in open_ones:
        groups.setdefault(head(x), []).append(x)
    return [tuple(group) for group in groups.values()]


def _links(c: Constraint, known: Mapping[str, str], domains: Mapping[str, Domain]) -> Iterator[tuple[str, str]]:
    """Yield pairs of open variables that a constraint links; a chain of pairs is enough to link all its variables."""
    xs = [x for x in c.scope if x in known]
    if isinstance(c, AllDifferent) or (isinstance(c, Compare) and c.op == "!=" and c.c == 0):
        yield from ((x, y) for x, y in combinations(xs, 2) if not set(domains[x]).isdisjoint(domains[y]))
    else:
        yield from pairwise(xs)
