"""Journals: files of sealed lines to which one process at a time appends, and which survive a kill at any point.

Each line is a JSON object whose first field seals it: the beginning of the SHA-256 of the rest of the line, and the
number of its bytes. So a changed line is noticed, and the file can still be read by any program for JSON lines. Nothing
that was added is ever overwritten or deleted.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import suppress
from io import FileIO
from pathlib import Path
from typing import Any, NamedTuple

from .errors import Unusable

Fields = dict[str, Any]

_HEAD = b'{"seal": "'
_DIGITS = 16


class Line(NamedTuple):
    """A line of a journal: its number, from 1, and its fields; None if it is not what was written."""

    number: int
    fields: Fields | None


def sealed(fields: Fields) -> bytes:
    """Return fields as a line of a journal; there must be at least one."""
    rest = json.dumps(fields)[1:].encode()
    return b'%s%s-%d", %s\n' % (_HEAD, _checksum(rest), len(rest), rest)


def opened(line: bytes) -> Fields | None:
    """Return the fields of a line without the seal; None if the line is not exactly as it was written."""
    seal, _, rest = line.removesuffix(b"\n").removeprefix(_HEAD).partition(b'", ')
    if not line.startswith(_HEAD) or seal != b"%s-%d" % (_checksum(rest), len(rest)):
        return None
    with suppress(ValueError, RecursionError):  # sealed, but not by this package
        fields: Fields = json.loads(b"{" + rest)
        return fields
    return None


def lines_of(path: str | Path) -> Iterator[Line]:
    """Yield the lines of a journal, damaged ones included; a last line that was cut off by a kill is left out."""
    with Path(path).open("rb") as file:
        for number, line in enumerate(file, 1):
            fields = opened(line)
            if fields is not None or not _was_cut_off(line):
                yield Line(number, fields)


class Journal:
    """A journal that is open for appending, and locked: the lock is released when the process ends in any way.

    A file that is missing is made. A last line that was cut off by a kill makes room for the next one: no ``add``
    returned for it. Unusable if another process has the journal open, or if it cannot be written.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        try:
            self._file = FileIO(self.path, "a+")
        except OSError as error:
            raise Unusable(f"{path}: the journal cannot be written: {error.strerror}") from error
        try:
            _lock(self._file)
        except OSError:
            self._file.close()
            raise Unusable(f"{path}: another process is using this journal") from None

    def lines(self) -> Iterator[Fields]:
        """Yield the fields of every line; Unusable, with its number, for a damaged one."""
        for number, fields in lines_of(self.path):
            if fields is None:
                raise Unusable(f"{self.path}: line {number} is damaged: it is not what was written")
            yield fields

    def add(self, *entries: Fields) -> None:
        """Append lines and return when they are on the disk; OSError, with the file's name, if the disk is full.

        After an error or an interruption some of the lines may be there: they may be added again.
        """
        try:
            view = memoryview(self._ready() + b"".join(map(sealed, entries)))
            while view:
                view = view[self._file.write(view) :]
            os.fsync(self._file.fileno())
        except OSError as error:
            error.filename = error.filename or str(self.path)
            raise

    def _ready(self) -> bytes:
        """Drop what was cut off; return what has to stand before the next line."""
        end, tail = self._file.seek(0, os.SEEK_END), _tail(self._file)
        if opened(tail) is None and _was_cut_off(tail):
            self._file.truncate(end - len(tail))
            return b""
        return b"\n" if tail else b""

    def close(self) -> None:
        """Close the file, which releases the lock."""
        self._file.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _checksum(rest: bytes) -> bytes:
    return hashlib.sha256(rest).hexdigest()[:_DIGITS].encode()


def _was_cut_off(line: bytes) -> bool:
    """Return whether a line is the beginning of one: it has no end, and is not longer than its seal says.

    A longer one was a whole line, whose end was damaged.
    """
    seal, comma, rest = line.removeprefix(_HEAD).partition(b'", ')
    size = seal[_DIGITS + 1 :]
    return line[-1:] != b"\n" and (not comma or (size.isdigit() and len(rest) <= int(size)))


def _tail(file: FileIO) -> bytes:
    """Return what follows the end of the last line."""
    tail, begin = b"", file.seek(0, os.SEEK_END)
    while begin and b"\n" not in tail:
        size = min(begin, 1 << 16)
        begin = file.seek(begin - size)
        tail = file.read(size) + tail
    return tail.rpartition(b"\n")[2]


def _lock(file: FileIO) -> None:
    """Lock a file for this process; OSError if another one holds the lock."""
    try:
        import fcntl
    except ImportError:  # Windows: a byte far beyond the end of the file, since a locked one cannot be read by others
        import msvcrt

        file.seek(1 << 62)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined, unused-ignore]
    else:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
