"""How the columns of Parquet files are compressed: quickly, or as the name of the file says.

A name may tell it in the way that Spark writes such names: ``answers.zstd.parquet``. Texts that the compression hardly
makes smaller are stored as they are, so that no time goes into it: the digits of solutions, for all but zstd and gzip.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

CODECS = ("lz4", "snappy", "zstd", "gzip", NONE := "none")
"""What a name may tell, the quickest first."""

SAMPLE = 1 << 16
"""Bytes of a column that are compressed to see what comes of it."""

WORTH = 0.65
"""A column is compressed that becomes no larger than this part of itself."""


def codec_of(path: str | Path) -> str:
    """Return the compression that the name of a Parquet file contains; the quickest where it contains none."""
    words = (suffix.removeprefix(".").lower() for suffix in reversed(Path(path).suffixes[:-1]))
    return next((word for word in words if word in CODECS), CODECS[0])


def codecs_of(batch: Any, long: Sequence[str], codec: str, pyarrow: Any) -> str | dict[str, str]:
    """Return the compression of each column of a table, of which ``batch`` is the beginning.

    It is one for all where columns have parts, which have names of their own in the file.
    """
    if codec == NONE or any(field.type.num_fields for field in batch.schema):
        return codec
    plain = {name for name in long if not _shrinks(batch.column(name), codec, pyarrow)}
    return {name: NONE if name in plain else codec for name in batch.schema.names}


def _shrinks(column: Any, codec: str, pyarrow: Any) -> bool:
    """Tell whether texts become smaller."""
    data = column.buffers()[-1]
    sample = b"" if data is None else data.slice(0, min(SAMPLE, data.size)).to_pybytes()
    return not sample or len(pyarrow.compress(sample, codec, asbytes=True)) <= WORTH * len(sample)
