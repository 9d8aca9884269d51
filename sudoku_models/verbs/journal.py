"""A journal: an append-only file of sealed lines that survives any crash, with one writer at a time.

Each line is a JSON object whose first entry seals it: the beginning of the SHA-256 of the rest of the line, and the
number of its bytes. A line that was changed is never read as an entry; its number is reported. Nothing in the file is
ever overwritten or deleted.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from io import FileIO
from pathlib import Path
from typing import Any

from ..errors import Unusable

Entry = dict[str, Any]

DIGITS = 16
"""Hexadecimal digits of a checksum."""

HEAD = b'{"seal": "'
CUT = b" (cut short)\n"
"""What the next writer puts after a line that was not finished: its writer was killed, or the disk was full."""


class JournalError(Unusable):
    """A journal is missing, damaged or in use, cannot be written, or is not one; the message says which."""


def sealed(entry: Mapping[str, Any]) -> bytes:
    """Return an entry, a JSON object that is not empty, as a line."""
    rest = json.dumps(entry)[1:].encode()
    return b'%s%s-%d", %s\n' % (HEAD, _checksum(rest), len(rest), rest)


def opened(line: bytes) -> Entry | None:
    """Return the entry of a line; None if the line is not exactly as it was written."""
    seal, _, rest = line.removesuffix(b"\n").removeprefix(HEAD).partition(b'", ')
    if not line.startswith(HEAD) or seal != b"%s-%d" % (_checksum(rest), len(rest)):
        return None
    with suppress(ValueError, RecursionError):  # sealed by somebody else
        entry: Entry = json.loads(b"{" + rest)
        return entry
    return None


def entries(path: Path) -> Iterator[tuple[int, Entry | None]]:
    """Yield the number of each line, from 1, with its entry, or with None if the line is damaged.

    Lines that their writer did not finish are left out. Raises JournalError if there is no such file.
    """
    try:
        file = path.open("rb")
    except OSError as error:
        raise JournalError(f"{path}: the journal cannot be read: {error.strerror}") from error
    with file:
        for number, line in enumerate(file, 1):
            entry = opened(line)
            if entry is not None or not (line.endswith(CUT) or _unfinished(line)):
                yield number, entry


def damage(path: Path, lines: Iterable[int]) -> str:
    """Name the damaged lines of a journal in a sentence; "" if there are none."""
    numbers = [str(number) for number in lines]
    if not numbers:
        return ""
    named = ", ".join(numbers[:10]) + (f" and {len(numbers) - 10} more" if len(numbers) > 10 else "")
    return f"{path}: line{'s' if numbers[1:] else ''} {named} {'are' if numbers[1:] else 'is'} damaged and left out"


def create(path: Path, first: Iterable[Mapping[str, Any]]) -> None:
    """Make a journal with its first entries; JournalError if there is one already or if it cannot be written."""
    lines = b"".join(map(sealed, first))
    try:
        with FileIO(path, "x") as file:
            try:
                _write(file, lines)
            except BaseException:
                path.unlink()
                raise
        _sync_folder(path.parent)
    except FileExistsError:
        raise JournalError(f"{path}: there is a journal already") from None
    except OSError as error:
        raise JournalError(f"{path}: the journal cannot be written: {error.strerror}") from error


class Writer:
    """Adds entries to a journal; a context manager. Only one writer is admitted at a time, by a lock of the kernel.

    The lock ends with this process, however that ends. Raises JournalError if the journal is in use, is missing, or
    cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._waiting: list[bytes] = []
        try:
            self._file = FileIO(path, "r+")
        except OSError as error:
            raise JournalError(f"{path}: the journal cannot be written: {error.strerror}") from error
        try:
            _lock(self._file, path)
            tail = _tail(self._file)
        except BaseException:
            self._file.close()
            raise
        self._before = b"\n" if opened(tail) else CUT if tail else b""

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def add(self, entry: Mapping[str, Any]) -> None:
        """Add an entry; it is durable after ``sync``."""
        self._waiting.append(sealed(entry))

    def sync(self) -> None:
        """Make everything that was added durable; JournalError if that fails, for example on a full disk."""
        if not self._waiting:
            return
        lines, self._waiting = b"".join([self._before, *self._waiting]), []
        self._before = CUT
        try:
            _write(self._file, lines)
        except OSError as error:
            raise JournalError(f"{self.path}: the journal cannot be written: {error.strerror}") from error
        self._before = b""

    def close(self) -> None:
        """Make everything durable and let others write."""
        try:
            self.sync()
        finally:
            self._file.close()


def _checksum(rest: bytes) -> bytes:
    return hashlib.sha256(rest).hexdigest()[:DIGITS].encode()


def _unfinished(line: bytes) -> bool:
    """Return whether a line is the beginning of one: it has no end, and is not longer than its seal says.

    A longer one is a finished line whose end was damaged.
    """
    seal, comma, rest = line.removeprefix(HEAD).partition(b'", ')
    size = seal[DIGITS + 1 :]
    return line[-1:] != b"\n" and (not comma or (size.isdigit() and len(rest) <= int(size)))


def _tail(file: FileIO) -> bytes:
    """Return what follows the last line's end, and go to the end of the file."""
    tail, begin = b"", file.seek(0, os.SEEK_END)
    while begin and b"\n" not in tail:
        size = min(begin, 1 << 16)
        begin = file.seek(begin - size)
        tail = file.read(size) + tail
    file.seek(0, os.SEEK_END)
    return tail.rpartition(b"\n")[2]


def _write(file: FileIO, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[file.write(view) :]
    os.fsync(file.fileno())


def _lock(file: FileIO, path: Path) -> None:
    try:
        import fcntl
    except ImportError:
        raise JournalError(f"{path}: a journal needs a lock of the kernel, which Linux and macOS have") from None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno not in (errno.EWOULDBLOCK, errno.EACCES):
            raise JournalError(f"{path}: the journal cannot be locked: {error.strerror}") from error
        raise JournalError(f"{path}: another process is writing to this journal") from None


def _sync_folder(folder: Path) -> None:
    """Make the name of a new file in a folder durable, where the system can."""
    with suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
