"""CSV in blocks: what is read many rows at a time is what the reader of single rows reads."""

from __future__ import annotations

import io
from random import Random
from typing import Any

import pytest

from sudoku_models.bulk import blocks_of, csv_blocks, solve_into
from sudoku_models.bulk.rows import listed
from sudoku_models.formats import arrays

from .made import CLASH, LINES, SMALL

MANY = [f"{number},{line},a note" for number, line in enumerate(LINES * 4)]
ODD = [
    "1,2", "", "   ", f"7,{SMALL},small", "8,nonsense,x", f"9,{CLASH},", f"10,{LINES[0]},x,y", f"11,{LINES[1]},\xfc",
    f"12,{LINES[1]},\0", f"13,{LINES[1][:-1]}\0,", "\0",
]  # fmt: skip
QUOTED = [
    f'20,{LINES[0]},"one, two"', f'21,{LINES[1]},"over', "three", 'lines"', f'22,{LINES[2]},a "stray', f"23,{LINES[3]}",
]  # fmt: skip

ALL_QUOTED = [f'"{number}","{line}","a ""note"", over\ntwo lines"' for number, line in enumerate(LINES * 4)]
STRAY = [f'30,{LINES[0]},"open', f'31,{LINES[1]},x" y', f'32,{LINES[2]}, "z"', f'33,{LINES[3]},"over', *['"",""'] * 120]

FILES = {
    "plain": [*MANY],
    "odd rows": [*MANY, *ODD, *MANY],
    "quotes": [*MANY, *QUOTED, *MANY[:100]],
    "all fields in quotes": [*ALL_QUOTED, *MANY],
    "stray quotes": [
        *ALL_QUOTED,
        *STRAY,
        *ALL_QUOTED,
        "",
        *(row for stray in STRAY[:4] * 6 for row in (MANY[0], stray)),
    ],
    "few": MANY[:5],
    "nothing": [],
    "a quote first": ['1,"' + LINES[0] + '",x', *MANY],
    "a comment first": MANY,
}


def read(data: bytes) -> list[Any]:
    """Return what the blocks of a table hold, row by row: fields, place, and puzzle."""
    found: list[Any] = []
    for block in blocks_of(io.BytesIO(data)):
        columns = [listed(column) for column in block.columns.values()]
        for row in range(len(block)):
            entry = block.entry(row)
            puzzle = entry.puzzle.to_line() if entry.puzzle else str(entry.error)
            found.append(([column[row] for column in columns], entry.number, entry.line, puzzle))
    return [list(block.columns), found]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
@pytest.mark.parametrize("name", FILES)
def test_both_readers_read_the_same(monkeypatch: pytest.MonkeyPatch, name: str, end: str) -> None:
    head = ["# made by hand"] if name == "a comment first" else []
    data = end.join([*head, "id,puzzle,note", *FILES[name]]).encode("latin-1")
    quick = read(data)
    monkeypatch.setattr(csv_blocks, "FEW", 1 << 30)
    monkeypatch.setattr(csv_blocks, "_decoded", lambda chunk: None)
    assert quick == read(data)
    assert quick[0] == ["id", "puzzle", "note"]


@pytest.mark.parametrize("chunk", [100, 1000, 1 << 20])
@pytest.mark.parametrize("seed", range(6))
def test_both_readers_read_the_same_of_any_quotes(monkeypatch: pytest.MonkeyPatch, seed: int, chunk: int) -> None:
    chance = Random(seed)
    notes = ["x", '"x"', '"a, b"', '"say ""hi"""', 'a "stray', '"', '""', '"over\ntwo"', '"open', ' "b"', 'x""y', '"é"']
    share = chance.choice([0.01, 0.1, 1])
    rows = [f"{i},{LINES[i % 40]},{chance.choice(notes) if chance.random() < share else 'x'}" for i in range(200)]
    data = "\n".join(['"id","puzzle","note"', *rows]).encode()
    monkeypatch.setattr(arrays, "_CHUNK", chunk)
    monkeypatch.setattr(csv_blocks, "FEW", 2)
    quick = read(data)
    monkeypatch.setattr(csv_blocks, "FEW", 1 << 30)
    monkeypatch.setattr(csv_blocks, "_decoded", lambda chunk: None)
    assert quick == read(data)


def test_many_rows_come_at_once_and_are_written_as_they_are(tmp_path: Any) -> None:
    path, out = tmp_path / "p.csv", tmp_path / "out.csv"
    text = "id,puzzle,note\n" + "".join(f"{row}{'é' * (i % 3)}\n" for i, row in enumerate(MANY))
    path.write_text(text)
    assert max(map(len, blocks_of(path))) > csv_blocks.FEW
    solve_into(path, out, "bitset")
    kept = [",".join(line.split(",")[:3]) for line in out.read_text().splitlines()]
    assert kept == text.splitlines()


def test_a_quoted_field_may_be_as_long_as_a_line() -> None:
    rows = [*MANY[:100], f'7,{LINES[0]},"{"note, " * 40_000}"', *MANY[:100]]
    _, found = read("\n".join(["id,puzzle,note", *rows, ""]).encode())
    assert [len(found), len(found[100][0][2]), found[100][3]] == [201, 240_000, LINES[0].replace("0", ".")]
