"""``sudoku-models page``: a page to solve a puzzle on."""

from __future__ import annotations

from itertools import islice
from typing import Annotated

from ..formats import Entry
from ..puzzle import Puzzle
from .codes import Code, UsageError, code_of
from .options import OUTPUT, Out, SourceOptions, TimeLimit
from .outputs import output
from .parser import Option, command
from .terminal import Tally


@command("Files", "page puzzle.txt --out page.html")
def page(
    source: SourceOptions,
    reasons: Annotated[
        bool,
        Option("--reasons/--no-reasons", help="Include the solving path with its reasons.", panel=OUTPUT),
    ] = True,
    time_limit: TimeLimit = None,
    out: Out = None,
) -> Code:
    """Write a puzzle as an HTML page on which you can solve it: with marks, colours, undo, check and solving path.

    The page needs no network and no other program. The time limit applies separately to the solution and to the path
    (20 seconds each by default).
    """
    tally = Tally()
    entries = list(islice(source.input().entries(tally), 2))
    if len(entries) > 1:
        raise UsageError("a page holds one puzzle, but the source has more: give a source with a single puzzle")
    for entry in entries:
        if entry.puzzle is not None:
            _write(entry, entry.puzzle, reasons, time_limit, out, tally)
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
