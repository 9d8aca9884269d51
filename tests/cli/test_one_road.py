"""One road: whatever the answers are written to, their columns, their statuses and the exit code are the same."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

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
COMMANDS = {
    "solve": ["solve"],
    "solve --unique": ["solve", "--unique"],
    "solve --limit 3": ["solve", "--limit", "3"],
    "count": ["count", "--limit", "2"],
    "candidates": ["candidates"],
    "validate": ["validate"],
}
SOURCES = {
    "solve": "p.txt",
    "solve --unique": "p.csv",
    "solve --limit 3": "p.parquet",
    "count": "p.csv",
    "candidates": "p.parquet",
    "validate": "p.txt",
}
SINKS = ("csv", "jsonl", "json", "parquet", "arrow")
ONLY_JSON = {"schema", "title", "choice", "confirmed", "phases", "clashes"}
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


def told(row: dict[str, Any]) -> list[str]:
    """Return what a row says, as CSV writes it: without times, and without candidates, which JSON lists by cell."""
    values = {name: value for name, value in row.items() if name not in ONLY_JSON | TIMES | {"candidates"}}
    return ["" if value is None else str(value).lower() for value in values.values()]


@pytest.mark.parametrize(("command", "name"), SOURCES.items())
def test_every_sink_has_the_same_columns_statuses_and_exit_code(
    program: Program, tmp_path: Path, command: str, name: str
) -> None:
    source, words = made.write(made.table(ROWS), tmp_path / name), COMMANDS[command]
    found = {kind: written(program, words, source, kind, None) for kind in SINKS}
    found["a file"] = written(program, words, source, "csv", tmp_path / "out.csv")
    code, reported, rows = found["csv"]
    start = ["id", "puzzle", "note"] if name != "p.txt" else ["number", "source", "line", "puzzle"]
    assert list(rows[0])[: len(start)] == start
    assert len({row["status"] for row in rows}) > 2
    for kind, (other_code, other_reported, others) in found.items():
        assert (other_code, other_reported) == (code, reported), kind
        assert [column for column in others[0] if column not in ONLY_JSON] == list(rows[0]), kind
        assert list(map(told, others)) == list(map(told, rows)), kind


@pytest.mark.parametrize("kind", SINKS)
def test_a_rule_that_the_backend_refuses_is_unsupported_in_every_sink(
    program: Program, tmp_path: Path, kind: str
) -> None:
    source = made.write(made.table([ROWS[-1], ROWS[-2]]), tmp_path / "p.csv")
    code, reported, rows = written(program, ["solve", "-b", "bitset"], source, kind, None)
    assert (code, [row["status"] for row in rows]) == (2, ["solved", "unsupported"])
    assert f"{source}: line 3: " in reported and reported.count("error:") == 1
