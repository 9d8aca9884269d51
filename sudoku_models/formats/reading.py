"""Reading puzzles of any known format: one from a text, many from a file."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from ..errors import FormatError, meant
from ..puzzle.grid import Grid
from ..puzzle.puzzle import Puzzle
from .arrow import opened_table, sniffed
from .catalogue import CSV, FORMATS, GRID, ISS, JIGSAW, LINE, SDK, SDX, format_named
from .cells import BoardShape, Options, symbols_of
from .format import Reader
from .kinds.annotated import is_layout
from .kinds.iss import is_iss, strings
from .kinds.line import Found, as_format_error, classic, is_skipped, read_constraints
from .kinds.programs import read_link
from .links import kind_of_link
from .recognise import recognise
from .source import Line, name_of, numbered, opened_text, readable, within_reach
from .table import cells_of, named_column, puzzle_of
from .target import ending


class Entry(NamedTuple):
    """One puzzle of a file, or its error.

    ``number`` counts puzzles from 1; ``line`` is the line in which it begins or, in a table, its row, from 1 (see
    ``unit``). ``format`` is that of its file; empty in a table.
    """

    number: int
    line: int
    puzzle: Puzzle | None
    error: FormatError | None
    source: str
    unit: str = "line"
    format: str = ""

    @property
    def place(self) -> str:
        """The place of the puzzle, for messages."""
        return f"{self.source}: {self.unit} {self.line}"

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on what was not understood in the puzzle."""
        return self.puzzle.notes if self.puzzle is not None else ()


def parse(
    text: str,
    *,
    input_format: str | None = None,
    alphabet: str | None = None,
    shape: BoardShape | None = None,
    source: str | None = None,
    strict: bool = False,
    guess: bool = False,
) -> Puzzle:
    """Read exactly one puzzle from text.

    ``input_format`` (a name in ``FORMATS``), ``alphabet`` (a name in ``ALPHABETS``, or the symbols of 1, 2, ...) and
    ``shape`` (a Shape, or a function from the side to one, such as ``Shape.latin``) decide if the text has several
    interpretations. ``source`` names the text in messages. Raises FormatError if there is no puzzle, more than one, or
    one that cannot be read, and TypeError for anything but a text. What is not understood is listed in the puzzle's
    ``notes`` (unknown keys, rules in words) and in ``drawn`` (lines, marks); with ``strict`` it is a FormatError.
    ``guess`` reads drawings as the rules that they look like.
    """
    if not isinstance(text, str):
        raise TypeError(f"a text is expected, not {type(text).__name__}")
    try:
        return parse_with(text, _options(input_format, alphabet, shape, strict, guess=guess))
    except FormatError as error:
        raise error.at(source) from None


def parse_with(text: str, options: Options) -> Puzzle:
    """Read exactly one puzzle from text, such as a cell of a column, with these options; see ``parse``."""
    options = options if options.column is None else replace(options, column=None)
    puzzle = classic(text.strip("\r\n")) if options.is_plain else None
    if puzzle is not None and "\n" not in puzzle.comment and "\r" not in puzzle.comment:
        return puzzle
    link = text.strip()
    may_be_one = options.is_plain and link[:1] != "." and link.isascii() and " " not in link and "\n" not in link
    if may_be_one and kind_of_link(link):
        return checked(read_link(link), options)
    named = options.input_format == ISS or (options.input_format is None and is_iss(text))
    if named:
        pieces = [*strings(numbered(io.StringIO(text, newline=None)))] if "\n" in text.strip() else []
        if len(pieces) < 2 or not all(piece is not None and is_iss(piece) for _, piece in pieces):
            return read_constraints(text, options)
    return checked(_only(text, options), options)


def read(
    source: str | Path | BinaryIO,
    *,
    input_format: str | None = None,
    alphabet: str | None = None,
    shape: BoardShape | None = None,
    strict: bool = False,
    column: str | None = None,
    guess: bool = False,
) -> Iterator[Entry]:
    """Read a file ("-" is standard input) puzzle by puzzle, keeping one at a time. The options are those of ``parse``.

    A puzzle that cannot be read becomes an entry with an error, and reading continues. In a table (CSV, Parquet, Arrow)
    ``column`` names the column of puzzles; by default it is recognised by its name. Raises FormatError for a file that
    cannot be read at all: missing, a folder, empty, binary, not text, damaged gzip, or of an unknown format; raises
    TypeError for anything but a path or a stream.
    """
    if not isinstance(source, str | Path) and not hasattr(source, "read"):
        raise TypeError(f"{source!r:.60} is not a file: a path or a stream of bytes is expected")
    options = _options(input_format, alphabet, shape, strict, column, guess)
    return entries_of(source, options)


def _options(
    input_format: str | None,
    alphabet: str | None,
    shape: BoardShape | None,
    strict: bool,
    column: str | None = None,
    guess: bool = False,
) -> Options:
    check_input_format(input_format)
    return Options(input_format, symbols_of(alphabet), shape, strict, column, guess)


def check_input_format(input_format: str | None) -> None:
    """Raise FormatError for a format that cannot be read, or that cannot be chosen by name."""
    if input_format in ("parquet", "arrow"):
        raise FormatError(
            f"the input format {input_format!r}: tables are recognised by their first bytes, so leave out the format"
        )
    if input_format is not None:
        format_named(input_format, "input format", lambda kind: kind.reads)


def entries_of(source: str | Path | BinaryIO, options: Options) -> Iterator[Entry]:
    """Read a file puzzle by puzzle with these options; see ``read``."""
    with sniffed(source) as (kind, found):
        (yield from (read_with(found, options) if kind is None else _rows(kind, found, name_of(source), options)))


def _rows(kind: str, source: str | Path | BinaryIO, name: str, options: Options) -> Iterator[Entry]:
    """Read the rows of a Parquet or Arrow file."""
    rows = 0
    with opened_table(kind, source, name) as (schema, batches):
        column = schema.names.index(named_column(schema.names, options.column, name))
        for batch in batches:
            for row, cell in enumerate(batch.column(column).to_pylist(), rows + 1):
                try:
                    found = checked(puzzle_of(cell, lambda text: parse_with(text, options)), options)
                    yield Entry(row, row, found, None, name, "row")
                except ValueError as error:
                    yield Entry(row, row, None, as_format_error(error).at(name, row=row), name, "row")
            rows += batch.num_rows
    if not rows:
        raise FormatError("holds no puzzle", source=name)


def read_with(source: str | Path | BinaryIO, options: Options) -> Iterator[Entry]:
    """Read a file of text puzzle by puzzle with these options; see ``read``."""
    name = name_of(source)
    number = 0
    named = isinstance(source, str | Path) and source != "-" and Path(source).is_file()
    ahead = named or getattr(source, "is_file", False)
    last = [0]
    with opened_text(source) as lines:
        kind, all_found = _found(within_reach(lines, last), options, ending(name), ahead)
        for number, (line, found) in enumerate(all_found, start=1):
            last[0] = line
            try:
                if isinstance(found, FormatError):
                    raise found
                yield Entry(number, line, checked(found, options), None, name, format=kind)
            except FormatError as error:
                yield Entry(number, line, None, error.at(name, line), name, format=kind)
    if not number:
        raise FormatError("holds no puzzle", source=name)


def checked(puzzle: Puzzle, options: Options) -> Puzzle:
    """Return the puzzle, with its drawings read as rules if requested.

    A note says where the stated solution contradicts a given. Raises FormatError with ``strict`` if something was not
    understood.
    """
    puzzle = puzzle.guessed() if options.guess else puzzle
    if puzzle.stated is not None and (note := _contradiction(puzzle, puzzle.stated)):
        puzzle = replace(puzzle, notes=(*puzzle.notes, note))
    if options.strict:
        left = [*puzzle.notes, *(f"drawn, not understood: {drawn}" for drawn in puzzle.left_out)]
        left += [f"not read: {drawn}" for drawn in puzzle.unread]
        if left:
            raise FormatError("; ".join(left[:10]).replace("\n", " "))
    return puzzle


def _contradiction(puzzle: Puzzle, stated: Sequence[int | None]) -> str:
    """Describe the givens that the stated solution contradicts; return "" if there are none."""
    pairs = enumerate(zip(puzzle.givens, stated, strict=True))
    wrong = [i for i, (given, value) in pairs if None not in (given, value) and given != value]
    if not wrong:
        return ""
    first = f"{puzzle.shape.names[wrong[0]]} is given as {puzzle.givens[wrong[0]]} and solved as {stated[wrong[0]]}"
    others = f", and {len(wrong) - 1} more" if len(wrong) > 1 else ""
    return f"the stated solution contradicts the givens: {first}{others}; it is not used"


def _found(lines: Iterator[Line], options: Options, end: str = "", ahead: bool = True) -> tuple[str, Iterator[Found]]:
    """Return the chosen or recognised format, and what it reads; sdk and sdx are also told by the ``end`` of its name.

    ``ahead`` permits looking past the first puzzle, which may mean waiting for a pipe.
    """
    name, looked_at = options.input_format, list[Line]()
    if name is None:
        name, looked_at = recognise(lines, options, ahead)
        either = [SDX, SDK] if name == GRID else [SDX]
        name = next((kind for kind in either if end in FORMATS[kind].extensions), name)
        if name == LINE and ahead and options.shape is None:
            looked_at += islice(lines, 8)  # region labels may follow
            texts = (text for _, text in looked_at if text is not None and not is_skipped(text))
            cells, labels = next(texts, ""), next(texts, "")
            name = JIGSAW if len(cells.strip()) == len(labels.strip()) and is_layout(labels) else name
    if options.column is not None and name != CSV:
        raise FormatError(_no_column(options.column, name, looked_at))
    kind = FORMATS[name]
    assert kind.read
    found = chain(looked_at, lines)
    return name, kind.read(found, options) if kind.by_lines else _without_bytes(kind.read, found, options)


def _without_bytes(read: Reader, lines: Iterator[Line], options: Options) -> Iterator[Found]:
    """Read puzzles; the error of one that has bytes that are no text is that of the first such line."""
    bad: list[FormatError] = []
    for number, found in read(readable(lines, bad), options):
        bad[:] = [error for error in bad if (error.line or 0) >= number]
        yield number, bad[0] if bad and isinstance(found, FormatError) else found


def _no_column(column: str, name: str, looked_at: Sequence[Line]) -> str:
    """Return the error for a missing column; for a table it names the columns, and a similar one."""
    head = next((text for _, text in looked_at if text and text.strip() and not text.lstrip().startswith("#")), "")
    columns = [word.strip() for word in head.replace(";", ",").replace("\t", ",").split(",")]
    if all(word and word[0].isalpha() for word in columns):
        shown = ", ".join(word[:30] for word in columns[:20])
        return f"the columns are {shown}: a column named {column!r} is expected{meant(column, columns)}"
    return f"a column {column!r} was chosen, but this is not a table: its format is {name}"


def _only(text: str, options: Options) -> Puzzle:
    text = text.removeprefix("\ufeff")
    if not text.strip():
        raise FormatError("the text is empty: a puzzle is expected")
    _, found = _found(numbered(io.StringIO(text, newline=None)), options)
    line, puzzle = next(found, (None, FormatError("holds no puzzle")))
    lines = len(text.splitlines())
    if isinstance(puzzle, FormatError):
        raise puzzle.at(line=line if lines > 1 else None)
    second = next(found, None)
    if second is not None:
        raise FormatError("a second puzzle begins here, but one is expected (read() reads many)", line=second[0])
    return puzzle


_MANY = "a list of them, an array, a Path (of a file), or a table of pandas, polars or Arrow"


def problems_of(data: Any, column: str | None = None) -> Iterable[Any]:
    """Return the problems in ``data``: its elements, the rows of a table, or the puzzles of a file (a Path or a byte
    stream).

    A row of a table or an entry of a file without a puzzle becomes a FormatError with its place. ``column`` names the
    column of a table; by default it is recognised by its name.
    """
    _refuse_one(data)
    if isinstance(data, bytes):
        return [line for line in data.decode("utf-8-sig", "replace").splitlines() if line.strip() and line[0] != "#"]
    if isinstance(data, Path) or is_stream(data):
        return (entry.error if entry.puzzle is None else entry.puzzle for entry in read(data, column=column))
    cells = cells_of(data, column)
    if _kind(data) == "S":
        cells = data.tolist()  # texts as numpy keeps them in files
    if cells is not None:
        return (_problem(cell, row) for row, cell in enumerate(cells, 1))
    if column is not None:
        raise TypeError(f"column is {column!r}, but {type(data).__name__} is not a table and has no columns")
    try:
        iter(data)
    except TypeError:
        raise TypeError(f"{_named(data)} where many puzzles are expected: {_MANY}") from None
    return data  # type: ignore[no-any-return]


def is_stream(data: Any) -> bool:
    """Return whether an object is a binary stream, such as ``open(path, "rb")`` returns."""
    return hasattr(data, "read") and not hasattr(data, "schema") and not isinstance(data, io.TextIOBase)


def _refuse_one(data: Any) -> None:
    """Raise TypeError for a single puzzle, which could be mistaken for many rows, and for a dict of columns."""
    if isinstance(data, str):
        raise TypeError("a text where many puzzles are expected: a Path (of a file), or a list of texts")
    if isinstance(data, (Puzzle, Grid, Mapping)) or (_kind(data) in tuple("biuf") and len(data)):
        raise TypeError(f"{_named(data)} where many puzzles are expected: {_MANY}")


def _kind(data: Any) -> str:
    """Return numpy's letter for the type of a one-dimensional array: texts, objects, numbers; "" for other objects."""
    return str(data.dtype.kind) if type(data).__module__ == "numpy" and getattr(data, "ndim", 0) == 1 else ""


def _named(data: Any) -> str:
    shape = getattr(data, "shape", None)
    return f"an array of shape {shape}" if isinstance(shape, tuple) else f"one {type(data).__name__}"


def _problem(cell: object, row: int) -> Puzzle | FormatError:
    try:
        return puzzle_of(cell, parse)
    except ValueError as error:
        return as_format_error(error).at(row=row)
