"""Parts of a file are answered by themselves, and put together in order they are what one run writes."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest

from sudoku_models.collection import puzzles

from ..bulk import made
from .conftest import said

pytest.importorskip("llvmlite", reason="llvmlite is not installed")

Program = Callable[..., Any]
LINES = [item.puzzle.to_line() for item in puzzles("9x9-easy")]
MIXED = ".Shape~4x4.Thermo~R1C1~R1C2~R1C3.~R4C4_1"
STRANGE = ["# a comment", "", MIXED, "11" + "." * 79, LINES[0][:80], "1...............", f"{LINES[1]} # a remark"]


@pytest.fixture
def source(tmp_path: Path) -> str:
    path = tmp_path / "p.txt"
    path.write_text("\n".join([*LINES, *STRANGE, *LINES, *STRANGE]) + "\n")
    return str(path)


COMMANDS = [
    (("validate",), 5),
    (("solve", "-b", "bitset", "--unique"), 1),
    (("count", "--limit", "3"), 2),
]


@pytest.mark.parametrize(("command", "of"), COMMANDS)
def test_the_parts_together_are_the_bytes_of_one_run(
    program: Program, source: str, tmp_path: Path, command: tuple[str, ...], of: int
) -> None:
    one, out = tmp_path / "one.txt", tmp_path / "all.txt"
    whole = program(*command, source, "--out", one)
    codes, found = set(), []
    for number in reversed(range(1, of + 1)):
        part = program(*command, source, "--shard", f"{number}/{of}", "--out", out)
        codes.add(part.exit_code)
        found += said(part.stderr).splitlines()
    assert program("merge", out).exit_code == 0
    assert out.read_bytes() == one.read_bytes()
    assert max(codes) == whole.exit_code
    assert sorted(found) == sorted(said(whole.stderr).splitlines())


def contents(path: Path) -> Any:
    if path.suffix == ".parquet":
        return made.read(path)
    data = path.read_bytes()
    return gzip.decompress(data) if path.suffix == ".gz" else data


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl", "a.parquet", "a.csv.gz"])
def test_tables_are_merged_with_one_header(program: Program, source: str, tmp_path: Path, name: str) -> None:
    one, out = tmp_path / f"one{name}", tmp_path / name
    for arguments in (("--out", one), *(("--out", out, "--shard", f"{n}/2") for n in (1, 2))):
        program("validate", source, *arguments)
    assert program("merge", out).exit_code == 0
    rows, same = map(contents, (out, one))
    assert rows == same
    assert len(rows) > len(LINES)


@pytest.mark.parametrize("name", ["a.csv", "a.parquet"])
def test_shards_without_a_row_are_merged_too(program: Program, tmp_path: Path, name: str) -> None:
    source, one, out = tmp_path / "p.txt", tmp_path / f"one{name}", tmp_path / name
    source.write_text("\n".join(LINES[:2]))
    for arguments in (("--out", one), *(("--out", out, "--shard", f"{n}/3") for n in (1, 2, 3))):
        program("validate", source, *arguments)
    assert program("merge", out).exit_code == 0
    assert contents(out) == contents(one)


def test_row_groups_are_the_parts_of_a_parquet_file(program: Program, tmp_path: Path) -> None:
    table = pyarrow.table({"puzzle": LINES, "note": list(range(len(LINES)))})
    pyarrow.parquet.write_table(table, tmp_path / "p.parquet", row_group_size=3)
    out = tmp_path / "out.parquet"
    for number in (1, 2, 3):
        program("solve", tmp_path / "p.parquet", "--shard", f"{number}/3", "--out", out)
    program("merge", out)
    found = pyarrow.parquet.read_table(out)
    assert found["note"].to_pylist() == list(range(len(LINES)))
    assert set(found["status"].to_pylist()) == {"solved"}
