"""The compression of Parquet columns: a fast one, or the one given by the file name.

A file name may contain it as Spark's file names do: ``answers.zstd.parquet``. To save time, texts that the compression
hardly makes smaller, such as the digits of solutions with anything but zstd and gzip, are stored uncompressed.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

CODECS = ("lz4", "snappy", "zstd", "gzip", NONE := "none")
"""The compressions that a name may contain, the fastest first."""

SAMPLE = 1 << 16
"""The number of bytes of a column that are compressed as a test."""

WORTH = 0.65
"""A column is compressed if this shrinks it to at most this share of its size."""


def codec_of(path: str | Path) -> str:
    """Return the compression in the name of a Parquet file, or the fastest if the name contains none."""
    words = (suffix.removeprefix(".").lower() for suffix in reversed(Path(path).suffixes[:-1]))
    return next((word for word in words if word in CODECS), CODECS[0])


def codecs_of(batch: Any, long: Sequence[str], codec: str, pyarrow: Any) -> str | dict[str, str]:
    """Return the compression of each column of a table that begins with ``batch``.

    All columns have the same one if some column has parts, as those have other names in the file.
    """
    if codec == NONE or any(field.type.num_fields for field in batch.schema):
        return codec
    plain = {name for name in long if not _shrinks(batch.column(name), codec, pyarrow)}
    return {name: NONE if name in plain else codec for name in batch.schema.names}


def _shrinks(column: Any, codec: str, pyarrow: Any) -> bool:
    """Return whether compression makes the texts smaller."""
    data = column.buffers()[-1]
    sample = b"" if data is None else data.slice(0, min(SAMPLE, data.size)).to_pybytes()
    return not sample or len(pyarrow.compress(sample, codec, asbytes=True)) <= WORTH * len(sample)
