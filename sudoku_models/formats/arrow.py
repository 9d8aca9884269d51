"""Reads Apache Parquet and Arrow IPC files, some rows at a time. Needs pyarrow (extra ``data``)."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, BinaryIO

from ..errors import FormatError, Unusable
from .source import is_packed, most_unpacked, name_of, opened
from .unpacking import AT_ONCE, MOST_BYTES, MOST_VALUES, ROWS, rows_at_once, unpacked_apart

Part = Callable[[int], tuple[int, int]]
_BUFFER = 1 << 20
_SMALL = 256 << 20
"""Bytes that a column of a row group may take in memory without being unpacked in a child."""
_SPARE = 12 << 20
"""Bytes by which long cells may together be less than half of what may be unpacked."""
_LONG = 2_000
"""The length of texts in bytes from which they are counted. Shorter ones may well come again and again."""
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

    ``part`` is the range of row groups to read; only Parquet has them. A file whose contents can outgrow it is unpacked
    by a child process with limits of memory and time.
    Raises FormatError, with the source's name, if it is damaged or pyarrow is missing; damage may only show during
    reading.
    """
    pyarrow = library()
    try:
        with (
            pyarrow.OSFile(str(source))
            if isinstance(source, (str, Path))
            else nullcontext(pyarrow.PythonFile(source, mode="r"))
        ) as file:
            groups = part(_metadata(file).num_row_groups) if part else None
            whole = isinstance(source, (str, Path)) or source.seekable()
            if not whole or _may_outgrow(kind, file):
                given = source if isinstance(source, (str, Path)) or not whole else None
                with unpacked_apart(kind, given, file, groups) as (schema, batches):
                    yield schema, (piece for batch in _bounded(batches, file, whole) for piece in _pieces(batch))
            else:
                schema, batches = rows_in(kind, file, groups)
                yield schema, _bounded(batches, file, whole)
    except (pyarrow.ArrowException, OSError, MemoryError) as error:
        if not isinstance(error, OSError) or error.errno is None:
            raise FormatError(damage(kind, error), source=name) from error
        raise FormatError(f"cannot be read: {error.strerror or error}", source=name) from error


def _bounded(batches: Iterator[Any], file: Any, whole: bool) -> Iterator[Any]:
    """Yield batches; raise FormatError if long cells, which the file states once, come again and again.

    Each of them is parsed, so there may be fewer bytes of them than may be unpacked.
    """
    most, total = most_unpacked(file.size()) // 2 - _SPARE if whole else None, 0
    for batch in batches:
        if most is not None:
            total += sum(map(_long_cells, batch.columns))
            if total > most:
                raise FormatError(f"the long cells of its rows have more than {most:,} bytes, far more than the file")
        yield batch


def _long_cells(column: Any) -> int:
    """Return the number of bytes of a column if its cells are long, where a dictionary is spelt out."""
    from pyarrow import compute, types

    if not types.is_dictionary(column.type) or not _is_text(column.type.value_type):
        return int(column.nbytes) if column.nbytes > _LONG * len(column) else 0
    sizes = compute.binary_length(column.dictionary)
    return (compute.sum(sizes.take(column.indices)).as_py() or 0) if (compute.max(sizes).as_py() or 0) > _LONG else 0


def _is_text(kind: Any) -> bool:
    from pyarrow import types

    return bool(types.is_string(kind) or types.is_binary(kind) or types.is_large_string(kind))


def damage(kind: str, error: Exception) -> str:
    return f"the {kind} data is damaged or of an unknown kind ({' '.join(str(error).split())[:200]})"


def rows_in(kind: str, file: Any, groups: tuple[int, int] | None) -> tuple[Any, Iterator[Any]]:
    """Return the schema and the record batches of an open file, of Parquet only those of a range of row groups."""
    return _parquet(file, groups) if kind == "parquet" else _ipc(file, kind == "arrow")


def _metadata(file: Any) -> Any:
    """Return what the footer of a Parquet file states; an open file is at its beginning again."""
    from pyarrow import parquet

    found = parquet.read_metadata(file)
    if not isinstance(file, (str, Path)):
        file.seek(0)
    return found


def rows_of(path: str | Path) -> int | None:
    """Return the number of rows of a table if its file states it; None if it does not, or is damaged."""
    if _MAGIC.get(_head_of(path) or b"") != "parquet":
        return None
    pyarrow = library()
    try:
        return int(_metadata(path).num_rows)
    except (pyarrow.ArrowException, OSError):
        return None


def rows_before(path: str | Path, part: Part) -> int:
    """Return the number of rows of a Parquet file before a range of its row groups; 0 if unknown."""
    pyarrow = library()
    try:
        known = _metadata(path)
        return sum(known.row_group(group).num_rows for group in range(part(known.num_row_groups)[0]))
    except (pyarrow.ArrowException, OSError):
        return 0


def _parquet(file: Any, part: tuple[int, int] | None) -> tuple[Any, Iterator[Any]]:
    import pyarrow.parquet

    table = pyarrow.parquet.ParquetFile(file, buffer_size=_BUFFER, pre_buffer=False)
    groups = None if part is None else list(range(*part))
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
        if _is_text(column.type):
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
    from pyarrow import ipc

    if not has_footer:
        stream = ipc.open_stream(file)
        return stream.schema, (piece for batch in stream for piece in _pieces(batch))
    table = ipc.open_file(file)
    batches = (table.get_batch(i) for i in range(table.num_record_batches))
    return table.schema, (piece for batch in batches for piece in _pieces(batch))


def _pieces(batch: Any) -> Iterator[Any]:
    if batch.num_rows > max(ROWS, 8 * batch.get_total_buffer_size()):
        raise FormatError(f"a record batch declares {batch.num_rows:,} rows, but has no data for them")
    rows = max(1, min(ROWS, AT_ONCE // _largest(batch)))  # of a dictionary each row would have a copy
    for start in range(0, batch.num_rows, rows):
        yield batch.slice(start, rows)


_MAGICS = b"\x28\xb5\x2f\xfd", b"\x04\x22\x4d\x18"
"""The bytes with which compressed data begin: zstd and lz4. What has neither is not compressed."""
_RATIOS = {"UNCOMPRESSED": 1, "SNAPPY": 22, "LZ4": 256, "LZ4_RAW": 256}
"""By how much a codec can make data smaller at most; those of zstd, gzip and brotli are above a thousand."""
_PLAIN = {"PLAIN", "RLE", "BIT_PACKED", "PLAIN_DICTIONARY", "RLE_DICTIONARY"}
"""Encodings of Parquet in which no text is longer than the bytes that state it."""


def _may_outgrow(kind: str, file: Any) -> bool:
    """Return whether what a file holds may be far larger than the file, so that it is unpacked in a child."""
    if kind == "parquet":
        import pyarrow.parquet

        known = pyarrow.parquet.ParquetFile(file, pre_buffer=False).metadata
        columns = [known.row_group(i).column(j) for i in range(known.num_row_groups) for j in range(known.num_columns)]
        sizes = (max(0, column.total_compressed_size) * _RATIOS.get(column.compression, 1 << 16) for column in columns)
        return max(sizes, default=0) > _SMALL or not all(_PLAIN.issuperset(column.encodings) for column in columns)
    from pyarrow import ipc

    start = file.tell()
    reader = ipc.open_file(file) if kind == "arrow" else ipc.open_stream(file)
    plain = all(_is_plain(field.type) for field in reader.schema)
    file.seek(start)
    tail, found = b"", False
    while plain and not found and (data := file.read(_BUFFER)):
        found, tail = any(magic in tail + data for magic in _MAGICS), data[-3:]
    file.seek(start)
    return found or not plain


def _is_plain(kind: Any) -> bool:
    """Return whether each value of a type has its own bytes."""
    from pyarrow import types

    inner = [kind.field(i).type for i in range(kind.num_fields)]
    repeats = types.is_dictionary(kind) or types.is_run_end_encoded(kind) or types.is_null(kind)
    return not repeats and "view" not in str(kind) and all(map(_is_plain, inner))


def library() -> Any:
    """Return pyarrow; if it is missing, raise FormatError with the command that installs it."""
    try:
        import pyarrow
    except ImportError as error:
        raise FormatError("Parquet and Arrow need pyarrow: pip install 'sudoku-models[data]'") from error
    return pyarrow
