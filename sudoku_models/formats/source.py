"""Opens files, streams and standard input, plain, gzip or zstd, as numbered lines of bounded length."""

from __future__ import annotations

import codecs
import gzip
import io
import re
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from ..errors import FormatError

if TYPE_CHECKING:
    from zipfile import ZipFile

ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
_PIECE = 256
"""The number of compressed bytes to read at a time: 4 bytes may become 128 KB, so these become at most 8 MB."""


class Unzstd:
    """The bytes of one or several frames. A damaged or truncated frame raises FormatError."""

    def __init__(self, packed: Any) -> None:
        self._packed, self._left = packed, memoryview(b"")
        self._frame: Any = None
        self._library = zstandard()

    def read(self, size: int, /) -> bytes:
        """Return up to ``size`` bytes; b"" at the end."""
        while not self._left:
            data = self._packed.read(_PIECE)
            if not data:
                if self._frame is not None:
                    raise FormatError("the zstd data ends too early")
                return b""
            self._left = memoryview(self._unpack(data))
        found, self._left = self._left[:size], self._left[size:]
        return bytes(found)

    def _unpack(self, data: bytes) -> bytes:
        found = list[bytes]()
        while data:
            frame = self._frame = self._frame or self._library.ZstdDecompressor().decompressobj()
            try:
                found.append(frame.decompress(data))
            except self._library.ZstdError as error:
                raise FormatError(f"the zstd data is damaged ({error})") from error
            data = b""
            if frame.eof:
                data, self._frame = frame.unused_data, None
        return b"".join(found)


def zstandard() -> Any:
    """Return the package; if it is missing, raise FormatError with the command that installs it."""
    try:
        import zstandard as library
    except ImportError as error:
        raise FormatError("zstd data need zstandard: pip install 'sudoku-models[data]'") from error
    return library


LONGEST_LINE = 4_000_000
"""Characters. The largest board, 400 x 400 in numbers, needs fewer than 800,000."""
SKIPPED = 64_000_000
"""The number of further characters of an overlong line that are skipped in search of its end."""
MOST_LINES, MOST_CHARACTERS = 300_000, 20_000_000
"""The longest text between two puzzles. The largest board has 400 rows, a document at most 300,000 lines."""
_SNIFFED = 4096
_GZIP = b"\x1f\x8b"

Line = tuple[int, str | None]
"""A line's number, from 1, and its text without the newline; None if it is too long to be a puzzle."""

MARK = "\ufeff"
"""The byte order mark. Where files were joined, lines begin with it."""
_MARKS = [
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
]

_UNMARKED = [
    (re.compile(rb"(?:[\t\n\r -~]\0){2}"), "utf-16-le"),
    (re.compile(rb"(?:\0[\t\n\r -~]){2}"), "utf-16-be"),
]
_CONTROLS = bytes(byte for byte in range(32) if byte not in b"\t\n\v\f\r")
_NO_TEXT = re.compile("[\0\ud800-\udfff]")


class Prefixed(io.RawIOBase):
    """A byte stream whose first bytes have already been read. Closing it leaves the underlying stream open."""

    def __init__(self, head: bytes, rest: Any) -> None:
        self._head, self._rest = head, rest
        self._read = getattr(rest, "read1", rest.read)

    def readable(self) -> bool:
        """Return True: the stream is readable."""
        return True

    def readinto(self, buffer: memoryview, /) -> int:  # type: ignore[override]
        """Fill the buffer from the first bytes, then from the stream; return the number of bytes, 0 at the end."""
        data = self._head[: len(buffer)] if self._head else self._read(len(buffer))
        self._head = self._head[len(data) :]
        buffer[: len(data)] = data or b""
        return len(data or b"")


def name_of(source: str | Path | BinaryIO) -> str:
    """Return what messages call a source: its path, its own name, or the words for standard input."""
    if isinstance(source, (str, Path)):
        return "standard input" if source == "-" else str(source)
    name = getattr(source, "name", None)
    return name if isinstance(name, str) else "stream"


@contextmanager
def opened(source: str | Path | BinaryIO) -> Iterator[io.BufferedReader]:
    """Open a source as plain bytes; gzip and zstd, recognised by their first bytes, are decompressed.

    Raises FormatError, with the source's name, if it is missing, a folder, not readable, empty or damaged; damage may
    only show while it is read. A stream passed as the source stays open.
    """
    name = name_of(source)
    try:
        if source == "-" and sys.stdin is None:
            raise FormatError("is closed: a file, or puzzles on standard input, are expected")
        if source == "-":
            yield _unpacked(sys.stdin.buffer)
        elif isinstance(source, (str, Path)):
            with Path(source).open("rb") as file:
                yield _unpacked(file)
        else:
            yield _unpacked(source)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise FormatError(f"the gzip data is damaged or ends too early ({error})", source=name) from error
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror or error}", source=name) from error
    except FormatError as error:
        raise error.at(name) from error.__cause__


def is_packed(head: bytes) -> bool:
    """Return whether data beginning with these bytes are gzip or zstd."""
    return head[:2] == _GZIP or head[:4] == ZSTD_MAGIC


def _unpacked(stream: Any) -> io.BufferedReader:
    head, plain = _head(stream)
    if head[:2] == _GZIP:
        return _head(gzip.GzipFile(fileobj=plain))[1]
    return _head(Unzstd(plain))[1] if head[:4] == ZSTD_MAGIC else plain


def _head(stream: Any) -> tuple[bytes, io.BufferedReader]:
    """Read the first bytes of a stream; return them, and a stream that yields them again."""
    read, head = getattr(stream, "read1", stream.read), b""
    while len(head) < 4 and (more := read(_SNIFFED)):
        head += more
    if not head:
        raise FormatError("is empty: a puzzle is expected")
    return head, io.BufferedReader(Prefixed(head, stream), 1 << 16)


def encoding_of(head: bytes) -> str:
    """Return the encoding of text that begins with these bytes: from its byte order mark, otherwise UTF-8.

    UTF-16 without a mark is recognised by the zero bytes in its first two characters.
    """
    unmarked = next((name for begins, name in _UNMARKED if begins.match(head)), "utf-8")
    return next((name for mark, name in _MARKS if head.startswith(mark)), unmarked)


def check_text(head: bytes) -> None:
    """Raise FormatError for the beginning of a binary file: it has zero bytes, and no text in its first line."""
    if b"\0" not in head:
        return
    first = next(filter(bytes.strip, head.splitlines()), b"")
    controls = len(first) - len(first.translate(None, _CONTROLS))
    if controls * 4 > len(first) or foreign(first.replace(b"\0", b"").decode("utf-8", "surrogateescape")):
        raise FormatError("is a binary file (it contains zero bytes): text is expected")


def past_mark(stream: io.BufferedReader) -> io.BufferedReader:
    """Return a stream past its UTF-8 byte order mark, if any; raise FormatError if it is not text."""
    head = stream.peek(4)
    if head.startswith(b"\xef\xbb\xbf"):
        stream.read(3)
    elif (encoding := encoding_of(head)) != "utf-8":
        raise FormatError(f"is {encoding[:6].upper()} text: plain text (ASCII, UTF-8) is expected here")
    else:
        check_text(head)
    return stream


@contextmanager
def opened_text(source: str | Path | BinaryIO) -> Iterator[Iterator[Line]]:
    """Open a source as numbered lines of text (UTF-8, UTF-16, or UTF-32 with a mark); raise as ``opened`` does."""
    with opened(source) as stream:
        head = stream.peek(4)[:_SNIFFED]
        encoding = encoding_of(head)
        if encoding == "utf-8":
            check_text(head)
        errors = "surrogateescape" if encoding.startswith("utf-8") else "strict"
        yield numbered(io.TextIOWrapper(stream, encoding=encoding, errors=errors))


def numbered(text: io.TextIOBase) -> Iterator[Line]:
    """Number the lines of a text stream and limit their length; raise FormatError if it is not text.

    A byte order mark at the beginning of a line is left out. Bytes that are not UTF-8 may occur as surrogates, and zero
    bytes as they are: see ``foreign`` and ``readable``.
    """
    number = 0
    try:
        while line := text.readline(LONGEST_LINE):
            number += 1
            if line[-1] == "\n":
                line = line[:-1]
            elif len(line) >= LONGEST_LINE:
                yield number, None
                _skip(text, number)
                continue
            yield number, line.removeprefix(MARK)
    except UnicodeError as error:
        raise FormatError(f"this is not text ({error}): a text file is expected", line=number + 1) from error


def within_reach(lines: Iterator[Line], last: list[int]) -> Iterator[Line]:
    """Yield lines; raise FormatError if too many follow the puzzle in line ``last[0]`` without another one.

    A packed file of some kilobytes may have millions of lines that begin something, or nothing.
    """
    size, since = 0, last[0]
    for line in lines:
        if since != last[0]:
            size, since = 0, last[0]
        size += len(line[1] or "")
        if line[0] > since + MOST_LINES or size > MOST_CHARACTERS:
            raise FormatError(
                f"no puzzle was found in {line[0] - since:,} lines of {size:,} characters: reading stops here",
                line=line[0],
            )
        yield line


def most_unpacked(size: int) -> int:
    """Return the largest number of bytes that a packed file of this size in bytes is unpacked to.

    Files of puzzles become three to twenty times as large, and files that are made to fill the memory a thousand times.
    """
    return (64 << 20) + 40 * size


def check_sizes(archive: ZipFile, most: int, path: str | Path) -> None:
    """Raise FormatError if the files in a zip file state more than ``most`` bytes together, before one is unpacked."""
    stated = sum(found.file_size for found in archive.infolist())
    if stated > most:
        raise FormatError(
            f"holds {stated:,} bytes once unpacked: up to {most:,} are read from a file of this size", source=str(path)
        )


def foreign(text: str) -> FormatError | None:
    """Return the error for a line with zero bytes, or with bytes that are not UTF-8, which are surrogates in it.

    Return None for other lines.
    """
    if "\0" in text:
        return FormatError("this is not text (it contains a zero byte): text is expected")
    if text.isascii():
        return None
    try:
        text.encode()
    except UnicodeEncodeError as error:
        byte = ord(text[error.start]) - 0xDC00
        return FormatError(f"this is not UTF-8 text (byte {byte:02x}): a text file is expected")
    return None


def readable(lines: Iterator[Line], bad: list[FormatError]) -> Iterator[Line]:
    """Yield lines with U+FFFD, which no cell can hold, for zero bytes and for bytes that are not UTF-8.

    The errors of these lines are added to ``bad``.
    """
    for number, text in lines:
        if text is not None and (error := foreign(text)):
            bad.append(error.at(line=number))
            text = _NO_TEXT.sub("\ufffd", text)
        yield number, text


def _skip(text: io.TextIOBase, number: int) -> None:
    for _ in range(SKIPPED // LONGEST_LINE):
        rest = text.readline(LONGEST_LINE)
        if not rest or rest[-1] == "\n":
            return
    raise FormatError(
        "this line is too long to be a puzzle, and its end was not found: reading stops here", line=number
    )


def too_long() -> FormatError:
    return FormatError(f"the line is longer than {LONGEST_LINE:,} characters: no puzzle is that long")
