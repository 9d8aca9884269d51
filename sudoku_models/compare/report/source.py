"""Reading a run that was written before."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ...errors import FormatError
from ..rows import Row
from .report import Report

_SQLITE = b"SQLite format 3\x00"


def read_run(path: str | Path) -> Report:
    """Read a file of JSON lines as ``compare --out`` writes it.

    Raises FormatError where a line is no row and for a file without any, OSError when it cannot be read.
    """
    path = Path(path)
    rows = tuple(_lines(path))
    if not rows:
        raise FormatError("there are no runs in this file", source=str(path))
    return Report(rows, {"read from": path.name})


def _lines(path: Path) -> Iterator[Row]:
    with path.open(encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                yield _row(line, path, number)


def _row(line: str, path: Path, number: int) -> Row:
    try:
        return Row.parse(line)
    except (ValueError, TypeError) as error:
        message = "a run of `compare --out` in JSON is expected"
        raise FormatError(message, source=str(path), line=number) from error
