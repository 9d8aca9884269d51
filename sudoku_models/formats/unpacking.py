"""Bounds what a table may take when it is unpacked: sizes that Parquet declares, and a child process with limits.

A text that occurs often in a column is stored once, in a dictionary: a few kilobytes may become gigabytes when read,
and so may zstd. The length of the longest text in each dictionary decides how many rows are read at a time. A file
whose contents may be far larger is read by a child, as this process would, which passes its rows on as an Arrow stream
that is not compressed. Run as a module, this is the child.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import Any, BinaryIO

from ..errors import FormatError
from .source import most_unpacked

ROWS = 8_192
"""The largest number of rows in a batch."""
MOST_VALUES, MOST_BYTES = 160_000, 8_000_000
"""The largest number of values, and of bytes, of a cell: those of 400 x 400."""
AT_ONCE = 1 << 26
"""The largest size in bytes of a batch in one column, as far as the file declares it."""
MOST_OF_LISTS = 1 << 30
"""The largest size in bytes of all lists of a row group in one column: files do not declare the size of one row."""
_WIDTHS = {"BOOLEAN": 1, "INT32": 4, "FLOAT": 4, "INT64": 8, "DOUBLE": 8, "INT96": 12}


def rows_at_once(file: Any, metadata: Any, groups: Sequence[int] | None = None) -> int:
    """Return the number of rows of a file to read at a time: ``ROWS``, or fewer if they are large.

    ``groups`` are the row groups to read, by default all. Raises FormatError for lists and cells of one length that
    are larger than puzzles and their answers can be.
    """
    chosen = range(metadata.num_row_groups) if groups is None else groups
    places = [(group, number) for group in chosen for number in range(metadata.num_columns)]
    largest = max((_bytes_a_row(file, metadata, *place) for place in places), default=0)
    return max(1, min(ROWS, AT_ONCE // max(largest, 1)))


def _bytes_a_row(file: Any, metadata: Any, group: int, number: int) -> int:
    """Return the size in bytes of a row of a group in a column, on average or for the longest text."""
    rows, declared = metadata.row_group(group), metadata.schema.column(number)
    column = rows.column(number)
    count, size = max(rows.num_rows, 1), column.total_uncompressed_size
    total = max(size, column.num_values * _width(file, declared, column, group))
    if declared.max_repetition_level and total > MOST_OF_LISTS:
        raise FormatError(
            f"the lists of the column {column.path_in_schema!r} declare up to {total:,} bytes in a row group of "
            f"{count:,} rows: up to {MOST_OF_LISTS:,} are read (write smaller row groups)"
        )
    return -int(-total // count)


def _width(file: Any, declared: Any, column: Any, group: int) -> int:
    """Return the size in bytes of a value of a column; 0 for texts that are short or stored one by one."""
    if column.physical_type == "FIXED_LEN_BYTE_ARRAY":
        if declared.length > MOST_BYTES:
            raise FormatError(
                f"the column {column.path_in_schema!r} has cells of {declared.length:,} bytes each: "
                f"up to {MOST_BYTES:,} are read"
            )
        return int(declared.length)
    if column.physical_type in _WIDTHS:
        return _WIDTHS[column.physical_type]
    short = column.total_uncompressed_size * column.num_values <= AT_ONCE  # no text is longer than all of them
    return 0 if short else _longest(file, group, column.path_in_schema)


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


SECONDS = 5
"""CPU seconds for each record batch."""
_SAID = "unpacking: "
"""Begins the line with which the child refuses a file."""
_PIECE = 1 << 20
_OWN = 32 << 20
"""Bytes for the stacks of threads and the like."""


@contextmanager
def unpacked_apart(
    kind: str, source: str | Path | BinaryIO | None, file: Any, groups: tuple[int, int] | None
) -> Iterator[tuple[Any, Iterator[Any]]]:
    """Yield the schema and the record batches of a table (see ``arrow.sniffed``) as a child process unpacks them.

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
        with tempfile.TemporaryFile() as copied:
            while piece := file.read(_PIECE):
                copied.write(piece)
            copied.seek(0)
            yield copied
    else:
        yield None


def _started(arguments: list[str], given: Any) -> subprocess.Popen[bytes]:
    path = os.pathsep.join(folder or str(Path.cwd()) for folder in sys.path)
    one_pool = {"ARROW_DEFAULT_MEMORY_POOL": "system", "MALLOC_ARENA_MAX": "1", "OMP_NUM_THREADS": "1"}
    return subprocess.Popen(
        [sys.executable, "-m", "sudoku_models.formats.unpacking", *arguments],
        stdin=subprocess.PIPE if given is None else given,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path, **one_pool},
    )


def _feed(source: BinaryIO, pipe: Any) -> None:
    """Pass a stream on to the child, which may end before the stream does."""
    read = getattr(source, "read1", source.read)
    with suppress(OSError, ValueError), pipe:
        while data := read(_PIECE):
            pipe.write(data)
            pipe.flush()


def _batches(stream: Any, child: subprocess.Popen[bytes], most: int) -> Iterator[Any]:
    from pyarrow import ArrowException

    try:
        yield from stream
    except (ArrowException, OSError):
        raise _reason(child, most) from None
    if child.wait():
        raise _reason(child, most)


def _reason(child: subprocess.Popen[bytes], most: int) -> FormatError:
    """Return why a child ended early: it says so, or it came to a limit."""
    assert child.stderr
    said = child.stderr.read().decode("utf-8", "replace").strip().rpartition("\n")[2]
    if child.wait() == 1 and said.startswith(_SAID):
        return FormatError(said.removeprefix(_SAID))
    return FormatError(
        f"to unpack it takes more than {most >> 20} MB of memory, or {SECONDS} s for one record batch, "
        "which no table of puzzles in a file of this size takes"
    )


def _ended(child: subprocess.Popen[bytes]) -> None:
    child.kill()
    child.wait()
    for pipe in (child.stdin, child.stdout, child.stderr):
        if pipe:
            with suppress(OSError):
                pipe.close()


def main() -> None:
    """Read a table from standard input; write its rows as an Arrow stream to standard output."""
    from pyarrow import ArrowException, PythonFile, ipc, set_cpu_count, set_io_thread_count

    from .arrow import damage, rows_in

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
