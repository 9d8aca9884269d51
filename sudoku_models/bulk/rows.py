"""Rows of puzzles and the columns that they stand in: a list, an array of numpy or of Arrow, or one value for all rows.

An array of numpy has a value in every row, and texts in it have equal length (``S81`` holds the lines of classic
boards). A list has None, and an array of Arrow null, for a missing value. Numpy and Arrow are imported when they are
needed.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field, replace
from functools import cache
from types import NoneType
from typing import Any

from ..dataclass import dataclass
from ..errors import FormatError
from ..formats import Entry
from ..formats.kinds.line import as_format_error
from ..formats.table import puzzle_of
from ..puzzle import Puzzle, Shape

TEXT, TRUTH, NUMBER, INTEGER = "text", "truth", "number", "integer"
"""The types of columns of answers."""

Kinds = Mapping[str, str]
"""The type of each column of answers, by name."""

_ARROW = {TEXT: "string", TRUTH: "bool_", NUMBER: "float64", INTEGER: "int64"}
_NUMPY = {TRUTH: "?", NUMBER: "f8", INTEGER: "i8"}
_PYTHON: Mapping[str, set[type]] = {TEXT: {str}, TRUTH: {bool}, NUMBER: {int, float}, INTEGER: {int}}


@dataclass(frozen=True)
class Same:
    """The same value in all of n rows."""

    value: Any
    n: int

    def __len__(self) -> int:
        return self.n

    def __getitem__(self, rows: slice) -> Same:
        return Same(self.value, len(range(self.n)[rows]))

    def tolist(self) -> list[Any]:
        """Return the value n times."""
        return [self.value] * self.n


def boards(values: Any) -> Any:
    """Return the lines of 81 characters of boards (uint8, n rows of 81, 0 open)."""
    import numpy as np

    lines = values | np.uint8(ord("0"))
    lines -= (values == 0).view(np.uint8) * np.uint8(ord("0") - ord("."))
    return lines.view("S81").reshape(-1)


def marks(masks: Any) -> Any:
    """Return lines of 729 characters for candidates (uint16, n rows of 81): nine positions a cell."""
    return _cell_marks().take(masks).reshape(len(masks), 81).view("S729").reshape(-1)


@cache
def _cell_marks() -> Any:
    """Return the nine characters of each mask of candidates."""
    import numpy as np

    return np.array(["".join(str(v) if mask >> v - 1 & 1 else "." for v in range(1, 10)) for mask in range(512)], "S9")


def where_known(column: Any, known: Any) -> Any:
    """Return a column with None in the rows that are not ``known`` (bool, n)."""
    if known.all():
        return column
    return [value if there else None for value, there in zip(listed(column), known.tolist(), strict=True)]


def patched(column: Any, others: Mapping[int, Any]) -> Any:
    """Return a column with other values in some rows, by row: as a list, unless there are none."""
    if not others:
        return column
    values = list(listed(column))
    for row, value in others.items():
        values[row] = value
    return values


def listed(column: Any) -> list[Any]:
    """Return the values of a column as Python objects."""
    if isinstance(column, list):
        return column
    if getattr(getattr(column, "dtype", None), "kind", "") == "S":
        text, width = str(column.tobytes(), "ascii"), column.dtype.itemsize
        return [text[at : at + width] for at in range(0, len(text), width)]
    found: list[Any] = column.to_pylist() if hasattr(column, "to_pylist") else column.tolist()
    return found


def counted(column: Any) -> Counter[Any]:
    """Return the number of rows with each value."""
    return Counter({column.value: column.n} if isinstance(column, Same) and column.n else listed(column))


def kind_of(column: Any) -> str:
    """Return the type of a column that is not an answer: integers, such as the numbers of lines, or texts."""
    if isinstance(column, list):
        return INTEGER if set(map(type, column)) == {int} else TEXT
    return INTEGER if getattr(getattr(column, "dtype", None), "kind", "") in ("i", "u") else TEXT


def as_arrow(column: Any, kind: str) -> Any:
    """Return a column as an Arrow array of a type, from buffers: ``pyarrow.array`` would load pandas."""
    import numpy as np
    import pyarrow

    there = getattr(pyarrow, _ARROW[kind])()
    if isinstance(column, Same):
        if column.value is None or not column.n:
            return pyarrow.nulls(column.n, there)
        column = column.tolist()
    if hasattr(column, "to_pylist"):
        return column if column.type == there else column.cast(there)
    known = None
    if isinstance(column, list):
        types = set(map(type, column))
        if "pandas" in sys.modules or not types - {NoneType} <= _PYTHON[kind]:
            return pyarrow.array(column, there)
        if NoneType in types:
            known = pyarrow.py_buffer(np.packbits([value is not None for value in column], bitorder="little"))
        if kind == TEXT:
            data = [(value or "").encode("utf-8", "replace") for value in column]
            return _texts(np.cumsum([0, *map(len, data)], dtype=np.int32), b"".join(data), known)
        column = np.array([value or 0 for value in column], _NUMPY[kind])
    if kind == TEXT:
        return _texts(np.arange(len(column) + 1, dtype=np.int32) * np.int32(column.dtype.itemsize), column, None)
    whole = np.ascontiguousarray(column, _NUMPY[kind])
    held = np.packbits(whole, bitorder="little") if kind == TRUTH else whole
    return pyarrow.Array.from_buffers(there, len(column), [known, pyarrow.py_buffer(held)])


def _texts(ends: Any, data: Any, known: Any) -> Any:
    """Return an Arrow array of texts from the offsets of their ends."""
    import pyarrow

    buffers = [known, pyarrow.py_buffer(ends), pyarrow.py_buffer(data)]
    return pyarrow.Array.from_buffers(pyarrow.string(), len(ends) - 1, buffers)


NINE = Shape.square(9)

MANY = 1_000
"""The number of puzzles above which a batch is worth loading a compiled engine."""

Read = Callable[[Any], Any]

PLACE = ("number", "source", "line", "puzzle")
"""The columns for text input: a puzzle's number, its file and line, and its givens."""


@dataclass(frozen=True)
class Rows:
    """The puzzles of n rows; can be sent to another process.

    ``values`` (uint8, n rows of 81, 0 open) holds the classic boards with givens only. ``others`` maps rows to puzzles
    of any other kind (or to models), and to the errors of rows without a puzzle. ``values`` is None if all rows are
    among the others. ``seen`` is the number of rows of the source known so far, including these.
    """

    values: Any
    others: Mapping[int, Any] = field(default_factory=dict)
    seen: int = 0

    def __len__(self) -> int:
        return len(self.others if self.values is None else self.values)

    def part(self, start: int, stop: int) -> Rows:
        others = {row - start: found for row, found in self.others.items() if start <= row < stop}
        return replace(self, values=None if self.values is None else self.values[start:stop], others=others)

    def puzzles(self, plain: bool = True) -> Iterator[tuple[int, Any]]:
        """Yield the rows that hold classic boards (if ``plain``) and all others, in order."""
        for row in range(len(self)) if plain and self.values is not None else sorted(self.others):
            yield row, self[row]

    def __getitem__(self, row: int) -> Any:
        """Return what stands in a row: a puzzle, a model, or an error."""
        if self.values is None or row in self.others:
            return self.others[row]
        return Puzzle(NINE, tuple([value or None for value in self.values[row].tolist()]))

    @classmethod
    def of(cls, cells: Any, read: Read, quick: bool = True) -> Rows:
        """Read cells: a list, or an Arrow array. With ``quick``, lines of 81 characters may be read without ``read``.

        What ``read`` returns for any other cell stands among the others, unless it is a classic board.
        """
        import numpy as np

        cells = listed(cells)
        values, good = np.zeros((len(cells), 81), np.uint8), np.zeros(len(cells), bool)
        texts = enumerate(cells) if quick else ()
        fits = [row for row, cell in texts if isinstance(cell, str) and len(cell) == 81 and cell.isascii()]
        if fits:
            values[fits], good[fits] = _read_lines(cells[row] for row in fits)
        return cls(values, {row: read(cells[row]) for row in np.flatnonzero(~good).tolist()}).settled()

    def settled(self) -> Rows:
        """Return the same rows, with classic boards from ``others`` moved into the array."""
        plain = {row: puzzle.givens for row, puzzle in self.others.items() if is_plain(puzzle)}
        if not plain:
            return self
        values = self.values.copy()
        values[list(plain)] = [[value or 0 for value in givens] for givens in plain.values()]
        return replace(self, values=values, others={k: v for k, v in self.others.items() if k not in plain})


@dataclass(frozen=True)
class Block:
    """Some consecutive rows of a source: ``columns`` by name (see ``columns``) and their puzzles.

    ``source`` names the file, ``numbers`` are the lines (of text) or rows (of tables, from 1), according to ``unit``,
    and ``first`` is the number of earlier puzzles in the source. ``schema`` is the schema of the Arrow table that the
    rows come from. ``repeats`` means that all rows are one row of the source.
    """

    columns: Mapping[str, Any]
    rows: Rows
    source: str
    numbers: Any
    unit: str = "row"
    schema: Any = None
    first: int = 0
    repeats: bool = False

    def __len__(self) -> int:
        return len(self.rows)

    @classmethod
    def of_entry(cls, entry: Entry, model: Any = None) -> Block:
        """Return an entry of a file as a block of one row; ``model`` stands in the place of its puzzle."""
        found = entry.puzzle or entry.error or model or FormatError("holds no puzzle")
        text = entry.puzzle.to_line() if entry.puzzle else None
        columns = dict(zip(PLACE, ([entry.number], [entry.source], [entry.line], [text]), strict=True))
        return cls(columns, Rows(None, {0: found}), entry.source, [entry.line], entry.unit, None, entry.number - 1)

    def parts(self, size: int) -> Iterator[Block]:
        """Yield blocks of at most the given number of rows; a block without rows gives one part."""
        if len(self) <= size:
            yield self
            return
        for start in range(0, len(self), size):
            part = slice(start, start + size)
            columns = {name: column[part] for name, column in self.columns.items()}
            rows = self.rows.part(start, start + size)
            yield replace(self, columns=columns, rows=rows, numbers=self.numbers[part], first=self.first + start)

    def repeated(self, row: int, times: int) -> Block:
        """Return a block that repeats one row n times."""
        columns = {name: _repeated(column[row : row + 1], times) for name, column in self.columns.items()}
        rows, numbers = Rows(None, dict.fromkeys(range(times), self.rows[row])), [int(self.numbers[row])] * times
        return replace(self, columns=columns, rows=rows, numbers=numbers, first=self.first + row, repeats=True)

    def entry(self, row: int) -> Entry:
        found = self.rows[row]
        number, line = self.first + (0 if self.repeats else row) + 1, int(self.numbers[row])
        if isinstance(found, FormatError):
            place = {"line": line} if self.unit == "line" else {"row": line}
            return Entry(number, line, None, found.at(self.source, **place), self.source, self.unit)
        return Entry(number, line, found if isinstance(found, Puzzle) else None, None, self.source, self.unit)


def _repeated(column: Any, times: int) -> Any:
    if hasattr(column, "to_pylist"):
        import pyarrow

        return pyarrow.concat_arrays([column] * times)  # ``take`` knows neither run-length encoding nor views
    return listed(column) * times


def is_plain(found: Any) -> bool:
    """Return whether a puzzle is a classic board with givens only."""
    return isinstance(found, Puzzle) and found.structure is NINE.model and not (found.candidates or found.drawn)


def puzzle_or_error(cell: Any, read: Callable[[str], Puzzle]) -> Puzzle | FormatError:
    """Read a cell of a column; return the error if it holds no puzzle, or is one."""
    try:
        return cell if isinstance(cell, FormatError) else puzzle_of(cell, read)
    except ValueError as error:
        return as_format_error(error)


def _read_lines(texts: Iterable[Any]) -> Any:
    """Read texts as boards; raise ValueError for text that is not ASCII, or not of 81 characters."""
    from ..formats.arrays import values_of

    return values_of(("\n".join(texts) + "\n").encode("ascii"))
