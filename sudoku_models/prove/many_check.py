"""Check many certificates: each problem is stated again, and their common part only once.

The trusted code is this file and the files listed in ``certificate_check``. numpy is imported with this module.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import LimitReached, SudokuModelsError
from ..model import Model
from ..puzzle import Puzzle
from .certificate import Statement, amount, in_words
from .certificate_check import Refused, check_solutions, stated
from .encoder import of_claim, of_model
from .files import MANY, zip_reader
from .formula import Clauses
from .looking import Deadline, Look, alarm, bounded
from .lrat import NotProved, check_lrat, lines_of
from .lrat_fast import accepted
from .many_certificates import WRONG_NUMBER, Certificates, in_threads, read_many, wrong_number

if TYPE_CHECKING:
    from ..verbs.task import Problem


@dataclass(frozen=True)
class Verifications:
    """The result of checking many certificates: how many are accepted, and why the others are not, by number.

    ``checked`` says what the puzzles have in common, and what was checked for each accepted one.
    """

    accepted: int
    refused: Mapping[int, str] = field(default_factory=dict)
    checked: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return not self.refused

    def __str__(self) -> str:
        lines = [f"accepted: {amount(self.accepted, 'certificate')}"]
        lines += [f"  checked: {line}" for line in self.checked if self.accepted]
        lines += [f"  REFUSED: number {number}: {why}" for number, why in self.refused.items()]
        return "\n".join(lines)


def check_many(
    certificates: Certificates | str | Path,
    *,
    problems: Sequence[Problem] | None = None,
    threads: int = 1,
    time_limit: float | None = None,
    plain: bool = False,
) -> Verifications:
    """Check certificates, or those in a file of many.

    For each one, the solution is checked, and that the proof refutes the formula as it is stated here. ``problems`` are
    the puzzles that you asked about, in the order in which ``certify_many`` got them: a certificate of any other puzzle
    than the one of its number is refused. Without them, compare ``puzzles`` and ``numbers`` with what you asked.

    The proofs are checked in compiled code, what that refuses in plain Python, which says why; with ``plain`` all of
    them. ``threads`` of them check at once. ``refused`` says by the number of the puzzle what is wrong.
    FormatError when the file cannot be read, LimitReached after ``time_limit`` seconds.
    """
    look = Deadline(time_limit, "the certificates were not read")
    with alarm(time_limit), bounded():
        if not isinstance(certificates, Certificates):
            certificates = read_many(zip_reader(Path(certificates), MANY), look)
        look.undone = "the certificates were not all checked"
        asked = None if problems is None else [stated(problem) for problem in problems]
        return verified_many(certificates, look, threads, plain, asked)


def verified_many(
    certificates: Certificates, look: Look, threads: int, plain: bool, asked: Sequence[Puzzle | Model] | None = None
) -> Verifications:
    """Check certificates that have been read; those of puzzles other than ``asked`` are refused."""
    if not len(certificates):
        return Verifications(0)
    wrong = wrong_number(certificates.numbers)
    if wrong is not None:
        return Verifications(0, {wrong: f"the number {wrong}: {WRONG_NUMBER}"})
    try:
        common = _Common(certificates.puzzles[0], look)
    except SudokuModelsError as error:
        why = f"the model cannot be stated: {error}"
        return Verifications(0, dict.fromkeys(certificates.numbers, why))

    def one(k: int) -> str:
        """Return why a certificate is refused; empty if it is accepted."""
        look()
        try:
            if asked is not None:
                _check_asked(certificates, k, asked)
            common.check(certificates, k, plain)
        except LimitReached:
            raise
        except (NotProved, Refused, SudokuModelsError) as error:
            return str(error)
        return ""

    found = dict(zip(certificates.numbers, in_threads(one, range(len(certificates)), threads), strict=True))
    refused = {number: why for number, why in found.items() if why}
    return Verifications(len(found) - len(refused), refused, _checked(certificates, refused, asked is not None))


def _check_asked(certificates: Certificates, k: int, asked: Sequence[Puzzle | Model]) -> None:
    """Raise Refused if a certificate is not for the puzzle with its number."""
    number = certificates.numbers[k]
    if number > len(asked):
        raise Refused(f"the certificate is of puzzle {number}, and you asked about {amount(len(asked), 'puzzle')}")
    if not Statement.of(asked[number - 1]).same(Statement.of(certificates.puzzles[k])):
        raise Refused(f"the certificate is of another problem than puzzle {number} of those that you asked about")


def _checked(certificates: Certificates, refused: Mapping[int, str], compared: bool) -> tuple[str, ...]:
    """Return what the puzzles have in common, and what was checked for each."""
    shared = in_words(certificates.puzzles[0])
    numbers = zip(certificates.numbers, certificates.solutions, strict=True)
    unique = sum(solution is not None for number, solution in numbers if number not in refused)
    none = len(certificates) - len(refused) - unique
    return (
        f"each puzzle has {shared}",
        *(["each puzzle is the one of its number among those that you asked about"] if compared else []),
        f"each solution listed satisfies the model and the rules: {amount(unique, 'puzzle')} with one solution, "
        f"{none} with none",
        "each proof refutes the formula as it is stated again from the model: there is no other solution",
    )


class _Common:
    """The common part of puzzles of one shape: the clauses of their model."""

    def __init__(self, puzzle: Puzzle, look: Look) -> None:
        self.model = puzzle.structure
        self.look = look
        self.base, numbers = of_model(self.model, look)
        self.numbers = np.array(numbers, np.int32)
        self.starts = _starts(self.base, 0)

    def check(self, certificates: Certificates, k: int, plain: bool) -> None:
        """Check one of the certificates; Refused or NotProved if it is wrong."""
        claimed = certificates.without_proof(k)
        statement = claimed.statement
        if statement.model is not self.model and statement.model != self.model:
            raise Refused("the puzzle is of another shape, or has other rules, than the first one")
        check_solutions(claimed, self.look)
        more = of_claim(self.base, statement, claimed.claim, claimed.solutions, self.look)
        numbers = np.concatenate((self.numbers, np.array(more.flat(), np.int32)))
        starts = np.concatenate((self.starts, _starts(more, len(self.numbers))[1:]))
        proof = certificates.proofs[k]
        if plain or not accepted(numbers, starts, proof, self.look, deletions=False):
            check_lrat(self.base.all + more.all, lines_of(proof), self.look)


def _starts(clauses: Clauses, begin: int) -> Any:
    """Return the start of each clause, and of the next one."""
    return np.array(list(accumulate((len(clause) + 1 for clause in clauses.all), initial=begin)), np.int32)
