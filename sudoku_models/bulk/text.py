"""Text files: lines of 81 characters and CSV tables are recognised by their first lines."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from ..errors import FormatError
from ..formats.line_texts import classic, is_skipped
from ..formats.options import Options
from ..formats.source import encoding_of, name_of, opened, opened_text, too_long
from ..formats.table import Header, TableLines, fields_of, header_of, needed_header, split

PEEK = 1 << 16


@contextmanager
def lines_or_table(source: str | Path | BinaryIO, options: Options) -> Iterator[tuple[str, Any]]:
    """Open a text file: yields "line" and a stream of bytes, "csv" and the rows of a table, or "other" and a stream."""
    with opened(source) as stream:
        kind = kind_of(stream.peek(PEEK)[:PEEK], options)
        stream.raw.name = name_of(source)  # type: ignore[attr-defined]
        yield kind, rows_of_csv(stream, options) if kind == "csv" else stream


def kind_of(head: bytes, options: Options) -> str:
    """Tell what a file is that begins so: "line" (classic lines), "csv", or "other"."""
    if options.input_format not in (None, "line", "csv") or options.strict:
        return "other"
    encoding = encoding_of(head)
    lines = head.decode(encoding, "replace").removeprefix("\ufeff").splitlines()
    text = next((line for line in lines if not is_skipped(line)), "")
    if options.input_format != "line" and header_of(text, options.column) is not None:
        return "csv"
    if not encoding.startswith("utf-8") or b"\0" in head:
        return "other"
    plain = options.symbols is None and options.shape is None and options.column is None
    return "line" if plain and options.input_format != "csv" and classic(text) is not None else "other"


def rows_of_csv(stream: BinaryIO, options: Options) -> Iterator[tuple[int, Any]]:
    """Yield the header with the names of the columns as they stand, then the fields of each row, with their lines.

    A row that cannot be read is a FormatError in its place.
    """
    with opened_text(stream) as lines:
        rows = TableLines(lines)
        for number, text in rows:
            if text is not None and (not text.strip() or (rows.header is None and text.lstrip()[0] == "#")):
                continue
            if rows.header is None:
                rows.header = needed_header(text or "", number, options)
                yield number, (rows.header, [name.strip() for name in split(text or "", rows.header.delimiter)])
            else:
                yield number, too_long() if text is None else _fields(text, rows.header)


def _fields(text: str, header: Header) -> list[str] | FormatError:
    try:
        return fields_of(text, header)
    except FormatError as error:
        return error
