"""Judge the answers of backends by a checked proof: ``cross_check`` with proofs, and the judgement for comparisons."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, replace
from typing import Any, Unpack

from ..engine.budget import Budget
from ..engine.registry import BackendLike
from ..errors import LimitReached, SudokuModelsError
from ..model import Model
from ..puzzle import Puzzle
from ..verbs.agreement import Contradictable as Said
from ..verbs.agreement import CrossCheck, Verdict, cross_check
from ..verbs.task import LimitKeywords, Problem, as_puzzle
from .certificate import Certificate, Claim
from .certificate_check import check
from .certifying import ClaimFalse, certify, solutions_of

PATIENCE = 60.0
"""Seconds for finding a proof, and for checking it, unless another limit is given."""


@dataclass(frozen=True)
class Judgement:
    """What a checked certificate shows about a problem, whatever any backend says.

    ``claim`` is "unique" or "unsatisfiable", proved by ``refuter``; None if nothing is proved, and ``problem`` says
    why. ``solutions`` are given by their values in the cells (for a model: in its variables): the proved only one, or
    two that were checked and differ. ``limit`` is the number of seconds allowed, if they were not enough.
    """

    claim: Claim | None = None
    solutions: tuple[Hashable, ...] = ()
    refuter: str = ""
    problem: str = ""
    limit: float | None = None

    def hopeful(self, limit: float | None) -> bool:
        """Return whether nothing is proved yet, but might be within this number of seconds (None: without a limit)."""
        return self.limit is not None and (limit is None or limit > self.limit)

    def proves(self, said: Said) -> bool:
        """Return whether a backend's statement is proved."""
        if self.claim is Claim.UNSATISFIABLE:
            return said.verdict is Verdict.UNSATISFIABLE
        right = said.verdict is Verdict.SOLVED and said.unique is True
        return self.claim is Claim.UNIQUE and right and said.solution in self.solutions

    def refutes(self, said: Said) -> str | None:
        """Return why a backend's statement is wrong; None if it is not, or is not known to be."""
        if said.verdict is Verdict.WRONG:
            return None
        denies, proof = said.verdict is Verdict.UNSATISFIABLE, f"a checked proof by {self.refuter}"
        if self.claim is Claim.UNSATISFIABLE:
            found = said.solution is not None or said.verdict is Verdict.SOLVED
            return f"claims that there is a solution; refuted by {proof} that there is none" if found else None
        if self.claim is Claim.UNIQUE:
            if denies:
                return f"claims unsatisfiable; refuted by the solution of {proof}"
            other = said.unique is False or said.solution not in (None, *self.solutions)
            return f"claims that there is another solution; refuted by {proof} that there is one" if other else None
        if self.solutions and (denies or said.unique is True):
            said_what = "unsatisfiable" if denies else "that its solution is the only one"
            return f"claims {said_what}; refuted by two solutions that were checked"
        return None

    def known_by(self, key: Callable[[Any], Hashable]) -> Judgement:
        """Return the same judgement with each solution replaced by its key."""
        return replace(self, solutions=tuple(key(values) for values in self.solutions))


@dataclass(frozen=True)
class ProvedCheck:
    """The answers of several backends, also judged by a proof; the certificate, if there is one."""

    answers: CrossCheck
    judgement: Judgement
    certificate: Certificate | None

    @property
    def agree(self) -> bool:
        """Return whether nothing is wrong."""
        return self.answers.agree

    @property
    def proved(self) -> tuple[str, ...]:
        """The backends whose verdict has the checked proof."""
        length = len(next(iter(self.judgement.solutions), ()))  # type: ignore[arg-type]
        return tuple(a.backend for a in self.answers.answers if self.judgement.proves(_kept(a, length)))

    def __str__(self) -> str:
        claim, problem = self.judgement.claim, self.judgement.problem
        verdict = f"{claim.value}: a checked proof by {self.judgement.refuter}" if claim else f"no proof: {problem}"
        return f"{self.answers}\n{verdict}"


def judgement_of(
    problem: Puzzle | Model, refuter: str = "auto", time_limit: float | None = PATIENCE
) -> tuple[Judgement, Certificate | None]:
    """Return what a certificate proves about a problem, and the certificate; it is checked before it is trusted.

    ``time_limit`` (seconds) applies to making it and the check together. If it cannot be made, the judgement's
    ``problem`` says why.
    """
    if isinstance(problem, Model):
        problem = problem.without_objective()
    kept, budget = len(problem.names), Budget(time_limit).start()
    try:
        made = certify(problem, refuter=refuter, time_limit=budget.left)
        checked = check(made, time_limit=budget.left)
        if not checked:
            return Judgement(problem=f"the certificate is refused: {checked.problem}"), None
        return Judgement(made.claim, tuple(values[:kept] for values in made.solutions), made.refuter), made
    except ClaimFalse as error:
        return Judgement(solutions=_two(problem, budget), problem=str(error)), None
    except LimitReached as error:
        return Judgement(problem=str(error), limit=time_limit), None
    except (SudokuModelsError, ValueError) as error:
        return Judgement(problem=str(error)), None


def proved_cross_check(
    problem: Problem,
    backends: Iterable[BackendLike] | None = None,
    *,
    refuter: str = "auto",
    proof_limit: float | None = PATIENCE,
    unique: bool = True,
    isolate: bool = os.name == "posix",
    **limits: Unpack[LimitKeywords],
) -> ProvedCheck:
    """Ask several backends, as ``cross_check`` does, and also judge their answers by a checked proof.

    A verdict that the proof contradicts is WRONG. ``proof_limit`` (seconds) applies to making the certificate and its
    check together; the other arguments are those of ``cross_check``.
    """
    stated: Puzzle | Model = problem if isinstance(problem, Model) else as_puzzle(problem)
    answers = cross_check(stated, backends, unique=unique, isolate=isolate, **limits)
    judgement, certificate = judgement_of(stated, refuter, proof_limit)
    length, judged = len(stated.names), []
    for answer in answers.answers:
        reason = judgement.refutes(_kept(answer, length))
        judged.append(replace(answer, verdict=Verdict.WRONG, reason=reason) if reason else answer)
    return ProvedCheck(CrossCheck(tuple(judged)), judgement, certificate)


def _kept(answer: Any, length: int) -> Any:
    """Return an answer with only the values of the first variables: those that distinguish solutions."""
    return answer if answer.solution is None else replace(answer, solution=answer.solution[:length])


def _two(problem: Puzzle | Model, budget: Budget) -> tuple[Hashable, ...]:
    """Return two solutions, checked on the way here; nothing if they are not found."""
    try:
        found, _ = solutions_of(problem, "auto", 2, {"budget": budget})
    except SudokuModelsError:
        return ()
    return tuple(values[: len(problem.names)] for values in found) if len(found) == 2 else ()
