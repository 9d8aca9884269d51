"""Tables on the command line: Parquet and Arrow in and out, CSV and JSON lines by the file's name."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.compute
import pyarrow.ipc
import pytest
import zstandard

from sudoku_models.bulk.sinks import GROUP
from sudoku_models.cli.answers import form_of
from sudoku_models.cli.codes import UsageError

from ..bulk import made
from ..bulk.made import LINES, STATUS, table, write

Program = Callable[..., Any]


PACKED: dict[str, Callable[[bytes], bytes]] = {"": bytes, ".gz": gzip.compress, ".zst": zstandard.compress}


@pytest.mark.parametrize(
    ("name", "packed"),
    [
        ("p.parquet", ".gz"),
        ("p.arrow", ".zst"),
        ("p.arrows", ""),
        ("p.csv", ".gz"),
    ],
)
def test_standard_input_is_known_by_its_first_bytes(program: Program, tmp_path: Path, name: str, packed: str) -> None:
    path = write(table([*LINES[:2], made.BAD]), tmp_path / name)
    data = PACKED[packed](path.read_bytes())
    path.with_name(name + packed).write_bytes(data)
    said, piped = program("validate", path), program("validate", "-", input=data)
    assert said.exit_code == piped.exit_code == 2
    assert piped.output.replace("standard input", str(path)) == said.output
    assert program("validate", path.with_name(name + packed)).output.replace(name + packed, name) == said.output
    assert program("solve", "-o", tmp_path / "out.parquet", input=data).exit_code == 2
    assert [row["status"] for row in made.read(tmp_path / "out.parquet")] == ["solved", "solved", "bad input"]


@pytest.mark.parametrize("format", ["parquet", "arrow"])
def test_a_table_goes_through_pipes(program: Program, tmp_path: Path, format: str) -> None:
    out = tmp_path / f"out.{format}"
    data = write(table(), tmp_path / "in.parquet").read_bytes()
    out.write_bytes(program("validate", "--format", format, "-o", "-", input=data).stdout_bytes)
    out.write_bytes(program("solve", "--format", format, input=out.read_bytes()).stdout_bytes)
    rows = made.read(out)
    assert [row["status"] for row in rows] == STATUS
    assert list(rows[0])[:4] == ["id", "puzzle", "note", "input_status"]


def test_a_table_is_not_written_to_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    with pytest.raises(UsageError, match="use --out FILE or a pipe"):
        form_of("parquet", None)


def test_a_table_that_is_broken_off_in_a_pipe_is_no_table(program: Program, tmp_path: Path) -> None:
    data = gzip.compress("".join(f"{line}\n" for line in LINES * (2 * GROUP // len(LINES))).encode(), 1)
    done = program("validate", "--format", "parquet", input=data[:-9])
    assert done.exit_code == 2
    assert "standard input: the gzip data is damaged" in done.stderr
    assert len(done.stdout_bytes) > 1000
    (tmp_path / "out.parquet").write_bytes(done.stdout_bytes)
    with pytest.raises(pyarrow.ArrowException):
        made.read(tmp_path / "out.parquet")


def test_several_files_become_one_table_and_a_missing_one_is_reported(program: Program, tmp_path: Path) -> None:
    first, second = (write(table(LINES[i : i + 2]), tmp_path / f"{i}.parquet") for i in (0, 2))  # type: ignore[arg-type]
    done = program("solve", first, tmp_path / "none.parquet", second, "-o", tmp_path / "out.parquet")
    assert done.exit_code == 2
    assert "none.parquet: cannot be read" in done.stderr
    assert [row["puzzle"] for row in made.read(tmp_path / "out.parquet")] == LINES[:4]


def runs(values: Any) -> Any:
    return pyarrow.RunEndEncodedArray.from_arrays(pyarrow.array([2, 4], pyarrow.int32()), values)


@pytest.mark.parametrize("form", ["parquet", "jsonl"])
def test_columns_of_any_arrow_type_go_beside_the_answers(program: Program, tmp_path: Path, form: str) -> None:
    two, four = pyarrow.array(["a", "b"]), ["a", "a", "b", "b"]
    kinds = {
        "runs of texts": runs(two),
        "runs of a dictionary": runs(two.dictionary_encode()),
        "runs of views": runs(two.cast(pyarrow.string_view())),
        "views": pyarrow.array(four, pyarrow.string_view()),
        "a dictionary": pyarrow.array(four).dictionary_encode(),
    }
    lines = pyarrow.compute.run_end_encode(pyarrow.array([line for line in LINES[:2] for _ in range(2)]))
    rows = pyarrow.table({"puzzle": lines, **kinds}).slice(1)
    source, out = tmp_path / "in.arrow", tmp_path / f"out.{form}"
    with pyarrow.ipc.new_file(source, rows.schema) as file:
        file.write_table(rows)
    for command in (("solve",), ("count", "--limit", "2"), ("minimise",)):
        assert program(*command, source, "-o", out).exit_code in (0, 3), command
        found = list(map(json.loads, out.read_text().splitlines()) if form == "jsonl" else made.read(out))
        assert {kind: [row[kind] for row in found] for kind in kinds} == {kind: ["a", "b", "b"] for kind in kinds}
