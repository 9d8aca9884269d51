"""Tables in memory as Arrow record batches; cells that Arrow cannot hold are stored as text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sized
from dataclasses import dataclass, field
from typing import Any

from ..errors import FormatError
from ..formats.puzzle_columns import is_null
from ..puzzle import Puzzle

_UNFIT = (TypeError, ValueError, ArithmeticError, NotImplementedError)
"""The exceptions that Arrow raises for a column that it cannot hold; its own errors are subclasses."""


@dataclass(frozen=True)
class BatchedTable:
    """An Arrow schema, record batches, and by position the original cells of columns that they hold only as text."""

    schema: Any
    batches: Iterable[Any]
    raw: Mapping[int, Iterable[Any]] = field(default_factory=dict)


def table_of(source: Any) -> BatchedTable | None:
    """Return a table of pandas, polars or anything that exports Arrow data; None for single columns and all else."""
    library = type(source).__module__.partition(".")[0]
    if library == "polars" and hasattr(source, "collect"):
        source = source.collect()
    if library in ("pandas", "polars"):
        return (_of_pandas if library == "pandas" else _of_polars)(source) if hasattr(source, "columns") else None
    if not (hasattr(source, "__arrow_c_stream__") or type(source).__name__ == "RecordBatch"):
        return None
    import pyarrow

    if isinstance(source, pyarrow.ChunkedArray):
        return None
    return _read(pyarrow.Table.from_batches([source]) if isinstance(source, pyarrow.RecordBatch) else source)


def _read(source: Any, raw: Mapping[int, Iterable[Any]] | None = None) -> BatchedTable:
    import pyarrow

    reader = pyarrow.RecordBatchReader.from_stream(source)
    return BatchedTable(reader.schema, reader, raw or {})


def _of_pandas(frame: Any) -> BatchedTable:
    names = distinct(map(str, frame.columns))
    if names != list(frame.columns):
        frame = frame.set_axis(names, axis="columns")
    try:
        return _read(frame)
    except _UNFIT:
        raw = {at: frame[name] for at, name in enumerate(names) if not _is_held(frame[name])}
    try:
        return _read(frame.assign(**{names[at]: list(map(text_of, column)) for at, column in raw.items()}), raw)
    except _UNFIT as error:
        raise FormatError(f"cannot be converted to Arrow ({error})", source="the table") from error


def _is_held(column: Any) -> bool:
    """Return whether Arrow can hold a pandas column."""
    import pyarrow

    try:
        pyarrow.array(column, from_pandas=True)
    except _UNFIT:
        return False
    return True


def _of_polars(frame: Any) -> BatchedTable:
    import polars

    raw = {at: frame.to_series(at) for at, kind in enumerate(frame.dtypes) if kind == polars.Object}
    texts = [polars.Series(column.name, list(map(text_of, column)), polars.String) for column in raw.values()]
    return _read(frame.with_columns(texts), raw)


def text_of(cell: Any) -> str | None:
    """Return a cell as text, a puzzle as its line; None for an empty cell or an error."""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, Puzzle):
        return cell.to_line()
    if isinstance(cell, bytes):
        return cell.decode("utf-8", "replace")
    none = isinstance(cell, Exception) or (not isinstance(cell, Sized) and is_null(cell))
    return None if none else str(cell)


def distinct(names: Iterable[str]) -> list[str]:
    """Return distinct names of columns: repeated ones are numbered."""
    found: list[str] = []
    for name in names:
        number, candidate = 2, name
        while candidate in found:
            candidate, number = f"{name}_{number}", number + 1
        found.append(candidate)
    return found
