"""``sudoku-models candidates``.

The record of the schema ``sudoku-models/candidates/1``, one a puzzle: number, source, line, title and puzzle as for
``solve``; ``candidates``, by the name of each cell (extra cells too) the values that it has in some solution; none
anywhere when there is no solution; null where nothing could be asked; ``complete``, whether these are all; ``reason``
(why not, what clashes, or what went wrong); ``backend``; ``choice`` (why this one, where ``auto`` chose it);
``seconds``.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from ..bulk.where import Alone
from ..formats import Entry
from ..formats.kinds.pencilmarks import marks_line
from ..puzzle import Puzzle
from ..puzzle.drawing import marks_text
from ..verbs.results import Candidates
from . import answer_tables
from .batch import Effort
from .codes import Code
from .each import Question, ask_each
from .inputs import Input
from .marked_tail import SCHEMA, MarkedTail
from .options import Output
from .outputs import at_terminal
from .records import Blocks, Writer, writer
from .solutions import title_of

COLUMNS = ("number", "source", "line", "puzzle", "candidates", "complete", "reason", "backend", "seconds")


def candidates(source: Input, choice: Effort, format: Output | None, out: str | None) -> Code:
    """List for each puzzle the values that its cells have in solutions."""
    choice.checked()
    if answer_tables.wanted(format, out):
        from ..bulk import Marking

        verb = Marking(choice.backend, choice.limits, jobs=choice.jobs)
        return answer_tables.write_table(source, verb, choice.jobs, format, out)
    format = format or (Output.GRID if at_terminal(out) else Output.LINE)
    nothing = {"candidates": None, "complete": False}
    report = partial(_report, format, source.alphabet)
    question = Question("looking for candidates", partial(_found, choice.where.row), report, nothing)
    written: Writer = Blocks() if format is Output.GRID else writer(format, SCHEMA, COLUMNS)
    return ask_each(source, question, choice.jobs, written, out, tail=partial(MarkedTail, choice.where, format))


def _found(row: Alone, puzzle: Puzzle) -> Candidates:
    return row.task(puzzle).of_all("candidates").marked()


def _report(
    format: Output, alphabet: str | None, entry: Entry, found: Candidates
) -> tuple[dict[str, Any], str | None, Code]:
    assert entry.puzzle
    code = Code.LIMIT if not found.complete else Code.SOLVED if found.solvable else Code.NO_SOLUTION
    reason = found.reason or "; ".join(map(str, found.clashes))
    values: Any = _line(entry.puzzle, found) if format is Output.CSV else found.values
    text = None
    if format is Output.LINE:
        text = (
            _line(entry.puzzle, found) or f"# {_why(found, reason)} (puzzle {entry.number}, {entry.unit} {entry.line})"
        )
    elif format is Output.GRID:
        text = _board(entry, found, reason, alphabet)
    return {"candidates": values, "complete": found.complete, "reason": reason}, text, code


def _line(puzzle: Puzzle, found: Candidates) -> str | None:
    """Write the candidates of the board's cells on a line; None when they are not all known, or there are none."""
    if not (found.complete and found.solvable):
        return None
    return marks_line(puzzle.shape, [found.values[name] for name in puzzle.shape.names])


def _board(entry: Entry, found: Candidates, reason: str, alphabet: str | None) -> str:
    """Draw the candidates, under a line that says which puzzle it is; extra cells stand below."""
    puzzle = entry.puzzle
    assert puzzle
    why = "" if found.complete and found.solvable else ": " + _why(found, reason)
    head = f"# {title_of(entry)}{why}"
    if not found.solvable:
        return head
    names = puzzle.shape.names
    board = marks_text(puzzle.shape, [found.values[name] for name in names], alphabet, puzzle.grid.unused)
    extra = [f"# {name}: {' '.join(map(str, v))}" for name, v in found.values.items() if name not in set(names)]
    return "\n".join([head, board, *extra])


def _why(found: Candidates, reason: str) -> str:
    """Say why these are not all candidates, or why there are none."""
    if found.complete:
        return f"no solution: {reason}" if reason else "no solution"
    return f"unknown: {reason}" if not found.solvable else f"there may be more: {reason}"
