"""Read an earlier run: a journal, or a file of JSON lines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ...errors import FormatError
from ..journal import NAME, Journal
from ..run_rows import Row
from .report import Report

_SQLITE = b"SQLite format 3\x00"


def read_run(path: str | Path) -> Report:
    """Read a journal, the journal in a folder, or a file of JSON lines as written by ``compare --out``.

    Raises FormatError if a line is not a row and for a run without rows, JournalError for a folder or a database that
    holds no journal, OSError when it cannot be read.
    """
    path = Path(path)
    if path.is_dir() or _begins(path) == _SQLITE:
        return of_journal(Journal.open(path))
    return Report(_whole(tuple(_lines(path)), path), {"read from": path.name})


def of_journal(journal: Journal) -> Report:
    """Return the report of a journal's rows, with its provenance and the boards; FormatError if there are no rows."""
    boards = {instance.sha: instance.puzzle for instance in journal.instances()}
    return Report(_whole(tuple(journal.rows()), journal.path), journal.provenance(), boards)


def _begins(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(len(_SQLITE))


def _whole(rows: tuple[Row, ...], path: Path) -> tuple[Row, ...]:
    if not rows:
        place = path.parent if path.name == NAME else path
        raise FormatError("there are no runs", source=str(place))
    return rows


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
