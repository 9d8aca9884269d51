"""Certificates of many puzzles of one shape: the common part of their formulas is stated and loaded once.

Making one, by the search ``cdcl``, is a copy of the loaded formula, the givens, and a proof of a few hundred numbers.
numpy is imported with this module.
"""

from __future__ import annotations

import threading
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import numpy as np

from ..bulk.mapping import mapped
from ..bulk.solving_many import solve_many
from ..engine.budget import Budget, OutOfTime
from ..engine.refutation import Cnf, Lemma, chosen, refute
from ..errors import FormatError, LimitReached, SudokuModelsError
from ..puzzle import Puzzle
from ..verbs.results import Result
from ..verbs.task import Problem, as_puzzle
from .certificate import Certificate
from .certify import ClaimFalse, cnf_of, hinted, verdict
from .encoding import claim_clauses, claim_formula, formula_of
from .formula import FlatFormula
from .lrat import NotProved, ProofLine
from .statement import Claim, Statement

A = TypeVar("A")
B = TypeVar("B")

Solution = tuple[int, ...]

CHUNK = 50
"""Puzzles that a thread takes in one step."""


@dataclass(frozen=True)
class Certificates:
    """Certificates of puzzles of one shape with one set of rules: each has one solution, or none.

    ``solutions`` have a value for each variable of the model, None if there is no solution. A proof is an array of
    int32 in LRAT order: for each lemma its number, its literals, 0, its hints, 0. ``numbers`` says which of the given
    puzzles each one is, from 1; ``problems`` has the error for each puzzle without a certificate: ClaimFalse for
    several solutions, LimitReached if time was not enough.
    """

    puzzles: tuple[Puzzle, ...]
    solutions: tuple[Solution | None, ...]
    proofs: tuple[Any, ...] = field(repr=False)
    numbers: tuple[int, ...] = field(repr=False)
    refuter: str = ""
    problems: Mapping[int, Exception] = field(default_factory=dict)

    def __len__(self) -> int:
        """Return how many certificates there are."""
        return len(self.puzzles)

    def __getitem__(self, k: int) -> Certificate:
        """Return one complete certificate: with its formula, and its proof line by line.

        FormatError if its solution has impossible values, or its proof is cut off.
        """
        bare = self.without_proof(k)
        self._check_values(k)
        formula = claim_formula(bare.statement, bare.claim, bare.solutions)
        try:
            return replace(bare, formula=formula, proof=lines_of(self.proofs[k]))
        except NotProved as error:
            raise FormatError(f"certificate {self.numbers[k]}: {error}") from None

    def _check_values(self, k: int) -> None:
        domains = self.puzzles[k].structure.domains
        solution = self.solutions[k] or domains
        if len(solution) != len(domains):
            raise FormatError(
                f"certificate {self.numbers[k]}: the solution has {len(solution)} of {len(domains)} values"
            )
        for x, value in zip(domains, self.solutions[k] or (), strict=False):
            if value not in domains[x]:
                raise FormatError(
                    f"certificate {self.numbers[k]}: the solution gives {x} the value {value}, which it cannot have"
                )

    def __iter__(self) -> Iterator[Certificate]:
        """Yield each certificate as a whole."""
        return map(self.__getitem__, range(len(self)))

    def without_proof(self, k: int) -> Certificate:
        """Return the claim of one certificate, with neither formula nor proof."""
        solution = self.solutions[k]
        claim = Claim.UNSATISFIABLE if solution is None else Claim.UNIQUE
        found = () if solution is None else (solution,)
        return Certificate(Statement.of(self.puzzles[k]), claim, found, FlatFormula(), (), self.refuter)


WRONG_NUMBER = "each certificate must have a different number, from 1 on"


def wrong_number(numbers: Iterable[int]) -> int | None:
    """Return the first number that is below 1 or repeated; None if all are valid."""
    seen: set[int] = set()
    for number in numbers:
        if number < 1 or number in seen:
            return number
        seen.add(number)
    return None


def lines_of(proof: Any) -> tuple[ProofLine, ...]:
    """Return a proof in numbers line by line; NotProved if its end is missing."""
    numbers, at, found = proof.tolist(), 0, []
    while at < len(numbers):
        try:
            middle = numbers.index(0, at)
            end = numbers.index(0, middle + 1)
        except ValueError:
            raise NotProved("the proof is cut off: of its last lemma literals, 0, hints and 0 are expected") from None
        if not numbers[at]:
            raise NotProved("the number of a lemma is 0")
        found.append(ProofLine(numbers[at], tuple(numbers[at + 1 : middle]), tuple(numbers[middle + 1 : end])))
        at = end + 1
    return tuple(found)


def numbers_of(lines: Iterable[ProofLine | Lemma]) -> Any:
    """Return the lemmas of a proof as one array of int32."""
    found = array("i")
    for line in lines:
        found.extend((line.number, *line.clause, 0, *line.hints, 0))
    return np.array(found, np.int32)


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
    puzzles = [as_puzzle(problem) for problem in problems]
    name, _ = chosen(refuter)
    if not puzzles:
        return Certificates((), (), (), (), name)
    _alike(puzzles)
    making = _CertificateMaking(puzzles[0], name, time_limit)
    answers = solve_many(puzzles, unique=True, on_error="return")
    made = in_threads(making.one, zip(puzzles, answers, strict=True), threads)
    good = {number: found for number, found in enumerate(made, 1) if not isinstance(found, Exception)}
    bad = {number: found for number, found in enumerate(made, 1) if isinstance(found, Exception)}
    solutions, proofs = zip(*good.values(), strict=True) if good else ((), ())
    return Certificates(tuple(puzzles[n - 1] for n in good), solutions, proofs, tuple(good), name, bad)


def in_threads(work: Callable[[A], B], items: Iterable[A], threads: int) -> list[B]:
    """Return the results of some work on each item, in order; ``threads`` take chunks of items in turn."""
    rest = list(items)
    chunks = [rest[k : k + CHUNK] for k in range(0, len(rest), CHUNK)]
    return [made for chunk in mapped(lambda chunk: [work(x) for x in chunk], chunks, threads, None) for made in chunk]


def _alike(puzzles: list[Puzzle]) -> None:
    """Raise ValueError for a puzzle that differs from the first one in more than its givens."""
    first = puzzles[0]
    for number, puzzle in enumerate(puzzles, 1):
        if (puzzle.shape, puzzle.rules, puzzle.candidates) != (first.shape, first.rules, ()):
            raise ValueError(
                f"puzzle {number} differs from the first one in more than its givens: certify it separately"
            )


class _CertificateMaking:
    """Makes the certificates of puzzles that differ in their givens."""

    def __init__(self, first: Puzzle, refuter: str, time_limit: float | None) -> None:
        self._base, self._refuter, self._time_limit = formula_of(first.structure), refuter, time_limit
        self._common, self._kept = cnf_of(self._base), threading.local()

    def one(self, item: tuple[Puzzle, Result | Exception]) -> tuple[Solution | None, Any] | Exception:
        """Return a solution (None if there is none) and a proof, or the error that explains the missing certificate."""
        puzzle, answer = item
        if isinstance(answer, Exception):
            return answer
        try:
            claim = verdict(answer, False)
            found = () if claim is Claim.UNSATISFIABLE or answer.solution is None else (answer.solution,)
            more = self._base.beyond()
            claim_clauses(more, Statement.of(puzzle), claim, found)
            return (found[0] if found else None), self._proof(more)
        except OutOfTime:
            return LimitReached(f"{self._refuter} found no refutation within {self._time_limit} s", None)
        except SudokuModelsError as error:
            return error

    def _proof(self, more: FlatFormula) -> Any:
        engine = chosen(self._refuter)[1]
        if not hasattr(engine, "shared"):
            return self._alone(more)
        if not hasattr(self._kept, "engine"):
            self._kept.engine = engine.shared(self._common)
        clock = Budget(self._time_limit)
        clock.start()
        return self._believed(self._kept.engine.refute(more.numbers, clock))

    def _alone(self, more: FlatFormula) -> Any:
        """Return the proof by an engine that starts from nothing each time."""
        common = self._common
        whole = FlatFormula(self._base.literals, common.numbers + more.numbers, variables=more.variables)
        whole.starts = array("i", [0, *(k for k, x in enumerate(whole.numbers, 1) if not x)])
        cnf = Cnf(whole.numbers, common.clauses + more.clauses, more.variables, common.first)
        lemmas = self._believed(refute(cnf, self._refuter, self._time_limit)[1])
        return numbers_of(hinted(whole, lemmas, self._time_limit, self._refuter))

    def _believed(self, proof: Any) -> Any:
        if proof is None:
            raise ClaimFalse(f"{self._refuter} says that there is another solution: the formula is satisfiable")
        return proof
