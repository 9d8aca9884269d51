"""Checks the sizes that a Parquet file declares before it is read, so that a small file cannot fill the memory.

A text that occurs often in a column is stored once, in a dictionary: a few kilobytes may become gigabytes when read.
The length of the longest text in each dictionary decides how many rows are read at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ..errors import FormatError

ROWS = 8_192
"""The largest number of rows in a batch."""
MOST_VALUES, MOST_BYTES = 160_000, 8_000_000
"""The largest average number of values, and of uncompressed bytes, for each row of a file: those of 400 x 400."""
AT_ONCE = 1 << 26
"""The largest size in bytes of a batch in one column, as far as the file declares it."""
MOST_OF_LISTS = 1 << 30
"""The largest size in bytes of all lists of a row group in one column: files do not declare the size of one row."""
_WIDTHS = {"BOOLEAN": 1, "INT32": 4, "FLOAT": 4, "INT64": 8, "DOUBLE": 8, "INT96": 12}


def rows_at_once(file: Any, metadata: Any, groups: Sequence[int] | None = None) -> int:
    """Return the number of rows of a file to read at a time: ``ROWS``, or fewer if they are large.

    ``groups`` are the row groups to read, by default all. Raises FormatError for a column whose rows are larger than
    puzzles and their answers can be.
    """
    largest = 0
    for group in range(metadata.num_row_groups):
        rows = metadata.row_group(group)
        for number in range(rows.num_columns):
            _check(rows.column(number), rows.num_rows)
            if groups is None or group in groups:
                largest = max(largest, _bytes_a_row(file, metadata, group, number))
    return max(1, min(ROWS, AT_ONCE // max(largest, 1)))


def _check(column: Any, rows: int) -> None:
    values, size = column.num_values, column.total_uncompressed_size
    if values > MOST_VALUES * max(rows, 1) or size > MOST_BYTES * max(rows, 1):
        raise FormatError(
            f"the column {column.path_in_schema!r} declares {values:,} values and {size:,} bytes for "
            f"{rows:,} rows: up to {MOST_VALUES:,} values and {MOST_BYTES:,} bytes a row are read"
        )


def _bytes_a_row(file: Any, metadata: Any, group: int, number: int) -> int:
    """Return the size in bytes of a row of a group in a column, on average or for the longest text."""
    rows, declared = metadata.row_group(group), metadata.schema.column(number)
    column = rows.column(number)
    count, size = max(rows.num_rows, 1), column.total_uncompressed_size
    total = max(size, column.num_values * _width(file, declared, column, group))
    if declared.max_repetition_level and total > MOST_OF_LISTS:
        raise FormatError(
            f"the lists of the column {column.path_in_schema!r} declare up to {total:,} bytes in a row group of "
            f"{count:,} rows: up to {MOST_OF_LISTS:,} are read (write smaller row groups)"
        )
    return -int(-total // count)


def _width(file: Any, declared: Any, column: Any, group: int) -> int:
    """Return the size in bytes of a value of a column; 0 for texts that are short or stored one by one."""
    if column.physical_type == "FIXED_LEN_BYTE_ARRAY":
        if declared.length > MOST_BYTES:
            raise FormatError(
                f"the column {column.path_in_schema!r} has cells of {declared.length:,} bytes each: "
                f"up to {MOST_BYTES:,} are read"
            )
        return int(declared.length)
    if column.physical_type in _WIDTHS:
        return _WIDTHS[column.physical_type]
    short = column.total_uncompressed_size * column.num_values <= AT_ONCE  # no text is longer than all of them
    return 0 if short else _longest(file, group, column.path_in_schema)


def _longest(file: Any, group: int, path: str) -> int:
    """Return the length of the longest text in the dictionary of a column, otherwise of the text in its first row."""
    import pyarrow.parquet
    from pyarrow import compute, types

    table = pyarrow.parquet.ParquetFile(file, read_dictionary=[path], pre_buffer=False)
    try:
        batch = next(table.iter_batches(batch_size=1, row_groups=[group], columns=[path], use_threads=False), None)
    except (
        pyarrow.ArrowNotImplementedError,
        OSError,
    ):  # numbers as bytes, texts as prefixes
        return 0
    longest = 0
    for leaf in _leaves(batch.columns if batch else ()):
        texts = leaf.dictionary if types.is_dictionary(leaf.type) else leaf
        if len(texts) and not types.is_decimal(texts.type):
            longest = max(longest, compute.max(compute.binary_length(texts)).as_py() or 0)
    return longest


def _leaves(arrays: Iterable[Any]) -> Iterator[Any]:
    """Yield the arrays of values in lists and structs."""
    for array in arrays:
        if hasattr(array, "values"):
            yield from _leaves([array.values])
        elif array.type.num_fields:
            yield from _leaves(array.flatten())
        else:
            yield array
