"""Reads blocks of lines of 81 digits and one sign for open cells, with array operations.

Other lines are left to ``arrays``, which checks them and reports errors.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]

LINE = 82
"""The length of a line including its newline."""

AT_ONCE = 2_048
"""The number of lines processed together: they stay in the processor's cache between operations."""

_NEWLINE, _ZERO, _ONE, _DOT = b"\n01."


def values_of_plain(data: bytes) -> Bytes | None:
    """Return the values of n lines, uint8 of shape (n, 81), 0 if open; None if some line has another form.

    All open cells must be written in the same way, as ``.`` or as ``0``, and each line must end with a newline.
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
    """Return the values of n texts of one line each, as ``values_of_plain`` does; raise TypeError for other objects."""
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
    """Write the values of some lines to ``values``; return whether the lines have this form."""
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
