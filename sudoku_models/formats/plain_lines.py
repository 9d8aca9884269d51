"""Lines of 81 digits and one sign for open cells, nothing else: whole blocks of them by operations on arrays.

What is not written so is left to ``arrays``, which reads with care and says what is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]

LINE = 82
"""The characters of a line with its newline."""

AT_ONCE = 2_048
"""Lines that are worked on at once: they stay in the processor's cache from one operation to the next."""

_NEWLINE, _ZERO, _ONE, _DOT = b"\n01."


def values_of_plain(data: bytes) -> Bytes | None:
    """Return the values of n lines, uint8 of shape (n, 81), 0 where open; None where one is written in another way.

    All open cells are written alike, as ``.`` or as ``0``, and each line ends with a newline.
    """
    number, rest = divmod(len(data), LINE)
    if rest or not number:
        return None
    raw = np.frombuffer(data, np.uint8)
    values = np.empty((number, LINE - 1), np.uint8)
    filler = _filler_of(data)
    for start in range(0, number, AT_ONCE):
        if not _read(raw[start * LINE : (start + AT_ONCE) * LINE], filler, values[start : start + AT_ONCE]):
            return None
    return values


def values_of_texts(texts: Sequence[str]) -> Bytes | None:
    """Return the values of n texts of one line each, as ``values_of_plain`` does; TypeError for what is no text."""
    values = np.empty((len(texts), LINE - 1), np.uint8)
    for start in range(0, len(texts), AT_ONCE):
        some = values[start : start + AT_ONCE]
        data = "\n".join([*texts[start : start + AT_ONCE], ""]).encode("utf-8", "replace")
        if len(data) != LINE * len(some) or not _read(np.frombuffer(data, np.uint8), _filler_of(data), some):
            return None
    return values if len(values) else None


def _filler_of(data: bytes) -> int:
    return _DOT if b"." in data else _ZERO


def _read(raw: Bytes, filler: int, values: Bytes) -> bool:
    """Write the values of some lines; return whether they are written in this way."""
    digits = raw - np.uint8(_ONE)
    known = digits < 9
    lines = raw.reshape(-1, LINE)
    if np.count_nonzero(known) + np.count_nonzero(raw == filler) + len(lines) != raw.size:
        return False
    if (lines[:, LINE - 1] != _NEWLINE).any():
        return False
    digits += np.uint8(1)
    digits *= known
    values[:] = digits.reshape(-1, LINE)[:, : LINE - 1]
    return True
