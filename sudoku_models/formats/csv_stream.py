"""Streams for ``csv.writer`` in which each row ends with a single newline."""

from __future__ import annotations

from typing import Protocol


class Writable(Protocol):
    """An object to which text can be written."""

    def write(self, text: str, /) -> object:
        """Write some text."""


class CsvStream:
    """Takes the rows of ``csv.writer``, which end with CR LF, and writes them with a single newline.

    If ``csv.writer`` itself ended rows with a newline, Python before 3.13 would leave a field with a lone CR unquoted,
    which readers would take for the end of a row.
    """

    def __init__(self, stream: Writable) -> None:
        self._stream = stream

    def write(self, row: str) -> None:
        """Write a row."""
        self._stream.write(row.removesuffix("\r\n") + "\n")
