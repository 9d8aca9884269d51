"""Columns of rows: a list, an array of numpy, an array of Arrow, or one value for all rows.

An array of numpy has a value in every row, and texts in it have equal length (``S81`` holds the lines of classic
boards). A list has None, and an array of Arrow null, for a missing value. Numpy and Arrow are imported when a column
needs them.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping
from functools import cache
from types import NoneType
from typing import Any

from ..dataclass import dataclass

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
