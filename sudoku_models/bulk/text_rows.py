"""Rows as text: CSV, lines of JSON, or one document of JSON. The rows of a block are written together."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, repeat
from typing import Any, Protocol

from ..formats.csv_stream import CsvStream
from .columns import Same, listed

Columns = Mapping[str, Any]


class RowText(Protocol):
    """How rows are written."""

    def head(self, names: Sequence[str]) -> str:
        """Return the text before the first row."""

    def rows(self, columns: Columns) -> str:
        """Return the text of some rows."""

    def end(self, code: int) -> str:
        """Return the text after the last row; ``code`` is the exit code of the program."""


class CsvRows:
    """A header, then one line for each row; missing values are empty, and booleans are true and false."""

    def head(self, names: Sequence[str]) -> str:
        """Return the header."""
        return _csv(names)

    def rows(self, columns: Columns) -> str:
        """Return rows, with fields in quotes where necessary."""
        pieces: list[str | list[str]] = []
        for column in columns.values():
            pieces += [",", *_texts(column, "", _is_plain_in_csv, _field)]
        return beside([*pieces[1:], "\n"], columns)

    def end(self, code: int) -> str:
        """Return nothing."""
        return ""


class JsonRows:
    """One JSON object on each line, beginning with the name of its ``schema`` if it has one."""

    def __init__(self, schema: str | None = None) -> None:
        self._start = "{" if schema is None else f'{{"schema": {json_text(schema)}, '

    def head(self, names: Sequence[str]) -> str:
        """Return nothing: each line names its fields."""
        return ""

    def rows(self, columns: Columns) -> str:
        """Return objects."""
        pieces: list[str | list[str]] = []
        for name, column in columns.items():
            key = f"{', ' if pieces else self._start}{json_text(name)}: "
            pieces += [key, *_texts(column, '"', _is_plain_in_json, json_text)]
        return beside([*pieces, "}\n"], columns)

    def end(self, code: int) -> str:
        """Return nothing."""
        return ""


class JsonDocument:
    """One JSON document: ``{"schema": ..., "results": [...], "exit_code": n}``."""

    def __init__(self, schema: str) -> None:
        self._schema, self._rows, self._gap = schema, JsonRows(), ""

    def head(self, names: Sequence[str]) -> str:
        """Return the text before the first row."""
        return f'{{"schema": {json_text(self._schema)}, "results": [\n'

    def rows(self, columns: Columns) -> str:
        """Return objects, separated from the previous ones."""
        text = self._rows.rows(columns).removesuffix("\n").replace("\n", ",\n")  # a newline in a text is written as \n
        gap, self._gap = self._gap, ",\n" if text else self._gap
        return gap + text if text else ""

    def end(self, code: int) -> str:
        """Return the exit code and the end."""
        return f'\n], "exit_code": {code}}}\n'


def beside(pieces: Sequence[str | list[str]], columns: Columns) -> str:
    """Return the pieces of all rows: a list has a text for each row of the columns, a text is the same in all."""
    n = len(next(iter(columns.values())))
    joined: list[Iterable[str]] = []
    text = ""
    for piece in pieces:
        if isinstance(piece, str):
            text += piece
        else:
            joined += [repeat(text, n), piece]
            text = ""
    joined.append(repeat(text, n))
    return "".join(chain.from_iterable(zip(*joined, strict=True)))


def json_text(value: Any) -> str:
    """Return a value as JSON, with null for numbers that JSON does not have."""
    try:
        return _ENCODER.encode(value)
    except ValueError:
        return _ENCODER.encode(_finite(value))


def _texts(column: Any, quote: str, plain: Callable[[str], bool], shown: Callable[[Any], str]) -> list[str | list[str]]:
    """Return the values of a column as pieces of text: one text if all are the same, or a list, perhaps in quotes.

    Texts that are ``plain`` together are written as they are, between ``quote``; other values as they are ``shown``.
    """
    if isinstance(column, Same):
        return [shown(column.value)]
    kind, values = getattr(getattr(column, "dtype", None), "kind", ""), listed(column)
    if kind == "S":
        return [quote, values, quote]
    if kind == "b":
        return [[("false", "true")[value] for value in values]]
    if kind in ("i", "u"):
        return [list(map(str, values))]
    try:
        joined = "".join(values)
    except TypeError:  # some are missing, or no texts
        return [list(map(shown, values))]
    return [quote, values, quote] if plain(joined) else [list(map(shown, values))]


def _is_plain_in_csv(text: str) -> bool:
    return not any(sign in text for sign in '",\r\n')


def _is_plain_in_json(text: str) -> bool:
    return text.isascii() and not text.encode().translate(None, _PLAIN_IN_JSON)


_PLAIN_IN_JSON = bytes(sign for sign in range(32, 127) if sign not in b'"\\')


def _field(value: Any) -> str:
    """Return a value as a field of CSV."""
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


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {name: _finite(inner) for name, inner in value.items()}
    return list(map(_finite, value)) if isinstance(value, list) else value


def _plain(value: Any) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


_ENCODER = json.JSONEncoder(default=_plain, ensure_ascii=False, allow_nan=False)
