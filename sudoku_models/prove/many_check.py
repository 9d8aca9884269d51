"""The check of many certificates: each problem is stated again by the second encoder, what they share only once.

Trusted are this file beside those that ``check`` says. numpy and numba are imported with this module.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import LimitReached, SudokuModelsError
from ..puzzle import Puzzle
from .alarm import alarm
from .check import Refused, check_solutions
from .files import zip_reader
from .looking import Look, until
from .lrat import NotProved, check_lrat
from .lrat_fast import accepted
from .many import WRONG_NUMBER, Certificates, in_threads, lines_of, wrong_number
from .many_files import read_many
from .plain import Clauses, of_claim, of_model


@dataclass(frozen=True)
class Verifications:
    """What the check of many certificates came to: how many are accepted, and why the others are not, by number."""

    accepted: int
    refused: Mapping[int, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return not self.refused

    def __str__(self) -> str:
        lines = [f"accepted: {self.accepted} certificates"]
        lines += [f"  REFUSED: number {number}: {why}" for number, why in self.refused.items()]
        return "\n".join(lines)


def check_many(
    certificates: Certificates | str | Path,
    *,
    threads: int = 1,
    time_limit: float | None = None,
    plain: bool = False,
) -> Verifications:
    """Check certificates, or those in a file of many.

    Of each the solution is checked, and that the proof refutes the formula as it is stated here.

    The proofs are checked in compiled code, what that refuses in plain Python, which says why; with ``plain`` all of
    them. ``threads`` of them check at once. ``refused`` says by the number of the puzzle what is wrong.
    FormatError when the file cannot be read, LimitReached after ``time_limit`` seconds.
    """
    look = until(time_limit)
    with alarm(time_limit):
        if not isinstance(certificates, Certificates):
            certificates = read_many(zip_reader(Path(certificates)), look)
        return verified_many(certificates, look, threads, plain)


def verified_many(certificates: Certificates, look: Look, threads: int, plain: bool) -> Verifications:
    """Check certificates that are read."""
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
        """Return why a certificate is refused; nothing when it is accepted."""
        look()
        try:
            common.check(certificates, k, plain)
        except LimitReached:
            raise
        except (NotProved, Refused, SudokuModelsError) as error:
            return str(error)
        return ""

    found = dict(zip(certificates.numbers, in_threads(one, range(len(certificates)), threads), strict=True))
    refused = {number: why for number, why in found.items() if why}
    return Verifications(len(found) - len(refused), refused)


class _Common:
    """What puzzles of one shape have in common: the clauses of their model."""

    def __init__(self, puzzle: Puzzle, look: Look) -> None:
        self.model = puzzle.structure
        self.look = look
        self.base, numbers = of_model(self.model, look)
        self.numbers = np.array(numbers, np.int32)
        self.starts = _starts(self.base, 0)

    def check(self, certificates: Certificates, k: int, plain: bool) -> None:
        """Check one of some certificates; Refused or NotProved when it is wrong."""
        claimed = certificates.without_proof(k)
        statement = claimed.statement
        if statement.model is not self.model and statement.model != self.model:
            raise Refused("the puzzle is of another shape, or has other rules, than the first one")
        check_solutions(claimed, self.look)
        more = of_claim(self.base, statement, claimed.claim, claimed.solutions, self.look)
        proof = certificates.proofs[k]
        if plain or not self._accepted(more, proof):
            check_lrat(self.base.all + more.all, lines_of(proof), self.look)

    def _accepted(self, more: Clauses, proof: Any) -> bool:
        numbers = np.concatenate((self.numbers, np.array(more.flat(), np.int32)))
        starts = np.concatenate((self.starts, _starts(more, len(self.numbers))[1:]))
        return accepted(numbers, starts, proof, self.look) > 0


def _starts(clauses: Clauses, begin: int) -> Any:
    """Return where each clause begins, and where the next one would."""
    return np.array(list(accumulate((len(clause) + 1 for clause in clauses.all), initial=begin)), np.int32)
