"""From a source to a file: columns, errors in their rows, executors, files that appear only when complete."""

from __future__ import annotations

import csv
import gzip
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import polars
import pyarrow
import pyarrow.parquet
import pytest
import zstandard

from sudoku_models import count, solve
from sudoku_models.bulk import count_frame, count_into, solve_frame, solve_into, validate_frame, validate_into
from sudoku_models.bulk.sinks import CODECS

from ..running import fresh
from . import made
from .made import CELLS, LINES, STATUS, table, write

COLUMNS = ["solution", "status", "unique", "reason", "backend", "seconds"]


@pytest.mark.parametrize("backend", ["bitset", "pycosat", "auto"])
@pytest.mark.parametrize("name", ["p.parquet", "p.arrow", "p.csv"])
def test_every_row_has_its_answer_behind_its_own_columns(tmp_path: Path, name: str, backend: str) -> None:
    source = write(table(), tmp_path / name)
    summary = solve_into(source, tmp_path / "out.parquet", backend, unique=True)
    rows = made.read(tmp_path / "out.parquet")
    wanted = [
        ("unsupported" if cell == made.SMALL and backend == "bitset" else s)
        for s, cell in zip(STATUS, CELLS, strict=True)
    ]
    assert [row["status"] for row in rows] == wanted
    assert summary.rows == len(CELLS)
    assert dict(summary.counts) == {status: wanted.count(status) for status in wanted}
    assert list(rows[0]) == ["id", "puzzle", "note", *COLUMNS]
    assert [str(row["id"]) for row in rows] == [str(i) for i in range(len(CELLS))]
    for row in rows:
        if row["status"] == "solved":
            alone = solve(row["puzzle"], "pycosat", unique=True)
            assert alone.grid is not None
            assert row["unique"] == alone.unique
            assert row["unique"] is False or row["solution"] == alone.grid.to_line()
            assert row["reason"] is None
            assert row["seconds"] > 0
        assert (row["reason"] is None) == (row["status"] == "solved")


def test_the_formats_hold_the_same_rows(tmp_path: Path) -> None:
    names = ["out.parquet", "out.arrow", "out.csv", "out.jsonl", "out.csv.gz", "out.jsonl.zst"]
    for name in names:
        solve_into(table(), tmp_path / name, "pycosat")
    rows = made.read(tmp_path / names[0])
    assert [row | {"seconds": 0} for row in made.read(tmp_path / names[1])] == [row | {"seconds": 0} for row in rows]
    texts = {
        "csv": (tmp_path / "out.csv").read_text(),
        "csv.gz": gzip.decompress((tmp_path / "out.csv.gz").read_bytes()).decode(),
        "jsonl": (tmp_path / "out.jsonl").read_text(),
        "jsonl.zst": zstandard.ZstdDecompressor()
        .decompressobj()
        .decompress((tmp_path / "out.jsonl.zst").read_bytes())
        .decode(),
    }
    for name, text in texts.items():
        lines = text.splitlines()
        read = list(csv.DictReader(lines)) if name.startswith("csv") else [json.loads(line) for line in lines]
        assert [row["status"] for row in read] == STATUS
        assert [row["solution"] or None for row in read] == [row["solution"] for row in rows]
        assert list(read[0]) == list(rows[0])


EMPTY: dict[str, Any] = {
    "array": (np.zeros((0, 81), np.uint8), ["puzzle"]),
    "list": ([], ["puzzle"]),
    "pandas": (table([]).to_pandas(), ["id", "puzzle", "note"]),
    "polars": (polars.from_arrow(table([])), ["id", "puzzle", "note"]),
    "Arrow": (table([]), ["id", "puzzle", "note"]),
    "batches": (pyarrow.RecordBatchReader.from_batches(table([]).schema, []), ["id", "puzzle", "note"]),
    **{name: (name, ["id", "puzzle", "note"]) for name in ("p.parquet", "p.arrow", "p.arrows", "p.csv")},
}


@pytest.mark.parametrize("kind", EMPTY)
def test_a_table_without_rows_keeps_its_columns(tmp_path: Path, kind: str) -> None:
    source, names = EMPTY[kind]
    if isinstance(source, str):
        source = write(table([]), tmp_path / source)
    for backend in ("pycosat", "bitset") if kind != "batches" else ("auto",):
        assert solve_into(source, tmp_path / "out.parquet", backend).rows == 0
        assert pyarrow.parquet.read_schema(tmp_path / "out.parquet").names == [*names, *COLUMNS]
    count_into(source, tmp_path / "out.arrow")
    assert pyarrow.ipc.open_file(tmp_path / "out.arrow").schema.names[: len(names) + 1] == [*names, "count"]
    validate_into(source, tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text().startswith(",".join([*names, "status"]))


def test_counts_and_validity_go_into_files_too(tmp_path: Path) -> None:
    source, out = write(table(), tmp_path / "p.parquet"), tmp_path / "out.parquet"
    for backend in ("bitset", "pycosat"):
        count_into(source, out, backend, limit=3)
        rows = made.read(out)
        for row in rows[:3] + rows[7:]:
            found = count(row["puzzle"], "pycosat", limit=3)
            assert (row["count"], row["exact"], row["status"]) == (found.value, found.exact, "counted")
        assert (rows[4]["count"], rows[4]["status"]) == (0, "unsatisfiable")
        assert (rows[3]["count"], rows[3]["status"]) == (None, "bad input")
    validate_into(source, out)
    rows = made.read(out)
    assert [row["status"] for row in rows] == [
        {"unsatisfiable": "illegal", "solved": "legal"}.get(s, s) for s in STATUS
    ]
    assert (rows[4]["clues"], rows[4]["complete"]) == (2, False)
    assert "row 1 holds 1 in R1C1 and R1C2" in rows[4]["reason"]
    with pytest.raises(ValueError, match="limit is 0"):
        count_into(source, out, limit=0)


FRAMES: dict[str, Callable[[Any], Any]] = {
    "pandas": lambda data: data.to_pandas(),
    "polars": polars.from_arrow,
    "Arrow": lambda data: data,
}


@pytest.mark.parametrize("kind", FRAMES)
def test_a_table_gets_further_columns_and_stays_of_its_library(kind: str) -> None:
    frame = FRAMES[kind](table())
    solved, counted, legal = (
        solve_frame(frame, "pycosat"),
        count_frame(frame, "pycosat", limit=2),
        validate_frame(frame),
    )
    assert type(solved) is type(frame)
    assert list(solved["status"].to_pylist() if kind == "Arrow" else solved["status"]) == STATUS
    assert list(counted["count"].to_pylist() if kind == "Arrow" else counted["count"])[4] == 0
    assert len(legal) == len(CELLS)
    names = solved.column_names if kind == "Arrow" else list(solved.columns)
    assert names == ["id", "puzzle", "note", *COLUMNS]


@pytest.mark.parametrize("kind", ["file", "frame"])
@pytest.mark.parametrize(
    "index",
    [
        pandas.RangeIndex(10, 30, 2),
        pandas.Index(list("abcdefghij"), name="status"),
        pandas.Index(range(10, 20)),
        pandas.MultiIndex.from_product([list("ab"), range(5)], names=["k", None]),
    ],
    ids=["range", "named", "numbers", "several"],
)
def test_a_frame_comes_back_with_its_index_its_types_and_its_attributes(
    tmp_path: Path, index: pandas.Index, kind: str
) -> None:
    frame = pandas.DataFrame({"puzzle": CELLS, "id": pandas.array([*range(9), None], "Int64")}, index)
    frame["day"] = pandas.to_datetime(["2026-01-01"] * 10).tz_localize("Europe/Berlin")
    frame["status"] = pandas.Categorical(list("uv") * 5)
    frame.attrs["source"] = "mine"
    frame.to_parquet(tmp_path / "in.parquet")
    solve_into(tmp_path / "in.parquet" if kind == "file" else frame, tmp_path / "out.parquet", "pycosat")
    found = pandas.read_parquet(tmp_path / "out.parquet")
    kept = found[["puzzle", "id", "day", "input_status"]].rename(columns={"input_status": "status"})
    pandas.testing.assert_frame_equal(kept, pandas.read_parquet(tmp_path / "in.parquet"))
    assert list(found["status"]) == STATUS
    assert found.attrs == {"source": "mine"}


def test_what_an_arrow_table_says_of_its_columns_is_kept(tmp_path: Path) -> None:
    fields = [pyarrow.field("puzzle", pyarrow.string(), metadata={"unit": "cells"}), pyarrow.field("n", pyarrow.int8())]
    schema = pyarrow.schema(fields, {"licence": "free"})
    data = pyarrow.table({"puzzle": LINES[:2], "n": [1, 2]}, schema)
    for name in ("out.parquet", "out.arrow"):
        solve_into(data, tmp_path / name, "pycosat")
    with pyarrow.ipc.open_file(tmp_path / "out.arrow") as reader:
        arrow = reader.schema
    for found in (arrow, pyarrow.parquet.read_schema(tmp_path / "out.parquet")):
        assert found.metadata[b"licence"] == b"free"
        assert found.field("puzzle").metadata[b"unit"] == b"cells"
        assert found.field("n").type == pyarrow.int8()


def test_workers_share_the_blocks_and_change_no_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 4)
    rows = [*LINES * 300, ".Shape~4x4.Thermo~R1C1~R1C2", "no board", *LINES * 300]
    for workers in (1, 3):
        solve_into(rows, tmp_path / f"{workers}.csv", backend="auto", workers=workers)
    one, three = (list(csv.DictReader((tmp_path / f"{workers}.csv").open())) for workers in (1, 3))
    assert len(one) == len(rows)
    for kind in ("puzzle", "solution", "status", "reason"):
        assert [row[kind] for row in one] == [row[kind] for row in three]


@pytest.mark.parametrize("backend", ["bitset", "pycosat"])
def test_a_pool_of_processes_gives_the_same_rows(tmp_path: Path, backend: str) -> None:
    with ProcessPoolExecutor(2) as pool:
        same_rows(tmp_path, backend, pool)


def test_threads_give_the_same_rows(tmp_path: Path) -> None:
    with ThreadPoolExecutor(3) as pool:
        same_rows(tmp_path, "bitset", pool)
    solve_into(LINES * 300, tmp_path / "jobs.parquet", "bitset", jobs=3)
    rows = made.read(tmp_path / "jobs.parquet")
    assert [row["puzzle"] for row in rows] == LINES * 300


def same_rows(folder: Path, backend: str, executor: Executor) -> None:
    cells = [*CELLS, *LINES] * 8
    solve_into(table(cells), folder / "a.parquet", backend)
    solve_into(table(cells), folder / "b.parquet", backend, executor=executor)
    alone, together = (made.read(folder / name) for name in ("a.parquet", "b.parquet"))
    assert [row | {"seconds": 0} for row in together] == [row | {"seconds": 0} for row in alone]
    assert [row["solution"] for row in together] == [row["solution"] for row in alone]


def test_what_is_broken_off_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    def source() -> Any:
        yield from LINES
        raise RuntimeError("the source broke")

    for name in ("out.parquet", "out.csv", "out.jsonl.gz"):
        (tmp_path / name).write_text("before")
        with pytest.raises(RuntimeError, match="broke"):
            solve_into(source(), tmp_path / name, "pycosat")
        assert (tmp_path / name).read_text() == "before"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.csv", "out.jsonl.gz", "out.parquet"]


@pytest.mark.skipif(os.name != "posix", reason="only on POSIX: signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_process_that_is_killed_leaves_no_half_file(tmp_path: Path, number: int) -> None:
    out = tmp_path / "out.jsonl"
    script = (
        "from sudoku_models.bulk import solve_into\n"
        f"def source():\n    while True:\n        yield {LINES[0]!r}\n"
        f"solve_into(source(), {str(out)!r}, 'pycosat')\n"
    )
    process = subprocess.Popen([sys.executable, "-c", script], stderr=subprocess.DEVNULL)
    end = time.monotonic() + 300
    while not any(path.stat().st_size for path in tmp_path.glob(".out.jsonl.*.part")):
        assert time.monotonic() < end
        time.sleep(0.02)
    process.send_signal(number)
    process.wait(60)
    assert not out.exists()
    assert number == signal.SIGKILL or not list(tmp_path.iterdir())


FLAT = """
import sys
from pathlib import Path
import pyarrow, pyarrow.parquet
from sudoku_models.bulk import Solving, answered, blocks_of, written
from sudoku_models.bulk.into import merged

def resident():
    return int(Path("/proc/self/status").read_text().split("VmRSS:")[1].split()[0]) / 1024

seen, sizes = 0, []
verb = Solving("bitset", {}, True)
with written(sys.argv[2], verb.kinds) as sink:
    for block, answers in answered(blocks_of(sys.argv[1]), verb):
        sink.write(merged(block.columns, answers))
        seen += len(block)
        sizes.append((seen, resident()))
early = max(size for rows, size in sizes if rows <= 150_000)
late = max(size for rows, size in sizes if rows > 150_000)
print(seen, early, late)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only on Linux: /proc shows the memory")
def test_memory_stays_flat_from_parquet_to_parquet(tmp_path: Path) -> None:
    """So many puzzles and solutions are 52 MB of text, 27 MB of that after the first 150,000."""
    source = tmp_path / "in.parquet"
    rows = 320_000 // len(LINES) * len(LINES)
    pyarrow.parquet.write_table(pyarrow.table({"id": range(rows), "puzzle": LINES * (rows // len(LINES))}), source)
    seen, early, late = map(float, fresh(FLAT, source, tmp_path / "out.parquet").split())
    assert seen == rows
    assert late < early + 15
    assert pyarrow.parquet.read_metadata(tmp_path / "out.parquet").num_rows == rows


@pytest.mark.parametrize("codec", CODECS)
def test_all_columns_are_compressed_as_the_name_says_and_hold_the_same(tmp_path: Path, codec: str) -> None:
    plain, named = tmp_path / "answers.parquet", tmp_path / f"answers.{codec}.parquet"
    columns = ["puzzle", "solution", "status"]
    for path, wanted in ((plain, "lz4"), (named, codec)):
        solve_into(LINES, path)
        group = pyarrow.parquet.read_metadata(path).row_group(0)
        found = {group.column(k).compression.lower() for k in range(group.num_columns)}
        assert found == {"uncompressed" if wanted == "none" else wanted}
    assert pyarrow.parquet.read_table(named, columns=columns).equals(pyarrow.parquet.read_table(plain, columns=columns))
