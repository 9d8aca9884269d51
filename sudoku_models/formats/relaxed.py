"""Reads the shortened JSON in SudokuPad's links: quotes only where needed, empty objects left out.

Keys have no quotes, texts have single quotes, ``t`` and ``f`` are true and false, and a missing item between commas is
an empty object.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from ..errors import FormatError
from .json_text import LONGEST, is_shortened, loaded

DEEPEST = 40
_MOST_TOKENS = 300_000
_QUOTED = r"""'(?:[^'\\]|\\.)*+'|"(?:[^"\\]|\\.)*+["]"""
_CLOSED = re.compile(_QUOTED, re.DOTALL)
_TOKEN = re.compile(rf"""{_QUOTED}|['"].*|[{{}}\[\],:]|[^\s{{}}\[\],:'"]++""", re.DOTALL)
_NUMBER = re.compile(r"-?\d{1,15}(?:\.\d{1,15})?\Z")
_WORDS: dict[str, Any] = {"t": True, "true": True, "f": False, "false": False, "null": None}


def relaxed(text: str) -> Any:
    """Read plain or shortened JSON; raise FormatError if it is neither."""
    if len(text) > LONGEST:
        raise FormatError(f"{len(text)} characters of JSON: at most {LONGEST} are read")
    tokens = _TOKEN.findall(text)
    if len(tokens) > _MOST_TOKENS:
        raise FormatError(f"the JSON has more than {_MOST_TOKENS} tokens")
    if tokens and tokens[-1][0] in "'\"" and not _CLOSED.fullmatch(tokens[-1]):
        raise FormatError("the JSON is cut off")
    reader = _RelaxedReader([*tokens, ""])
    found = reader.value(0)
    if reader.token:
        raise FormatError(f"{reader.token[:20]!r} after the end of the JSON")
    return found


def document(text: str) -> Mapping[str, Any]:
    """Read plain JSON or the shortened form; raise FormatError if the text is neither, or is not an object."""
    try:
        return loaded(text)
    except FormatError as error:
        if not is_shortened(text):
            raise
        try:
            found = relaxed(text)
        except FormatError as second:
            raise FormatError(f"{second.message} (read as SudokuPad's shortened JSON)") from error
    if not isinstance(found, dict):
        raise FormatError("an object is expected in SudokuPad's shortened JSON")
    return found


class _RelaxedReader:
    def __init__(self, tokens: list[str]) -> None:
        self._tokens, self._at = tokens, 0

    @property
    def token(self) -> str:
        return self._tokens[self._at]

    def _next(self) -> str:
        token = self._tokens[self._at]
        if not token:
            raise FormatError("the JSON is cut off")
        self._at += 1
        return token

    def _expect(self, sign: str) -> None:
        token = self._next()
        if token != sign:
            raise FormatError(f"{token[:20]!r} in JSON where {sign!r} is expected")

    def value(self, depth: int) -> Any:
        """Read one value of any kind; raise FormatError if it is nested too deeply."""
        if depth > DEEPEST:
            raise FormatError(f"the JSON is nested deeper than {DEEPEST}")
        if self.token in (",", "]", "}"):
            return {}
        token = self._next()
        if token == "[":
            return self._list(depth)
        if token == "{":
            return self._object(depth)
        return _scalar(token)

    def _list(self, depth: int) -> list[Any]:
        found: list[Any] = []
        if self.token == "]":
            self._next()
            return found
        while True:
            found.append(self.value(depth + 1))
            if self.token == "]":
                self._next()
                return found
            self._expect(",")

    def _object(self, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        if self.token == "}":
            self._next()
            return found
        while True:
            key = str(_text(self._next()))
            self._expect(":")
            found[key] = self.value(depth + 1)
            if self.token == "}":
                self._next()
                return found
            self._expect(",")


def _text(token: str) -> str:
    if token[0] not in "'\"":
        if token in ("{", "}", "[", "]", ",", ":"):
            raise FormatError(f"{token!r} in JSON where a key is expected")
        return token
    inner = token[1:-1].replace("\\'", "'")
    if "\\" not in inner:
        return inner
    try:
        return str(json.loads('"' + re.sub(r'(?<!\\)"', r'\\"', inner) + '"', strict=False))
    except ValueError:
        return inner


def _scalar(token: str) -> Any:
    if token[0] in "'\"":
        return _text(token)
    if token in _WORDS:
        return _WORDS[token]
    if _NUMBER.match(token):
        return float(token) if "." in token else int(token)
    if token == ":":
        raise FormatError("':' in JSON where a value is expected")
    return token
