"""Runs as Apache Parquet."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, BinaryIO

from ...run_rows import SCHEMA
from ..extras import needed
from ..flat import columns_of

if TYPE_CHECKING:
    from ..report import Report


def write_parquet(report: Report, file: BinaryIO) -> None:
    """Write one row for each run; the file's metadata has the schema's name and the provenance (JSON). Needs
    pyarrow.
    """
    pyarrow: Any = needed("pyarrow", "data")
    parquet: Any = needed("pyarrow.parquet", "data")
    metadata = {"sudoku-models.schema": SCHEMA, "sudoku-models.provenance": json.dumps(report.provenance, default=str)}
    table = pyarrow.table(columns_of(report.rows))
    parquet.write_table(table.replace_schema_metadata(metadata), file)
