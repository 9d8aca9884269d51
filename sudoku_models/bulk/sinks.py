"""Writers of answers: Parquet, Arrow, CSV and JSON lines; the text formats also with gzip or zstd.

A file appears only when it is complete. The name of a Parquet file may contain its compression, as Spark's file names
do: ``answers.zstd.parquet``.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from ..errors import FormatError, Unusable
from ..formats import arrow
from ..formats.target import packed, replaced
from .columns import Kinds, as_arrow, kind_of
from .text_rows import Columns, CsvRows, JsonRows, RowText

ENDINGS = {
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".csv": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
}
COUNTED = ("number", "line")
"""Columns of increasing numbers, for which a dictionary is useless."""
CODECS = ("lz4", "snappy", "zstd", "gzip", "none")
"""The compressions of Parquet that a name may contain, the fastest first."""
BINARY = ("parquet", "arrow")
"""The binary formats."""
GROUP = 65_536
"""The number of rows in a Parquet row group and in an Arrow batch."""


class Sink(Protocol):
    """Writes rows, given as columns of lists or Arrow arrays with the same names in all blocks."""

    def write(self, columns: Columns, like: Any = None, names: Mapping[str, str] | None = None) -> None:
        """Write some rows. ``like`` is the schema of the input table, and ``names`` maps its columns to new names."""

    def close(self) -> None:
        """Write the remaining rows."""

    def abandon(self) -> None:
        """Discard the incomplete file."""


def format_of(path: str | Path) -> str | None:
    """Return the format of a file name's suffix: parquet, arrow, csv or jsonl; None for any other."""
    name = str(path).lower()
    packed = name.removesuffix(".gz").removesuffix(".zst")
    found = ENDINGS.get(Path(packed).suffix)
    return found if packed == name or found in ("csv", "jsonl") else None


def codec_of(path: str | Path) -> str:
    """Return the compression in the name of a Parquet file, or the fastest if the name contains none."""
    words = (suffix.removeprefix(".").lower() for suffix in reversed(Path(path).suffixes[:-1]))
    return next((word for word in words if word in CODECS), CODECS[0])


@contextmanager
def written(path: str | Path, kinds: Kinds, format: str | None = None) -> Iterator[Sink]:
    """Yield the sink for a file, in the format of its suffix (or ``format``).

    ``kinds`` maps the columns of answers to their types. If an exception occurs, an existing file is left unchanged.
    "-" is standard output, which needs a ``format``. The name of a Parquet file may also contain its compression
    (``x.zstd.parquet``). Raises Unusable for a name with an unknown suffix and for a file that cannot be written.
    """
    format = format or format_of(path)
    if format not in (*_SINKS, "parquet"):
        raise Unusable(f"{path}: a name ending in {', '.join(ENDINGS)} is expected (.csv and .jsonl also .gz, .zst)")
    with _opened(path) as file, packed(file, str(path)) as stream:
        sink = _Parquet(stream, kinds, codec_of(path)) if format == "parquet" else _SINKS[format](stream, kinds)
        try:
            yield sink
            sink.close()
        except BaseException:
            with suppress(Exception):
                sink.abandon()
            raise


@contextmanager
def _opened(path: str | Path) -> Iterator[BinaryIO]:
    if path != "-":
        with replaced(path) as file:
            yield file
        return
    sys.stdout.flush()
    yield sys.stdout.buffer
    sys.stdout.buffer.flush()


class _Breakable(io.RawIOBase):
    """A byte stream that ignores all writes once broken off, such as those of a garbage-collected writer."""

    def __init__(self, stream: BinaryIO) -> None:
        self.stream, self.broken_off = stream, False

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        if not self.broken_off:
            self.stream.write(data)
        return memoryview(data).nbytes


class _Arrow:
    """Arrow and Parquet files: both consist of row groups, which are filled before they are written."""

    changing = False
    """Whether dictionaries may change from one row group to the next."""

    def __init__(self, stream: BinaryIO, kinds: Kinds) -> None:
        self.pyarrow = arrow.library()
        self.stream, self.kinds = _Breakable(stream), kinds
        self.waiting: list[Any] = []
        self.writer: Any = None
        self.schema: Any = None

    def write(self, columns: Columns, like: Any = None, names: Mapping[str, str] | None = None) -> None:
        """Write one block, which must have the columns of the first block."""
        batch = self._batch(columns)
        if self.schema is None:
            self.schema = batch.schema if like is None else described(batch.schema, like, names or {})
            self._guarded(lambda: self._opened(batch, io.BytesIO()))  # which refuses types that such files do not have
        same_columns(self.schema.names, columns)
        if batch.schema != self.schema:
            batch = self._cast(batch)
        self.waiting.append(batch)
        if sum(batch.num_rows for batch in self.waiting) >= GROUP:
            self._flush()

    def close(self) -> None:
        if self.schema is None:
            self.write({name: [] for name in self.kinds})
        self._flush()
        self.writer.close()

    def abandon(self) -> None:
        self.stream.broken_off = True
        if self.writer is not None:
            self.writer.close()

    def _flush(self) -> None:
        table = self.pyarrow.Table.from_batches(self.waiting, self.schema)
        self.waiting = []
        if self.writer is None:
            (first,) = table.combine_chunks().to_batches() or [self.pyarrow.RecordBatch.from_pylist([], self.schema)]
            self.writer = self._guarded(lambda: self._opened(first, self.stream))
        self._guarded(lambda: self._put(table))

    def _guarded(self, write: Callable[[], Any]) -> Any:
        try:
            return write()
        except self.pyarrow.ArrowException as error:
            types = ", ".join(f"{column.name} {column.type}" for column in self.schema)
            raise FormatError(f"columns {types}: this file format cannot hold them ({error})") from error

    def _cast(self, batch: Any) -> Any:
        try:
            return batch.cast(self.schema)
        except self.pyarrow.ArrowException as error:
            raise FormatError(f"a column has another type than in earlier rows ({error})") from error

    def _batch(self, columns: Columns) -> Any:
        arrays = {name: self._array(name, column) for name, column in columns.items()}
        return self.pyarrow.RecordBatch.from_arrays(list(arrays.values()), names=list(arrays))

    def _array(self, name: str, column: Any) -> Any:
        if hasattr(column, "to_pylist"):
            return self._unpacked(column)
        return as_arrow(column, self.kinds.get(name) or kind_of(column))

    def _unpacked(self, column: Any) -> Any:
        """Return a column in a type that the file takes: without run-length encoding and changing dictionaries."""
        arrow = self.pyarrow
        if arrow.types.is_run_end_encoded(column.type):
            places = arrow.array(range(len(column.values)))
            runs = arrow.RunEndEncodedArray.from_arrays(column.run_ends, places).slice(column.offset, len(column))
            return self._unpacked(self._plain(column.values).take(arrow.compute.run_end_decode(runs)))
        if not arrow.types.is_dictionary(column.type):
            return column
        values = self._plain(column.dictionary)
        if self.changing:
            return arrow.DictionaryArray.from_arrays(column.indices, values, ordered=column.type.ordered)
        return values.take(column.indices)

    def _plain(self, values: Any) -> Any:
        """Return values in a type from which Arrow takes some by their places: views are not."""
        view = _VIEWS.get(str(values.type))
        return values.cast(getattr(self.pyarrow, view)()) if view else values

    def _opened(self, _: Any, stream: Any) -> Any:
        """Return the writer of the file; the first rows may determine its settings."""
        return self.pyarrow.ipc.new_file(stream, self.schema)

    def _put(self, table: Any) -> None:
        self.writer.write_table(table.combine_chunks(), GROUP)


def _is_long(column: Any) -> bool:
    """Return whether a column holds long, distinct texts, for which a dictionary would be useless."""
    return str(column.type) in ("string", "large_string") and len(column) > 0 and column.nbytes > 64 * len(column)


class _Parquet(_Arrow):
    changing = True

    def __init__(self, stream: BinaryIO, kinds: Kinds, codec: str) -> None:
        super().__init__(stream, kinds)
        self.codec = codec

    def _opened(self, batch: Any, stream: Any) -> Any:
        import pyarrow.parquet

        long = [name for name, column in zip(batch.schema.names, batch.columns, strict=True) if _is_long(column)]
        words = [name for name in self.schema.names if name not in (*long, *COUNTED)]
        choices = {"use_dictionary": words, "write_statistics": words}  # of boards neither is of any use
        return pyarrow.parquet.ParquetWriter(stream, self.schema, compression=self.codec, **choices)

    def _put(self, table: Any) -> None:
        if any(map(self.pyarrow.types.is_dictionary, self.schema.types)):
            table = table.combine_chunks()  # to one dictionary for the row group
        self.writer.write_table(table, row_group_size=2 * GROUP)


class _Text:
    def __init__(self, form: RowText, stream: BinaryIO, kinds: Kinds) -> None:
        self.form, self.stream, self.kinds = form, stream, kinds
        self.names: list[str] | None = None

    def close(self) -> None:
        if self.names is None:
            self.write({name: [] for name in self.kinds})

    def abandon(self) -> None:
        """Do nothing: the file is discarded."""

    def write(self, columns: Columns, like: Any = None, names: Mapping[str, str] | None = None) -> None:
        """Write the rows of a block, after a header the first time; columns of arrays are written together."""
        if self.names is None:
            self.names = list(columns)
            self.stream.write(self.form.head(self.names).encode("utf-8", "surrogateescape"))
        same_columns(self.names, columns)
        self.stream.write(self.form.rows(columns).encode("utf-8", "surrogateescape"))


def same_columns(names: Iterable[str], columns: Iterable[str]) -> None:
    """Raise FormatError unless a block has the same columns as earlier blocks, in the same order."""
    if list(names) != list(columns):
        raise FormatError(f"columns {', '.join(columns)}: {', '.join(names)} are expected, as in earlier rows")


def described(schema: Any, like: Any, names: Mapping[str, str]) -> Any:
    """Return an Arrow schema with the metadata of another, ``like``; ``names`` maps its columns to their new names.

    Fields keep their metadata and whether they may be null. The table keeps its metadata, and pandas' description of
    its index and types, with renamed columns under their new names.
    """
    for old, new in names.items():
        at, field = schema.get_field_index(new), like.field(old)
        if at >= 0:
            nullable = field.nullable or schema.field(at).type != field.type
            kept = schema.field(at).with_metadata(field.metadata).with_nullable(nullable)
            schema = schema.set(at, kept)
    metadata = dict(like.metadata or {})
    with suppress(KeyError, ValueError, TypeError, AttributeError):
        metadata[b"pandas"] = _renamed(metadata[b"pandas"], names)
    return schema.with_metadata(metadata or None)


def _renamed(text: bytes, names: Mapping[str, str]) -> bytes:
    """Return pandas' metadata of a frame with columns under their new names; an index keeps its name."""
    metadata = json.loads(text)
    index = {entry for entry in metadata["index_columns"] if isinstance(entry, str)}
    metadata["index_columns"] = [names.get(i, i) if isinstance(i, str) else i for i in metadata["index_columns"]]
    for column in metadata["columns"]:
        field = column.get("field_name")
        if column.get("name") == field and field not in index:
            column["name"] = names.get(field, field)
        column["field_name"] = names.get(field, field)
    return json.dumps(metadata).encode()


_VIEWS = {"string_view": "string", "binary_view": "binary"}
"""Types from which Arrow cannot select elements, and their replacements."""
_SINKS: dict[str, Callable[[BinaryIO, Kinds], Sink]] = {
    "arrow": _Arrow,
    "csv": partial(_Text, CsvRows()),
    "jsonl": partial(_Text, JsonRows()),
}
