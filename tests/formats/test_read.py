import codecs
import gzip
import io
import itertools
import sys
import tracemalloc
from pathlib import Path

import pytest

from sudoku_models.errors import FormatError
from sudoku_models.formats import FORMATS, parse, read

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


def failure(source: object) -> str:
    with pytest.raises(FormatError) as caught:
        list(read(source))  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_entries_tell_number_line_and_source(tmp_path: Path) -> None:
    file = tmp_path / "some.txt"
    file.write_text(f"# a collection\n\n{LINE}\n{LINE[:-1]}\n# more\n{LINE} last\n")
    first, second, third = read(file)
    assert (first.number, first.line, first.puzzle, first.error) == (1, 3, PUZZLE, None)
    assert (second.number, second.line, second.puzzle) == (2, 4, None)
    assert str(second.error).startswith(f"{file}: line 4: 80 characters: 81 are expected")
    assert (third.number, third.line, third.puzzle and third.puzzle.comment) == (3, 6, "last")
    assert {first.source, second.source, third.source} == {str(file)}


@pytest.mark.parametrize(
    "data",
    [
        LINE.encode(),
        codecs.BOM_UTF8 + LINE.encode(),
        LINE.encode("utf-16"),
        codecs.BOM_UTF16_BE + LINE.encode("utf-16-be"),
        LINE.encode("utf-32"),
        f"{LINE}\r\n".encode(),
        gzip.compress(LINE.encode(), mtime=0),
        gzip.compress(codecs.BOM_UTF8 + LINE.encode(), mtime=0),
        gzip.compress(LINE[:40].encode(), mtime=0) + gzip.compress(LINE[40:].encode(), mtime=0),
    ],
)
def test_marks_and_compression_are_known_by_their_bytes(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(data)
    for source in (tmp_path / "file", str(tmp_path / "file"), io.BytesIO(data)):
        assert [entry.puzzle for entry in read(source)] == [PUZZLE]


def test_a_dash_is_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(f"{LINE}\nx\n".encode())))
    good, bad = read("-")
    assert good.puzzle == PUZZLE
    assert str(bad.error).startswith("standard input: line 2: ")


def test_a_stream_that_was_given_stays_open() -> None:
    for data in (LINE.encode(), gzip.compress(LINE.encode(), mtime=0)):
        stream = io.BytesIO(data)
        list(read(stream))
        assert not stream.closed


@pytest.mark.parametrize(
    ("data", "part"),
    [
        (b"", "is empty"),
        (gzip.compress(b"", mtime=0), "is empty"),
        (b"\n \n", "no puzzle"),
        (b"# nothing\n", "no puzzle"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "binary file"),
        (b"\x00\x01\x02\x03", "binary file"),
        (b"PK\x03\x04\x14\x00\x00\x00\x08\x00", "binary file"),
        (b"\xfe\xfa\n", "line 1: this is not UTF-8 text"),
        (b"[1, 2\n\xfe]", "UTF-8"),
        (LINE.encode("utf-16")[:-1], "text"),
        (gzip.compress(LINE.encode() * 9, mtime=0)[:-20], "gzip data is damaged or ends too early"),
        (b"\x1f\x8b\x08\x00garbage", "gzip"),
        (
            b"Some prose, nothing else.\nAnd more of it.\n",
            "'Some prose, nothing else.' is not the beginning",
        ),
        (b'["puzzle", 1]', "is not the beginning of a puzzle"),
    ],
)
def test_a_file_that_cannot_be_read_is_one_clear_error(data: bytes, part: str, tmp_path: Path) -> None:
    file = tmp_path / "broken.bin"
    file.write_bytes(data)
    assert failure(file).startswith(f"{file}: ")
    assert part in failure(file)


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


def test_an_invisible_character_is_named() -> None:
    (entry,) = read(io.BytesIO(f"{LINE[:40]}\x07{LINE[40:]}\n".encode()))
    assert "line 1: 82 characters (character 41 is invisible: U+0007): 81 are expected" in str(entry.error)


@pytest.mark.parametrize("byte", [b"\0", b"\xff"])
def test_a_drawn_board_with_a_byte_that_is_no_text_is_one_bad_board(byte: bytes) -> None:
    rows = "".join(LINE[i : i + 9] + "\n" for i in range(0, 81, 9)).encode() + b"\n"
    hurt = rows.replace(b".", byte, 1)
    first, bad, last = read(io.BytesIO(rows + hurt + rows))
    assert first.puzzle == last.puzzle == PUZZLE
    assert bad.error and (bad.line, bad.error.line) == (11, 11) and "this is not" in str(bad.error)
    (bad, good) = read(io.BytesIO(hurt + rows))
    assert bad.error and good.puzzle == PUZZLE


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_needs_no_byte_order_mark(encoding: str) -> None:
    assert [entry.puzzle for entry in read(io.BytesIO(f"{LINE}\n\u263a\n{LINE}\n".encode(encoding)))] == [
        PUZZLE,
        None,
        PUZZLE,
    ]


def test_missing_files_and_folders_are_reported(tmp_path: Path) -> None:
    assert failure(tmp_path / "none.txt") == f"{tmp_path / 'none.txt'}: cannot be read: No such file or directory"
    assert "cannot be read: Is a directory" in failure(tmp_path)


def test_puzzles_before_a_damaged_end_are_delivered() -> None:
    data = gzip.compress(f"{LINE}\n".encode() * 20_000)
    entries = read(io.BytesIO(data[:-20]))
    assert next(entries).puzzle == PUZZLE
    with pytest.raises(FormatError, match="gzip"):
        list(entries)


def test_a_line_without_end_is_an_error_in_bounded_memory() -> None:
    bomb = gzip.compress(b" " * 80_000_000, 1)
    tracemalloc.start()
    assert "line 1: this line is too long to be a puzzle" in failure(Long(b".", 2_000_000_000))
    assert "line 1: this line is too long to be a puzzle" in failure(io.BytesIO(bomb))
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


THERMO, TWO = ".Thermo~R1C1~R2C2", ".Thermo~R1C1~R2C2.Thermo~R1C2~R2C3"


@pytest.mark.parametrize(
    ("text", "begins", "kinds"),
    [
        (f".Shape~4x4\n{THERMO}\n", [1], [1]),
        (f"# a comment\n.Shape~4x4\n{THERMO}\n# another\n.AntiKnight", [2], [2]),
        (f".Shape~4x4\n{THERMO}\n\n.Shape~4x4\n.AntiKnight\n{THERMO}", [1, 4], [1, 2]),
        (f".Shape~4x4\n{THERMO}\n.Shape~4x4{THERMO}\n", [1, 3], [1, 1]),
        (f".~R1C1_1~R2C2_3\n{THERMO}\n.AntiKnight\n", [1], [2]),
        (f".Shape~4x4.Or{THERMO}\n.~R1C1_1.End\n.Shape~4x4\n", [1, 3], [1, 0]),
        (".Shape~4x4.Thermo~R1C1\n  ~R2C2\n", [1], [1]),
        (f".Shape~4x4{THERMO}\n.Shape~4x4{THERMO}\n{TWO}\n", [1, 2, 3], [1, 1, 2]),
        (".~R1C1_1\n.~R1C1_2\n", [1, 2], [0, 0]),
        (f"{TWO}\n{TWO}\n", [1, 2], [2, 2]),
    ],
)
def test_lines_that_continue_a_constraint_string_are_one_puzzle(text: str, begins: list[int], kinds: list[int]) -> None:
    entries = list(read(io.BytesIO(text.encode())))
    assert [(entry.line, entry.error, len(entry.puzzle.rules)) for entry in entries if entry.puzzle] == [
        (line, None, count) for line, count in zip(begins, kinds, strict=True)
    ]
    if len(begins) == 1:
        assert parse(text) == entries[0].puzzle
    else:
        with pytest.raises(FormatError, match=f"line {begins[1]}: a second puzzle begins here"):
            parse(text)


def test_what_is_no_file_is_a_type_error_at_once() -> None:
    with pytest.raises(TypeError, match="123 is not a file: a path or a stream of bytes is expected"):
        read(123)  # type: ignore[arg-type]


CONSTRAINTS = ".Shape~4x4.Thermo~R1C1~R1C2~R1C3"
MIXED = {
    "cells": LINE,
    "constraints": CONSTRAINTS,
    "a link": "".join(FORMATS["f-puzzles"].write([PUZZLE], None)).strip(),
}  # type: ignore[misc]


@pytest.mark.parametrize("first", MIXED)
def test_lines_of_cells_constraint_strings_and_links_may_be_mixed(first: str) -> None:
    lines = [MIXED[first], *MIXED.values(), "nonsense", ".Thermo~R1C1~R99C1", "1.3...2....3.4.."]
    entries = list(read(io.BytesIO("\n".join(lines).encode())))
    read_alone = [parse(text) for text in (MIXED[first], *MIXED.values(), lines[-1])]
    assert [entry.puzzle for entry in entries if entry.puzzle] == read_alone
    assert [entry.line for entry in entries if entry.error] == [5, 6]
    assert "R99C1" in str(entries[5].error)
