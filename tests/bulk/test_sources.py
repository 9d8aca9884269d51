"""What solve_many takes: arrays, tables of pandas, polars and Arrow, files of every kind; errors say where."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import polars
import pyarrow
import pytest

from sudoku_models import FormatError, Result, solve_many
from sudoku_models.engine.budget import Budget
from sudoku_models.formats import read

from .made import CELLS, LINES, STATUS, table, write

TABLE = table()
CONTAINERS: dict[str, Any] = {
    "pandas": TABLE.to_pandas(),
    "pandas column": TABLE.to_pandas()["puzzle"],
    "polars": polars.from_arrow(TABLE),
    "polars column": polars.from_arrow(TABLE)["puzzle"],  # type: ignore[index]
    "polars lazily": polars.from_arrow(TABLE).lazy(),  # type: ignore[union-attr]
    "Arrow table": TABLE,
    "Arrow batch": TABLE.to_batches()[0],
    "Arrow column": TABLE["puzzle"],
    "Arrow array": TABLE["puzzle"].chunk(0),
    "Arrow dictionary": TABLE["puzzle"].dictionary_encode(),
    "iterator": (cell for cell in list(CELLS)),
}


def statuses(results: Any) -> list[str]:
    return [str(r.status) if isinstance(r, Result) else "bad input" for r in results]


@pytest.mark.parametrize("kind", CONTAINERS)
def test_the_column_of_puzzles_of_any_table_is_solved_row_by_row(kind: str) -> None:
    assert statuses(solve_many(CONTAINERS[kind], "pycosat", on_error="return")) == STATUS


def test_a_stream_of_arrow_batches_is_read_batch_by_batch() -> None:
    taken = []

    def batches() -> Any:
        for batch in [*TABLE.to_batches()] * 50:
            taken.append(1)
            yield batch

    results = solve_many(pyarrow.RecordBatchReader.from_batches(TABLE.schema, batches()), "pycosat")
    assert isinstance(next(results), Result)
    assert len(taken) < 5


def test_the_column_may_be_named(tmp_path: Path) -> None:
    data = TABLE.rename_columns(["id", "start", "puzzle"])
    assert statuses(solve_many(data, "pycosat", column="start", on_error="return")) == STATUS
    for name in ("p.parquet", "p.csv"):
        entries = list(read(write(data, tmp_path / name), column="start"))
        assert [entry.puzzle is None for entry in entries] == [status == "bad input" for status in STATUS]
    with pytest.raises(FormatError, match="the columns are id, start, puzzle: a column named 'x' is expected"):
        list(solve_many(data, column="x"))
    with pytest.raises(FormatError, match="is not a table"):
        list(read(io.BytesIO(LINES[0].encode()), column="start"))
    with pytest.raises(TypeError, match="list is not a table"):
        solve_many(LINES, column="start")


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_job_that_is_cancelled_solves_no_further_batches(jobs: int) -> None:
    job, found = Budget(), list[str]()
    for result in solve_many(LINES * 250, budget=job, jobs=jobs):
        found.append(str(result.status))
        if len(found) == 2_000:
            job.cancel()
    assert (len(found), found[0], found[-1]) == (10_000, "solved", "unknown")
