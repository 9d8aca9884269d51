"""Writers of answers: Parquet, Arrow, CSV and JSON; the text formats also with gzip or zstd.

A file appears only when it is complete. The name of a Parquet file may contain its compression, as Spark's file names
do: ``answers.zstd.parquet``. The rows of a block are written together.
"""

from __future__ import annotations

import csv
import io
import json
import math
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import chain, repeat
from pathlib import Path
from typing import Any

from ..errors import FormatError, Unusable
from ..formats import arrow
from ..formats.target import CsvStream, ending, packed, replaced
from .rows import Kinds, Same, as_arrow, kind_of, listed

Columns = Mapping[str, Any]
Write = Callable[[str | bytes | memoryview], Any]

ENDINGS = {
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".csv": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
}
CODECS = ("lz4", "snappy", "zstd", "gzip", "none")
"""The compressions of Parquet that a name may contain, the fastest first."""
BINARY = ("parquet", "arrow")
"""The binary formats."""
GROUP = 65_536
"""The number of rows in a Parquet row group and in an Arrow batch."""
PORTION = 1_024
"""The number of rows of text that are made together: they stay in the processor's cache."""
SINGLE = 1_024
"""The number of single rows that are made into Arrow arrays together: an array of one row costs as much."""


def format_of(path: str | Path) -> str | None:
    """Return the format of a file name's suffix: parquet, arrow, csv or jsonl; None for any other."""
    found = ENDINGS.get(ending(path))
    return found if found in ("csv", "jsonl") or not str(path).lower().endswith((".gz", ".zst")) else None


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
    if format not in ("csv", "jsonl", *BINARY):
        raise Unusable(f"{path}: a name ending in {', '.join(ENDINGS)} is expected (.csv and .jsonl also .gz, .zst)")
    with _opened(path) as write, sink_of(write, kinds, format, path) as sink:
        yield sink
        sink.close()


@contextmanager
def sink_of(
    write: Write, kinds: Kinds, format: str, path: str | Path = "-", schema: str | None = None
) -> Iterator[Sink]:
    """Yield a sink that calls ``write``; the caller closes it. ``schema`` is the name that JSON records begin with."""
    if format not in BINARY:
        yield _Text(write, kinds, format, schema)
        return
    sink = _Arrow(write, kinds, codec_of(path) if format == "parquet" else None)
    try:
        yield sink
    except BaseException:
        with suppress(Exception):
            sink.abandon()
        raise


@contextmanager
def _opened(path: str | Path) -> Iterator[Write]:
    if path == "-":
        sys.stdout.flush()
        yield _encoded(sys.stdout.buffer.write)
        sys.stdout.buffer.flush()
        return
    with replaced(path) as file, packed(file, str(path)) as stream:
        yield _encoded(stream.write)


def _encoded(write: Callable[[Any], Any]) -> Write:
    return lambda piece: write(piece.encode("utf-8", "surrogateescape") if isinstance(piece, str) else piece)


# Arrow and Parquet


class _Breakable(io.RawIOBase):
    """A byte stream that ignores all writes once broken off, such as those of a garbage-collected writer."""

    def __init__(self, put: Write) -> None:
        self.put, self.broken_off = put, False

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        if not self.broken_off:
            self.put(data)
        return memoryview(data).nbytes


class _Arrow:
    """Arrow and Parquet files (which have a ``codec``): both consist of row groups, filled before they are written."""

    def __init__(self, write: Write, kinds: Kinds, codec: str | None) -> None:
        self.pyarrow = arrow.library()
        self.stream, self.kinds, self.codec = _Breakable(write), kinds, codec
        self.single: list[Columns] = []
        self.waiting: list[Any] = []
        self.rows = 0
        self.writer: Any = None
        self.schema: Any = None

    def write(self, columns: Columns, like: Any = None, names: Mapping[str, str] | None = None) -> None:
        """Write one block, which must have the columns of the first block.

        ``like`` is the schema of the input table, and ``names`` maps its columns to new names.
        """
        if self.schema is not None:
            same_columns(self.schema.names, columns)
            if all(isinstance(column, list) and len(column) == 1 for column in columns.values()):
                self.single.append(columns)
                if len(self.single) >= SINGLE:
                    self._gather()
                return
        self._gather()
        self._add(columns, like, names)

    def _gather(self) -> None:
        """Make arrays of the single rows so far."""
        if self.single:
            rows, self.single = self.single, []
            self._add({name: [value for row in rows for value in row[name]] for name in rows[0]})

    def _add(self, columns: Columns, like: Any = None, names: Mapping[str, str] | None = None) -> None:
        arrays = [
            self._unpacked(column)
            if hasattr(column, "to_pylist")
            else as_arrow(column, self.kinds.get(name) or kind_of(column))
            for name, column in columns.items()
        ]
        batch = self.pyarrow.RecordBatch.from_arrays(arrays, names=list(columns))
        if self.schema is None:
            self.schema = batch.schema if like is None else described(batch.schema, like, names or {})
            self.writer = self._guarded(self._opened)  # which refuses types that such files do not have
        if batch.schema != self.schema:
            batch = self._cast(batch)
        self.waiting.append(batch)
        self.rows += len(batch)
        if self.rows >= GROUP:
            self._flush()

    def close(self, code: int = 0) -> None:
        """Write the remaining rows."""
        if self.schema is None:
            self.write({name: [] for name in self.kinds})
        self._gather()
        self._flush()
        self.writer.close()

    def abandon(self) -> None:
        """Discard the incomplete file."""
        self.stream.broken_off = True
        if self.writer is not None:
            self.writer.close()

    def _flush(self) -> None:
        table = self.pyarrow.Table.from_batches(self.waiting, self.schema)
        self.waiting, self.rows = [], 0
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
        if self.codec:  # in Parquet dictionaries may change from one row group to the next
            return arrow.DictionaryArray.from_arrays(column.indices, values, ordered=column.type.ordered)
        return values.take(column.indices)

    def _plain(self, values: Any) -> Any:
        """Return values in a type from which Arrow takes some by their places: views are not."""
        view = {"string_view": "string", "binary_view": "binary"}.get(str(values.type))
        return values.cast(getattr(self.pyarrow, view)()) if view else values

    def _opened(self) -> Any:
        """Return the writer of the file."""
        if not self.codec:
            return self.pyarrow.ipc.new_file(self.stream, self.schema)
        import pyarrow.parquet

        return pyarrow.parquet.ParquetWriter(self.stream, self.schema, compression=self.codec)

    def _put(self, table: Any) -> None:
        if not self.codec or any(map(self.pyarrow.types.is_dictionary, self.schema.types)):
            table = table.combine_chunks()  # to one dictionary for the row group
        self.writer.write_table(table, 2 * GROUP if self.codec else GROUP)


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


# text


class _Text:
    """CSV with a header, lines of JSON, or one document of JSON: {"schema": ..., "results": [...], "exit_code": n}."""

    def __init__(self, write: Write, kinds: Kinds, format: str, schema: str | None) -> None:
        self.put, self.kinds, self.format, self.schema = write, kinds, format, schema
        self.names: list[str] | None = None
        self.gap = ""

    def write(self, columns: Columns, like: Any = None, names: Mapping[str, str] | None = None) -> None:
        if self.names is None:
            self._begin(list(columns))
        elif self.format == "csv":
            same_columns(self.names, columns)
        text = csv_rows(columns) if self.format == "csv" else json_rows(columns, self.schema)
        if self.format == "json" and text:  # a newline within a value is written as \n
            text = text if isinstance(text, str) else text.decode()
            text, self.gap = self.gap + text.removesuffix("\n").replace("\n", ",\n"), ",\n"
        self.put(text)

    def close(self, code: int = 0) -> None:
        """Write the end of a document; ``code`` is the exit code of the program."""
        if self.names is None:
            self._begin(list(self.kinds))
        if self.format == "json":
            self.put(f'\n], "exit_code": {code}}}\n')

    def _begin(self, names: list[str]) -> None:
        self.names = names
        if self.format == "csv":
            self.put(_csv(names))
        elif self.format == "json":
            self.put(f'{{"schema": {json_text(self.schema)}, "results": [\n')
            self.schema = None


Sink = _Arrow | _Text
"""Writes rows, given as columns of lists or arrays with the same names in all blocks."""


def same_columns(names: Iterable[str], columns: Iterable[str]) -> None:
    """Raise FormatError unless a block has the same columns as earlier blocks, in the same order."""
    if list(names) != list(columns):
        raise FormatError(f"columns {', '.join(columns)}: {', '.join(names)} are expected, as in earlier rows")


def csv_rows(columns: Columns) -> str | bytes:
    """Return rows of CSV, with fields in quotes where necessary; missing values are empty, booleans true and false."""
    pieces: list[Any] = []
    for column in columns.values():
        pieces += [",", *_texts(column, "", _is_plain_in_csv, _field)]
    return _beside([*pieces[1:], "\n"], columns)


def json_rows(columns: Columns, schema: str | None = None) -> str | bytes:
    """Return lines of JSON, each beginning with the name of its ``schema`` if it has one."""
    pieces: list[Any] = []
    start = "{" if schema is None else f'{{"schema": {json_text(schema)}, '
    for name, column in columns.items():
        key = f"{', ' if pieces else start}{json_text(name)}: "
        pieces += [key, *_texts(column, '"', _is_plain_in_json, json_text)]
    return _beside([*pieces, "}\n"], columns)


def _beside(pieces: Iterable[Any], columns: Columns) -> str | bytes:
    """Return the pieces of all rows: a list or array has a text for each row, a text is the same in all."""
    n, text = len(next(iter(columns.values()))), ""
    joined: list[Any] = []
    for piece in pieces:
        if isinstance(piece, str):
            text += piece
        else:
            joined += [text, piece]
            text = ""
    joined.append(text)
    if n and joined[1:] and all(hasattr(piece, "dtype") for piece in joined[1::2]):
        return _of_arrays(joined, n)
    rows = [repeat(piece, n) if isinstance(piece, str) else _each(piece) for piece in joined]
    return "".join(chain.from_iterable(zip(*rows, strict=True)))


def _each(texts: Any) -> Iterable[str]:
    """Return the texts of a list or an array; numpy fills short ones with zero bytes."""
    return (text.strip("\0") for text in listed(texts)) if hasattr(texts, "dtype") else texts


def _of_arrays(pieces: Sequence[Any], n: int) -> bytes:
    """Join texts and arrays of texts as a table of bytes, which is several times faster than text by text.

    The zero bytes with which numpy fills short ones are removed at the end: no text in an array has any.
    """
    import numpy as np

    parts = [np.frombuffer(piece.encode(), np.uint8) if isinstance(piece, str) else piece for piece in pieces]
    parts = [part.view(np.uint8).reshape(n, -1) if part.dtype.kind == "S" else part for part in parts]
    table, found = np.empty((PORTION, sum(part.shape[-1] for part in parts)), np.uint8), []
    for start in range(0, n, PORTION):
        at, some = 0, table[: n - start]
        for part in parts:
            some[:, at : at + part.shape[-1]] = part if part.ndim == 1 else part[start : start + PORTION]
            at += part.shape[-1]
        found.append(some.tobytes().translate(None, b"\0"))
    return b"".join(found)


def _texts(column: Any, quote: str, plain: Callable[[str], bool], shown: Callable[[Any], str]) -> list[Any]:
    """Return the values of a column as pieces of text: one text if all are the same, or a text for each row.

    Texts that are ``plain`` together are written as they are, between ``quote``; other values as they are ``shown``.
    """
    if isinstance(column, Same):
        return [shown(column.value)]
    kind = getattr(getattr(column, "dtype", None), "kind", "")
    if kind == "S":
        return [quote, column, quote]
    if kind == "b":
        return [column.choose((b"false", b"true"))]
    if kind in ("i", "u") and len(column):
        return [column.astype(f"S{max(len(str(column.max())), len(str(column.min())))}")]
    values = listed(column)
    missing, present = shown(None), [value for value in values if value is not None]
    try:
        usual = plain("".join(present))
    except TypeError:  # some are no texts
        usual = False
    if usual and len(present) == len(values):
        return [quote, values, quote]
    if usual:
        return [[missing if value is None else f"{quote}{value}{quote}" for value in values]]
    return [[missing if value is None else shown(value) for value in values]]


def _is_plain_in_csv(text: str) -> bool:
    return not any(sign in text for sign in '",\r\n')


def _is_plain_in_json(text: str) -> bool:
    return text.isascii() and not text.encode().translate(None, _PLAIN_IN_JSON)


_PLAIN_IN_JSON = bytes(sign for sign in range(32, 127) if sign not in b'"\\')


def _field(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return ("false", "true")[value]
    text = value if isinstance(value, str) else _plain(value)
    return text if _is_plain_in_csv(text) else _csv([text]).removesuffix("\n")


def _csv(fields: Iterable[Any]) -> str:
    text = io.StringIO()
    csv.writer(CsvStream(text)).writerow(fields)
    return text.getvalue()


def json_text(value: Any) -> str:
    """Return a value as JSON, with null for numbers that JSON does not have."""
    try:
        return _ENCODER.encode(value)
    except ValueError:
        return _ENCODER.encode(_finite(value))


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {name: _finite(inner) for name, inner in value.items()}
    return list(map(_finite, value)) if isinstance(value, list) else value


def _plain(value: Any) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


_ENCODER = json.JSONEncoder(default=_plain, ensure_ascii=False, allow_nan=False)
