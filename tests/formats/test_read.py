"""Files are read piece by piece: in bounded memory, as soon as a puzzle is there, whatever is damaged behind it."""

from __future__ import annotations

import gzip
import io
import itertools
import tracemalloc
from typing import Any

import pytest

from sudoku_models.errors import FormatError
from sudoku_models.formats import parse, read

LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
PUZZLE = parse(LINE)


class Long:
    """A stream of so many bytes that repeat."""

    def __init__(self, pattern: bytes, size: int) -> None:
        self.pattern, self.left = pattern * (65536 // len(pattern)), size

    def read(self, size: int = -1) -> bytes:
        assert 0 < size <= 1 << 20, "a source is read in small pieces"
        data = self.pattern[: min(size, self.left)]
        self.left -= len(data)
        return data


@pytest.mark.parametrize("head", ["", "puzzle,note\n"])
@pytest.mark.parametrize("note", ["", "x\0y"])
def test_a_line_with_a_zero_byte_is_one_bad_row(head: str, note: str) -> None:
    sign = "," if head else " # "
    lines = [f"{LINE}{sign}a", f"{LINE if note else LINE.replace(LINE[2], chr(0), 1)}{sign}{note}", f"{LINE}{sign}c"]
    for order in itertools.permutations(lines):
        found = list(read(io.BytesIO((head + "\n".join(order)).encode())))
        assert [entry.puzzle is None for entry in found] == ["\0" in line for line in order]
        (bad,) = [entry.error for entry in found if entry.error]
        assert bad.line == order.index(lines[1]) + 1 + bool(head)
        assert bad.message == "this is not text (it contains a zero byte): text is expected"


def test_puzzles_before_a_damaged_end_are_delivered() -> None:
    data = gzip.compress(f"{LINE}\n".encode() * 20_000)
    entries = read(io.BytesIO(data[:-20]))
    assert next(entries).puzzle == PUZZLE
    with pytest.raises(FormatError, match="gzip"):
        list(entries)


def test_a_line_without_end_is_an_error_in_bounded_memory() -> None:
    bomb = gzip.compress(b" " * 80_000_000, 1)
    tracemalloc.start()
    for source in (Long(b".", 2_000_000_000), io.BytesIO(bomb)):
        with pytest.raises(FormatError, match="line 1: this line is too long to be a puzzle"):
            list(read(source))  # type: ignore[arg-type]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 60_000_000


def test_lines_behind_a_long_one_are_read() -> None:
    text = f"{LINE}\n{'.' * 10_000_000}\n{LINE}\n"
    entries = list(read(io.BytesIO(text.encode())))
    assert [(entry.line, entry.puzzle is not None) for entry in entries] == [(1, True), (2, False), (3, True)]
    assert [entry.line for entry in read(io.BytesIO(text.encode()[82:]))] == [1, 2]


def test_reading_is_lazy() -> None:
    stream = Long(f"{LINE}\n".encode(), 82_000_000)
    entries = read(stream)  # type: ignore[arg-type]
    assert next(entries).puzzle == PUZZLE
    assert stream.left > 81_000_000


class Pipe(io.RawIOBase):
    """A pipe in which nothing comes behind one puzzle."""

    lines = [f"{LINE}\n".encode()]  # noqa: RUF012

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        line = self.lines.pop()  # an IndexError for whoever reads on before the puzzle is out
        buffer[: len(line)] = line
        return len(line)


def test_a_pipe_is_not_made_to_wait() -> None:
    assert next(read(io.BufferedReader(Pipe()))).line == 1
