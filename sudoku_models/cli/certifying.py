"""``solve --certify``: a certificate for each answer that says "unique" or "no solution"."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ..bulk.question import RowAnswer
from ..errors import SudokuModelsError
from ..formats import Entry
from ..verbs.results import Result, Status
from .codes import Code, UsageError, code_of
from .terminal import Tally, log, say

if TYPE_CHECKING:
    from ..prove import Claim


class Certifying:
    """Writes certificates into a folder, each under the number of its puzzle, and reports puzzles without one.

    ``time_limit`` (seconds) applies to making each certificate, and to checking it. Raise UsageError if the folder
    cannot be created.
    """

    def __init__(self, folder: Path, time_limit: float | None, tally: Tally) -> None:
        self._folder, self._time_limit, self._tally = folder, time_limit, tally
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            reason = "a file of that name exists" if isinstance(error, FileExistsError) else error.strerror
            raise UsageError(f"--certify {folder}: the folder cannot be created: {reason}") from error

    def answered(self, entry: Entry, answer: RowAnswer) -> None:
        """Certify an answer; a missing answer has already been reported."""
        from ..prove import Claim

        result = answer.found
        if not isinstance(result, Result):
            return
        if result.status is Status.UNSATISFIABLE:
            self._certify(entry, Claim.UNSATISFIABLE, ())
        elif result.unique and result.solution is not None:
            self._certify(entry, Claim.UNIQUE, (result.solution,))
        else:
            why = "there are several solutions" if result.unique is False else "the number of solutions is not settled"
            say(f"{entry.place}: no certificate: {why}")

    def _certify(self, entry: Entry, claim: Claim, solutions: tuple[tuple[int, ...], ...]) -> None:
        from ..prove import ClaimFalse, certificate_of, check, save

        assert entry.puzzle
        target = self._folder / f"{entry.number}.zip"
        try:
            made = certificate_of(entry.puzzle, claim, solutions, time_limit=self._time_limit)
            checked = check(made, time_limit=self._time_limit)
            if not checked:
                self._tally.problem(
                    f"{entry.place}: no certificate: the check refused it: {checked.problem}", Code.DISAGREE
                )
                return
            save(made, target)
        except ClaimFalse as error:
            self._tally.problem(f"{entry.place}: no certificate: the answer is wrong: {error}", Code.DISAGREE)
        except (SudokuModelsError, ValueError, OSError) as error:
            code = Code.USAGE if isinstance(error, OSError) else code_of(error)
            self._tally.problem(f"{entry.place}: no certificate: {error}", code)
        else:
            log.info("%s: %s, written to %s", entry.place, made, target)
