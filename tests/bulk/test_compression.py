"""Parquet files are compressed as their name says, and quickly where it says nothing."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from sudoku_models.bulk import solve_into
from sudoku_models.bulk.sinks import CODECS, codec_of

parquet = pytest.importorskip("pyarrow.parquet", reason="not applicable (feature): pyarrow is not installed")

LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
RENAMED = (dict(zip("123456789", Random(k).sample("123456789", 9), strict=True)) for k in range(200))
LINES = [LINE.translate(str.maketrans(names)) for names in RENAMED]


def codecs(path: Path) -> dict[str, str]:
    """Solve some lines into a file; return the compression of each of its columns."""
    solve_into(LINES, path)
    group = parquet.read_metadata(path).row_group(0)
    columns = [group.column(k) for k in range(group.num_columns)]
    return {column.path_in_schema: column.compression.lower() for column in columns}


def test_all_columns_are_compressed_quickly(tmp_path: Path) -> None:
    assert set(codecs(tmp_path / "answers.parquet").values()) == {"lz4"}


@pytest.mark.parametrize("codec", ["zstd", "gzip"])
def test_a_name_tells_a_compression_that_makes_all_columns_smaller(tmp_path: Path, codec: str) -> None:
    assert set(codecs(tmp_path / f"answers.{codec}.parquet").values()) == {codec}


def test_a_name_tells_that_nothing_is_compressed(tmp_path: Path) -> None:
    assert set(codecs(tmp_path / "answers.none.parquet").values()) == {"uncompressed"}


def test_the_rows_are_the_same_in_every_compression(tmp_path: Path) -> None:
    files = [tmp_path / f"answers.{codec}.parquet" for codec in CODECS]
    for file in files:
        solve_into(LINES, file)
    columns = ["puzzle", "solution", "status"]
    first, *others = [parquet.read_table(file, columns=columns).to_pylist() for file in files]
    assert [row["status"] for row in first] == ["solved"] * len(LINES)
    assert all(other == first for other in others)


@pytest.mark.parametrize("name", ["answers.parquet", "answers.2-of-4.parquet", "my.zstd/answers.pq", "zstd.parquet"])
def test_a_name_without_such_a_word_tells_the_quickest(name: str) -> None:
    assert codec_of(name) == CODECS[0] == "lz4"


@pytest.mark.parametrize("name", ["part-0001.ZSTD.parquet", "answers.zstd.2-of-4.parquet"])
def test_the_word_may_be_in_capitals_and_before_the_number_of_a_shard(name: str) -> None:
    assert codec_of(Path(name)) == "zstd"
