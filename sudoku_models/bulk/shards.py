"""A part of a file that is answered separately: one of n shards, split by bytes (lines) or row groups (Parquet)."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from ..dataclass import dataclass
from ..errors import FormatError
from ..formats.catalogue import LINE
from ..formats.cells import Options
from ..formats.source import Prefixed, is_packed

_TEXT = re.compile(r"(\d{1,9})/(\d{1,9})\Z")
_PACKED = (".gz", ".zst")
LONGEST = 1 << 22
"""The number of bytes to read at a time to find the end of a line."""
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class Shard:
    """A shard by its ``number``, from 1, and the number of shards."""

    number: int
    of: int

    @classmethod
    def parse(cls, text: str) -> Shard:
        """Parse a shard such as ``3/8``; raise ValueError for anything else."""
        match = _TEXT.match(text.strip())
        if match is None or not 1 <= int(match[1]) <= int(match[2]):
            raise ValueError(f"{text!r}: a shard such as 3/8 (the third of eight) is expected")
        return cls(int(match[1]), int(match[2]))

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    def part(self, size: int) -> tuple[int, int]:
        """Return the start and end of the shard in a sequence of ``size`` items."""
        return size * (self.number - 1) // self.of, size * self.number // self.of

    def file(self, path: str | Path) -> Path:
        """Return the file name for the shard's answers: ``answers.csv`` becomes ``answers.3-of-8.csv``."""
        stem, ending = _split(Path(path))
        return Path(path).with_name(f"{stem}.{self.number}-of-{self.of}{ending}")


def parts_of(path: str | Path) -> list[Path]:
    """Return the files of all shards of ``path``, in order; raise FormatError if one is missing or there are none."""
    stem, ending = _split(Path(path))
    pattern = re.compile(re.escape(stem) + r"\.(\d+)-of-(\d+)" + re.escape(ending) + r"\Z")
    folder = Path(path).parent
    found = [match for file in folder.iterdir() if (match := pattern.match(file.name))] if folder.is_dir() else []
    numbers = {int(match[2]) for match in found}
    if len(numbers) != 1:
        there = "there are no shards"
        example = Shard(1, 8).file(path).name
        expected = f"files such as {example}, up to 8-of-8, are expected"
        if numbers:
            there = f"there are shards of {' and of '.join(map(str, sorted(numbers)))}"
            expected = "delete the files of the other division"
        raise FormatError(f"{there}: {expected}", source=str(path))
    (of,) = numbers
    missing = sorted(set(range(1, of + 1)) - {int(match[1]) for match in found})
    if missing:
        names = ", ".join(Shard(number, of).file(path).name for number in missing[:3]) + (" ..." if missing[3:] else "")
        raise FormatError(f"{len(missing)} of {of} shards are missing: {names}", source=str(path))
    return [Shard(number, of).file(path) for number in range(1, of + 1)]


def _split(path: Path) -> tuple[str, str]:
    """Return a file name without its suffix, and the suffix; a compression suffix includes the one before it."""
    ending = path.suffix
    if ending in _PACKED:
        ending = path.with_suffix("").suffix + ending
    return path.name.removesuffix(ending), ending


@contextmanager
def lines_of(path: str | Path, shard: Shard) -> Iterator[tuple[io.BufferedReader, int, int]]:
    """Open the lines of a shard: yield a stream, the number of its first line, and the number of puzzles before it.

    A line belongs to the shard in which it begins. Raises FormatError for a file that does not begin with classic
    lines.
    """
    from .blocks import PEEK, kind_of

    with Path(path).open("rb") as file:
        head = file.read(PEEK)
        if not head:
            raise FormatError("is empty: a puzzle is expected", source=str(path))
        if is_packed(head) or kind_of(head, Options()) != LINE:
            what = "is packed" if is_packed(head) else "does not begin with a line of 81 cells"
            raise FormatError(f"{what}: only plain files of classic lines, and Parquet, can be split", source=str(path))
        size = file.seek(0, io.SEEK_END)
        start, end = (_line_start(file, at, size) for at in shard.part(size))
        line, number = _before(file, start, str(path))
        with _range(file, start, end) as stream:
            yield stream, line, number


def _line_start(file: BinaryIO, at: int, size: int) -> int:
    """Return the start of the first line that begins at or after this offset."""
    file.seek(0)
    first = 3 if file.read(3) == _BOM else 0
    if at <= first or at >= size:
        return first if at <= first else size
    file.seek(at - 1)
    while (piece := file.readline(LONGEST)) and not piece.endswith(b"\n"):
        pass
    return file.tell()


def _before(file: BinaryIO, start: int, name: str) -> tuple[int, int]:
    """Return the number of the line that begins at ``start``, and the number of puzzles before it."""
    from ..formats.arrays import blocks_behind

    first = _line_start(file, 0, start)
    line, number = 1, 0
    with _range(file, first, start) as stream:
        for block in blocks_behind(stream, 1, name):
            number += len(block.values)
            line = block.last_line + 1
    return line, number


def _range(file: BinaryIO, start: int, end: int) -> io.BufferedReader:
    """Return a stream of a range of a file's bytes."""
    file.seek(start)
    return io.BufferedReader(Prefixed(b"", _Range(file, end - start)), 1 << 16)


class _Range:
    def __init__(self, file: BinaryIO, size: int) -> None:
        self._file, self._left = file, size

    def read(self, size: int, /) -> bytes:
        data = self._file.read(min(size, self._left))
        self._left -= len(data)
        return data
