"""Reads Apache Parquet and Arrow IPC files, some rows at a time. Needs pyarrow (extra ``data``).

A text that occurs often in a column is stored once, in a dictionary: a few kilobytes may become gigabytes when read,
and so may zstd. The length of the longest text in each dictionary decides how many rows are read at a time. A file
whose contents may be far larger is read by a child with limits of memory and time, as this process would, which passes
its rows on as an Arrow stream that is not compressed. Run as a module, this is the child.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, BinaryIO

from ..errors import FormatError, Unusable
from .source import is_packed, most_unpacked, name_of, opened

if TYPE_CHECKING:
    from subprocess import Popen

ROWS = 8_192
"""The largest number of rows in a batch."""
MOST_VALUES, MOST_BYTES = 160_000, 8_000_000
"""The largest number of values, and of bytes, of a cell: those of 400 x 400."""
AT_ONCE = 1 << 26
"""The largest size in bytes of a batch in one column, as far as the file declares it."""
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

    The object is the source itself if it is a plain file. Anything else (a stream, gzip, zstd) becomes a stream of
    plain bytes with the source's name, or a temporary file if it can be read twice or has to be. Raises FormatError as
    ``opened`` does, and Unusable if that file cannot be written.
    """
    if (head := _head_of(source)) and not is_packed(head):
        yield _MAGIC.get(head), source
        return
    with opened(source) as stream:
        stream.raw.name = name_of(source)  # type: ignore[attr-defined]
        kind = _MAGIC.get(stream.peek(4)[:4])
        seekable = hasattr(source, "seekable") and source.seekable()
        if kind is None or (kind == "arrow-stream" and not seekable):
            yield kind, stream
            return
        from tempfile import TemporaryFile

        with TemporaryFile() as file:
            _copy(stream, file)
            yield kind, file


def _head_of(source: str | Path | BinaryIO) -> bytes:
    """Return the first four bytes of a plain file that can be read; b"" for anything else."""
    with suppress(OSError):
        if isinstance(source, (str, Path)) and source != "-" and Path(source).is_file():
            with Path(source).open("rb") as file:
                return file.read(4)
    return b""


def _copy(stream: BinaryIO, file: Any) -> None:
    """Copy the rest of a stream, in constant memory, and return the copy at its beginning."""
    while piece := stream.read(_BUFFER):
        try:
            file.write(piece)
            file.flush()
        except OSError as error:
            from tempfile import gettempdir

            place = f"a temporary copy in {gettempdir()}"
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
    is_path = isinstance(source, (str, Path))
    whole = is_path or source.seekable()  # type: ignore[union-attr]
    try:
        with pyarrow.OSFile(str(source)) if is_path else nullcontext(pyarrow.PythonFile(source, mode="r")) as file:
            groups = part(_metadata(file).num_row_groups) if part else None
            size = file.size() if whole else None
            if whole and not _may_outgrow(kind, file):
                found: Any = nullcontext(rows_in(kind, file, groups))
            else:
                found = unpacked_apart(kind, source, size, groups)
            with found as (schema, batches):
                yield schema, _bounded(batches, size)
    except (pyarrow.ArrowException, OSError, MemoryError) as error:
        if not isinstance(error, OSError) or error.errno is None:
            raise FormatError(damage(kind, error), source=name) from error
        raise FormatError(f"cannot be read: {error.strerror or error}", source=name) from error


def _bounded(batches: Iterator[Any], size: int | None) -> Iterator[Any]:
    """Yield batches; raise FormatError if long cells, which the file states once, come again and again.

    Each of them is parsed, so there may be fewer bytes of them than may be unpacked.
    """
    most, total = most_unpacked(size) // 2 - _SPARE if size is not None else None, 0
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
    return str(kind) in ("string", "binary", "large_string")


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
    if _MAGIC.get(_head_of(path)) != "parquet":
        return None
    pyarrow = library()
    try:
        return int(_metadata(path).num_rows)
    except (pyarrow.ArrowException, OSError):
        return None


def rows_before(path: str | Path, part: Part) -> int:
    """Return the number of rows of an intact Parquet file before a range of its row groups."""
    known = _metadata(path)
    return sum(known.row_group(group).num_rows for group in range(part(known.num_row_groups)[0]))


def _parquet(file: Any, part: tuple[int, int] | None) -> tuple[Any, Iterator[Any]]:
    """Return the schema and batches; texts are read as dictionaries, since a long one may come again and again."""
    import pyarrow.parquet

    table = pyarrow.parquet.ParquetFile(file, pre_buffer=False)
    schema, groups = table.schema_arrow, range(*part) if part else range(table.num_row_groups)
    columns = list(_columns(table.metadata, groups))
    others = {leaf.path for _, column, leaf in columns if not _PLAIN.issuperset(column.encodings)}
    texts = [field.name for field in schema if _is_text(field.type) and field.name not in others]
    table = pyarrow.parquet.ParquetFile(file, read_dictionary=texts, buffer_size=_BUFFER, pre_buffer=False)
    rows = max(1, min([ROWS, *(AT_ONCE * count // _bytes_of(count, *column) for count, *column in columns)]))
    batches = table.iter_batches(batch_size=rows, row_groups=list(groups), use_threads=False)
    return schema, (piece for batch in batches for piece in _pieces(batch, schema))


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
        return stream.schema, (piece for batch in stream for piece in _pieces(batch, stream.schema))
    table = ipc.open_file(file)
    batches = (table.get_batch(i) for i in range(table.num_record_batches))
    return table.schema, (piece for batch in batches for piece in _pieces(batch, table.schema))


def _pieces(batch: Any, schema: Any) -> Iterator[Any]:
    """Yield the rows of a batch, as many at a time as may be copied, in the types of a schema."""
    from pyarrow import RecordBatch

    if batch.num_rows > max(ROWS, 8 * batch.get_total_buffer_size()):
        raise FormatError(f"a record batch declares {batch.num_rows:,} rows, but has no data for them")
    rows = max(1, min(ROWS, AT_ONCE // _largest(batch)))  # of a dictionary each row would have a copy
    for start in range(0, batch.num_rows, rows):
        columns = zip(batch.slice(start, rows).columns, schema.types, strict=True)
        plain = [column if column.type == kind else column.cast(kind) for column, kind in columns]
        yield RecordBatch.from_arrays(plain, schema=schema)


_MAGICS = b"\x28\xb5\x2f\xfd", b"\x04\x22\x4d\x18"
"""The bytes with which compressed data begin: zstd and lz4. What has neither is not compressed."""
_RATIOS = {"UNCOMPRESSED": 1, "SNAPPY": 22, "LZ4": 256, "LZ4_RAW": 256}
"""By how much a codec can make data smaller at most; those of zstd, gzip and brotli are above a thousand."""
_WIDEST = 12
"""The largest size in bytes of a number in Parquet."""
_PLAIN = {"PLAIN", "RLE", "BIT_PACKED", "PLAIN_DICTIONARY", "RLE_DICTIONARY"}
"""Encodings of Parquet in which no text is longer than the bytes that state it."""


def _may_outgrow(kind: str, file: Any) -> bool:
    """Return whether what a file holds may be far larger than the file, so that it is unpacked in a child."""
    if kind == "parquet":
        import pyarrow.parquet

        known = pyarrow.parquet.ParquetFile(file, pre_buffer=False).metadata
        return any(
            _column_may_outgrow(column, leaf) for _, column, leaf in _columns(known, range(known.num_row_groups))
        )
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


def _columns(known: Any, groups: Iterable[int]) -> Iterator[tuple[int, Any, Any]]:
    """Yield the number of rows of each row group with what the footer states of each of its columns, and their type."""
    for rows in map(known.row_group, groups):
        yield from ((rows.num_rows, rows.column(at), known.schema.column(at)) for at in range(known.num_columns))


def _column_may_outgrow(column: Any, leaf: Any) -> bool:
    size = max(0, column.total_compressed_size) * _RATIOS.get(column.compression, 1 << 16)
    strange = _is_nested(leaf) or not _PLAIN.issuperset(column.encodings)
    return strange or max(size, _values_of(column, leaf)) > _SMALL


def _bytes_of(rows: int, column: Any, leaf: Any) -> int:
    """Return the largest size in bytes of a column as it is read: only texts within other values have many copies."""
    copies = rows if _is_nested(leaf) else 1
    return max(1, int(column.total_uncompressed_size) * copies, _values_of(column, leaf))


def _values_of(column: Any, leaf: Any) -> int:
    """Return the size in bytes of the values of a column, of texts that of their places."""
    return int(column.num_values) * (leaf.length if leaf.physical_type == "FIXED_LEN_BYTE_ARRAY" else _WIDEST)


def _is_nested(leaf: Any) -> bool:
    """Return whether a column holds texts within other values, which cannot be read as dictionaries."""
    return bool(leaf.physical_type == "BYTE_ARRAY" and leaf.path != leaf.name)


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


# ---- the child

SECONDS = 5
"""CPU seconds for each record batch."""
_SAID = "unpacking: "
"""Begins the line with which the child refuses a file."""
_OWN = 32 << 20
"""Bytes for the stacks of threads and the like."""


@contextmanager
def unpacked_apart(
    kind: str, source: str | Path | BinaryIO, size: int | None, groups: tuple[int, int] | None
) -> Iterator[tuple[Any, Iterator[Any]]]:
    """Yield the schema and the record batches of a table (see ``sniffed``) as a child process unpacks them.

    ``size`` is that of a file, None for a stream, which is passed on while it is read; ``groups`` is the range of row
    groups to read. Raises FormatError for what the child refuses, and for a table that needs more memory or time than
    one of its size should.
    """
    from pyarrow import ArrowException, ipc

    most = most_unpacked(size or 0)
    with ExitStack() as stack:
        file = stack.enter_context(Path(source).open("rb")) if isinstance(source, (str, Path)) else source
        if size is not None:
            os.lseek(file.fileno(), 0, os.SEEK_SET)  # which it shares with the child
        child = _started([kind, str(most), *map(str, groups or ())], None if size is None else file)
        stack.callback(_ended, child)
        if size is None:
            Thread(target=_feed, args=(file, child.stdin), daemon=True).start()
        try:
            stream = ipc.open_stream(child.stdout)
            schema = stream.schema
        except (ArrowException, OSError):
            raise _reason(child, most) from None
        yield schema, _batches(stream, child, most)


def _started(arguments: list[str], given: Any) -> Popen[bytes]:
    from subprocess import PIPE, Popen

    path = os.pathsep.join(folder or str(Path.cwd()) for folder in sys.path)
    one_pool = {"ARROW_DEFAULT_MEMORY_POOL": "system", "MALLOC_ARENA_MAX": "1", "OMP_NUM_THREADS": "1"}
    return Popen(
        [sys.executable, "-m", "sudoku_models.formats.arrow", *arguments],
        stdin=PIPE if given is None else given,
        stdout=PIPE,
        stderr=PIPE,
        env={**os.environ, "PYTHONPATH": path, **one_pool},
    )


def _feed(source: BinaryIO, pipe: Any) -> None:
    """Pass a stream on to the child, which may end before the stream does."""
    read = getattr(source, "read1", source.read)
    with suppress(OSError, ValueError), pipe:
        while data := read(_BUFFER):
            pipe.write(data)
            pipe.flush()


def _batches(stream: Any, child: Popen[bytes], most: int) -> Iterator[Any]:
    from pyarrow import ArrowException

    try:
        yield from stream
    except (ArrowException, OSError):
        raise _reason(child, most) from None
    if child.wait():
        raise _reason(child, most)


def _reason(child: Popen[bytes], most: int) -> FormatError:
    """Return why a child ended early: it says so, or it came to a limit."""
    assert child.stderr
    said = child.stderr.read().decode("utf-8", "replace").strip().rpartition("\n")[2]
    if child.wait() == 1 and said.startswith(_SAID):
        return FormatError(said.removeprefix(_SAID))
    return FormatError(
        f"to unpack it takes more than {most >> 20} MB of memory, or {SECONDS} s for one record batch, "
        "which no table of puzzles in a file of this size takes"
    )


def _ended(child: Popen[bytes]) -> None:
    child.kill()
    child.wait()
    for pipe in (child.stdin, child.stdout, child.stderr):
        if pipe:
            with suppress(OSError):
                pipe.close()


def main() -> None:
    """Read a table from standard input; write its rows as an Arrow stream to standard output."""
    from pyarrow import ArrowException, PythonFile, ipc, set_cpu_count, set_io_thread_count

    kind, most, *groups = sys.argv[1:]
    set_cpu_count(1)
    set_io_thread_count(1)
    if kind == "parquet":
        import pyarrow.parquet  # noqa: F401  before the limit is set
    _limit_memory(int(most))
    try:
        _more_time()
        file = PythonFile(sys.stdin.buffer, mode="r")
        schema, batches = rows_in(kind, file, (int(groups[0]), int(groups[1])) if groups else None)
        deltas = ipc.IpcWriteOptions(emit_dictionary_deltas=True)  # a dictionary that grows is not written each time
        with ipc.new_stream(sys.stdout.buffer, schema, options=deltas) as writer:
            for batch in batches:
                writer.write_batch(batch)
                _more_time()
        sys.stdout.flush()
        os._exit(0)  # within its limits the interpreter may not be able to end in order
    except BrokenPipeError:
        os._exit(0)
    except MemoryError:
        os._exit(2)
    except (FormatError, ArrowException, OSError) as error:
        message = error.message if isinstance(error, FormatError) else damage(kind, error)
        print(f"{_SAID}{message}", file=sys.stderr, flush=True)
        os._exit(1)


def _limit_memory(most: int) -> None:
    """Limit what this process takes beside what it has, where the system lets it."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        pages = int(Path("/proc/self/statm").read_text().split()[0])
        resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + _OWN + most,) * 2)


def _more_time() -> None:
    with suppress(ImportError, OSError, ValueError):
        import resource
        import time

        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time()) + SECONDS + 1, hard))


if __name__ == "__main__":
    main()
