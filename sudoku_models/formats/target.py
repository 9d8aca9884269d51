"""A file that appears, or is replaced, only when it is complete."""

from __future__ import annotations

import errno
import gzip
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from ..errors import Unusable
from .source import zstandard

FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""The error numbers for a full disk."""

unfinished: set[Path] = set()
"""The files being written under names of their own: a program that ends at once removes them."""


@contextmanager
def replaced(path: str | Path) -> Iterator[BinaryIO]:
    """Yield a file to write, which replaces ``path`` at the end; after an exception, ``path`` is unchanged.

    An existing path that is not a regular file (a device, a pipe) is written directly. Raises Unusable if nothing can
    be written, and OSError with the file's name if the disk is full.
    """
    try:
        with _replaced(path) as file:
            yield file
    except OSError as error:
        if error.errno in FULL and error.filename is None:
            error.filename = str(path)
        raise


@contextmanager
def _replaced(path: str | Path) -> Iterator[BinaryIO]:
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise Unusable(f"{path}: cannot be written: it is a folder")
    if target.exists() and not target.is_file():
        with target.open("wb") as file:
            yield file
        return
    part = target.with_name(f".{target.name}.{os.urandom(4).hex()}.part")
    unfinished.add(part)
    try:  # from before there is such a file: an interruption may come at any point
        try:
            file = part.open("xb")
        except OSError as error:
            raise Unusable(f"{path}: cannot be written: {error.strerror}") from error
        with file:
            if target.exists():
                part.chmod(target.stat().st_mode & 0o7777)
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)
    except BaseException:
        with suppress(OSError):
            part.unlink()
        raise
    finally:
        unfinished.discard(part)


def ending(name: str | Path) -> str:
    """Return the end of a file's name in small letters (``.csv``), without that of a compression after it."""
    return Path(str(name).lower().removesuffix(".gz").removesuffix(".zst")).suffix


@contextmanager
def packed(file: BinaryIO, name: str) -> Iterator[BinaryIO]:
    """Yield a stream that compresses according to the suffix (``.gz``, ``.zst``), or the file itself."""
    if name.endswith(".gz"):
        with gzip.GzipFile(fileobj=file, mode="wb", compresslevel=6, mtime=0) as stream:
            yield stream  # type: ignore[misc]
    elif name.endswith(".zst"):
        with zstandard().ZstdCompressor().stream_writer(file, closefd=False) as stream:
            yield stream
    else:
        yield file


class CsvStream:
    """Takes the rows of ``csv.writer``, which end with CR LF, and writes them with a single newline.

    If ``csv.writer`` itself ended rows with a newline, Python before 3.13 would leave a field with a lone CR unquoted,
    which readers would take for the end of a row.
    """

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def write(self, row: str) -> None:
        self._stream.write(row.removesuffix("\r\n") + "\n")
