"""Answers as lines of text, JSON, JSON lines or CSV. The docstring of each command's module describes its JSON schema.

A record is a flat mapping. Every JSON line, and the head of a JSON document, names its schema and version:
``sudoku-models/solve/1``, and so on for ``count``, ``candidates`` and ``validate``. Within a version fields are only
added. A JSON document is ``{"schema": ..., "results": [...], "exit_code": n}``.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ..formats import Entry
from ..formats.csv_stream import CsvStream
from .codes import Code

Fields = Mapping[str, Any]


def place(entry: Entry) -> dict[str, Any]:
    """Return the fields that begin every record: the place of the puzzle, its title and its text."""
    return {
        "number": entry.number,
        "source": entry.source,
        "line": entry.line,
        "title": entry.puzzle.title if entry.puzzle else "",
        "puzzle": entry.puzzle.to_line() if entry.puzzle else None,
    }


class Json:
    """JSON lines, or a single JSON document of the same records."""

    def __init__(self, schema: str, lines: bool) -> None:
        self.schema, self.lines = schema, lines
        self._count = 0

    def head(self) -> str:
        """Return the beginning of the document."""
        return "" if self.lines else f'{{"schema": {json.dumps(self.schema)}, "results": [\n'

    def record(self, fields: Fields) -> str:
        """Return a whole record."""
        return self.opening() + self.text(fields) + self.closing()

    def opening(self) -> str:
        """Return the separator before the next record."""
        self._count += 1
        return "" if self.lines or self._count == 1 else ",\n"

    def closing(self) -> str:
        """Return the end of a record."""
        return "\n" if self.lines else ""

    def text(self, fields: Fields) -> str:
        """Return the record itself."""
        return json.dumps({"schema": self.schema, **fields} if self.lines else fields)

    def tail(self, code: Code) -> str:
        """Return the end of the document."""
        return "" if self.lines else f'\n], "exit_code": {int(code)}}}\n'


class Csv:
    """A table with a header."""

    def __init__(self, columns: Sequence[str]) -> None:
        self.columns = columns

    def head(self) -> str:
        """Return the header."""
        return self.line(self.columns)

    def record(self, fields: Fields) -> str:
        """Return a row."""
        return self.line([_cell(fields.get(name)) for name in self.columns])

    def tail(self, code: Code) -> str:
        """Return nothing: a table ends with its last row."""
        return ""

    @staticmethod
    def line(cells: Iterable[str]) -> str:
        """Return a row with these cells."""
        text = io.StringIO()
        csv.writer(CsvStream(text)).writerow(cells)
        return text.getvalue()


class Text:
    """Only the text of each record, one line each."""

    def head(self) -> str:
        """Return nothing: there is no header."""
        return ""

    def record(self, fields: Fields) -> str:
        """Return the field ``text`` as a line, or "" if there is none."""
        text = fields.get("text")
        return "" if text is None else f"{text}\n"

    def tail(self, code: Code) -> str:
        """Return nothing."""
        return ""


class Blocks(Text):
    """The text of each record, several lines each, separated by empty lines."""

    def __init__(self) -> None:
        self._any = False

    def record(self, fields: Fields) -> str:
        """Return the field ``text`` after a gap, or "" if there is none."""
        text = super().record(fields)
        return self.gap() + text if text else ""

    def gap(self) -> str:
        """Return the separator before the next block."""
        gap, self._any = "\n" if self._any else "", True
        return gap


Writer = Json | Csv | Text


def writer(format: str, schema: str, columns: Sequence[str]) -> Writer:
    """Return the writer of a format; ``columns`` are the columns of a table."""
    if format in ("json", "jsonl"):
        return Json(schema, lines=format == "jsonl")
    return Csv(columns) if format == "csv" else Text()


def pieces(records: Iterable[tuple[Fields, str | None]], kind: Writer, code: Any) -> Iterator[str]:
    """Yield the whole output: the head, each record (its fields, its text) and the tail with ``code()``."""
    yield kind.head()
    for found in records:
        yield text_of(found, kind)
    yield kind.tail(code())


def text_of(found: tuple[Fields, str | None], kind: Writer) -> str:
    """Return the output for a record with the given fields and text."""
    fields, text = found
    return kind.record({**fields, "text": text} if isinstance(kind, Text) else fields)


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)
