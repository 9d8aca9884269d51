"""Arrow arrays from buffers: ``pyarrow.array`` would load pandas, which takes a third of a second."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from types import NoneType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .kinds import INTEGER, NUMBER, TEXT, TRUTH

_TYPES = {TEXT: "string", TRUTH: "bool_", NUMBER: "float64", INTEGER: "int64"}

_HELD: Mapping[str, tuple[set[type], type]] = {
    TRUTH: ({bool, NoneType}, np.bool_),
    NUMBER: ({int, float, NoneType}, np.float64),
    INTEGER: ({int, NoneType}, np.int64),
}


def type_of(kind: str, pyarrow: Any) -> Any:
    """Return Arrow's type for a kind of column."""
    return getattr(pyarrow, _TYPES[kind])()


def plain(data: NDArray[Any], pyarrow: Any) -> Any:
    """Return numbers or truth values as an Arrow array."""
    kind = pyarrow.from_numpy_dtype(data.dtype)
    held = np.packbits(data, bitorder="little") if data.dtype.kind == "b" else np.ascontiguousarray(data)
    return pyarrow.Array.from_buffers(kind, len(data), [None, pyarrow.py_buffer(held)])


def strings(texts: Sequence[str | None], pyarrow: Any) -> Any:
    """Return a few texts, some of which may be None, as an Arrow array."""
    data = [(text or "").encode() for text in texts]
    ends = np.cumsum([0, *map(len, data)], dtype=np.int32)
    buffers = [*map(pyarrow.py_buffer, (_known(texts), ends, b"".join(data)))]
    return pyarrow.Array.from_buffers(pyarrow.string(), len(texts), buffers)


def repeated(text: bytes, n: int, pyarrow: Any) -> Any:
    """Return a string array of one text, n times."""
    ends = np.arange(n + 1, dtype=np.int32) * np.int32(len(text))
    buffers = [None, pyarrow.py_buffer(ends), pyarrow.py_buffer(text * n)]
    return pyarrow.Array.from_buffers(pyarrow.string(), n, buffers)


def listed(values: list[Any], kind: str, pyarrow: Any) -> Any:
    """Return a list as an Arrow array; use ``pyarrow.array`` if pandas is already loaded, and for other types."""
    there, types = type_of(kind, pyarrow), set(map(type, values))
    usual = types <= ({str, NoneType} if kind == TEXT else _HELD[kind][0])
    if "pandas" in sys.modules or not usual:
        return pyarrow.array(values, there)
    if kind == TEXT:
        return strings(values, pyarrow)
    try:
        data: NDArray[Any] = np.array([value or 0 for value in values], _HELD[kind][1])
    except OverflowError:
        return pyarrow.array(values, there)
    held = np.packbits(data, bitorder="little") if kind == TRUTH else data
    buffers = [pyarrow.py_buffer(_known(values)), pyarrow.py_buffer(held)]
    return pyarrow.Array.from_buffers(there, len(values), buffers)


def _known(values: Sequence[Any]) -> NDArray[np.uint8]:
    return np.packbits(np.array([value is not None for value in values], dtype=np.bool_), bitorder="little")
