"""Text files: lines of 81 characters and CSV tables are recognised by their first lines."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from ..errors import FormatError
from ..formats.catalogue import CSV, LINE
from ..formats.kinds.line import classic, is_skipped
from ..formats.options import Options
from ..formats.source import encoding_of, name_of, numbered, opened, opened_text, too_long, within_reach
from ..formats.table import Header, TableLines, fields_of, header_of, needed_header

PEEK = 1 << 16


@contextmanager
def lines_or_table(source: str | Path | BinaryIO, options: Options) -> Iterator[tuple[str, Any]]:
    """Open a text file: yield its kind (see ``kind_of``) and a stream of bytes."""
    with opened(source) as stream:
        kind = kind_of(stream.peek(PEEK)[:PEEK], options)
        stream.raw.name = name_of(source)  # type: ignore[attr-defined]
        yield kind, stream


def kind_of(head: bytes, options: Options) -> str:
    """Return the kind of a file from its beginning: LINE (classic lines), CSV, or "other"."""
    if options.input_format not in (None, LINE, CSV) or options.strict:
        return "other"
    encoding = encoding_of(head)
    lines = head.decode(encoding, "replace").removeprefix("\ufeff").splitlines()
    text = next((line for line in lines if not is_skipped(line)), "")
    if options.input_format != LINE and header_of(text, options.column) is not None:
        return CSV
    if not encoding.startswith("utf-8"):
        return "other"
    plain = options.symbols is None and options.shape is None and options.column is None
    return LINE if plain and options.input_format != CSV and classic(text) is not None else "other"


def rows_of_csv(stream: BinaryIO, options: Options) -> Iterator[tuple[int, Any]]:
    """Yield the header, then the fields of each row, with their line numbers.

    A row that cannot be read is replaced by a FormatError.
    """
    last = [0]
    with opened_text(stream) as lines:
        rows = TableLines(within_reach(lines, last))
        for number, text in rows:
            if text is not None and (not text.strip() or (rows.header is None and text.lstrip()[0] == "#")):
                continue
            last[0] = number
            if rows.header is None:
                rows.header = needed_header(text or "", number, options)
                yield number, rows.header
            else:
                yield number, too_long() if text is None else fields_or_error(text, rows.header)


def rows_behind(stream: BinaryIO, header: Header, line: int) -> Iterator[tuple[int, Any]]:
    """Yield the remaining rows of a table whose header is known, from this line number on."""
    text = io.TextIOWrapper(stream, encoding="utf-8", errors="surrogateescape")
    last = [line]
    lines = TableLines(within_reach(numbered(text, line - 1), last))
    lines.header = header
    for number, found in lines:
        if found is None or found.strip():
            last[0] = number
            yield number, too_long() if found is None else fields_or_error(found, header)


def fields_or_error(text: str, header: Header) -> list[str] | FormatError:
    """Split a row into fields; return an error if their number differs from that of the header."""
    try:
        return fields_of(text, header)
    except FormatError as error:
        return error
