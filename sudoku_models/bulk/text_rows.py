"""Rows as text, CSV or JSON lines: one by one, or a whole block of columns together, with the same result.

Numpy is imported when the first block is written.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from ..formats.csv_stream import CsvStream

if TYPE_CHECKING:
    from .joined_text import TextPart

Columns = Mapping[str, Any]


class RowText(Protocol):
    """How rows are written."""

    def head(self, names: Sequence[str]) -> str:
        """Return the text before the first row."""

    def row(self, values: Mapping[str, Any]) -> str:
        """Return a row."""

    def parts(self, columns: Columns) -> list[TextPart]:
        """Return the parts of rows, for columns that are arrays."""


class CsvRows:
    """A header, then one line for each row; missing values are empty, and booleans are true and false."""

    def head(self, names: Sequence[str]) -> str:
        """Return the header."""
        return _csv(names)

    def row(self, values: Mapping[str, Any]) -> str:
        """Return a row, quoting fields where necessary."""
        return _csv(map(_shown, values.values()))

    def parts(self, columns: Columns) -> list[TextPart]:
        """Return the fields, separated by commas."""
        from .joined_text import same

        n = len(next(iter(columns.values())))
        fields = [part for column in columns.values() for part in (same(n, ","), column.part("", ""))]
        return [*fields[1:], same(n, "\n")]


class JsonRows:
    """One JSON object on each line, beginning with the name of its ``schema`` if it has one."""

    def __init__(self, schema: str | None = None) -> None:
        self._start = {} if schema is None else {"schema": schema}

    def head(self, names: Sequence[str]) -> str:
        """Return nothing: each line names its fields."""
        return ""

    def row(self, values: Mapping[str, Any]) -> str:
        """Return an object."""
        return json_text({**self._start, **values}) + "\n"

    def parts(self, columns: Columns) -> list[TextPart]:
        """Return the names and values of the objects."""
        from .columns import Same
        from .joined_text import same

        n = len(next(iter(columns.values())))
        found: list[TextPart] = []
        for name, column in {**{key: Same(text, n) for key, text in self._start.items()}, **columns}.items():
            key = f"{', ' if found else '{'}{json_text(name)}: "
            found += [same(n, key), column.part("null", '"')]
        return [*found, same(n, "}\n")]


class JsonDocument:
    """One JSON document: ``{"schema": ..., "results": [...], "exit_code": n}``."""

    def __init__(self, schema: str) -> None:
        self._schema, self._gap = schema, ""

    def head(self) -> str:
        """Return the text before the first row."""
        return f'{{"schema": {json_text(self._schema)}, "results": [\n'

    def row(self, values: Mapping[str, Any]) -> str:
        """Return an object, separated from the previous one."""
        gap, self._gap = self._gap, ",\n"
        return gap + json_text(values)

    def end(self, code: int) -> str:
        """Return the text after the last row."""
        return f'\n], "exit_code": {code}}}\n'


def lines_of_block(form: RowText, columns: Columns) -> Iterator[bytes | memoryview]:
    """Yield the text of a block: all rows together, except those that must be written one by one."""
    from .columns import odd_rows

    odd = odd_rows(columns.values())
    if odd is None:
        lists = {name: listed(column) for name, column in columns.items()}
        for row in zip(*lists.values(), strict=True):
            yield form.row(dict(zip(lists, row, strict=True))).encode("utf-8", "surrogateescape")
        return
    yield from spliced(form.parts(columns), sorted(odd), lambda row: form.row(values_at(columns, row)))


def spliced(parts: list[TextPart], odd: Sequence[int], write: Callable[[int], str]) -> Iterator[bytes | memoryview]:
    """Yield rows of text, with the separately written rows in their places."""
    from .joined_text import joined

    data, starts = joined(parts)
    at = 0
    for row in odd:
        yield data[starts[at] : starts[row]]
        yield write(row).encode("utf-8", "surrogateescape")
        at = row + 1
    yield data[starts[at] :]


def values_at(columns: Columns, row: int) -> dict[str, Any]:
    """Return the values of one row."""
    return {name: listed(column[row : row + 1])[0] for name, column in columns.items()}


def listed(column: Any) -> list[Any]:
    """Return the values of a column of any kind."""
    if isinstance(column, list):
        return column
    found: list[Any] = column.to_pylist() if hasattr(column, "to_pylist") else column.tolist()
    return found


def json_text(value: Any) -> str:
    """Return a value as JSON, with null for numbers that JSON does not have."""
    try:
        return _ENCODER.encode(value)
    except ValueError:
        return _ENCODER.encode(_finite(value))


def _csv(fields: Iterable[Any]) -> str:
    text = io.StringIO()
    csv.writer(CsvStream(text)).writerow(fields)
    return text.getvalue()


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {name: _finite(inner) for name, inner in value.items()}
    return list(map(_finite, value)) if isinstance(value, list) else value


def _plain(value: Any) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _shown(value: Any) -> Any:
    """Return a value as a CSV field."""
    if isinstance(value, bytes):
        return _plain(value)
    return ("false", "true")[value] if isinstance(value, bool) else value


_ENCODER = json.JSONEncoder(default=_plain, ensure_ascii=False, allow_nan=False)
