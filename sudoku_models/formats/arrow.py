"""Reads Apache Parquet and Arrow IPC files, some rows at a time. Needs pyarrow (extra ``data``).

A text that occurs often in a column is stored once, in a dictionary: a few kilobytes may become gigabytes when read,
and so may zstd. The length of the longest text in each dictionary decides how many rows are read at a time. A file
whose contents may be far larger is read by a child with limits of memory and time, as this process would, which passes
its rows on as an Arrow stream that is not compressed. Run as a module, this is the child.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
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
        from tempfile import TemporaryFile

        with TemporaryFile() as file:
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
        places = [(group, number) for group in range(known.num_row_groups) for number in range(known.num_columns)]
        return any(_column_may_outgrow(known, *place) for place in places)
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


def _column_may_outgrow(metadata: Any, group: int, number: int) -> bool:
    column = metadata.row_group(group).column(number)
    size = max(0, column.total_compressed_size) * _RATIOS.get(column.compression, 1 << 16)
    values = column.num_values * max(_width(metadata, column, number), 8)
    return max(size, values) > _SMALL or not _PLAIN.issuperset(column.encodings)


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


# ---- how many rows of Parquet are read at a time

_WIDTHS = {"BOOLEAN": 1, "INT32": 4, "FLOAT": 4, "INT64": 8, "DOUBLE": 8, "INT96": 12}


def rows_at_once(file: Any, metadata: Any, groups: Sequence[int] | None = None) -> int:
    """Return the number of rows of a file to read at a time: ``ROWS``, or fewer if they are large.

    ``groups`` are the row groups to read, by default all.
    """
    chosen = range(metadata.num_row_groups) if groups is None else groups
    places = [(group, number) for group in chosen for number in range(metadata.num_columns)]
    largest = max((_bytes_a_row(file, metadata, *place) for place in places), default=0)
    return max(1, min(ROWS, AT_ONCE // max(largest, 1)))


def _bytes_a_row(file: Any, metadata: Any, group: int, number: int) -> int:
    """Return the size in bytes of a row of a group in a column, on average or for the longest text."""
    rows = metadata.row_group(group)
    column, count = rows.column(number), max(rows.num_rows, 1)
    average = max(column.total_uncompressed_size, column.num_values * _width(metadata, column, number))
    short = column.total_uncompressed_size * column.num_values <= AT_ONCE  # no text is longer than all of them
    texts = column.physical_type == "BYTE_ARRAY" and not short
    longest = _longest(file, group, column.path_in_schema) * column.num_values if texts else 0
    return -int(-max(average, longest) // count)


def _width(metadata: Any, column: Any, number: int) -> int:
    """Return the size in bytes of a value of a column; 0 for texts."""
    if column.physical_type == "FIXED_LEN_BYTE_ARRAY":
        return int(metadata.schema.column(number).length)
    return _WIDTHS.get(column.physical_type, 0)


def _longest(file: Any, group: int, path: str) -> int:
    """Return the length of the longest text in the dictionary of a column, otherwise of the text in its first row."""
    import pyarrow.parquet
    from pyarrow import compute, types

    table = pyarrow.parquet.ParquetFile(file, read_dictionary=[path], pre_buffer=False)
    try:
        batch = next(table.iter_batches(batch_size=1, row_groups=[group], columns=[path], use_threads=False), None)
    except (
        pyarrow.ArrowNotImplementedError,
        OSError,
    ):  # numbers as bytes, texts as prefixes
        return 0
    longest = 0
    for leaf in _leaves(batch.columns if batch else ()):
        texts = leaf.dictionary if types.is_dictionary(leaf.type) else leaf
        if len(texts) and not types.is_decimal(texts.type):
            longest = max(longest, compute.max(compute.binary_length(texts)).as_py() or 0)
    return longest


def _leaves(arrays: Iterable[Any]) -> Iterator[Any]:
    """Yield the arrays of values in lists and structs."""
    for array in arrays:
        if hasattr(array, "values"):
            yield from _leaves([array.values])
        elif array.type.num_fields:
            yield from _leaves(array.flatten())
        else:
            yield array


# ---- the child

SECONDS = 5
"""CPU seconds for each record batch."""
_SAID = "unpacking: "
"""Begins the line with which the child refuses a file."""
_OWN = 32 << 20
"""Bytes for the stacks of threads and the like."""


@contextmanager
def unpacked_apart(
    kind: str, source: str | Path | BinaryIO | None, file: Any, groups: tuple[int, int] | None
) -> Iterator[tuple[Any, Iterator[Any]]]:
    """Yield the schema and the record batches of a table (see ``sniffed``) as a child process unpacks them.

    ``source`` is a path, a stream that cannot be read again, or None for the open ``file``, which is copied; ``groups``
    is the range of row groups to read. Raises FormatError for what the child
    refuses, and for a table that needs more memory or time than one of its size should.
    """
    from pyarrow import ArrowException, ipc

    with ExitStack() as stack:
        given = stack.enter_context(_given(source, file))
        most = most_unpacked(0 if given is None else os.fstat(given.fileno()).st_size)
        child = _started([kind, str(most), *map(str, groups or ())], given)
        stack.callback(_ended, child)
        if given is None:
            assert source is not None
            Thread(target=_feed, args=(source, child.stdin), daemon=True).start()
        try:
            stream = ipc.open_stream(child.stdout)
            schema = stream.schema
        except (ArrowException, OSError):
            raise _reason(child, most) from None
        yield schema, _batches(stream, child, most)


@contextmanager
def _given(source: str | Path | BinaryIO | None, file: Any) -> Iterator[Any]:
    """Yield a file for the child to read; None for a stream, which is passed on while it is read."""
    if isinstance(source, (str, Path)):
        with Path(source).open("rb") as opened:
            yield opened
    elif source is None:
        from tempfile import TemporaryFile

        with TemporaryFile() as copied:
            while piece := file.read(_BUFFER):
                copied.write(piece)
            copied.seek(0)
            yield copied
    else:
        yield None


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
