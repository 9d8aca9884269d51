"""Reads Apache Parquet and Arrow IPC files, some rows at a time. Needs pyarrow (extra ``data``)."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from ..errors import FormatError, Unusable
from .arrow_sizes import Checked, messages
from .parquet_sizes import AT_ONCE, MOST_BYTES, MOST_VALUES, ROWS, rows_at_once
from .source import is_packed, name_of, opened

Part = Callable[[int], tuple[int, int]]
_BUFFER = 1 << 20
_MAGIC_LENGTH = 8
"""The number of bytes before the messages of an Arrow file."""
_MAGIC = {b"PAR1": "parquet", b"ARRO": "arrow", b"\xff\xff\xff\xff": "arrow-stream"}


@contextmanager
def sniffed(source: str | Path | BinaryIO) -> Iterator[tuple[str | None, Any]]:
    """Detect the kind of a source: yield parquet, arrow, arrow-stream or None (for text), and the object to read.

    The object is the source itself if it is a plain file or a seekable stream. Anything else (standard input, a pipe,
    gzip, zstd) becomes a stream of plain bytes with the source's name. A table that must be read from its end is first
    copied to a temporary file. Raises FormatError as ``opened`` does, and Unusable if the copy cannot be written.
    """
    head = _head_of(source)
    if head is not None and not is_packed(head):
        yield _MAGIC.get(head), source
        return
    with opened(source) as stream:
        stream.raw.name = name_of(source)  # type: ignore[attr-defined]
        kind = _MAGIC.get(stream.peek(4)[:4])
        if kind not in ("parquet", "arrow"):
            yield kind, stream
            return
        with tempfile.TemporaryFile() as file:
            _copy(stream, file)
            yield kind, file


def _head_of(source: str | Path | BinaryIO) -> bytes | None:
    """Return the first four bytes of a file or stream without moving its position; None if that is impossible."""
    try:
        if isinstance(source, (str, Path)):
            if source == "-" or not Path(source).is_file():
                return None
            with Path(source).open("rb") as file:
                return file.read(4)
        if not source.seekable():
            return None
        start = source.tell()
        head = source.read(4)
        source.seek(start)
    except (OSError, AttributeError):
        return None
    return head


def _copy(stream: BinaryIO, file: Any) -> None:
    """Copy the rest of a stream, in constant memory, and return the copy at its beginning."""
    while piece := stream.read(_BUFFER):
        try:
            file.write(piece)
            file.flush()
        except OSError as error:
            place = f"a temporary copy in {tempfile.gettempdir()}"
            raise Unusable(f"{name_of(stream)}: {place} cannot be written: {error.strerror}") from error
    file.seek(0)


@contextmanager
def opened_table(
    kind: str, source: str | Path | BinaryIO, name: str, part: Part | None = None
) -> Iterator[tuple[Any, Iterator[Any]]]:
    """Open a table found by ``sniffed``: yield its Arrow schema and record batches of bounded size.

    ``part`` is the range of row groups to read; only Parquet has them.
    Raises FormatError, with the source's name, if it is damaged or pyarrow is missing; damage may only show during
    reading.
    """
    pyarrow = library()
    try:
        with pyarrow.OSFile(str(source)) if isinstance(source, (str, Path)) else _kept_open(source) as file:
            yield _parquet(file, part) if kind == "parquet" else _ipc(file, kind == "arrow")
    except (pyarrow.ArrowException, OSError) as error:
        if not isinstance(error, OSError) or error.errno is None:
            what = " ".join(str(error).split())[:200]
            raise FormatError(f"the {kind} data is damaged or of an unknown kind ({what})", source=name) from error
        raise FormatError(f"cannot be read: {error.strerror or error}", source=name) from error


@contextmanager
def _kept_open(source: BinaryIO) -> Iterator[Any]:
    yield library().PythonFile(source, mode="r")


def rows_of(path: str | Path) -> int | None:
    """Return the number of rows of a table if its file states it; None if it does not, or is damaged."""
    if _MAGIC.get(_head_of(path) or b"") != "parquet":
        return None
    import pyarrow.parquet

    try:
        return int(pyarrow.parquet.read_metadata(path).num_rows)
    except (pyarrow.ArrowException, OSError):
        return None


def rows_before(path: str | Path, part: Part) -> int:
    """Return the number of rows of a Parquet file before a range of its row groups; 0 if unknown."""
    import pyarrow.parquet

    try:
        known = pyarrow.parquet.read_metadata(path)
        return sum(known.row_group(group).num_rows for group in range(part(known.num_row_groups)[0]))
    except (pyarrow.ArrowException, OSError):
        return 0


def _parquet(file: Any, part: Part | None) -> tuple[Any, Iterator[Any]]:
    import pyarrow.parquet

    table = pyarrow.parquet.ParquetFile(file, buffer_size=_BUFFER, pre_buffer=False)
    groups = None if part is None else list(range(*part(table.num_row_groups)))
    rows = rows_at_once(file, table.metadata, groups)
    batches = table.iter_batches(batch_size=rows, row_groups=groups, use_threads=False)
    return table.schema_arrow, (piece for batch in batches for piece in _pieces(batch))


def _largest(batch: Any) -> int:
    """Return the size of the largest cell, in bytes or values, before it is converted to Python objects.

    Raises FormatError for a cell that is larger than any puzzle.
    """
    from pyarrow import compute, types

    found = 1
    for field, column in zip(batch.schema, batch.columns, strict=True):
        if types.is_dictionary(column.type):
            column = column.dictionary
        if types.is_string(column.type) or types.is_binary(column.type) or types.is_large_string(column.type):
            sizes, most, unit = compute.binary_length(column), MOST_BYTES, "bytes"
        elif types.is_list(column.type) or types.is_large_list(column.type):
            sizes, most, unit = compute.list_value_length(column), MOST_VALUES, "values"
        else:
            continue
        largest = compute.max(sizes).as_py() or 0
        found = max(found, largest)
        if largest > most:
            raise FormatError(f"the column {field.name!r} has a cell of {largest:,} {unit}: up to {most:,} are read")
    return found


def _ipc(file: Any, has_footer: bool) -> tuple[Any, Iterator[Any]]:
    from pyarrow import PythonFile, ipc

    if not has_footer:
        stream = ipc.open_stream(PythonFile(Checked(file), mode="r"))
        return stream.schema, (piece for batch in stream for piece in _pieces(batch))
    file.seek(_MAGIC_LENGTH)
    for _ in messages(file):
        pass
    file.seek(0)
    table = ipc.open_file(file)
    batches = (table.get_batch(i) for i in range(table.num_record_batches))
    return table.schema, (piece for batch in batches for piece in _pieces(batch))


def _pieces(batch: Any) -> Iterator[Any]:
    rows = max(1, min(ROWS, AT_ONCE // _largest(batch)))  # of a dictionary each row would have a copy
    for start in range(0, batch.num_rows, rows):
        yield batch.slice(start, rows)


def library() -> Any:
    """Return pyarrow; if it is missing, raise FormatError with the command that installs it."""
    try:
        import pyarrow
    except ImportError as error:
        raise FormatError("Parquet and Arrow need pyarrow: pip install 'sudoku-models[data]'") from error
    return pyarrow
