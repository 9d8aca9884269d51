"""Unpacks tables in a child process with limits of memory and time if they may be far larger than the file.

A few kilobytes of zstd may hold gigabytes, and so may dictionaries that grow from batch to batch. The child reads the
file as this process would, and passes its rows on as an Arrow stream that is not compressed. Run as a module, this is
the child.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import Any, BinaryIO

from ..errors import FormatError
from .source import most_unpacked

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
