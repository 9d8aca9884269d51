"""Check everything that leaves the road: each solution must be valid, new, and better if there is an objective."""

from __future__ import annotations

import marshal
from collections.abc import Callable
from dataclasses import replace
from hashlib import blake2b
from typing import TypeVar

from ..errors import BackendCrashed, BackendFailed, SudokuModelsError, WrongAnswer
from .budget import Budget
from .check import Checker
from .contract import Ending, Feature, Reason, Request, Run, Search, Solution
from .record import Record
from .registry import Selection

T = TypeVar("T")

REMEMBERED = 1 << 16
"""The largest number of solutions remembered to detect repetitions."""


def digest(solution: Solution) -> bytes:
    """Return the digest by which a solution is remembered."""
    return blake2b(marshal.dumps(solution, 2), digest_size=16).digest()


class SeenSolutions:
    """Detects repeated solutions in bounded memory.

    All are remembered until there are ``REMEMBERED``. Then half of them are forgotten, by their hashes, and from then
    on solutions with such hashes are skipped; and so on. So ``share`` (1, 1/2, 1/4, ...) is the chance that a single
    repetition is noticed; of n repetitions at least one is noticed with the chance 1 - (1 - share)^n.
    """

    def __init__(self, most: int = REMEMBERED) -> None:
        self.most, self._mask = most, 0
        self._digests: dict[bytes, int] = {}

    @property
    def share(self) -> float:
        """The probability that a solution is remembered."""
        return 1 / (self._mask + 1)

    @property
    def digests(self) -> set[bytes]:
        """The digests of the remembered solutions."""
        return set(self._digests)

    def knows(self, solution: Solution) -> bool:
        """Return whether a solution was seen before, and remember it."""
        found = digest(solution)
        mark = int.from_bytes(found[:4], "big")
        if mark & self._mask:
            return False
        if found in self._digests:
            return True
        self._digests[found] = mark
        while len(self._digests) > self.most:
            self._mask = 2 * self._mask + 1
            self._digests = {key: mark for key, mark in self._digests.items() if not mark & self._mask}
        return False


class Guard:
    """Checks what a backend yields: each solution satisfies the stated model and its judge, and none is repeated.

    Of more than 65,536 solutions only a sample is remembered, so a repetition may go unnoticed: see ``SeenSolutions``.

    With an objective each solution has to be better than the one before, by its value as it is computed here, and no
    better than the bound that the backend claims.
    """

    def __init__(self, checker: Checker, selection: Selection, request: Request) -> None:
        self.checker, self.selection, self.request = checker, selection, request
        self.stated = len(checker.model.names)
        self.objective = checker.model.objective
        self.best: int | None = None
        self.count = 0
        self._in_blocks = False
        self.seen = None if request.limit == 1 or self.objective else SeenSolutions()
        self.positions = None if request.keep is None else [checker.model.index[name] for name in request.keep]

    @property
    def wanted(self) -> bool:
        """Return whether more solutions are wanted."""
        return self.request.limit is None or self.count < self.request.limit

    @property
    def remembers_all(self) -> bool:
        """Return whether every solution is remembered, so that another engine can leave them out."""
        return not self._in_blocks and (self.seen is None or self.seen.share == 1)

    def passed(self, number: int) -> None:
        """Count solutions that were checked in a block; they are not remembered here."""
        self._in_blocks = True
        self.count += number

    def asked(self, request: Request) -> Request:
        """Return the request for an engine that starts anew: some of its improvements may not be improvements here."""
        return replace(request, limit=None) if self.objective and self.count else request

    def checked(self, solution: Solution) -> Solution:
        """Return a solution reduced to the stated variables; WrongAnswer if it is wrong or out of turn."""
        if type(solution) is not tuple:
            raise self.wrong(f"it is a {type(solution).__name__}, where a tuple of values is expected")
        stated = solution[: self.stated] if len(solution) > self.stated else solution
        fault = self.checker.fault(stated, self.request.domains)
        if fault:
            raise self.wrong(fault)
        if self.seen is not None and self.seen.knows(self._kept(stated)):
            raise self.wrong("it was returned before")
        self.improve(stated)
        self.count += 1
        return stated

    def improve(self, solution: Solution) -> None:
        """Check that a solution is better than the one before."""
        if self.objective:
            value = self._value(solution)
            if not self.objective.improves(value, self.best):
                raise self.wrong(f"its objective is {value}, which does not improve on {self.best}")
            self.best = value

    def _kept(self, solution: Solution) -> Solution:
        """Return the part of a solution that must differ from other solutions."""
        return solution[: self.stated] if self.positions is None else tuple(solution[i] for i in self.positions)

    def beyond(self, source: Run) -> Run:
        """Return the run of an engine that starts anew, without earlier solutions and those no better than the best
        one.
        """
        if not self.count:
            return source
        search = self._above(source) if self.objective else self._further(source)
        return Run(search, Budget(), source.record)

    def _further(self, source: Run) -> Search:
        assert self.seen
        known = self.seen.digests
        with source:
            for solution in source:
                mark = digest(self._kept(solution)) if type(solution) is tuple else b""
                if mark not in known:
                    yield solution
                known.discard(mark)
            if known and source.ending.reason is Reason.EXHAUSTED:
                raise WrongAnswer(
                    f"{self.selection} lost a solution that another engine found", self.selection.backend.name
                )
            return source.ending

    def _above(self, source: Run) -> Search:
        assert self.objective
        with source:
            for solution in source:
                if self.objective.improves(self._value(solution), self.best):
                    yield solution
            return source.ending

    def _value(self, solution: Solution) -> int:
        assert self.objective
        return self.objective.value(dict(zip(self.checker.model.names, solution, strict=True)))

    def ended(self, ending: Ending) -> Ending:
        """Return how a run ended, with the best value as the bound if it is complete; WrongAnswer for a false bound.

        A bound proved before the end is kept in the record: see ``tighten``.
        """
        if self._belied(ending.bound):
            raise self.wrong(f"its objective is {self.best}, better than the claimed bound {ending.bound}")
        return Ending(ending.reason, self.best if ending.reason is Reason.EXHAUSTED else None)

    def tighten(self, record: Record, bound: int | None) -> None:
        """Write a bound into the record if it is tighter than the one there."""
        proves = Feature.PROVE in self.selection.capabilities.features
        if self.objective is None or bound is None or self._belied(bound) or not proves:
            return
        if record.bound is None or self.objective.improves(record.bound, bound):
            record.bound = bound

    def _belied(self, bound: int | None) -> bool:
        if self.objective is None or self.best is None or bound is None:
            return False
        return self.objective.improves(self.best, bound)

    def wrong(self, fault: str) -> WrongAnswer:
        """Return the error that names the backend and the fault."""
        return WrongAnswer(f"{self.selection} returned a wrong solution: {fault}", self.selection.backend.name)


def guarded(selection: Selection, step: Callable[[], T]) -> T:
    """Run a step of an engine; turn any exception into BackendFailed."""
    try:
        return step()
    except (SudokuModelsError, StopIteration):
        raise
    except SystemExit as error:
        raise BackendCrashed(f"{selection} tried to exit the program with code {error.code!r}") from error
    except Exception as error:
        raise BackendFailed(f"{selection} failed: {type(error).__name__}: {error}") from error
