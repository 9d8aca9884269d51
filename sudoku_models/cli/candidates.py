"""``sudoku-models candidates``.

The columns of an answer are ``candidates``, ``status``, ``reason``, ``backend`` and ``seconds``. In a record of JSON
``candidates`` maps the name of each cell (extra cells too) to the values that it takes in some solution. All lists are
empty if there is no solution; they hold the values found so far if a limit was reached first; and the field is null if
the puzzle could not be answered. The page about the command line describes the columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, partial
from typing import Any

from ..bulk.columns import listed
from ..bulk.question import BlockAnswers, RowAnswer
from ..bulk.questions import Marking
from ..bulk.rows import Block
from ..bulk.where import NINE
from ..puzzle.drawing import marks_text
from ..verbs.results import Candidates, Status
from .answers import Shown, answer, details_of_records, title_of, where_it_stands
from .codes import Code
from .options import BoardFormat, ChosenBackend, Out, Output, Sharded
from .outputs import at_terminal
from .parser import command
from .terminal import Tally


@command("Solve", "candidates puzzles.txt --format grid")
def candidates(source: Sharded, solver: ChosenBackend, format: BoardFormat = None, out: Out = None) -> Code:
    """List for each cell the values that it takes in at least one solution.

    The format grid draws a board with these values in each cell; the format line has one position for every value of
    every cell, like the input format pencilmarks. In both, a puzzle without a solution becomes a comment line (#).
    """
    kind = format or (Output.GRID if at_terminal(out) else None)
    choice = solver.choice().checked()
    verb = Marking(choice.backend, choice.limits, jobs=choice.jobs)
    shown = Shown(verb, "candidates", _lines, _details, "looking for candidates", partial(_drawn, source.alphabet))
    return answer(source.input(), shown, kind, out, Tally())


def _lines(block: Block, answers: BlockAnswers) -> Iterator[str]:
    """Yield one position for every value of every cell, or a comment, or "" for a row without an answer."""
    for row, line in enumerate(listed(answers["candidates"])):
        if line is not None:
            yield f"{line}\n"
        else:
            why = _why(answers.at(row))
            yield f"# {why} ({where_it_stands(block.entry(row))})\n" if why else ""


def _drawn(alphabet: str | None, block: Block, answers: BlockAnswers) -> Iterator[str]:
    """Draw the candidates under a title line; extra cells are listed below the board."""
    for row in range(len(block)):
        entry, answer = block.entry(row), answers.at(row)
        why, puzzle = _why(answer), entry.puzzle
        if puzzle is None or (why == "" and answer.values["candidates"] is None):
            yield ""
            continue
        found, names = _values(answer), puzzle.shape.names
        text = f"# {title_of(entry)}{why and ': ' + why}\n"
        if found:
            text += marks_text(puzzle.shape, [found[name] for name in names], alphabet, puzzle.grid.unused) + "\n"
        extra = (name for name in found if name not in set(names))
        yield text + "".join(f"# {name}: {' '.join(map(str, found[name]))}\n" for name in extra)


def _details(answers: BlockAnswers) -> dict[str, Any]:
    """Return the candidates by cell name, and how they were found."""
    found: list[Any] = [_by_cell(line) for line in listed(answers["candidates"])]
    for row, alone in answers.alone.items():
        found[row] = alone.found.values if isinstance(alone.found, Candidates) else None
    return {"candidates": found, **details_of_records(answers)}


def _by_cell(line: str | None) -> dict[str, list[int]]:
    """Return the candidates of a classic board, answered in a batch, by cell name; empty lists without a solution."""
    names = NINE.names
    if line is None:
        return {name: [] for name in names}
    return {name: _cell(line[at : at + 9]) for name, at in zip(names, range(0, 729, 9), strict=True)}


@cache
def _cell(marks: str) -> list[int]:
    return [int(value) for value in marks if value != "."]


def _values(answer: RowAnswer) -> dict[str, Sequence[int]]:
    """Return the values of each cell by its name, or an empty mapping if no solution is known."""
    found = answer.found
    if isinstance(found, Candidates):
        return dict(found.values) if found.solvable else {}
    line = answer.values["candidates"]
    if line is None:
        return {}
    return dict(_by_cell(line))


def _why(answer: RowAnswer) -> str:
    """Return the reason why candidates may be missing, or why there are none."""
    status, reason = answer.values["status"], answer.values["reason"]
    if status == Status.UNSATISFIABLE:
        return f"no solution: {reason}" if reason else "no solution"
    if status != Status.UNKNOWN:
        return ""
    return f"there may be more: {reason}" if getattr(answer.found, "solvable", None) else f"unknown: {reason}"
