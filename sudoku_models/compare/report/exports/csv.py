"""Runs as comma-separated values."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from ....formats.csv_stream import CsvStream
from ...run_rows import Row
from ..flat import flat


def csv_text(rows: Iterable[Row]) -> str:
    """Return a heading and one line for each run; unknown values are empty."""
    columns, lines = flat(rows)
    text = io.StringIO(newline="")
    writer = csv.DictWriter(CsvStream(text), columns)
    writer.writeheader()
    writer.writerows(lines)
    return text.getvalue()
