"""Tables with a header: CSV, read also with semicolons or tabs. Columns are recognised by their names."""

from __future__ import annotations

import csv
import io
import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from ..errors import FormatError
from ..puzzle.puzzle import Puzzle
from .cells import Values, attempts, place
from .format import Format
from .kinds.iss import is_iss
from .kinds.line import Found, classic, parse_line, read_constraints
from .lettering import cells_text
from .options import Options
from .source import LONGEST_LINE, Line, foreign, too_long

PUZZLE = ("puzzle", "puzzles", "quizzes", "quiz", "question", "questions", "sudoku", "board", "grid", "givens")
SOLUTION = ("solution", "solutions", "answer", "answers", "solved")
TITLE = ("title", "name")
COMMENT = ("comment",)
_DELIMITERS = ",;\t"
_OPEN = {delimiter: re.compile(rf'(?:^|{delimiter})"[^"]*(?:""[^"]*)*\Z') for delimiter in _DELIMITERS}
FIELD = 100
"""The largest number of lines in a quoted field: a drawn board has at most about this many."""


@dataclass(frozen=True)
class Header:
    """The positions of the columns of a table, and their ``names`` as written.

    ``others`` holds the names and positions of the columns that are kept as a comment.
    """

    delimiter: str
    names: tuple[str, ...]
    columns: tuple[str, ...]
    puzzle: int
    solution: int | None
    title: int | None
    comment: int | None
    others: tuple[tuple[str, int], ...]


def header_of(text: str, column: str | None = None) -> Header | None:
    """Read a table's header; return None for any other line (no column is named ``column`` or has a usual name)."""
    delimiter = max(_DELIMITERS, key=text.count)
    try:
        written = tuple(name.strip() for name in split(text, delimiter))
    except FormatError:
        return None
    columns = tuple(map(str.lower, written))
    puzzles = PUZZLE if column is None else (column.strip().lower(),)
    puzzle, solution, title, comment = (_find(columns, names) for names in (puzzles, SOLUTION, TITLE, COMMENT))
    if puzzle is None:
        return None
    known = {puzzle, solution, title, comment}
    others = tuple((name, i) for i, name in enumerate(columns) if i not in known)
    return Header(delimiter, written, columns, puzzle, solution, title, comment, others)


def read_table(lines: Iterator[Line], options: Options) -> Iterator[Found]:
    """Read a table: a header (# lines may precede it), then one puzzle on each line."""
    rows = TableLines(lines)
    for number, text in rows:
        if text is None:
            yield number, too_long()
        elif not text.strip() or (rows.header is None and text.lstrip()[0] == "#"):
            continue
        elif rows.header is None:
            rows.header = needed_header(text, number, options)
        else:
            try:
                yield number, puzzle_of_row(fields_of(text, rows.header), rows.header, options)
            except FormatError as error:
                yield number, error


class TableLines(Iterator[Line]):
    """The lines of a table. Once the header is known, the lines of a quoted field are joined.

    They are joined only if together they form a row: a stray quote affects only its own line.
    """

    header: Header | None = None

    def __init__(self, lines: Iterator[Line]) -> None:
        self._lines, self._looked_at = lines, deque[Line]()

    def __next__(self) -> Line:
        line = self._following()
        if line is None:
            raise StopIteration
        number, text = line
        if self.header is None or text is None or not _goes_on(text, self.header.delimiter):
            return number, text
        looked_at: list[Line] = []
        while len(looked_at) < FIELD and len(text) < LONGEST_LINE and (following := self._following()):
            looked_at.append(following)
            more = following[1]
            if more is None:
                break
            text = f"{text}\n{more}"
            if more.count('"') % 2:
                if _is_row(text, self.header):
                    return number, text
                break
        self._looked_at.extendleft(reversed(looked_at))
        return number, text.partition("\n")[0]

    def _following(self) -> Line | None:
        return self._looked_at.popleft() if self._looked_at else next(self._lines, None)


def _goes_on(text: str, delimiter: str) -> bool:
    """Return whether a line may end within quotes: their number is odd, and one of them opens a field."""
    return text.count('"') % 2 == 1 and re.search(_OPEN[delimiter], text) is not None


def _is_row(text: str, header: Header) -> bool:
    try:
        return bool(fields_of(text, header))
    except FormatError:
        return False


def needed_header(text: str, number: int, options: Options) -> Header:
    """Read a table's header; raise FormatError, with the line's number, if it is not one."""
    header = header_of(text, options.column)
    if header is None:
        names = ", ".join(PUZZLE[:5]) + ", ..." if options.column is None else repr(options.column)
        expected = f"a header with a column named {names} is expected"
        raise FormatError(f"{text[:60]!r} is not a table header: {expected}", line=number)
    return header


def split(text: str, delimiter: str) -> list[str]:
    """Split one row of a table into its fields; raise FormatError for unmatched quotes, and for several rows."""
    if error := foreign(text):
        raise error
    if '"' not in text:
        return text.split(delimiter)
    try:
        row, *others = csv.reader([f"{line}\n" for line in text.split("\n")], delimiter=delimiter, strict=True)
    except csv.Error as error:
        raise FormatError(f"the quotes in this line of the table do not match ({error})") from None
    if others:
        raise FormatError("these lines of the table are several rows")
    return row


def fields_of(text: str, header: Header) -> list[str]:
    """Split a row into its fields; raise FormatError if their number differs from that of the columns."""
    fields = split(text, header.delimiter)
    if len(fields) != len(header.columns):
        found = "1 field" if len(fields) == 1 else f"{len(fields)} fields"
        raise FormatError(f"{found}: {len(header.columns)} are expected ({', '.join(header.columns)})")
    return fields


def _find(columns: Sequence[str], names: Sequence[str]) -> int | None:
    return next((columns.index(name) for name in names if name in columns), None)


def puzzle_of_row(fields: Sequence[str], header: Header, options: Options) -> Puzzle:
    """Read the fields of a row, with its solution and title; raise FormatError if they hold no puzzle."""
    solution = fields[header.solution].strip() if header.solution is not None else ""
    puzzle, stated = _both(fields[header.puzzle], solution, options)
    title = fields[header.title] if header.title is not None else ""
    comment = fields[header.comment] if header.comment is not None else ""
    others = [f"{name}={fields[i]}" for name, i in header.others if fields[i]]
    if stated is None and not title and not comment and not others:
        return puzzle
    return replace(puzzle, stated=stated, title=title, comment="; ".join([comment, *others] if comment else others))


def _both(text: str, solution: str, options: Options) -> tuple[Puzzle, Values | None]:
    """Read a puzzle and its solution; if the puzzle alone fits several alphabets, use the one that fits both."""
    try:
        puzzle = _cells(text, options)
    except FormatError as error:
        both = _alike(text.strip(), solution, options)
        if both is None:
            raise error
        return both
    if not solution:
        return puzzle, None
    try:
        stated = _cells(solution, replace(options, shape=puzzle.shape)).givens
        if None in stated:
            raise FormatError("a value is expected in every cell", cell=place(stated.index(None), puzzle.shape.width))
        return puzzle, stated
    except FormatError as error:
        raise FormatError(f"the solution: {error.message}", cell=error.cell) from None


def _alike(text: str, solution: str, options: Options) -> tuple[Puzzle, Values] | None:
    """Read both in the same alphabet, if exactly one fits both."""
    shape = options.sized(len(text)) if len(text) == len(solution) else None
    if shape is None:
        return None
    givens, stated = (attempts(cells, shape, options) for cells in (text, solution))
    pairs = {(givens[name], stated[name]) for name in givens}
    good = [(p, s) for p, s in pairs if not isinstance(p, FormatError) and not isinstance(s, FormatError)]
    return (Puzzle(shape, good[0][0]), good[0][1]) if len(good) == 1 else None


def _cells(text: str, options: Options) -> Puzzle:
    if not text.strip():
        raise FormatError("the text is empty: a puzzle is expected")
    puzzle = classic(text) if options.symbols is None and options.shape is None else None
    if puzzle is None and is_iss(text):
        return read_constraints(text, options)
    return puzzle or parse_line(text, options)


def write_table(puzzles: Iterable[Puzzle], symbols: str | None) -> Iterator[str]:
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


CSV = Format(
    "csv",
    "a table with a header (puzzle,solution or quizzes,solutions)",
    read=read_table,
    write=write_table,
    extensions=(".csv", ".tsv"),
    by_lines=True,
    states_boxes=False,
)
