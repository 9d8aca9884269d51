"""What leaves the road: each solution is checked, told apart from those before it, and has to improve on them."""

from __future__ import annotations

from ..errors import WrongAnswer
from .check import Checker
from .contract import Ending, Feature, Reason, Request, Run, Search, Solution
from .record import Clock, Record
from .registry import Selection

REMEMBERED = 1_024
"""Up to this limit of solutions a repeated one is noticed."""


class Guard:
    """Checks what a backend yields: true on the stated model, and not the same solution twice.

    With an objective each solution has to be better than the one before, by its value as it is computed here, and no
    better than the bound that the backend claims.
    """

    def __init__(self, checker: Checker, selection: Selection, request: Request) -> None:
        self.checker, self.selection, self.request = checker, selection, request
        self.stated = len(checker.model.names)
        self.objective = checker.model.objective
        self.best: int | None = None
        self.count = 0
        self.seen: set[Solution] = set()
        self.positions = None if request.keep is None else [checker.model.index[name] for name in request.keep]

    @property
    def wanted(self) -> bool:
        """Tell whether more solutions are asked for."""
        return self.request.limit is None or self.count < self.request.limit

    def checked(self, solution: Solution) -> Solution:
        """Return a solution over the stated variables alone; WrongAnswer when it is none or comes out of turn."""
        stated = solution[: self.stated] if len(solution) > self.stated else solution
        fault = self.checker.fault(stated, self.request.domains)
        if fault:
            raise self.wrong(fault)
        kept = stated if self.positions is None else tuple(stated[i] for i in self.positions)
        if kept in self.seen:
            raise self.wrong("it was returned before")
        self.improve(stated)
        self.count += 1
        if self.request.limit is not None and 1 < self.request.limit <= REMEMBERED:
            self.seen.add(kept)
        return stated

    def improve(self, solution: Solution) -> None:
        """Hold a solution to be better than the one before."""
        if self.objective:
            value = self._value(solution)
            if not self.objective.improves(value, self.best):
                raise self.wrong(f"its objective is {value}, which does not improve on {self.best}")
            self.best = value

    def above(self, source: Run) -> Run:
        """Return a run without what is no better than what came before, of an engine that begins anew."""
        return Run(self._above(source), Clock(None), source.record)

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
        """Return how a run ended, with the best value as the bound when it is complete; WrongAnswer for a false bound.

        A bound that is proved short of that is told by the record: see ``tighten``.
        """
        if self._belied(ending.bound):
            raise self.wrong(f"it claims that none is better than {ending.bound}, and its objective is {self.best}")
        return Ending(ending.reason, self.best if ending.reason is Reason.EXHAUSTED else None)

    def tighten(self, record: Record, bound: int | None) -> None:
        """Write a bound into the record where it says more than the one there."""
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
