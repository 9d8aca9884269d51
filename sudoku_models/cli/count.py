"""``sudoku-models count``.

The columns of an answer are ``count``, ``exact``, ``status``, ``reason``, ``backend`` and ``seconds``. The page about
the command line describes them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from ..bulk.question import BlockAnswers
from ..bulk.questions import Counting
from ..bulk.rows import Block
from .answers import Shown, answer
from .codes import Code
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
    verb = Counting(choice.backend, choice.limits, limit, jobs=choice.jobs)
    return answer(source.input(), Shown(verb, "count", _lines, doing="counting"), format, out, Tally())


def _lines(block: Block, answers: BlockAnswers) -> Iterator[str]:
    for value, exact in answers.lists("count", "exact"):
        yield "" if value is None else f"{'' if exact else 'at least '}{value}\n"
