"""Columns become the arrays that Arrow makes of them, without loading pandas, and the text that single rows become."""

from __future__ import annotations

import csv
import io
import json
import sys
from typing import Any

import pytest

np = pytest.importorskip("numpy", reason="not applicable (platform): numpy is not there")
pyarrow = pytest.importorskip("pyarrow", reason="not applicable (feature): pyarrow is not installed")

from sudoku_models.bulk.rows import (  # noqa: E402
    INTEGER,
    NUMBER,
    TEXT,
    TRUTH,
    Same,
    as_arrow,
    boards,
    listed,
)
from sudoku_models.bulk.sinks import csv_rows, json_rows, sink_of  # noqa: E402

VALUES = np.random.default_rng(5).integers(0, 10, (20, 81)).astype(np.uint8)


def test_columns_are_made_arrays_without_loading_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = [
        (TEXT, ["a", None, "ü", ""]), (TEXT, []), (TEXT, boards(VALUES)), (TEXT, Same("ü", 3)), (TEXT, Same(None, 3)),
        (TRUTH, [True, None, False] * 5), (NUMBER, [1, None, 2.5]), (INTEGER, [1, None, -(2**63)]),
    ]  # fmt: skip
    types = {TEXT: pyarrow.string(), TRUTH: pyarrow.bool_(), NUMBER: pyarrow.float64(), INTEGER: pyarrow.int64()}
    theirs = [pyarrow.array(listed(column), types[kind]) for kind, column in columns]
    monkeypatch.delitem(sys.modules, "pandas", raising=False)
    for (kind, column), wanted in zip(columns, theirs, strict=True):
        ours = as_arrow(column, kind)
        ours.validate(full=True)
        assert ours.equals(wanted)
    assert "pandas" not in sys.modules


COLUMNS = {
    "number": np.arange(95, 115),
    "100 %": Same("of %s, all", 20),
    "board": boards(VALUES),
    "note": ['say "x"', "a, b", "back\\slash", "", "ü\u2028", None, "two\nlines", "\x7f", "plain", "last"] * 2,
    "plain": ["just", "words"] * 10,
    "arrow": pyarrow.array(["cut", "from", "a", "buffer"] * 8)[5:25],
    "odd": [True, None, 2, 0.5, ["x"]] * 4,
    "good": np.arange(20) % 2 == 0,
    "share": np.arange(20) / 8,
}


def test_rows_of_json_are_objects_of_the_columns() -> None:
    rows = [dict(zip(COLUMNS, row, strict=True)) for row in zip(*map(listed, COLUMNS.values()), strict=True)]
    text = json_rows(COLUMNS, "x/1")
    assert text == "".join(json.dumps({"schema": "x/1", **row}, ensure_ascii=False) + "\n" for row in rows)
    whole: list[Any] = []
    with sink_of(whole.append, {}, "json", schema="x/1") as sink:
        sink.write(COLUMNS)
        sink.write(COLUMNS)
        sink.close(3)
    assert json.loads("".join(whole)) == {"schema": "x/1", "results": [*rows, *rows], "exit_code": 3}


def test_rows_of_csv_are_what_a_writer_of_single_rows_writes() -> None:
    def shown(value: Any) -> Any:
        return str(value).lower() if isinstance(value, bool) else value

    stream = io.StringIO()
    for row in zip(*map(listed, COLUMNS.values()), strict=True):
        csv.writer(stream).writerow(map(shown, row))
    assert csv_rows(COLUMNS).replace("\n", "") == stream.getvalue().replace("\r\n", "").replace("\n", "")
