"""The puzzles of some rows: classic boards as an array, all others separately."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from ..errors import FormatError
from ..formats.arrays import values_of
from ..formats.kinds.line import as_format_error
from ..formats.puzzle_columns import puzzle_of
from ..puzzle import Puzzle
from .where import NINE

Read = Callable[[str], Puzzle]


@dataclass(frozen=True)
class Rows:
    """The puzzles of n rows; can be sent to another process.

    ``values`` (uint8, n rows of 81, 0 open) holds the classic boards with givens only. ``others`` maps rows to puzzles
    of any other kind, and to the errors of rows without a puzzle. ``seen`` is the number of rows of the source known so
    far, including these.
    """

    values: NDArray[np.uint8]
    others: dict[int, Puzzle | FormatError] = field(default_factory=dict)
    seen: int = 0

    def __len__(self) -> int:
        return len(self.values)

    def part(self, start: int, stop: int) -> Rows:
        """Return some of the rows."""
        others = {row - start: found for row, found in self.others.items() if start <= row < stop}
        return replace(self, values=self.values[start:stop], others=others)

    def puzzles(self, plain: bool = True) -> Iterator[tuple[int, Puzzle | FormatError]]:
        """Yield the rows that hold classic boards (if ``plain``) and all others, in order."""
        values = self.values.tolist() if plain else ()
        for row in range(len(self)) if plain else sorted(self.others):
            found = self.others.get(row)
            yield row, Puzzle(NINE, tuple([value or None for value in values[row]])) if found is None else found

    def at(self, chosen: Iterable[int]) -> Iterator[tuple[int, Puzzle | FormatError]]:
        """Yield some of the rows."""
        for row in chosen:
            ((_, found),) = self.part(row, row + 1).puzzles()
            yield row, found

    @classmethod
    def of(cls, cells: Sequence[Any], read: Read, quick: bool = True) -> Rows:
        """Read the cells of a column; with ``quick``, lines of 81 characters may be read without ``read``."""
        whole = all_lines(cells) if quick else None
        if whole is not None:
            return cls(whole)
        values = np.zeros((len(cells), 81), np.uint8)
        fits = (
            [row for row, cell in enumerate(cells) if isinstance(cell, str) and len(cell) == 81 and cell.isascii()]
            if quick
            else []
        )
        good = np.zeros(len(cells), bool)
        if fits:
            found, readable = values_of(_lines(cells[row] for row in fits))
            good[np.array(fits)[readable]] = True
            values[good] = found[readable]
        others = {row: puzzle_or_error(cells[row], read) for row in np.flatnonzero(~good).tolist()}
        return cls(values, others).settled()

    def settled(self) -> Rows:
        """Return the same rows, with classic boards from ``others`` moved into the array."""
        plain = {row: puzzle.givens for row, puzzle in self.others.items() if is_plain(puzzle)}  # type: ignore[union-attr]
        if not plain:
            return self
        values = self.values.copy()
        values[list(plain)] = [[value or 0 for value in givens] for givens in plain.values()]
        return replace(self, values=values, others={k: v for k, v in self.others.items() if k not in plain})


def all_lines(cells: Sequence[Any]) -> NDArray[np.uint8] | None:
    """Read cells that are all lines of 81 characters together; return None if any cell is something else."""
    try:
        values, readable = values_of(_lines(cells))
    except (TypeError, ValueError):
        return None
    return values if len(values) == len(cells) and readable.all() else None


def is_plain(found: Puzzle | FormatError) -> bool:
    """Return whether a puzzle is a classic board with givens only."""
    return isinstance(found, Puzzle) and found.structure is NINE.model and not (found.candidates or found.left_out)


def _lines(texts: Any) -> bytes:
    """Join texts of equal length as lines; raise ValueError for text that is not ASCII."""
    return ("\n".join(texts) + "\n").encode("ascii")


def puzzle_or_error(cell: Any, read: Read) -> Puzzle | FormatError:
    """Read a cell of a column; return the error if it holds no puzzle."""
    try:
        return puzzle_of(cell, read)
    except ValueError as error:
        return as_format_error(error)


def rows_of_arrow(array: Any, read: Read) -> Rows | None:
    """Read an Arrow array of texts from its buffers, with ``read`` for irregular texts; None for other types."""
    wide = str(array.type)
    if wide not in ("string", "large_string") or not len(array):
        return None
    _, ends, data = array.buffers()
    kind: Any = np.int64 if wide == "large_string" else np.int32
    ends = np.frombuffer(ends, kind)[array.offset : array.offset + len(array) + 1]
    raw = np.frombuffer(data or b"", np.uint8)
    fits = np.diff(ends) == 81
    if array.null_count:
        fits &= ~np.asarray(array.is_null())
    good, values = np.zeros(len(array), bool), np.zeros((len(array), 81), np.uint8)
    if fits.any():
        lines = np.full((int(fits.sum()), 82), ord("\n"), np.uint8)
        whole = raw[ends[0] : ends[-1]].reshape(-1, 81) if fits.all() else sliding_window_view(raw, 81)[ends[:-1][fits]]
        lines[:, :81] = whole
        found, readable = values_of(lines.tobytes())
        good[np.flatnonzero(fits)[readable]] = True
        values[good] = found[readable]
    odd = np.flatnonzero(~good).tolist()
    return Rows(values, {row: puzzle_or_error(array[row].as_py(), read) for row in odd}).settled()
