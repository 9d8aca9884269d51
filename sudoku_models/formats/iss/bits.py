"""Bits as text: six to a character, lowest first (bit sets, pair keys); bit streams in URL-safe Base64 (automata)."""

from __future__ import annotations

import base64
import binascii
import re
import string
from collections.abc import Iterable

from ...errors import FormatError

ALPHABET = string.ascii_uppercase + string.ascii_lowercase + string.digits + "-_"
_VALUES = {sign: value for value, sign in enumerate(ALPHABET)}
_BASE64 = re.compile(r"[A-Za-z0-9_-]*\Z")


def bits_of(text: str, most: int) -> list[int]:
    """Return the numbers of the set bits; raise FormatError beyond ``most`` bits."""
    text = text.rstrip(ALPHABET[0])
    if 6 * len(text) >= most + 6:
        raise FormatError(f"{len(text)} characters of bits: {most} bits are expected")
    found = []
    for place, sign in enumerate(text):
        if sign not in _VALUES:
            raise FormatError(f"{sign!r} is not a character of bits: A-Z a-z 0-9 - _ are expected")
        found += [6 * place + i for i in range(6) if _VALUES[sign] >> i & 1]
    if found and found[-1] >= most:
        raise FormatError(f"bit {found[-1]} is set: {most} bits are expected")
    return found


def text_of(bits: Iterable[int]) -> str:
    """Write numbers of bits as text, without trailing zeros."""
    groups: dict[int, int] = {}
    for bit in bits:
        groups[bit // 6] = groups.get(bit // 6, 0) | 1 << bit % 6
    return "".join(ALPHABET[groups.get(i, 0)] for i in range(max(groups, default=-1) + 1))


def pairs_of(key: str, low: int, size: int) -> list[tuple[int, int]]:
    """Return the pairs of values that a pair key allows, for ``size`` values from ``low`` on."""
    return [(low + bit // size, low + bit % size) for bit in bits_of(key, size * size)]


def pair_key(pairs: Iterable[tuple[int, int]], low: int, size: int) -> str:
    """Write pairs of values as a key."""
    return text_of((a - low) * size + (b - low) for a, b in pairs)


def bytes_of(code: str) -> bytes:
    """Decode URL-safe Base64; ``=`` at its end may be missing."""
    code = code.rstrip("=")
    if not _BASE64.match(code) or len(code) % 4 == 1:
        raise FormatError(f"{code[:40]!r} is not URL-safe Base64")
    try:
        return base64.urlsafe_b64decode(code + "=" * (-len(code) % 4))
    except binascii.Error as error:
        raise FormatError(f"{code[:40]!r} is not URL-safe Base64 ({error})") from None


def code_of(data: bytes) -> str:
    """Encode as URL-safe Base64 without ``=``."""
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


class BitReader:
    """Reads numbers from bytes; in both bytes and numbers, the highest bit comes first."""

    def __init__(self, data: bytes) -> None:
        self.left = 8 * len(data)
        self._data, self._at = data, 0

    def take(self, width: int) -> int:
        """Return the next number; raise FormatError if the bits end too early."""
        if width > self.left:
            raise FormatError("the code of an automaton ends too early")
        first, last = self._at // 8, (self._at + width + 7) // 8
        chunk = int.from_bytes(self._data[first:last], "big")
        self._at += width
        self.left -= width
        return chunk >> (8 * last - self._at) & ((1 << width) - 1)


class BitWriter:
    """Writes numbers as bits; see BitReader."""

    def __init__(self) -> None:
        self.parts: list[str] = []

    def put(self, value: int, width: int) -> None:
        """Append a number of ``width`` bits."""
        if width:
            self.parts.append(format(value, f"0{width}b"))

    def code(self) -> str:
        """Return all bits as Base64, padded with zeros."""
        bits = "".join(self.parts)
        bits += "0" * (-len(bits) % 8)
        return code_of(int(bits, 2).to_bytes(len(bits) // 8, "big")) if bits else ""
