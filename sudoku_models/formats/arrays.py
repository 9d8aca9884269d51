"""Reads lines of 81 characters as numpy arrays, for bulk work on classic 9 x 9 puzzles.

The lines are those of the format ``line``; blank lines and # lines hold no puzzle. This module imports numpy.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from ..errors import FormatError
from ..puzzle.shape import Shape
from .cells import FILLERS, Options
from .kinds.line import SEPARATORS, is_skipped, line_or_error
from .source import LONGEST_LINE, MARK, MOST_LINES, SKIPPED, foreign, name_of, opened, past_mark, too_long

Bytes = NDArray[np.uint8]
_CHUNK = 1 << 20
_BAD = 255
_DIGITS = b"123456789"


@dataclass(frozen=True)
class PuzzleBlock:
    """Some consecutive puzzles of a file.

    ``values`` is uint8 of shape (n, 81): 1 to 9, 0 in open cells. ``numbers`` (int64, n) is the line of each row.
    ``errors`` maps the row of a line that cannot be read to its error, and ``texts`` to its text (none for a line with
    a zero byte, or with bytes that are not UTF-8); its values are 0.
    ``first_line`` and ``last_line`` are the block's first and last line in the file, counting blank lines and comments.
    """

    first_line: int
    values: Bytes
    numbers: NDArray[np.int64]
    errors: dict[int, FormatError] = field(default_factory=dict)
    texts: dict[int, str] = field(default_factory=dict)
    last_line: int = 0


def read_blocks(source: str | Path | BinaryIO | bytes) -> Iterator[PuzzleBlock]:
    """Read a file ("-" is standard input), a stream or bytes, plain, gzip or zstd, in blocks of about 12,000 lines.

    Raises FormatError for a source that cannot be read at all, as ``read`` does.
    """
    name, empty = "bytes" if isinstance(source, bytes) else name_of(source), True
    with opened(io.BytesIO(source) if isinstance(source, bytes) else source) as stream:
        for block in _blocks(whole_lines(past_mark(stream), stream.read), 1, name):
            empty = empty and not len(block.values)
            yield block
    if empty:
        raise FormatError("holds no puzzle", source=name)


def blocks_behind(stream: io.BufferedReader, line: int, name: str, is_file: bool = False) -> Iterator[PuzzleBlock]:
    """Read the rest of an open stream, which begins at this line number.

    A read from a pipe waits only for the next complete line, and one from a file for a whole block.
    """
    return _blocks(whole_lines(stream, stream.read if is_file else stream.read1), line, name)


def values_of(lines: bytes) -> tuple[Bytes, NDArray[np.bool_]]:
    """Read n lines of 81 characters, each with a newline: uint8 of shape (n, 81), and a mask of readable rows.

    Rows that cannot be read are 0. Raises ValueError if the lines do not have that length.
    """
    if (plain := values_of_plain(lines)) is not None:
        return plain, np.ones(len(plain), bool)
    raw = np.frombuffer(lines, np.uint8)
    if len(raw) % _LINE or (raw[_LINE - 1 :: _LINE] != ord("\n")).any():
        raise ValueError("lines of 81 characters are expected")
    values = _regular(raw, _known(lines), np.arange(0, len(raw), _LINE))
    good = values[:, 0] != _BAD
    values[~good] = 0
    return values, good


def values_of_plain(data: bytes) -> Bytes | None:
    """Return the values of n lines, uint8 of shape (n, 81), 0 if open; None if some line has another form.

    Open cells must be written in one way, and each line must end with a newline.
    """
    number, rest = divmod(len(data), _LINE)
    if rest or not number:
        return None
    values = np.empty((number, _LINE - 1), np.uint8)
    for start in range(0, number, _AT_ONCE):
        lines = _known(data[start * _LINE : (start + _AT_ONCE) * _LINE]).reshape(-1, _LINE)
        values[start : start + _AT_ONCE] = lines[:, :-1]
        if (lines[:, -1] != _NEWLINE).any() or values[start : start + _AT_ONCE].max() > 9:
            return None
    return values


def _blocks(chunks: Iterable[bytes | None], line: int, name: str) -> Iterator[PuzzleBlock]:
    empty = 0
    for data in chunks:
        if data is None:
            block = PuzzleBlock(line, np.zeros((1, 81), np.uint8), np.array([line]), {0: too_long().at(name, line)})
        elif (values := values_of_plain(data)) is not None:
            block = PuzzleBlock(line, values, np.arange(line, line + len(values)))
        else:
            block = _mixed(data, line, name)
        lines = 1 if data is None else data.count(b"\n")
        empty = 0 if len(block.values) else empty + lines
        if empty > MOST_LINES:
            raise FormatError(f"no puzzle was found in {empty:,} lines: reading stops here", source=name, line=line)
        line += lines
        yield replace(block, last_line=line - 1)


def whole_lines(stream: io.BufferedReader, read: Callable[[int], bytes]) -> Iterator[bytes | None]:
    """Split a stream into chunks of complete lines that end with a newline; None stands for a line that is too long."""
    tail = b""
    while data := read(_CHUNK):
        data = tail + newlines(data, stream)
        cut = data.rfind(b"\n") + 1
        if cut:
            yield data[:cut]
        tail = data[cut:]
        if len(tail) > LONGEST_LINE:
            yield None
            tail = _behind_long_line(stream)
    if tail:
        yield tail + b"\n"


def newlines(data: bytes, stream: io.BufferedReader) -> bytes:
    """Return a chunk of a stream with all line endings as newlines."""
    if b"\r" not in data:
        return data
    if data.endswith(b"\r") and stream.peek(1)[:1] == b"\n":
        data += stream.read(1)
    return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def _behind_long_line(stream: io.BufferedReader) -> bytes:
    for _ in range(SKIPPED // _CHUNK):
        data = newlines(stream.read(_CHUNK), stream)
        if not data or b"\n" in data:
            return data[data.find(b"\n") + 1 :]
    raise FormatError("this line is too long to be a puzzle, and its end was not found: reading stops here")


def _known(data: bytes) -> Bytes:
    """Return the value of each character, with the filler of the first line that has one; ``_BAD`` for others."""
    return np.frombuffer(data.translate(_TABLES[_filler_of(data)]), np.uint8)


def _mixed(data: bytes, first_line: int, name: str) -> PuzzleBlock:
    """Read lines of any length: those of 81 cells, with or without comments, together, the others one by one."""
    known = _known(data)
    ends = np.flatnonzero(known == _NEWLINE)
    starts = np.concatenate([[0], ends[:-1] + 1])
    raw = np.frombuffer(data, np.uint8)
    fits = ends - starts >= 81
    fits[fits] = _IS_END[raw[starts[fits] + 81]]
    if not data.isascii() or b"\0" in data:
        fits[np.searchsorted(ends, np.flatnonzero((raw > 127) | (raw == 0)))] = False
    values = np.zeros((len(starts), 81), np.uint8)
    if fits.any():
        values[fits] = _regular(raw, known, starts[fits])
    errors, kept = {}, np.ones(len(starts), bool)
    for i in np.flatnonzero(~fits | (values[:, 0] == _BAD)):
        found = _careful(data[starts[i] : ends[i]], name, first_line + int(i))
        kept[i] = found is not None
        if isinstance(found, FormatError):
            errors[int(i)], values[i] = found, 0
        elif found is not None:
            values[i] = found
    row_of = np.cumsum(kept) - 1
    return PuzzleBlock(
        first_line,
        values[kept],
        np.flatnonzero(kept) + first_line,
        {int(row_of[i]): error for i, error in errors.items()},
        {int(row_of[i]): text for i in errors if (text := _text(data[starts[i] : ends[i]])) is not None},
    )


def _text(line: bytes) -> str | None:
    text = line.decode("utf-8", "surrogateescape").removeprefix(MARK)
    return None if foreign(text) else text


def _regular(raw: Bytes, known: Bytes, starts: NDArray[np.int64]) -> Bytes:
    """Read 81 cells from each start, with one filler for each line; ``_BAD`` in the first cell means failure."""
    values: Bytes = sliding_window_view(known, 81)[starts]
    bad = np.flatnonzero(values.max(axis=1) > 9)
    for table in _TABLES.values():
        if not len(bad):
            break
        lines = sliding_window_view(raw, 81)[starts[bad]]
        read = np.frombuffer(lines.tobytes().translate(table), np.uint8).reshape(-1, 81)
        good = read.max(axis=1) <= 9
        values[bad[good]] = read[good]
        bad = bad[~good]
    values[bad, 0] = _BAD
    return values


def _careful(line: bytes, name: str, number: int) -> list[int] | FormatError | None:
    """Read one line as the format ``line`` does; return None if it holds no puzzle."""
    text = line.decode("utf-8", "surrogateescape").removeprefix(MARK)
    if is_skipped(text):
        return None
    found = foreign(text) or line_or_error(text, _CLASSIC)
    return found.at(name, number) if isinstance(found, FormatError) else [value or 0 for value in found.givens]


def _filler_of(data: bytes) -> int:
    """Return the filler used in the first line that has one."""
    start = data.find(b"\n") + 1 if data[:1] == b"#" else 0
    rest = data[start : start + 81].strip(_DIGITS)[:1]
    return rest[0] if rest and rest[0] in _TABLES else ord(".")


def _reading_table(filler: int) -> bytes:
    table = bytearray([_BAD]) * 256
    for digit in _DIGITS:
        table[digit] = digit - ord("0")
    table[filler] = 0
    table[ord("\n")] = _NEWLINE
    return bytes(table)


_NEWLINE = 254
_LINE = 82  # characters, its newline included
_AT_ONCE = 2_048  # lines, which stay in the processor's cache
_CLASSIC = Options(shape=Shape.square(9))
_TABLES = {ord(filler): _reading_table(ord(filler)) for filler in FILLERS.strip()}
_IS_END = np.isin(np.arange(256), [ord(c) for c in SEPARATORS + "\n"])
