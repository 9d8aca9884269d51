"""``sudoku-models count``.

The columns of an answer are ``count``, ``exact``, ``status``, ``reason``, ``backend`` and ``seconds``. The page about
the command line describes them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from ..bulk.question import BlockAnswers, RowAnswer
from ..bulk.questions import Counting
from ..formats import Entry
from ..verbs.results import SolutionCount
from .answers import answer
from .codes import Code
from .effort import Effort
from .inputs import Input
from .options import Records
from .shown import WithRecord, base_of
from .terminal import Tally

if TYPE_CHECKING:
    from ..bulk.joined_text import TextPart


def count(source: Input, choice: Effort, limit: int | None, format: Records | None, out: str | None) -> Code:
    """Count the solutions of each puzzle."""
    choice.checked(None)
    return answer(source, Counted(choice, limit), format, out, Tally())


@dataclass(frozen=True)
class Counted(WithRecord):
    """How solution counts are written."""

    choice: Effort
    limit: int | None
    name: str = "count"
    doing: str = "counting"

    @cached_property
    def verb(self) -> Counting:
        """The verb that answers."""
        return Counting(self.choice.backend, self.choice.limits, self.limit, jobs=self.choice.jobs)

    def line(self, entry: Entry, answer: RowAnswer) -> str:
        """Return the number."""
        value, exact = answer.values["count"], answer.values["exact"]
        return "" if value is None else f"{SolutionCount(value, exact)}\n"

    def drawn(self, entry: Entry, answer: RowAnswer) -> str:
        """Return the number, as there is nothing to draw."""
        return self.line(entry, answer)

    def parts(self, answers: BlockAnswers) -> tuple[list[TextPart], Sequence[int]]:
        """Return the numbers."""
        from ..bulk.joined_text import chosen, same

        counts, exact = base_of(answers["count"]), base_of(answers["exact"])
        words = chosen(["at least ", ""], exact.data.view("u1"))
        return [words, counts.part("", ""), same(len(counts), "\n")], sorted(answers.alone)
