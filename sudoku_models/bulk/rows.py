"""The puzzles of some rows, and the columns that they stand in. Numpy is imported where boards are in an array."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field, replace
from typing import Any

from ..dataclass import dataclass
from ..errors import FormatError
from ..formats import Entry
from ..formats.kinds.line import as_format_error
from ..formats.table import puzzle_of
from ..puzzle import Puzzle, Shape
from .columns import listed

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
        if not plain or self.values is None:
            yield from sorted(self.others.items(), key=lambda item: item[0])
            return
        for row, values in enumerate(self.values.tolist()):
            found = self.others.get(row)
            yield row, Puzzle(NINE, tuple([value or None for value in values])) if found is None else found

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
        """Return a row as an entry."""
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
