"""Journals: files of sealed lines to which one process at a time appends, and which survive a kill at any point.

A line is a JSON object whose last field, ``seal``, is the beginning of the SHA-256 of the text before it. So a changed
byte is noticed, and the file can still be read by any program for JSON lines.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from .errors import Unusable

_SEAL = ', "seal": "'
_DIGITS = 16


@dataclass(frozen=True)
class Line:
    """A line of a journal: its number, from 1, and its fields; None if it is not what was written."""

    number: int
    fields: dict[str, Any] | None


def sealed(fields: dict[str, Any]) -> str:
    """Return fields as a line of a journal, without its end; there must be at least one."""
    text = json.dumps(fields)[:-1]
    return f'{text}{_SEAL}{_checksum(text)}"}}'


def opened(line: str) -> dict[str, Any] | None:
    """Return the fields of a sealed line without the seal; None for any other text."""
    text, mark, seal = line.rpartition(_SEAL)
    if not mark or seal != f'{_checksum(text)}"}}':
        return None
    fields: dict[str, Any] = json.loads(text + "}")
    return fields


def _checksum(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]


def lines_of(path: str | Path) -> Iterator[Line]:
    """Yield the lines of a journal, damaged ones included; a last line that was cut off by a kill is left out."""
    with Path(path).open("rb") as file:
        for number, line in enumerate(file, 1):
            if line.endswith(b"\n"):
                yield Line(number, opened(line[:-1].decode("utf-8", "replace")))


class Journal:
    """A journal that is open for appending, and locked: the lock is released when the process ends in any way.

    A last line that was cut off by a kill is removed, and written to the log of the package: no ``add`` returned for
    it. Unusable if another process has the journal open, or if the file cannot be written.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        try:
            self._file = self.path.open("a+b")
        except OSError as error:
            raise Unusable(f"{path}: the journal cannot be written: {error.strerror}") from error
        try:
            _lock(self._file)
        except OSError:
            self._file.close()
            raise Unusable(f"{path}: another process is using this journal") from None
        self._drop_what_was_cut_off()

    def _drop_what_was_cut_off(self) -> None:
        end = whole = self._file.seek(0, os.SEEK_END)
        while whole:
            start = max(whole - 65536, 0)
            self._file.seek(start)
            found = self._file.read(whole - start).rfind(b"\n")
            if found >= 0:
                whole = start + found + 1
                break
            whole = start
        if whole < end:
            logging.getLogger("sudoku_models").warning(
                f"{self.path}: the last line was cut off; its {end - whole} bytes are removed"
            )
            self._file.truncate(whole)

    def lines(self) -> Iterator[dict[str, Any]]:
        """Yield the fields of every line; Unusable, with its number, for a damaged one."""
        for line in lines_of(self.path):
            if line.fields is None:
                raise Unusable(f"{self.path}: line {line.number} is damaged: it is not what was written")
            yield line.fields

    def add(self, *entries: dict[str, Any]) -> None:
        """Append lines and return when they are on the disk; OSError, with the file's name, if the disk is full."""
        text = "".join(f"{sealed(fields)}\n" for fields in entries)
        try:
            self._file.write(text.encode())
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            error.filename = error.filename or str(self.path)
            raise

    def close(self) -> None:
        """Close the file, which releases the lock."""
        self._file.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _lock(file: BinaryIO) -> None:
    """Lock a file for this process; OSError if another one holds the lock."""
    try:
        import fcntl
    except ImportError:  # Windows: a byte far beyond the end of the file, since a locked one cannot be read by others
        import msvcrt

        file.seek(1 << 62)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined, unused-ignore]
    else:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
