"""Read an earlier run: a journal, or a file of JSON lines."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from ...errors import FormatError
from ..journal import NAME, Journal, is_journal
from ..judge import judged
from ..run_rows import Row
from .report import Report


def read_run(path: str | Path) -> Report:
    """Read a journal, the journal in a folder, or a file of JSON lines as written by ``compare --out``.

    Raises FormatError if a line is not a row and for a run without rows, JournalError for a folder without a journal,
    a journal that cannot be read, or one of an earlier version, OSError when it cannot be read.
    """
    path = Path(path)
    if path.is_dir() or is_journal(path):
        return of_journal(Journal.open(path))
    return Report(_whole(_judged(list(_lines(path))), path), {"read from": path.name})


def of_journal(journal: Journal) -> Report:
    """Return the report of a journal's rows, with its provenance and the boards; FormatError if there are no rows."""
    boards = {instance.sha: instance.puzzle for instance in journal.instances()}
    return Report(_whole(tuple(journal.rows()), journal.path), journal.provenance(), boards)


def _judged(rows: list[Row]) -> tuple[Row, ...]:
    """Compare the rows of each puzzle with each other, as a journal does: a file may hold what it kept."""
    places: dict[str, list[int]] = defaultdict(list)
    for i, row in enumerate(rows):
        places[row.sha256].append(i)
    for own in places.values():
        for i, row in zip(own, judged([rows[i] for i in own]), strict=True):
            rows[i] = row
    return tuple(rows)


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
