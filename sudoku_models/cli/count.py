"""``sudoku-models count``.

The columns of an answer are ``count``, ``exact``, ``status``, ``reason``, ``backend`` and ``seconds``. The page about
the command line describes them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..bulk.question import BlockAnswers
from ..bulk.questions import Counting
from ..bulk.rows import Block
from .answers import answer
from .codes import Code
from .effort import Effort
from .inputs import Input
from .options import Records
from .records import details_of_records
from .terminal import Tally


def count(source: Input, choice: Effort, limit: int | None, format: Records | None, out: str | None) -> Code:
    """Count the solutions of each puzzle."""
    choice.checked(None)
    return answer(source, Counted(choice, limit), format, out, Tally())


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
