"""What users hand over by mistake or without care: odd columns, sources that break, files in their own way."""

from __future__ import annotations

import csv
import errno
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import polars
import pyarrow
import pyarrow.parquet
import pytest

from sudoku_models import FormatError, Puzzle, Result, solve_many
from sudoku_models.bulk import solve_into, validate_into

from . import made
from .made import BAD, LINES, SMALL, table, write

GOOD = LINES[0]
VALUES = [0 if c == "." else int(c) for c in GOOD]
ROWS = [GOOD, None, BAD, SMALL, LINES[1]]
STATUSES = ["solved", "bad input", "bad input", "solved", "solved"]


def objects(*cells: Any) -> Any:
    return pandas.DataFrame({"puzzle": pandas.Series([*cells, *ROWS[2:]], dtype=object), "k": range(len(cells) + 3)})


def arrow(kind: Any) -> Any:
    """Return a table whose column comes in three chunks, one of them empty."""
    return pyarrow.table(
        {"puzzle": pyarrow.chunked_array([pyarrow.array(part, kind) for part in (ROWS[:1], [], ROWS[1:])])}
    )


def encoded(kind: Any) -> Any:
    parts = [pyarrow.array(part, kind).dictionary_encode() for part in (ROWS[:2], ROWS[2:])]
    return pyarrow.table({"puzzle": pyarrow.chunked_array(parts)})


COLUMNS: dict[str, Callable[[], Any]] = {
    "not a number": lambda: objects(GOOD, float("nan")),
    "pandas' NA": lambda: objects(GOOD, pandas.NA),
    "a number among texts": lambda: objects(GOOD, 3.5),
    "values among texts": lambda: objects(VALUES, [1, 2]),
    "an array among texts": lambda: objects(np.array(VALUES), np.zeros(5)),
    "puzzles": lambda: objects(Puzzle.parse(GOOD), None),
    "categories": lambda: pandas.DataFrame({"puzzle": pandas.Series(ROWS, dtype="category")}),
    "twice": lambda: pandas.DataFrame([[cell, 1] for cell in ROWS], columns=["puzzle", "puzzle"]),
    "complex numbers beside": lambda: pandas.DataFrame({"puzzle": ROWS, "z": [1j] * 5}),
    "mixed beside": lambda: pandas.DataFrame({"puzzle": ROWS, "z": [1, "a", None, [2], b"b"]}),
    "polars' categories": lambda: polars.DataFrame({"puzzle": polars.Series(ROWS, dtype=polars.Categorical)}),
    "polars' objects": lambda: polars.DataFrame({"puzzle": polars.Series([*ROWS[:4], VALUES], dtype=polars.Object)}),
    "text": lambda: arrow(pyarrow.string()),
    "large text": lambda: arrow(pyarrow.large_string()),
    "views of text": lambda: arrow(pyarrow.string_view()),
    "dictionaries": lambda: encoded(pyarrow.string()),
    "two of a name": lambda: pyarrow.table([pyarrow.array(ROWS)] * 2, names=["puzzle", "puzzle"]),
    "a series": lambda: pandas.Series([GOOD, float("nan"), *ROWS[2:]], dtype=object),
}


@pytest.mark.parametrize("kind", COLUMNS)
def test_any_column_is_read_row_by_row_and_written_to_every_format(tmp_path: Path, kind: str) -> None:
    data = COLUMNS[kind]()
    results = list(solve_many(data, "pycosat", on_error="return"))
    assert ["solved" if isinstance(result, Result) else "bad input" for result in results] == STATUSES
    assert [getattr(result, "row", None) for result in results] == [None, 2, 3, None, None]
    for name in ("out.parquet", "out.arrow"):
        solve_into(data, tmp_path / name, "pycosat")
        assert [row["status"] for row in made.read(tmp_path / name)] == STATUSES
    solve_into(data, tmp_path / "out.jsonl", "pycosat")
    rows = [json.loads(text) for text in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [row["status"] for row in rows] == STATUSES
    assert all(row["puzzle"] is None or isinstance(row["puzzle"], str) for row in rows)


@pytest.mark.parametrize("name", ["out.parquet", "out.arrow"])
def test_dictionaries_may_change_from_one_row_group_to_the_next(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sudoku_models.bulk.sinks.GROUP", 3)
    count = 3
    parts = [pyarrow.array([text] * count).dictionary_encode() for text in "ab"]
    data = pyarrow.table({"puzzle": [GOOD] * (2 * count), "k": pyarrow.chunked_array(parts)})
    validate_into(data, tmp_path / name)
    rows = pyarrow.parquet.read_table(tmp_path / name) if "parquet" in name else pyarrow.ipc.open_file(tmp_path / name)
    found = (rows if "parquet" in name else rows.read_all())["k"].to_pylist()
    assert found == ["a"] * count + ["b"] * count


@pytest.mark.parametrize("options", [{"backend": "pycosat"}, {"backend": "bitset"}, {"backend": "pycosat", "jobs": 2}])
def test_what_a_source_raises_comes_behind_the_answers_before_it(options: dict[str, Any]) -> None:
    def source() -> Iterator[Any]:
        yield from ROWS * 2
        raise RuntimeError("the source broke")

    results = solve_many(source(), on_error="return", **options)
    found = [next(results) for _ in range(10)]
    assert [isinstance(result, FormatError) and result.row for result in found].count(3) == 1
    with pytest.raises(RuntimeError, match="the source broke"):
        next(results)


@pytest.mark.parametrize("name", ["p.parquet", "p.arrow", "p.csv"])
def test_a_file_may_be_replaced_by_its_own_answers(tmp_path: Path, name: str) -> None:
    path = write(table(LINES[:3]), tmp_path / name)  # type: ignore[arg-type]
    link = tmp_path / f"link{path.suffix}"
    link.symlink_to(path)
    solve_into(path, path, "pycosat")
    solve_into(link, link, "pycosat")
    before = path.read_bytes()
    assert link.is_symlink()
    with pytest.raises(FormatError, match="columns solution and input_solution"):
        solve_into(path, path, "pycosat")
    assert path.read_bytes() == before
    assert validate_into(LINES[:2], path).rows == 2


@pytest.mark.parametrize("name", ["p.txt.gz", "p.txt.zst", "p.csv.gz", "p.csv.zst"])
def test_a_file_that_ends_too_early_leaves_the_target_as_it_was(tmp_path: Path, name: str) -> None:
    path, out = write(table(LINES * 50), tmp_path / name), tmp_path / "out.csv"  # type: ignore[arg-type]
    whole = path.read_bytes()
    out.write_text("before")
    for length in (12, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:length])
        with pytest.raises(FormatError, match=f"{name}: .*too early"):
            validate_into(path, out)
        assert out.read_text() == "before"
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["out.csv", name]


def answers_to(path: Path) -> list[dict[str, Any]]:
    validate_into(path, path.with_name("out.jsonl"))
    return [json.loads(text) for text in path.with_name("out.jsonl").read_text().splitlines()]


def test_a_field_in_quotes_may_go_over_lines(tmp_path: Path) -> None:
    board = "\n".join(GOOD[i : i + 9] for i in range(0, 81, 9))
    notes = ["one\ntwo", "\n\n", 'a "word"\r\n# more', "plain"]
    data = pyarrow.table({"note": notes, "puzzle": [GOOD, board, BAD, GOOD]})
    validate_into(data, tmp_path / "in.csv")
    rows = answers_to(tmp_path / "in.csv")
    assert [row["note"] for row in rows] == [note.replace("\r\n", "\n") for note in notes]
    assert [row["status"] for row in rows] == ["legal", "legal", "bad input", "legal"]
    found = list(solve_many(tmp_path / "in.csv", "pycosat", on_error="return"))
    assert [getattr(result, "line", None) for result in found] == [None, None, 15, None]


@pytest.mark.parametrize("lines", [1, 50, 300])
def test_a_stray_quote_spoils_its_own_row_only(tmp_path: Path, lines: int) -> None:
    path = tmp_path / "in.csv"
    between = "".join(f"{i},{GOOD}\n" for i in range(lines))
    path.write_text(f'id,puzzle\na,"{GOOD}\n{between}b,"{GOOD}\n{between}')
    rows = answers_to(path)
    assert [i for i, row in enumerate(rows) if row["status"] != "legal"] == [0, lines + 1]
    assert len(rows) == 2 * lines + 2


@pytest.mark.parametrize("mark", ["\r", "\n", "\r\n", '"', ","])
def test_fields_of_csv_with_signs_of_its_own_are_read_back(tmp_path: Path, mark: str) -> None:
    note = f"one{mark}two"
    validate_into(table(LINES[:1], **{note: [note]}), tmp_path / "out.csv")
    with (tmp_path / "out.csv").open(newline="", encoding="utf-8") as file:
        (row,) = csv.DictReader(file)
    assert row[note] == note
    assert b"\r\n" not in (tmp_path / "out.csv").read_bytes().replace(note.encode(), b"")


def test_a_full_disk_is_reported_with_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    for name in ("out.csv.gz", "out.parquet"):
        with pytest.raises(OSError, match=f"No space left on device: '.*{name}'"):
            validate_into(LINES[:2], tmp_path / name)
    assert not list(tmp_path.iterdir())
