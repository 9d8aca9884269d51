"""Standard output, or a file that appears only when it is complete."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

from .codes import UsageError

Write = Callable[[str], None]


@contextmanager
def output(path: str | None) -> Iterator[Write]:
    """Yield a function that writes text at once: to standard output, or to what becomes the file ``path`` at the end.

    Without reaching the end (an exception) the file stays as it was. A path that is no regular file (a device, a pipe)
    is written directly.
    """
    if path is None or path == "-":
        yield _writer(sys.stdout)
        return
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise UsageError(f"{path}: cannot be written: it is a folder")
    if target.exists() and not target.is_file():
        with target.open("w", encoding="utf-8") as file:
            yield _writer(file)
        return
    with _replacing(target) as file:
        yield file.write  # type: ignore[misc]


def _writer(stream: TextIO) -> Write:
    def write(text: str) -> None:
        stream.write(text)
        stream.flush()

    return write


@contextmanager
def _replacing(target: Path) -> Iterator[TextIO]:
    try:
        number, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent)
    except OSError as error:
        raise UsageError(f"{target}: cannot be written: {error.strerror}") from error
    try:
        with os.fdopen(number, "w", encoding="utf-8") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(_mode(target))
        Path(name).replace(target)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise


def _mode(target: Path) -> int:
    """Return the permissions of a file that is replaced, or those of a new one."""
    if target.exists():
        return target.stat().st_mode & 0o7777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
