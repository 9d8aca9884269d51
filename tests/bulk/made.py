"""Puzzles and files of them for the tests of pipelines."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest
import zstandard

from sudoku_models import Shape
from sudoku_models.collection import puzzles
from sudoku_models.engine import batch

LINES = [item.puzzle.to_line() for item in puzzles(side=9) if item.puzzle.shape is Shape.square(9)][:40]
BAD, CLASH, SMALL = "nonsense", "11" + "." * 79, "1..............."
CELLS: list[str | None] = [*LINES[:3], BAD, CLASH, None, SMALL, *LINES[3:6]]
"""Ten rows: good ones, one that is not a puzzle, one without a solution, an empty one, one of another size."""

STATUS = ["solved"] * 3 + ["bad input", "unsatisfiable", "bad input", "solved"] + ["solved"] * 3


def table(cells: list[str | None] = CELLS, **more: list[Any]) -> Any:
    """Return an Arrow table with a column before and one behind the puzzles."""
    return pyarrow.table({"id": list(range(len(cells))), "puzzle": cells, "note": ["x"] * len(cells), **more})


def write(data: Any, path: Path) -> Path:
    """Write a table to a file, in the format that its name implies."""
    if path.suffix == ".parquet":
        pyarrow.parquet.write_table(data, path)
    elif path.suffix in (".arrow", ".arrows"):
        kind = pyarrow.ipc.new_file if path.suffix == ".arrow" else pyarrow.ipc.new_stream
        with kind(path, data.schema) as writer:
            writer.write_table(data)
    else:
        names = data.column_names
        rows = [",".join("" if row[name] is None else str(row[name]) for name in names) for row in data.to_pylist()]
        text = (
            "\n".join([",".join(names), *rows])
            if ".csv" in path.name
            else "\n".join(r["puzzle"] or "" for r in data.to_pylist())
        )
        packed = {".gz": gzip.compress, ".zst": zstandard.compress}.get(path.suffix, bytes)
        path.write_bytes(packed((text + "\n").encode()))
    return path


def read(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a file that was written."""
    if path.suffix == ".parquet":
        return list(pyarrow.parquet.read_table(path).to_pylist())
    with pyarrow.ipc.open_file(path) as reader:
        return list(reader.read_all().to_pylist())


def lie(monkeypatch: pytest.MonkeyPatch, change: Callable[[Any], None]) -> None:
    """Let every engine change the values of its batches before it hands them over."""
    prepared = batch.prepare

    def prepare(*content: Any) -> Any:
        compiled = prepared(*content).compiled

        def rows(grids: Any, request: Any) -> Any:
            found = compiled.rows(grids, request)
            change(found.values)
            return found

        return SimpleNamespace(compiled=SimpleNamespace(rows=rows))

    monkeypatch.setattr(batch, "prepare", prepare)
