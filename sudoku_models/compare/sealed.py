"""Texts that contain their own checksum, so that damage is detected and intact texts can be found in any debris."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from typing import Any

DIGITS = 16
"""Hexadecimal digits of a checksum."""

_BEGINNING = re.compile(rb'[0-9a-f]{%d}\{"schema": "' % DIGITS)


def sealed(text: str) -> str:
    """Put the checksum before a text of JSON, an object whose first name is "schema"."""
    return checksum(text) + text


def opened(text: object) -> str | None:
    """Return the sealed content; None for anything else, including damaged texts."""
    if not isinstance(text, str):
        return None
    plain = text[DIGITS:]
    return plain if text[:DIGITS] == checksum(plain) else None


def found_in(data: bytes) -> Iterator[str]:
    """Yield the content of every intact sealed text in some bytes."""
    decoder = json.JSONDecoder()
    for match in _BEGINNING.finditer(data):
        begin = match.start() + DIGITS
        text = data[begin : _end(data, begin)].decode("utf-8", "replace")
        try:
            _, end = decoder.raw_decode(text)
        except ValueError:
            continue
        if (plain := opened(match[0][:DIGITS].decode() + text[:end])) is not None:
            yield plain


def schema_of(text: str) -> str:
    """Return the schema that an opened text names."""
    fields: dict[str, Any] = json.loads(text)
    return str(fields["schema"])


def checksum(text: str) -> str:
    """Return the first digits of a text's SHA-256."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:DIGITS]


def _end(data: bytes, begin: int) -> int:
    """Return where to stop searching for the end of a text: at the next one, or at a byte that JSON does not
    contain.
    """
    following = _BEGINNING.search(data, begin)
    end = len(data) if following is None else following.start()
    zero = data.find(b"\x00", begin, end)
    return end if zero < 0 else zero
