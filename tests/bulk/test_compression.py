"""Parquet files are compressed as their name says, and quickly where it says nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from sudoku_models.bulk import solve_into
from sudoku_models.bulk.sinks import CODECS

from .made import LINES

parquet = pytest.importorskip("pyarrow.parquet", reason="not applicable (feature): pyarrow is not installed")


@pytest.mark.parametrize("codec", CODECS)
def test_all_columns_are_compressed_as_the_name_says_and_hold_the_same(tmp_path: Path, codec: str) -> None:
    plain, named = tmp_path / "answers.parquet", tmp_path / f"answers.{codec}.parquet"
    columns = ["puzzle", "solution", "status"]
    for path, wanted in ((plain, "lz4"), (named, codec)):
        solve_into(LINES, path)
        group = parquet.read_metadata(path).row_group(0)
        found = {group.column(k).compression.lower() for k in range(group.num_columns)}
        assert found == {"uncompressed" if wanted == "none" else wanted}
    assert parquet.read_table(named, columns=columns).equals(parquet.read_table(plain, columns=columns))
