"""The format ``csv``."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from ...errors import FormatError
from ...puzzle.puzzle import Puzzle
from ..format import Format
from ..lettering import cells_text
from ..table import read_table


def write_all(puzzles: Iterable[Puzzle], symbols: str | None) -> Iterator[str]:
    """Write a table; it has a column for solutions if the first puzzle has one."""
    boards = iter(puzzles)
    first = next(boards, None)
    if first is None:
        return
    solved = first.stated is not None
    yield "puzzle,solution\n" if solved else "puzzle\n"
    for puzzle in chain([first], boards):
        if puzzle.stated is not None and not solved:
            raise FormatError(
                "the first puzzle has no solution, so the table has no column for this one: put a puzzle with a "
                "solution first"
            )
        fields = [cells_text(puzzle.givens, puzzle.shape, symbols)]
        if solved:
            fields.append("" if puzzle.stated is None else cells_text(puzzle.stated, puzzle.shape, symbols))
        yield _csv_line(fields)


def _csv_line(fields: Sequence[str]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(fields)
    return text.getvalue()


FORMAT = Format(
    "csv",
    "a table with a header (puzzle,solution or quizzes,solutions)",
    read=read_table,
    write=write_all,
    extensions=(".csv", ".tsv"),
    by_lines=True,
    states_boxes=False,
)
