"""``sudoku-models page``: a page to solve a puzzle on."""

from __future__ import annotations

from itertools import islice
from typing import Annotated

from ..formats import Entry
from ..puzzle import Puzzle
from .codes import Code, UsageError, code_of
from .declarations import Option
from .groups import SourceOptions
from .inputs import Input
from .options import OUTPUT, Out, TimeLimit
from .outputs import output
from .terminal import Tally


def page(
    source: SourceOptions,
    reasons: Annotated[
        bool,
        Option("--reasons/--no-reasons", help="Include the solving path with its reasons.", rich_help_panel=OUTPUT),
    ] = True,
    time_limit: TimeLimit = None,
    out: Out = None,
) -> Code:
    """Write a puzzle as an HTML page on which you can solve it: with marks, colours, undo, check and solving path.

    The page needs no network and no other program. The time limit applies separately to the solution and to the path
    (20 seconds each by default).
    """
    return written(source.input(), reasons, time_limit, out)


def written(source: Input, reasons: bool, limit: float | None, out: str | None) -> Code:
    """Write the page of the only puzzle of a source."""
    tally = Tally()
    entries = list(islice(source.entries(tally), 2))
    if len(entries) > 1:
        raise UsageError("a page holds one puzzle, but the source has more: give a source with a single puzzle")
    for entry in entries:
        if entry.puzzle is not None:
            _write(entry, entry.puzzle, reasons, limit, out, tally)
    return tally.code


def _write(entry: Entry, puzzle: Puzzle, reasons: bool, limit: float | None, out: str | None, tally: Tally) -> None:
    from ..page import solving_page

    try:
        text = solving_page(puzzle, reasons=reasons, time_limit=limit)
    except Exception as error:
        tally.problem(f"{entry.place}: {error}", code_of(error))
        return
    with output(out) as write:
        write(text)
    tally.add(Code.WITHOUT_DRAWN if puzzle.left_out else Code.SOLVED)
