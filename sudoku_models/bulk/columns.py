"""Columns of answers, kept as arrays until they are written as text, as a list or as Arrow buffers.

``known`` (n, bool) marks the rows that have a value; None means all rows.
"""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from .arrow_arrays import listed, plain, repeated, strings, type_of
from .joined_text import TextPart, cells, chosen, numbers, same
from .kinds import INTEGER, TEXT

Known = NDArray[np.bool_] | None


class BlockColumn(Protocol):
    """The values of n rows."""

    def __len__(self) -> int:
        """Return n."""

    def __getitem__(self, rows: slice) -> BlockColumn:
        """Return some of the rows."""

    def tolist(self) -> list[Any]:
        """Return the values as Python objects, with None for missing values."""

    def to_arrow(self, pyarrow: Any) -> Any:
        """Return the values as an Arrow array."""

    def part(self, null: str, quoted: str) -> TextPart:
        """Return the values as text for CSV or JSON: ``null`` for missing values, texts between ``quoted``."""


@dataclass(frozen=True)
class Texts:
    """Texts of equal width: the n rows of a byte array that ``write`` makes from ``data``."""

    data: NDArray[Any]
    width: int
    write: Callable[[NDArray[Any]], memoryview]
    known: Known = None

    def __len__(self) -> int:
        return len(self.data)

    def __getitem__(self, rows: slice) -> Texts:
        return Texts(self.data[rows], self.width, self.write, None if self.known is None else self.known[rows])

    def tolist(self) -> list[str | None]:
        """Return the texts."""
        text, width = str(self.write(self.data), "ascii"), self.width
        found = [text[at : at + width] for at in range(0, len(text), width)]
        if self.known is None:
            return list(found)
        return [text if known else None for text, known in zip(found, self.known.tolist(), strict=True)]

    def to_arrow(self, pyarrow: Any) -> Any:
        """Return an Arrow string array that shares the bytes."""
        n, size = len(self), self.width * len(self)
        if self.known is None:
            ends = np.arange(0, size + 1, self.width, dtype=np.int32) if size else np.zeros(1, np.int32)
            buffers = [None, pyarrow.py_buffer(ends), pyarrow.py_buffer(self.write(self.data))]
            return pyarrow.Array.from_buffers(pyarrow.string(), n, buffers, 0)
        ends = np.concatenate([[0], np.cumsum(self.known * self.width)]).astype(np.int32)
        data = self.write(self.data[self.known])
        bits = np.packbits(self.known, bitorder="little")
        return pyarrow.Array.from_buffers(pyarrow.string(), n, [*map(pyarrow.py_buffer, (bits, ends, data))])

    def part(self, null: str, quoted: str) -> TextPart:
        """Return the texts, with ``null`` for missing ones."""
        text = np.frombuffer(self.write(self.data), np.uint8).reshape(len(self), self.width)
        edge = quoted.encode()
        if not edge and self.known is None:
            return TextPart(text)
        block = np.empty((len(self), self.width + 2 * len(edge)), np.uint8)
        block[:, len(edge) : len(edge) + self.width] = text
        if edge:
            block[:, 0] = block[:, -1] = edge[0]
        if self.known is None:
            return TextPart(block)
        block[~self.known, : len(null)] = np.frombuffer(null.encode(), np.uint8)
        return TextPart(block, np.where(self.known, block.shape[1], len(null)))


def boards(values: NDArray[np.uint8], known: Known = None) -> Texts:
    """Return the lines of 81 characters for boards (n, 81), which have 0 in open cells."""
    return Texts(values, 81, _board_bytes, known)


def _board_bytes(values: NDArray[Any]) -> memoryview:
    return cells(np.ascontiguousarray(values)).block.reshape(-1).data


def marks(masks: NDArray[np.uint16], known: Known = None) -> Texts:
    """Return lines of 729 characters for candidate masks (n, 81), nine positions a cell, as in ``pencilmarks``."""
    return Texts(masks, 729, _mark_bytes, known)


def _mark_bytes(masks: NDArray[Any]) -> memoryview:
    return _MARKS.take(masks).reshape(-1).view(np.uint8).data


_MARKS = np.array(["".join(str(v) if mask >> v - 1 & 1 else "." for v in range(1, 10)) for mask in range(512)], "S9")
"""The nine bytes that represent each mask."""


@dataclass(frozen=True)
class WordColumn:
    """A column with one of a few texts in each row, selected by ``index`` (n). A text of None means no value."""

    texts: Sequence[str | None]
    index: NDArray[Any]

    def __len__(self) -> int:
        return len(self.index)

    def __getitem__(self, rows: slice) -> WordColumn:
        return WordColumn(self.texts, self.index[rows])

    def tolist(self) -> list[str | None]:
        """Return the texts."""
        return [self.texts[i] for i in self.index.tolist()]

    def to_arrow(self, pyarrow: Any) -> Any:
        """Return a string array."""
        if all(text is None for text in self.texts):
            return pyarrow.nulls(len(self), pyarrow.string())
        if len(self) and (self.index == self.index[0]).all() and (text := self.texts[self.index[0]]) is not None:
            return repeated(text.encode(), len(self), pyarrow)
        return strings(self.texts, pyarrow).take(plain(self.index, pyarrow))

    def part(self, null: str, quoted: str) -> TextPart:
        """Return the texts, quoted as far as the format needs it."""
        shown = [null if text is None else shown_text(text, quoted) for text in self.texts]
        return same(len(self), shown[0]) if len(shown) == 1 else chosen(shown, self.index)


@dataclass(frozen=True)
class Values:
    """Numbers or truth values (a numpy array), none missing; ``shown`` holds texts for small integers and booleans."""

    data: NDArray[Any]

    def __len__(self) -> int:
        return len(self.data)

    def __getitem__(self, rows: slice) -> Values:
        return Values(self.data[rows])

    def tolist(self) -> list[Any]:
        """Return the values."""
        return list(self.data.tolist())

    def to_arrow(self, pyarrow: Any) -> Any:
        """Return an array of the same type."""
        return plain(self.data, pyarrow)

    def part(self, null: str, quoted: str) -> TextPart:
        """Return the numbers in decimal digits, or true and false."""
        if self.data.dtype.kind == "b":
            return chosen(["false", "true"], self.data.astype(np.uint8))
        if self.data.dtype.kind in "iu":
            return numbers(self.data)
        shown, index = np.unique(self.data, return_inverse=True)
        return chosen([str(value) for value in shown.tolist()], index)


@dataclass(frozen=True)
class Patched:
    """A column of arrays with replaced values in some rows: ``others``, by row, which override ``base``."""

    base: BlockColumn
    others: Mapping[int, Any]

    def __len__(self) -> int:
        return len(self.base)

    def __getitem__(self, rows: slice) -> BlockColumn:
        kept = range(len(self))[rows]
        among = kept if len(kept) < len(self.others) else (row for row in self.others if row in kept)
        others = {kept.index(row): self.others[row] for row in among if row in self.others}
        return Patched(self.base[rows], others) if others else self.base[rows]

    def tolist(self) -> list[Any]:
        """Return the values."""
        values = self.base.tolist()
        for row, value in self.others.items():
            values[row] = value
        return values

    def to_arrow(self, pyarrow: Any) -> Any:
        """Return the values as an Arrow array, of the type of ``others``."""
        return pyarrow.array(self.tolist(), self.base[:0].to_arrow(pyarrow).type)

    def part(self, null: str, quoted: str) -> TextPart:
        """Return the text of the rows that are not replaced."""
        return self.base.part(null, quoted)


def patched(column: Any, others: Mapping[int, Any]) -> Any:
    """Return a column with replaced values in some rows."""
    if not others:
        return column
    if isinstance(column, list):
        for row, value in others.items():
            column[row] = value
        return column
    if isinstance(column, Patched):
        return Patched(column.base, {**column.others, **others})
    return Patched(column, others)


def odd_rows(columns: Iterable[Any]) -> set[int] | None:
    """Return the rows in which some column has a replaced value; None if some column is not a column of arrays."""
    found: set[int] = set()
    for column in columns:
        if not is_column(column):
            return None
        found.update(column.others if isinstance(column, Patched) else ())
    return found


@dataclass(frozen=True)
class Same:
    """The same value in all of n rows, of any type that JSON can hold."""

    value: Any
    n: int

    def __len__(self) -> int:
        return self.n

    def __getitem__(self, rows: slice) -> Same:
        return Same(self.value, len(range(self.n)[rows]))

    def tolist(self) -> list[Any]:
        """Return the value n times."""
        return [self.value] * self.n

    def to_arrow(self, pyarrow: Any) -> Any:
        """Return an Arrow array of the value."""
        if isinstance(self.value, str):
            return repeated(self.value.encode("utf-8", "replace"), self.n, pyarrow)
        if isinstance(self.value, float):
            return plain(np.full(self.n, self.value), pyarrow)
        return pyarrow.array(self.tolist())

    def part(self, null: str, quoted: str) -> TextPart:
        """Return the value as JSON, or as a field of CSV."""
        if quoted:
            return same(self.n, json.dumps(self.value, ensure_ascii=False))
        return same(self.n, null if self.value is None else shown_text(str(self.value), quoted))


def nothing(n: int) -> WordColumn:
    """Return a column of n rows without values."""
    return WordColumn((None,), np.zeros(n, np.uint8))


def shown_text(text: str, quoted: str) -> str:
    """Return a text as JSON if texts are quoted, otherwise as a CSV field."""
    if quoted:
        return json.dumps(text, ensure_ascii=False)
    if not text:
        return ""
    written = io.StringIO()
    csv.writer(written).writerow([text])
    return written.getvalue().removesuffix("\r\n")


def is_column(column: Any) -> bool:
    """Return whether this is a column of arrays, not a list."""
    return hasattr(column, "part")


def as_list(column: Any) -> list[Any]:
    """Return the values of a column of answers."""
    return column if isinstance(column, list) else column.tolist()


def counted(column: Any) -> Counter[Any]:
    """Return the number of rows with each value in a column of answers."""
    if isinstance(column, Patched) and isinstance(column.base, WordColumn):
        kept = np.ones(len(column), bool)
        kept[list(column.others)] = False
        return counted(WordColumn(column.base.texts, column.base.index[kept])) + Counter(column.others.values())
    if not isinstance(column, WordColumn):
        return Counter(as_list(column))
    found = np.bincount(column.index, minlength=len(column.texts)).tolist()
    return Counter({text: number for text, number in zip(column.texts, found, strict=True) if number})


def array_of(column: Any, kind: str, pyarrow: Any) -> Any:
    """Return a column of answers as an Arrow array."""
    kind_there = type_of(kind, pyarrow)
    if isinstance(column, list):
        return listed(column, kind, pyarrow)
    found = column.to_arrow(pyarrow)
    return found if found.type == kind_there else found.cast(kind_there)


def kind_of(column: Any) -> str:
    """Return the type of a column that is not an answer: integers, such as rows and line numbers, or texts."""
    if isinstance(column, Patched):
        return kind_of(column.base)
    if isinstance(column, Values):
        return INTEGER if column.data.dtype.kind in "iu" else TEXT
    return INTEGER if isinstance(column, list) and set(map(type, column)) == {int} else TEXT
