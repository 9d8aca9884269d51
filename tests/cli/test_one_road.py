"""One road: whatever the answers are written to, their columns, their statuses and the exit code are the same."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

import pytest

from sudoku_models.cli.parser import HOMES, command_named

from ..bulk import made

Program = Callable[..., Any]

CLASH, NONE, SEVERAL = "11..............", "123........4....", "1.....2....3...."
ROWS = [
    "1.3...2....3.4..",
    "nonsense",
    CLASH,
    NONE,
    SEVERAL,
    ".Shape~4x4.Thermo~R1C1~R1C2~R1C3.~R4C4_1",
    "1" + "." * 80,
]
FULL = "1234341221434321"
FEW = ["1234341221434.21", "nonsense", CLASH, FULL, "2134432112433412"]
SOURCES = {
    "solve": "p.txt",
    "solve --unique": "p.csv",
    "solve --limit 3": "p.parquet",
    "count --limit 2": "p.csv",
    "candidates": "few.parquet",
    "validate": "p.txt",
    "validate --core": "p.csv",
    "explain": "few.csv",
    "hint": "few.txt",
    "path": "few.parquet",
    "rate": "few.csv",
    "complete": "few.parquet",
    "minimise": "few.txt",
    "minimise --smallest": "few.csv",
    "redundant": "few.parquet",
    "unavoidable --size 4": "few.csv",
    "clues-needed": "few.txt",
    "canonical": "few.parquet",
    "automorphisms": "few.txt",
    "same": "few.csv",
    "traces": "few.parquet",
}
"""What is asked, and of which file."""

NO_ROWS = {
    "compare": "writes the runs of backends, with their journal, and reports",
    "convert": "writes puzzles in the formats of puzzles",
    "export": "writes the files of other solvers",
    "plan": "writes what becomes of the model of one puzzle",
    "inspect": "says what was read of a file, of drawings above all; its records are lists of these",
    "page": "writes a page of one puzzle",
    "certify": "writes a certificate of one answer",
    "search": "writes the boards that it finds, which belong to no row of the source",
    "morph": "writes boards",
}
"""Commands that read puzzles, and why they answer no rows."""

SINKS = ("csv", "jsonl", "json", "parquet", "arrow")
TIMES = {"seconds", "phases"}


def written(
    program: Program, command: list[str], path: Path, kind: str, out: Path | None
) -> tuple[int, str, list[Any]]:
    """Run a command into a file, or to standard output; return its code, what it reports, and the rows."""
    result = program(*command, path, *(("--format", kind) if out is None else ("--out", out)))
    data = result.stdout_bytes if out is None else out.read_bytes()
    if kind in ("parquet", "arrow"):
        (path.parent / f"read.{kind}").write_bytes(data)
        return result.exit_code, result.stderr, made.read(path.parent / f"read.{kind}")
    text = data.decode()
    if kind == "json":
        return result.exit_code, result.stderr, json.loads(text)["results"]
    rows = csv.DictReader(text.splitlines()) if kind == "csv" else map(json.loads, text.splitlines())
    return result.exit_code, result.stderr, list(rows)


def texts(row: dict[str, Any], names: Collection[str]) -> list[str]:
    """Return what a row says in these columns, as CSV writes it."""
    return ["" if row[name] is None else str(row[name]).lower() for name in names]


def as_data(rows: list[dict[str, Any]]) -> set[str]:
    """Return the columns that hold lists or objects: only records of JSON have these, the others a text."""
    return {name for row in rows for name, value in row.items() if isinstance(value, list | dict)}


def test_every_command_that_reads_puzzles_answers_rows_or_says_why_not() -> None:
    reading = {name for name in HOMES if any(one.name == "files" for one in command_named(name).parameters)}
    answering = {words.split()[0] for words in SOURCES}
    assert reading == answering | set(NO_ROWS) and not answering & set(NO_ROWS)


@pytest.mark.parametrize(("asked", "name"), SOURCES.items())
def test_every_sink_has_the_same_columns_statuses_and_exit_code(
    program: Program, tmp_path: Path, asked: str, name: str
) -> None:
    source, words = made.write(made.table([*(FEW if "few" in name else ROWS)]), tmp_path / name), asked.split()
    place = list(SOURCES).index(asked)  # each sink is reached by every second question, and by each way to answer rows
    kinds = ("csv", "json", *(SINKS[(place + step) % len(SINKS)] for step in (0, 2)))
    found = {kind: written(program, words, source, kind, None) for kind in dict.fromkeys(kinds)}
    if place % 4 == 0:
        found["a file"] = written(program, words, source, "csv", tmp_path / "out.csv")
    code, reported, rows = found["csv"]
    start = ["number", "source", "line", "puzzle"] if ".txt" in name else ["id", "puzzle", "note"]
    assert list(rows[0])[: len(start)] == start
    assert len({row["status"] for row in rows}) > 2
    plain = [column for column in rows[0] if column not in TIMES | as_data(found["json"][2])]
    assert "status" in plain and "reason" in plain
    for kind, (other_code, other_reported, others) in found.items():
        assert (other_code, other_reported) == (code, reported), kind
        known = [column for column in others[0] if "json" not in kind or column in rows[0]]
        assert known == list(rows[0]), kind
        assert [texts(row, plain) for row in others] == [texts(row, plain) for row in rows], kind


@pytest.mark.parametrize("kind", ["line", "grid"])
def test_lines_and_drawings_leave_out_what_the_backend_refuses_and_go_on(
    program: Program, tmp_path: Path, kind: str
) -> None:
    source = made.write(made.table([ROWS[-2], ROWS[-1]]), tmp_path / "p.csv")
    result = program("solve", "-b", "bitset", "-f", kind, source)
    assert result.exit_code == 2 and f"{source}: line 2: " in result.stderr and result.stderr.count("error:") == 1
    assert sum(character.isdigit() for character in result.stdout) >= 81
