"""Makes many rows of text together: all rows have the same sequence of parts, written side by side as byte columns."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]


class TextPart:
    """A column of text: ``block`` (n, width) holds its bytes, ``sizes`` (n) how many of each row count, from the end
    of the row if ``right``; None means all of them.
    """

    def __init__(self, block: Bytes, sizes: NDArray[Any] | None = None, right: bool = False) -> None:
        self.block, self.sizes, self.right = block, sizes, right

    def cut(self, start: int, stop: int) -> Bytes:
        """Return the bytes that count, for rows that all have the same size."""
        block = self.block[start:stop]
        if self.sizes is None:
            return block
        size = int(self.sizes[start])
        return block[:, block.shape[1] - size :] if self.right else block[:, :size]

    def mask(self) -> NDArray[np.bool_]:
        """Return a mask of the bytes that count."""
        width = self.block.shape[1]
        if self.sizes is None:
            return np.ones((len(self.block), width), np.bool_)
        column = np.arange(width)
        kept: NDArray[np.bool_] = (
            column >= (width - self.sizes)[:, None] if self.right else column < self.sizes[:, None]
        )
        return kept


def same(n: int, text: str) -> TextPart:
    """The same text in each of n rows."""
    data = np.frombuffer(text.encode("utf-8", "surrogateescape"), np.uint8)
    return TextPart(np.broadcast_to(data, (n, len(data))))


def chosen(texts: Sequence[str], index: NDArray[Any]) -> TextPart:
    """One of a few texts in each row."""
    data = [text.encode("utf-8", "surrogateescape") for text in texts]
    width = max(map(len, data), default=0)
    table = np.frombuffer(b"".join(text.ljust(width) for text in data), np.uint8).reshape(len(data), width)
    sizes = np.array([len(text) for text in data])
    return TextPart(table[index], None if (sizes == width).all() else sizes[index])


def ragged(texts: Sequence[str]) -> TextPart:
    """A different ASCII text in each row."""
    sizes = np.array([len(text) for text in texts])
    block = np.array([text.encode() for text in texts], f"S{max(sizes, default=1)}")
    return TextPart(block.view(np.uint8).reshape(len(texts), -1), sizes)


def numbers(values: NDArray[Any]) -> TextPart:
    """Non-negative integers in decimal digits."""
    largest = int(values.max(initial=0))
    left: Any = values.astype(np.uint32 if largest < 1 << 32 else np.uint64)
    block = np.empty((len(values), len(str(largest))), np.uint8)
    for place in reversed(range(block.shape[1])):  # division by one number is vectorised
        rest = left // 10
        block[:, place] = left - rest * 10 + ord("0")
        left = rest
    if len(values) == 0 or len(str(int(values.min()))) == block.shape[1]:
        return TextPart(block)
    sizes = 1 + sum((values >= 10**k).astype(np.int64) for k in range(1, block.shape[1]))
    return TextPart(block, sizes, right=True)


def cells(values: Bytes, filler: str = ".") -> TextPart:
    """The cells of boards (n, 81): digits, with ``filler`` for 0."""
    block: Bytes = values | np.uint8(ord("0"))
    if filler != "0":
        block -= (values == 0).view(np.uint8) * np.uint8(ord("0") - ord(filler))
    return TextPart(block)


def joined(parts: Sequence[TextPart]) -> tuple[memoryview, NDArray[np.int64]]:
    """Return the concatenated rows of text, and the offset of each row, followed by the end of the last."""
    n = len(parts[0].block)
    fixed = sum(part.block.shape[1] for part in parts if part.sizes is None)
    starts = np.zeros(n + 1, np.int64)
    sizes = [part.sizes for part in parts if part.sizes is not None]
    np.cumsum(sum(sizes, np.full(n, fixed, np.int64)), out=starts[1:])
    breaks = [found + 1 for found in (np.flatnonzero(np.diff(size)) for size in sizes) if len(found)]
    cuts = np.unique(np.concatenate([[0, n], *breaks])) if n else np.zeros(1, np.int64)
    if len(cuts) - 1 > n / LONG:
        return _picked(parts), starts
    text = np.empty(starts[-1], np.uint8)
    for start, stop in pairwise(cuts.tolist()):
        _write(parts, start, stop, text[starts[start] : starts[stop]].reshape(stop - start, -1))
    return text.data, starts


LONG = 16
"""The average number of consecutive rows of equal length from which they are written in stretches."""


def _write(parts: Sequence[TextPart], start: int, stop: int, into: Bytes) -> None:
    """Write rows that all have the same length, part by part."""
    at = 0
    for part in parts:
        block = part.cut(start, stop)
        into[:, at : at + block.shape[1]] = block
        at += block.shape[1]


def _picked(parts: Sequence[TextPart]) -> memoryview:
    """Return rows of different lengths: write all bytes of all parts, then select those that count."""
    width = sum(part.block.shape[1] for part in parts)
    whole, at = np.empty((len(parts[0].block), width), np.uint8), 0
    kept = np.empty(whole.shape, np.bool_)
    for part in parts:
        columns = slice(at, at := at + part.block.shape[1])
        whole[:, columns], kept[:, columns] = part.block, part.mask()
    return whole[kept].data
