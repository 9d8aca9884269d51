"""What tables of comma-separated values are written to: each row ends with a newline alone."""

from __future__ import annotations

from typing import Protocol


class Writable(Protocol):
    """Takes text."""

    def write(self, text: str, /) -> object:
        """Take some text."""


class CsvStream:
    """Takes the rows of ``csv.writer``, which end with CR LF, and ends them with a newline in a stream.

    Told to end rows with a newline, the writer of Python before 3.13 leaves a lone CR in a field without quotes, and
    readers take it for the end of a row.
    """

    def __init__(self, stream: Writable) -> None:
        self._stream = stream

    def write(self, row: str) -> None:
        """Write a row."""
        self._stream.write(row.removesuffix("\r\n") + "\n")
