"""Solutions one by one out of blocks: an engine returns arrays of solutions, which are checked in bulk.

The first thousand are checked one by one, so that each is available as soon as it is found, and another engine can take
over if this one gives up. A block is checked before its first solution is yielded.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from ..model import Domain
from .budget import Budget, OutOfTime
from .check import Checker
from .contract import Ending, Feature, Reason, Request, Search, Solution
from .guard import Guard, guarded
from .record import Stopwatch
from .registry import Selection

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .rows_checker import RowsChecker

Source = Generator["NDArray[Any]", None, Ending]

FIRST = 1_000
"""The number of solutions that are checked one by one before blocks are checked."""


def takes(request: Request) -> bool:
    """Return whether a request may have more solutions than are checked one by one, and asks for nothing else."""
    many = request.limit is None or request.limit > FIRST
    return many and request.keep is None and request.memory_limit is None and request.trace is None


def fits(compiled: object, guard: Guard, request: Request) -> bool:
    """Return whether taking solutions in blocks pays off, from an engine that has blocks and proves its answers.

    An engine that takes over from another one yields its solutions one by one: earlier solutions are left out.
    """
    proves = Feature.PROVE in guard.selection.capabilities.features
    begins = guard.objective is None and not guard.count
    return proves and begins and takes(request) and gives_blocks(compiled)


def stepped(selection: Selection, blocks: Source) -> Source:
    """Yield the blocks of an engine; turn any exception into BackendFailed."""
    try:
        while True:
            yield guarded(selection, lambda: next(blocks))
    except StopIteration as stop:
        return guarded(selection, partial(Ending.of, stop.value))
    finally:
        blocks.close()


def gives_blocks(compiled: object) -> bool:
    """Return whether a compiled form is a CompiledWithBlocks; testing against the protocol itself is slow."""
    return hasattr(compiled, "blocks") and hasattr(compiled, "narrowed")


def rows_of(checker: Checker, domains: Mapping[str, Domain]) -> RowsChecker:
    """Return the check for many rows; numpy is first needed here."""
    from .rows_checker import RowsChecker

    return RowsChecker(checker, domains)


class SolutionStream:
    """The solutions of one request, taken from the blocks of an engine."""

    def __init__(self, guard: Guard, clock: Budget, watch: Stopwatch) -> None:
        self.guard, self.clock, self.watch = guard, clock, watch
        self._rows: RowsChecker | None = None
        self._before: list[Solution] = []

    def solutions(self, source: Source) -> Search:
        """Yield checked solutions; return how the search ended."""
        while self.guard.wanted:
            try:
                block = next(source)
            except StopIteration as stop:
                self.watch.lap("run")
                return Ending(stop.value.reason if self.guard.wanted else Reason.LIMIT)
            self.watch.lap("run")
            try:
                yield from self._checked(block)
            except OutOfTime:
                return Ending(Reason.TIME)
            finally:
                self.watch.restart()  # the caller's time, up to closing the run, does not count
            if self.clock.expired and self.guard.wanted:
                return Ending(Reason.TIME)
        return Ending(Reason.LIMIT)

    def _checked(self, block: NDArray[Any]) -> Iterator[Solution]:
        """Yield the solutions of a block; raise WrongAnswer at a wrong one, or first if one is repeated."""
        solutions = map(tuple, block.tolist())
        if self.guard.count < FIRST:
            yield from self._one_by_one(solutions)
            return
        rows = self._all_rows()
        fault = rows.fault(block, self.clock.check)
        self.watch.lap("check")
        if fault:
            if fault != rows.again:
                yield from self._one_by_one(solutions)
            raise self.guard.wrong(fault)
        width = self.guard.stated
        self.guard.passed(len(block))
        yield from solutions if block.shape[1] == width else (solution[:width] for solution in solutions)

    def _one_by_one(self, solutions: Iterator[Solution]) -> Iterator[Solution]:
        """Check and yield solutions; OutOfTime as soon as time is up, since a judge may take long for each."""
        for solution in solutions:
            stated = self.guard.checked(solution)
            if self._rows is None:
                self._before.append(stated)
            self.watch.lap("check")
            yield stated
            self.watch.restart()
            if self.guard.wanted:
                self.clock.check()

    def _all_rows(self) -> RowsChecker:
        """Return the check for blocks, which knows the earlier solutions."""
        if self._rows is None:
            self._rows = rows_of(self.guard.checker, self.guard.request.domains)
            self._rows.remember(self._before)
            self._before.clear()
        return self._rows
