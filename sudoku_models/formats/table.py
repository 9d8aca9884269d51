"""Tables with a header: CSV, read also with semicolons or tabs, and tables in memory. Columns are recognised by names.

A cell of a column of pandas, polars or Arrow is a text in any known format, or a list of the values of the puzzle's
cells. None of these packages is imported unless one of its tables is passed.
"""

from __future__ import annotations

import csv
import io
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from dataclasses import replace
from itertools import chain, islice
from typing import Any

from ..dataclass import dataclass
from ..errors import FormatError, meant
from ..puzzle.grid import Grid
from ..puzzle.puzzle import Puzzle
from .cells import Options, Values, attempts, place
from .format import Format, cells_text, witnessed
from .kinds.iss import is_iss
from .kinds.line import Found, classic, is_skipped, parse_line, read_constraints
from .source import LONGEST_LINE, Line, foreign, too_long

PUZZLE = ("puzzle", "puzzles", "quizzes", "quiz", "question", "questions", "sudoku", "board", "grid", "givens")
SOLUTION = ("solution", "solutions", "answer", "answers", "solved")
TITLE = ("title", "name")
COMMENT = ("comment",)
DELIMITERS = ",;\t"
_OPEN = {delimiter: re.compile(rf'(?:^|{delimiter})"[^"]*(?:""[^"]*)*\Z') for delimiter in DELIMITERS}
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
    delimiter = max(DELIMITERS, key=text.count)
    try:
        written = tuple(name.strip() for name in split(text, delimiter))
    except FormatError:
        return None
    columns = tuple(map(str.lower, written))
    puzzles = PUZZLE if column is None else (column.strip().lower(),)
    puzzle, solution, title, comment = (
        next((columns.index(name) for name in names if name in columns), None)
        for names in (puzzles, SOLUTION, TITLE, COMMENT)
    )
    if puzzle is None:
        return None
    known = {puzzle, solution, title, comment}
    others = tuple((name, i) for i, name in enumerate(columns) if i not in known)
    return Header(delimiter, written, columns, puzzle, solution, title, comment, others)


def read_table(lines: Iterator[Line], options: Options) -> Iterator[Found]:
    """Read a table: a header (# lines may precede it), then one puzzle on each line."""
    for number, header, row in table_rows(lines, options):
        try:
            yield number, row if isinstance(row, FormatError) else puzzle_of_row(row, header, options)
        except FormatError as error:
            yield number, error


def table_rows(
    lines: Iterator[Line], options: Options, header: Header | None = None
) -> Iterator[tuple[int, Header, list[str] | FormatError]]:
    """Yield the rows of a table with their lines' numbers and its header: their fields, or what is wrong with them.

    Without a ``header`` it is the first line, but for # lines.
    """
    while header is None:
        number, text = next(lines, (0, None))
        if not number:
            return
        if text is None or not is_skipped(text):
            header = needed_header(text or "", number, options)
    for number, text in _joined(lines, header):
        if text is None or text.strip():
            try:
                yield number, header, too_long() if text is None else fields_of(text, header)
            except FormatError as error:
                yield number, header, error


def _joined(lines: Iterator[Line], header: Header) -> Iterator[Line]:
    """Yield the lines of a table; those of a quoted field are joined if together they form a row.

    So a stray quote affects only its own line.
    """
    looked_at = deque[Line]()
    while line := looked_at.popleft() if looked_at else next(lines, None):
        number, text = line
        # it may end within quotes if their number is odd, and one of them opens a field
        if text and text.count('"') % 2 and _OPEN[header.delimiter].search(text):
            whole, used = text, 0
            while used < FIELD and len(whole) < LONGEST_LINE:
                if used == len(looked_at):
                    looked_at.extend(islice(lines, 1))
                more = looked_at[used][1] if used < len(looked_at) else None
                if more is None:
                    break
                whole, used = f"{whole}\n{more}", used + 1
                if more.count('"') % 2:
                    if _is_row(whole, header):
                        text = whole
                        looked_at = deque(islice(looked_at, used, None))
                    break
        yield number, text


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
    if len(text) > csv.field_size_limit():
        csv.field_size_limit(len(text))  # how long a line may be is limited where it is read
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


def puzzle_of_row(fields: Sequence[str], header: Header, options: Options) -> Puzzle:
    """Read the fields of a row, with its solution and title; raise FormatError if they hold no puzzle."""
    solution = fields[header.solution].strip() if header.solution is not None else ""
    puzzle, stated = _both(fields[header.puzzle], solution, options)
    title = fields[header.title] if header.title is not None else ""
    comment = fields[header.comment] if header.comment is not None else ""
    others = [f"{name}={fields[i]}" for name, i in header.others if fields[i]]
    if stated is None and not title and not comment and not others:
        return puzzle
    comment = "; ".join([comment, *others] if comment else others)
    return witnessed(replace(puzzle, stated=stated, title=title, comment=comment))


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
            whole = puzzle.stated is not None and None not in puzzle.stated
            fields.append(cells_text(puzzle.stated or (), puzzle.shape, symbols) if whole else "")
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerow(fields)
        yield text.getvalue()


CSV = Format(
    "csv",
    "a table with a header (puzzle,solution or quizzes,solutions)",
    read=read_table,
    write=write_table,
    extensions=(".csv", ".tsv"),
    by_lines=True,
    states_boxes=False,
)


# ---- tables of pandas, polars, and anything that exports Arrow data

ROWS = 8_192
"""The number of rows that are converted to Python objects at a time."""


def cells_of(data: Any, column: str | None = None) -> Iterable[Any] | None:
    """Return the column of puzzles of a table, or a single column; None for anything else."""
    if (library := library_of(data)) in ("pandas", "polars"):
        data = collected(data)
        if not hasattr(data, "columns"):
            return data  # type: ignore[no-any-return]
        at = list(data.columns).index(named_column(data.columns, column))
        return data.iloc[:, at] if library == "pandas" else data.to_series(at)  # type: ignore[no-any-return]
    return _of_arrow(arrow_reader(data), column) if exports_arrow(data) else None


def library_of(data: Any) -> str:
    """Return the name of the package that a table or column belongs to."""
    return type(data).__module__.partition(".")[0]


def collected(data: Any) -> Any:
    """Return a lazy table of polars as a table that is there."""
    return data.collect() if library_of(data) == "polars" and hasattr(data, "collect") else data


def exports_arrow(data: Any) -> bool:
    """Return whether an object is a table or a column of Arrow, or can be read as one."""
    return hasattr(data, "__arrow_c_stream__") or hasattr(data, "__arrow_c_array__")


def arrow_reader(data: Any) -> Any:
    """Return the record batches of Arrow data; a single column is a table with a column of puzzles."""
    import pyarrow

    if isinstance(data, (pyarrow.Array, pyarrow.ChunkedArray)):
        data = pyarrow.table({PUZZLE[0]: data})
    if isinstance(data, pyarrow.RecordBatch):
        data = pyarrow.Table.from_batches([data])
    return pyarrow.RecordBatchReader.from_stream(data)


def _of_arrow(batches: Any, column: str | None) -> Iterator[Any]:
    """Yield the cells of a column, some rows at a time."""
    at = batches.schema.names.index(named_column(batches.schema.names, column))
    for batch in batches:
        for start in range(0, batch.num_rows, ROWS):
            yield from batch.column(at).slice(start, ROWS).to_pylist()


def named_column(names: Iterable[Any], column: str | None = None, source: str | None = None) -> str:
    """Return the name of the column of puzzles: the chosen one, or one with a usual name.

    If there is none, raise FormatError with the existing names.
    """
    texts = [name for name in names if isinstance(name, str)]
    by_name = {name: name for name in texts} if column is not None else {name.lower(): name for name in texts[::-1]}
    found = next((by_name[name] for name in (PUZZLE if column is None else (column,)) if name in by_name), None)
    if found is not None:
        return found
    wanted = (
        repr(column)
        if column is not None
        else "puzzle (or quizzes, sudoku, board, givens, ...; commands with --column accept any name)"
    )
    there = f"the columns are {', '.join(texts)}" if texts else "there is no named column"
    raise FormatError(f"{there}: a column named {wanted} is expected{meant(column or '', texts)}", source=source)


def is_null(cell: object) -> bool:
    """Return whether a cell of a table is empty: None, NaN, or pandas' NA, which cannot be compared."""
    return cell is None or type(cell).__name__ == "NAType" or bool(cell != cell)


def puzzle_of(cell: Any, parse: Callable[[str], Puzzle]) -> Puzzle:
    """Read one cell of a column: a text, bytes, or the values of the cells; raise FormatError if it holds no puzzle."""
    if isinstance(cell, bytes):
        cell = cell.decode("utf-8", "replace")
    if isinstance(cell, str):
        try:
            return parse(cell)
        except FormatError as error:  # a text of one line needs no line number, only the cell
            raise FormatError(error.message, line=error.line if "\n" in cell else None, cell=error.cell) from None
    if isinstance(cell, Puzzle):
        return cell
    if not isinstance(cell, Sized):
        what = "null" if is_null(cell) else type(cell).__name__
        raise FormatError(f"no puzzle ({what}): a text or the values of the cells are expected")
    try:
        import numpy as np

        return Puzzle.of(Grid.from_numpy(np.asarray(cell, dtype=object).reshape(-1)))
    except (TypeError, ValueError) as error:
        raise FormatError(f"{type(cell).__name__} is not a puzzle: {error}") from None
