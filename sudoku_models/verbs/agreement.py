"""Do the backends agree? Each answers the same question, and an answer that a checked solution refutes is wrong.

The majority does not decide. Every solution has been checked against the stated model, so a single solution refutes
any number of claims that there is none, and two solutions refute a claim that there is only one.
"""

from __future__ import annotations

import os
import time
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from html import escape
from typing import Protocol, Unpack

from ..engine.check import checker_of
from ..engine.contract import Feature, Reason
from ..engine.registry import BackendLike, Selection, listings, select
from ..errors import BackendCrashed, BackendMissing, LimitReached, SudokuModelsError, Unsupported, WrongAnswer
from ..model import Model
from ..puzzle import Puzzle
from .results import Result, Status
from .task import LimitKeywords, Problem, Task, as_puzzle, begun


class Verdict(StrEnum):
    """The outcome of one run; each run has exactly one of these."""

    SOLVED = "solved"  # the question is answered, by solutions that were checked
    UNSATISFIABLE = "unsatisfiable"
    UNKNOWN = "unknown"  # the engine gave up
    TIMEOUT = "timeout"
    OUT_OF_MEMORY = "out of memory"
    CRASH = "crash"  # the engine's process died
    ERROR = "error"  # the engine raised
    WRONG = "WRONG"  # a solution that the model contradicts, or a claim that a checked solution refutes
    UNSUPPORTED = "unsupported"

    @property
    def settled(self) -> bool:
        """Return whether the question was answered."""
        return self in (Verdict.SOLVED, Verdict.UNSATISFIABLE)


class Contradictable(Protocol):
    """The claims of one backend that others can contradict.

    ``solution`` identifies a checked solution (None if none was found), whatever the verdict; ``unique`` is False only
    if two different checked solutions were found.
    """

    @property
    def backend(self) -> str:
        """The backend that makes the claim."""

    @property
    def verdict(self) -> Verdict:
        """Its verdict."""

    @property
    def unique(self) -> bool | None:
        """Whether there is exactly one solution; None if that is not known."""

    @property
    def solution(self) -> Hashable | None:
        """The identity of its checked solution."""


@dataclass(frozen=True)
class Answer:
    """One backend's answer. ``wall`` and ``cpu`` are its total seconds; ``reason`` says why the answer is incomplete.

    ``proved`` says whether uniqueness was requested: a backend that cannot enumerate only has to find a solution.
    """

    backend: str
    verdict: Verdict
    unique: bool | None = None
    solution: tuple[int, ...] | None = None
    reason: str = ""
    wall: float = 0.0
    cpu: float | None = None
    proved: bool = False
    result: Result | None = None
    error: Exception | None = None

    def __repr__(self) -> str:
        return f"<Answer of {self}>"

    def __str__(self) -> str:
        uniqueness = {True: ", unique", False: ", several solutions"}.get(self.unique) if self.solution else None  # type: ignore[arg-type]
        reason = f" ({self.reason})" if self.reason else ""
        return f"{self.backend}: {self.verdict}{uniqueness or ''}{reason}"


@dataclass(frozen=True)
class CrossCheck:
    """The answers of several backends to one question; refuted answers have the verdict WRONG."""

    answers: tuple[Answer, ...]

    @property
    def agree(self) -> bool:
        """Return whether no answer is wrong. Backends without an answer contradict nobody."""
        return not self.wrong

    @property
    def wrong(self) -> tuple[Answer, ...]:
        """The answers that are wrong."""
        return tuple(answer for answer in self.answers if answer.verdict is Verdict.WRONG)

    @property
    def result(self) -> Result | None:
        """The most informative answer: unsatisfiable, or a solution, if possible with uniqueness settled."""
        sound = [a for a in self.answers if a.result is not None and a.verdict is not Verdict.WRONG]
        return max(sound, key=lambda a: (a.verdict.settled, a.unique is not None)).result if sound else None

    def __str__(self) -> str:
        return "\n".join([self._text(), *(f"  {answer}" for answer in self.answers)])

    def __repr__(self) -> str:
        return f"<CrossCheck of {len(self.answers)}: {self._text()}>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{escape(answer.backend)}</td><td>{escape(str(answer).partition(': ')[2])}</td></tr>"
            for answer in self.answers
        )
        return f"<div>{escape(self._text())}</div><table>{rows}</table>"

    def _text(self) -> str:
        return "the backends agree" if self.agree else "WRONG: " + ", ".join(a.backend for a in self.wrong)


def cross_check(
    problem: Problem,
    backends: Iterable[BackendLike] | None = None,
    *,
    unique: bool = True,
    isolate: bool = os.name == "posix",
    **limits: Unpack[LimitKeywords],
) -> CrossCheck:
    """Run several backends (by default all that are installed) and compare their answers.

    Each runs in a child process, so that a backend that crashes, exits or prints does not affect the others. There are
    no child processes with ``isolate=False``, or if a search is traced.

    With ``unique``, backends that can enumerate also find out whether the solution is the only one. The limits are
    those of ``solve``; the time limit is for all backends together, each of which may take an equal part of what those
    before it have left. Raises what ``solve`` raises for the problem and the specifications; a
    failure in an engine is an answer.
    """
    problem = problem if isinstance(problem, Model) else as_puzzle(problem)
    selections = installed() if backends is None else [select(backend) for backend in backends]
    if not selections:
        raise ValueError("the list of backends is empty: name at least one")
    answers = list[Answer]()
    with begun(limits) as budget:
        for waiting, selection in zip(range(len(selections), 0, -1), selections, strict=True):
            share = budget.part(None if budget.left is None else budget.left / waiting)
            each: LimitKeywords = {**limits, "time_limit": None, "budget": share}
            answers.append(ask(problem, selection, unique=unique, isolate=isolate, **each))
    return CrossCheck(judged(problem, answers))


def installed() -> list[Selection]:
    """Return every backend whose engine is installed, with its default options."""
    return [select(listing.name) for listing in listings() if listing.backend and not listing.problem]


def ask(
    problem: Puzzle | Model,
    selection: Selection,
    *,
    unique: bool = False,
    isolate: bool = False,
    **limits: Unpack[LimitKeywords],
) -> Answer:
    """Run one backend, and time it. Its exceptions become part of the answer, except TypeError and ValueError.

    With ``isolate`` the backend runs in a child process, unless its search is traced.
    """
    apart = isolate and limits.get("trace") is None
    asked = unique and {Feature.ENUMERATE, Feature.PROVE} <= selection.capabilities.features
    wall, cpu = time.perf_counter(), time.process_time()
    found: Result | Exception
    try:
        shared: LimitKeywords = {"confirm": False, **limits}  # the others confirm
        found = Task.of(problem, selection, shared, isolate=apart).solved(asked)
    except Exception as error:
        if isinstance(error, (TypeError, ValueError)) and not isinstance(error, SudokuModelsError):
            raise  # the question makes no sense: no backend is to blame
        found = error
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    spec = str(selection)
    if isinstance(found, Exception):
        return Answer(spec, verdict_of(found), None, None, str(found), wall, None, asked, None, found)
    verdict, total = _settled(found, asked), _cpu(found, cpu)
    solution = tuple(found.values.values()) if found.values is not None else None
    reason = "" if verdict.settled else found.reason
    return Answer(spec, verdict, found.unique, solution, reason, wall, total, asked, found)


def judged(problem: Puzzle | Model, answers: Sequence[Answer]) -> tuple[Answer, ...]:
    """Return the answers; those that a checked solution refutes get the verdict WRONG and the reason."""
    refuted = refutations(answers, stated_solutions(problem))
    return tuple(
        replace(answer, verdict=Verdict.WRONG, reason=refuted[i]) if i in refuted else answer
        for i, answer in enumerate(answers)
    )


def stated_solutions(problem: Puzzle | Model) -> list[tuple[int, ...]]:
    """Return the solution that came with a puzzle, if it passes the check of all solutions."""
    if isinstance(problem, Model) or problem.stated is None or None in problem.stated:
        return []
    values = tuple(value for value in problem.stated if value is not None)
    fault = checker_of(problem.structure).fault(values, problem.domains)
    return [] if fault else [values]


def refutations(claims: Sequence[Contradictable], known: Iterable[Hashable] = ()) -> dict[int, str]:
    """Return the reasons for refuted claims, by position. ``known`` holds checked solutions from elsewhere."""
    witnesses: dict[Hashable, str] = dict.fromkeys(known, "the puzzle's own solution")
    for claim in claims:
        if claim.solution is not None:
            witnesses.setdefault(claim.solution, f"the solution of {claim.backend}")
    several = next((claim.backend for claim in claims if claim.unique is False and claim.solution is not None), None)
    found = ((i, _refutation(claim, witnesses, several)) for i, claim in enumerate(claims))
    return {i: reason for i, reason in found if reason}


def _refutation(claim: Contradictable, witnesses: dict[Hashable, str], several: str | None) -> str | None:
    if claim.verdict is Verdict.UNSATISFIABLE and witnesses:
        return f"claims unsatisfiable; refuted by {next(iter(witnesses.values()))}"
    if claim.unique is not True or claim.verdict is Verdict.WRONG:
        return None
    other = next((witness for solution, witness in witnesses.items() if solution != claim.solution), None)
    if other is None and several is not None:
        other = f"two solutions of {several}"
    return f"claims that its solution is the only one; refuted by {other}" if other else None


_REASONS = {str(Reason.TIME): Verdict.TIMEOUT, str(Reason.MEMORY): Verdict.OUT_OF_MEMORY}


def _settled(result: Result, asked: bool) -> Verdict:
    """Return the verdict for a result; with uniqueness requested, a solution not known to be unique is no answer."""
    if result.status.no_solution:
        return Verdict.UNSATISFIABLE
    if result.status is Status.UNKNOWN or (asked and result.unique is None):
        return _REASONS.get(result.reason.partition(":")[0], Verdict.UNKNOWN)
    return Verdict.SOLVED


def verdict_of(error: Exception) -> Verdict:
    """Return the verdict for a run that ended with an exception."""
    if isinstance(error, MemoryError) or isinstance(error.__cause__, MemoryError):
        return Verdict.OUT_OF_MEMORY
    kinds = {
        WrongAnswer: Verdict.WRONG,
        BackendMissing: Verdict.UNSUPPORTED,
        Unsupported: Verdict.UNSUPPORTED,
        LimitReached: Verdict.TIMEOUT,
        BackendCrashed: Verdict.CRASH,
    }
    return next((verdict for kind, verdict in kinds.items() if isinstance(error, kind)), Verdict.ERROR)


def _cpu(result: Result, here: float) -> float | None:
    """Return the seconds of CPU time; None if a child process was killed before it reported its own."""
    if not result.record.isolated:
        return here
    if result.reason.partition(":")[0] in _REASONS:
        return None
    return sum(phase.cpu for phase in result.record.phases.values())
