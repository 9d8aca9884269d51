"""``sudoku-models count``.

The columns of an answer are ``count``, ``exact``, ``status``, ``reason``, ``backend`` and ``seconds``. The page about
the command line describes them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any

from ..bulk.question import BlockAnswers
from ..bulk.questions import Counting
from ..bulk.rows import Block
from .answers import answer, details_of_records
from .codes import Code
from .effort import Effort
from .options import ChosenBackend, Out, RecordFormat, Sharded
from .parser import Option, command
from .terminal import Tally


@command("Solve", "count --limit 100 puzzles.txt")
def count(
    source: Sharded,
    solver: ChosenBackend,
    limit: Annotated[
        int | None,
        Option(
            "--limit",
            "-n",
            min=1,
            help="Stop counting at this number, and print 'at least' if a puzzle may have more solutions.",
        ),
    ] = None,
    format: RecordFormat = None,
    out: Out = None,
) -> Code:
    """Count the solutions of each puzzle: print the number, or 'at least' a number if a limit was reached first."""
    choice = solver.choice().checked(None)
    return answer(source.input(), Counted(choice, limit), format, out, Tally())


@dataclass(frozen=True)
class Counted:
    """How solution counts are written."""

    choice: Effort
    limit: int | None
    name: str = "count"
    doing: str = "counting"

    @cached_property
    def verb(self) -> Counting:
        """The verb that answers."""
        return Counting(self.choice.backend, self.choice.limits, self.limit, jobs=self.choice.jobs)

    def lines(self, block: Block, answers: BlockAnswers) -> Iterator[str]:
        """Yield the numbers."""
        for value, exact in answers.lists("count", "exact"):
            yield "" if value is None else f"{'' if exact else 'at least '}{value}\n"

    drawn = lines

    def details(self, answers: BlockAnswers) -> dict[str, Any]:
        """Return how each answer was found."""
        return details_of_records(answers)
