"""What ``solve`` finds for one puzzle: solutions as they come, then how it ended."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ..engine.contract import Reason
from ..engine.record import Record
from ..errors import SudokuModelsError
from ..formats import Entry
from ..puzzle import Grid, clashes
from ..verbs.results import Result, Solutions, Status
from .batch import log_error, log_record
from .codes import Code, code_of
from .terminal import Tally

BAD_INPUT, FAILED = "bad input", "failed"


@dataclass
class Finding:
    """The answer to one entry. ``grids`` is to be iterated first, once; the other fields are final after that.

    ``status`` is solved, unsatisfiable, unknown, "bad input" or "failed"; ``complete`` says whether there are no more
    solutions than these.
    """

    entry: Entry
    grids: Iterator[Grid]
    status: str = Status.UNKNOWN
    unique: bool | None = None
    complete: bool = False
    reason: str = ""
    code: Code = Code.SOLVED
    record: Record | None = None
    count: int = 0
    error: Exception | None = None

    @property
    def seconds(self) -> float | None:
        """Wall time of all phases."""
        return sum(phase.wall for phase in self.record.phases.values()) if self.record else None

    def failed(self, error: Exception) -> None:
        """Note what was raised instead of an answer."""
        self.status, self.error, self.reason = FAILED, error, str(error) or type(error).__name__
        self.code = code_of(error)
        if not isinstance(error, SudokuModelsError):
            self.reason = f"a fault of the program: {type(error).__name__}: {error}"


def ended(finding: Finding, tally: Tally) -> None:
    """Take in the code of a finding; say what failed, and log how the answer came about."""
    if finding.status == FAILED:
        tally.problem(f"{finding.entry.place}: {finding.reason}", finding.code)
        log_error(finding.error)
    tally.add(finding.code)
    log_record(finding.entry, finding.record)


def of_result(entry: Entry, result: Result | Exception | None) -> Finding:
    """Make a finding of one result; None for an entry that could not be read."""
    if result is None:
        reason = str(entry.error.message) if entry.error else ""
        return Finding(entry, iter(()), BAD_INPUT, reason=reason, code=Code.USAGE)
    if isinstance(result, Exception):
        finding = Finding(entry, iter(()))
        finding.failed(result)
        return finding
    grids = [result.grid] if result.grid else []
    clash = "; ".join(map(str, result.clashes))
    finding = Finding(entry, iter(grids), result.status, result.unique, record=result.record, count=len(grids))
    finding.complete = result.status is Status.UNSATISFIABLE or result.unique is True
    finding.reason, finding.code = result.reason or clash, _code(result)
    return finding


def _code(result: Result) -> Code:
    if result.status is Status.UNSATISFIABLE:
        return Code.NO_SOLUTION
    if result.status is Status.UNKNOWN or result.reason:
        return Code.LIMIT
    return Code.WITHOUT_DRAWN if result.status is Status.WITHOUT_DRAWN else Code.SOLVED


def of_solutions(entry: Entry, solutions: Solutions) -> Finding:
    """Make a finding of a run that is pulled solution by solution."""
    finding = Finding(entry, iter(()))
    finding.grids = _Pulled(finding, solutions).grids()
    return finding


@dataclass
class _Pulled:
    finding: Finding
    solutions: Solutions
    ended: bool = field(default=False)

    def grids(self) -> Iterator[Grid]:
        """Yield the solutions, then write down how it ended."""
        try:
            with self.solutions:
                for grid in self.solutions:
                    self.finding.count += 1
                    yield grid
        except Exception as error:
            self.finding.failed(error)
        else:
            self._end()
        self.finding.record = self.solutions.record

    def _end(self) -> None:
        finding, outcome = self.finding, self.solutions.outcome
        finding.complete = outcome.complete
        if outcome.count:
            left_out = finding.entry.puzzle is not None and finding.entry.puzzle.left_out
            finding.status = Status.WITHOUT_DRAWN if left_out else Status.SOLVED
            finding.code = Code.WITHOUT_DRAWN if left_out else Code.SOLVED
            finding.unique = False if outcome.count > 1 else True if outcome.complete else None
        elif outcome.complete:
            finding.status, finding.code = Status.UNSATISFIABLE, Code.NO_SOLUTION
            finding.reason = _clash(finding.entry)
        if not outcome.complete and outcome.reason is not Reason.LIMIT:
            finding.reason, finding.code = str(outcome.reason), Code.LIMIT


def _clash(entry: Entry) -> str:
    puzzle: Any = entry.puzzle
    return "; ".join(map(str, clashes(puzzle.shape, puzzle.givens)))
