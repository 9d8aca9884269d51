"""``sudoku-models candidates``.

The columns of an answer are ``candidates``, ``status``, ``reason``, ``backend`` and ``seconds``. In a record of JSON
``candidates`` maps the name of each cell (extra cells too) to the values that it takes in some solution. All lists are
empty if there is no solution; they hold the values found so far if a limit was reached first; and the field is null if
the puzzle could not be answered. The page about the command line describes the columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..bulk.question import BlockAnswers, RowAnswer
from ..bulk.questions import Marking
from ..formats import Entry
from ..puzzle.drawing import marks_text
from ..verbs.results import Candidates, Status
from .answers import answer
from .codes import Code
from .effort import Effort
from .inputs import Input
from .options import Output
from .outputs import at_terminal
from .shown import WithRecord, base_of, title_of, where_it_stands
from .terminal import Tally

if TYPE_CHECKING:
    from ..bulk.joined_text import TextPart


def candidates(source: Input, choice: Effort, format: Output | None, out: str | None) -> Code:
    """List for each puzzle the values that its cells take in solutions."""
    choice.checked()
    kind = format or (Output.GRID if at_terminal(out) else None)
    return answer(source, Marked(choice, source.alphabet), kind, out, Tally())


@dataclass(frozen=True)
class Marked(WithRecord):
    """How candidates are written."""

    choice: Effort
    alphabet: str | None
    name: str = "candidates"
    doing: str = "looking for candidates"

    @cached_property
    def verb(self) -> Marking:
        """The verb that answers."""
        return Marking(self.choice.backend, self.choice.limits, jobs=self.choice.jobs)

    def line(self, entry: Entry, answer: RowAnswer) -> str:
        """Return one position for every value of every cell, or a comment, or "" for a row without an answer."""
        if answer.values["candidates"] is not None:
            return f"{answer.values['candidates']}\n"
        why = _why(answer)
        return f"# {why} ({where_it_stands(entry)})\n" if why else ""

    def drawn(self, entry: Entry, answer: RowAnswer) -> str:
        """Draw the candidates under a title line; extra cells are listed below the board."""
        why, puzzle = _why(answer), entry.puzzle
        if puzzle is None or (why == "" and answer.values["candidates"] is None):
            return ""
        head = f"# {title_of(entry)}{why and ': ' + why}\n"
        found = _values(answer)
        if not found:
            return head
        names = puzzle.shape.names
        board = marks_text(puzzle.shape, [found[name] for name in names], self.alphabet, puzzle.grid.unused)
        extra = [f"# {name}: {' '.join(map(str, v))}" for name, v in found.items() if name not in set(names)]
        return head + "\n".join([board, *extra]) + "\n"

    def parts(self, answers: BlockAnswers) -> tuple[list[TextPart], Sequence[int]]:
        """Return the lines of boards that have a solution; other rows are written separately."""
        from ..bulk.joined_text import same

        marks, status = base_of(answers["candidates"]), base_of(answers["status"])
        odd = {*answers.alone, *(status.index == 0).nonzero()[0].tolist()}
        return [marks.part("", ""), same(len(marks), "\n")], sorted(odd)

    def details(self, found: Any) -> dict[str, Any]:
        """Return the candidates by cell name, and how they were found."""
        return {"candidates": found.values if isinstance(found, Candidates) else None, **super().details(found)}

    def detail_columns(self, answers: BlockAnswers) -> dict[str, Any]:
        """Return the same for a block."""
        from ..bulk.columns import Same, Texts
        from ..bulk.value_lists import ValueLists

        marks = base_of(answers["candidates"])
        found = ValueLists(marks.data) if isinstance(marks, Texts) else Same(None, len(marks))
        return {**super().detail_columns(answers), "candidates": found}


def _values(answer: RowAnswer) -> dict[str, Sequence[int]]:
    """Return the values of each cell by its name, or an empty mapping if no solution is known."""
    found = answer.found
    if isinstance(found, Candidates):
        return dict(found.values) if found.solvable else {}
    line = answer.values["candidates"]
    if line is None:
        return {}
    from ..puzzle import Shape

    cells = [line[at : at + 9] for at in range(0, len(line), 9)]  # of a classic board, answered in a batch
    return dict(zip(Shape.square(9).names, ([int(v) for v in cell if v != "."] for cell in cells), strict=True))


def _why(answer: RowAnswer) -> str:
    """Return the reason why candidates may be missing, or why there are none."""
    status, reason = answer.values["status"], answer.values["reason"]
    if status == Status.UNSATISFIABLE:
        return f"no solution: {reason}" if reason else "no solution"
    if status != Status.UNKNOWN:
        return ""
    return f"there may be more: {reason}" if getattr(answer.found, "solvable", None) else f"unknown: {reason}"
