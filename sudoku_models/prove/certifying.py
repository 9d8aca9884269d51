"""The verbs ``certify`` and ``certify_many``: claims about problems, with proofs that others can check.

For many puzzles of one shape, the common part of their formulas is stated and loaded once. Making one, by the search
``cdcl``, is then a copy of the loaded formula, the givens, and a proof of a few hundred numbers.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..engine.budget import Budget, OutOfTime
from ..engine.contract import Outcome
from ..engine.refutation import Cnf, Lemma, chosen, derived, refute
from ..engine.registry import BackendLike
from ..engine.road import run
from ..errors import BackendFailed, LimitReached, SudokuModelsError, meant
from ..model import Model
from ..puzzle import Puzzle
from ..verbs.results import Result, Status
from ..verbs.solving import solve
from ..verbs.task import Problem, Task, as_puzzle
from .certificate import Certificate, Claim, Statement
from .drat import elaborated
from .encoder import claim_formula, of_claim, of_model
from .formula import Clauses, Formula
from .looking import Deadline, never
from .lrat import NotProved, ProofLine, lines_of

if TYPE_CHECKING:
    from .many_certificates import Certificates

PROOFS = ("lrat", "drat")
"""The kinds of proofs: with hints and without."""


class ClaimFalse(SudokuModelsError, ValueError):
    """A claim to be certified does not hold; the message says what does."""


def certify(
    problem: Problem,
    claim: Claim | str | None = None,
    backend: BackendLike = "auto",
    *,
    count: int | None = None,
    refuter: str = "auto",
    proof: str = "lrat",
    time_limit: float | None = None,
) -> Certificate:
    """Return a certificate that a problem has one solution, none, a given number, or none better than a given one.

    Without a claim the problem is solved first; the claim is then "unsatisfiable" or "unique", or "optimal" if a model
    has an objective. ``count`` goes with the claim "count": how many solutions there should be; None lists all there
    are. ``backend`` finds the solutions, ``refuter`` writes the proof (``auto``: the first installed one of cdcl,
    glucose4 and cadical153). ``proof`` is "lrat", where each lemma has hints, or "drat": the lemmas of the refuter,
    without deletions; the check then finds the hints. ``time_limit`` is in seconds, for the whole work.

    Raises ClaimFalse if the claim does not hold, LimitReached if the time was not enough, Unsupported for a model
    that certificates cannot state, TooLarge for one that needs too large a formula, BackendMissing when no engine that
    writes proofs is installed.
    """
    clock = Budget(time_limit).start()
    stated: Puzzle | Model = problem if isinstance(problem, Model) else as_puzzle(problem)
    wanted = None if claim is None else Claim(_one_of(Claim, claim, "claim"))
    _one_of(PROOFS, proof, "proof")
    settled, found = _known(stated, wanted, backend, count, {"budget": clock})
    return certificate_of(stated, settled, found, refuter, proof=proof, time_limit=clock.left)


def certificate_of(
    problem: Puzzle | Model,
    claim: Claim,
    found: tuple[tuple[int, ...], ...],
    refuter: str = "auto",
    *,
    proof: str = "lrat",
    time_limit: float | None = None,
) -> Certificate:
    """Return the certificate of a claim with known solutions: a value for each variable of the model.

    Raises what ``certify`` raises; ClaimFalse if the refuter finds another solution, BackendFailed if its proof does
    not follow by unit propagation.
    """
    _one_of(PROOFS, proof, "proof")
    clock = Budget(time_limit).start()
    statement = Statement.of(problem)
    formula = claim_formula(statement, claim, found, Deadline(clock.left, "the formula was not stated"))
    name, lemmas = refute(cnf_of(formula), refuter, clock.left)
    if lemmas is None:
        raise ClaimFalse(f"{name} says that the claim {claim.value!r} does not hold: the formula is satisfiable")
    if proof == "drat":
        steps = tuple((True, lemma.clause) for lemma in lemmas)
        return Certificate(statement, claim, found, formula, (), name, steps)
    return Certificate(statement, claim, found, formula, tuple(hinted(formula, lemmas, clock.left, name)), name)


def _one_of(known: Iterable[str], stated: str, what: str) -> str:
    if stated not in list(known):
        raise ValueError(f"the {what} {stated!r}: one of {', '.join(known)} is expected{meant(str(stated), known)}")
    return stated


def cnf_of(formula: Formula) -> Cnf:
    """Return a formula in the form that the engines take."""
    return Cnf(formula.numbers, formula.clauses, formula.variables)


def _known(
    problem: Puzzle | Model, claim: Claim | None, backend: BackendLike, count: int | None, limits: dict[str, Any]
) -> tuple[Claim, tuple[tuple[int, ...], ...]]:
    """Return the claim and its solutions; ClaimFalse if it does not hold."""
    if (count is not None or claim is Claim.COUNT) and claim in (None, Claim.COUNT):
        return Claim.COUNT, _all(problem, backend, count, limits)
    if count is not None:
        raise ValueError(f"count belongs to the claim 'count', not to {claim}")
    best = isinstance(problem, Model) and problem.objective is not None
    if claim is Claim.OPTIMAL and not best:
        raise ValueError("the claim 'optimal' needs a model with an objective, and this one has none")
    if claim is not Claim.OPTIMAL and best and claim is not None and isinstance(problem, Model):
        problem, best = problem.without_objective(), False
    result = solve(problem, backend, unique=not best, **limits)
    holds = verdict(result, best)
    if claim is not None and holds is not claim:
        there = {Claim.UNSATISFIABLE: "no solution", Claim.UNIQUE: "one solution"}.get(holds, "a best solution")
        raise ClaimFalse(f"the claim {claim.value!r} does not hold: there is {there}")
    return holds, () if result.solution is None else (result.solution,)


def verdict(result: Result, best: bool) -> Claim:
    """Return the claim that a result supports.

    LimitReached if it is not settled, ClaimFalse if there are several solutions.
    """
    if result.status.no_solution:
        return Claim.UNSATISFIABLE
    if result.reason or result.status is Status.UNKNOWN:
        raise LimitReached(f"the number of solutions is not known: {result.reason}", result)
    if best:
        return Claim.OPTIMAL
    if not result.unique:
        raise ClaimFalse("there are several solutions: the claim 'count' lists them all")
    return Claim.UNIQUE


def _all(
    problem: Puzzle | Model, backend: BackendLike, count: int | None, limits: dict[str, Any]
) -> tuple[tuple[int, ...], ...]:
    """Return all solutions; ClaimFalse if there are more or fewer than ``count``."""
    listed, outcome = solutions_of(problem, backend, None if count is None else count + 1, limits)
    if count is not None and len(listed) > count:
        raise ClaimFalse(f"the claim of {count} solutions does not hold: there are more")
    if not outcome.complete:
        raise LimitReached(f"the solutions are not all known: {outcome.reason}", len(listed))
    if count is not None and len(listed) < count:
        raise ClaimFalse(f"the claim of {count} solutions does not hold: there are {len(listed)}")
    return listed


def solutions_of(
    problem: Puzzle | Model, backend: BackendLike, limit: int | None, limits: dict[str, Any]
) -> tuple[tuple[tuple[int, ...], ...], Outcome]:
    """Return up to ``limit`` solutions (None: all), with a value for each variable of the model, and how it ended.

    Of the solutions that differ only in auxiliary variables, one is returned.
    """
    if isinstance(problem, Model):
        problem = problem.without_objective()
    task = Task.of(problem, backend, limits, every=True)
    asked = replace(task.asked, limit=limit, keep=Statement.of(problem).keep)
    with run(task.model, task.selection, asked, task.record, budget=task.budget) as found:
        return tuple(found), found.outcome


def hinted(
    formula: Formula, lemmas: Sequence[Lemma], time_limit: float | None, refuter: str = "the refuter"
) -> list[ProofLine]:
    """Return the lines of an LRAT proof: as they come, or with hints that are found here.

    BackendFailed if a lemma does not follow by unit propagation.
    """
    if lemmas and lemmas[-1].hints:
        return [ProofLine(lemma.number, lemma.clause, lemma.hints) for lemma in lemmas]
    found = derived(cnf_of(formula), [lemma.clause for lemma in lemmas], time_limit)
    if found is not None:
        return list(lines_of(found))
    try:
        return elaborated(
            formula, ((True, lemma.clause) for lemma in lemmas), Deadline(time_limit, "the proof was not fully checked")
        )
    except NotProved as error:
        raise BackendFailed(
            f"the proof of {refuter} gives no certificate: {error} (its deletions are left out)"
        ) from error


def certify_many(
    problems: Iterable[Problem], *, refuter: str = "auto", threads: int = 1, time_limit: float | None = None
) -> Certificates:
    """Certify puzzles of one shape and set of rules, without candidates: that each has one solution, or none.

    They are solved by the fastest installed backend; ``refuter`` writes the proofs, as for ``certify``, in this number
    of ``threads``. ``time_limit`` is in seconds for each proof. A puzzle with several solutions, or whose proof is not
    found in time, is listed in ``problems``, and the others are certified.

    Raises ValueError for puzzles that differ by more than givens, or have candidates, BackendMissing when no engine
    that writes proofs is installed, Unsupported and TooLarge as ``certify`` does.
    """
    from ..bulk.solving_many import solve_many
    from .many_certificates import Certificates, in_threads

    puzzles = [as_puzzle(problem) for problem in problems]
    name, _ = chosen(refuter)
    if not puzzles:
        return Certificates((), (), (), (), name)
    first = puzzles[0]
    for number, puzzle in enumerate(puzzles, 1):
        if (puzzle.shape, puzzle.rules, puzzle.candidates) != (first.shape, first.rules, ()):
            raise ValueError(
                f"puzzle {number} differs from the first one in more than its givens: certify it separately"
            )
    making = _CertificateMaking(puzzles[0], name, time_limit)
    answers = solve_many(puzzles, unique=True, on_error="return")
    made = dict(enumerate(in_threads(making.one, zip(puzzles, answers, strict=True), threads), 1))
    good = {number: found for number, found in made.items() if not isinstance(found, Exception)}
    bad = {number: found for number, found in made.items() if isinstance(found, Exception)}
    solutions, proofs = zip(*good.values(), strict=True) if good else ((), ())
    return Certificates(tuple(puzzles[n - 1] for n in good), solutions, proofs, tuple(good), name, bad)


class _CertificateMaking:
    """Makes the certificates of puzzles that differ in their givens."""

    def __init__(self, first: Puzzle, refuter: str, time_limit: float | None) -> None:
        self._base, numbers = of_model(first.structure, never)
        self._refuter, self._time_limit, self._kept = refuter, time_limit, threading.local()
        self._common = cnf_of(Formula(self._base.literals, numbers, self._base.variables, len(self._base.all)))

    def one(self, item: tuple[Puzzle, Result | Exception]) -> tuple[tuple[int, ...] | None, Any] | Exception:
        """Return a solution (None if there is none) and a proof, or the error that explains the missing certificate."""
        puzzle, answer = item
        if isinstance(answer, Exception):
            return answer
        try:
            claim = verdict(answer, False)
            found = () if claim is Claim.UNSATISFIABLE or answer.solution is None else (answer.solution,)
            more = of_claim(self._base, Statement.of(puzzle), claim, found, never)
            return (found[0] if found else None), self._proof(more)
        except OutOfTime:
            return LimitReached(f"{self._refuter} found no refutation within {self._time_limit} s", None)
        except SudokuModelsError as error:
            return error

    def _proof(self, more: Clauses) -> Any:
        from .lrat_fast import numbers_of

        engine, whole = chosen(self._refuter)[1], None
        if hasattr(engine, "shared"):
            if not hasattr(self._kept, "engine"):
                self._kept.engine = engine.shared(self._common)
            proof = self._kept.engine.refute(more.flat(), Budget(self._time_limit).start())
        else:  # an engine that starts from nothing each time
            clauses = self._common.clauses + len(more.all)
            whole = Formula(self._base.literals, self._common.numbers + more.flat(), more.variables, clauses)
            proof = refute(cnf_of(whole), self._refuter, self._time_limit)[1]
        if proof is None:
            raise ClaimFalse(f"{self._refuter} says that there is another solution: the formula is satisfiable")
        return proof if whole is None else numbers_of(hinted(whole, proof, self._time_limit, self._refuter))
