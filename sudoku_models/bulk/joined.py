"""Many rows of text made at once: each is the same sequence of parts, written side by side as columns of bytes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]


class Part:
    """A column of text: ``block`` (n, width) holds its bytes, ``sizes`` (n) how many of each row count, from the end
    of the row where ``right``; None for all of them.
    """

    def __init__(self, block: Bytes, sizes: NDArray[Any] | None = None, right: bool = False) -> None:
        self.block, self.sizes, self.right = block, sizes, right

    def mask(self) -> NDArray[np.bool_]:
        """Tell which bytes count."""
        width = self.block.shape[1]
        if self.sizes is None:
            return np.ones((len(self.block), width), np.bool_)
        column = np.arange(width)
        kept: NDArray[np.bool_] = (
            column >= (width - self.sizes)[:, None] if self.right else column < self.sizes[:, None]
        )
        return kept


def same(n: int, text: str) -> Part:
    """The same text in each of n rows."""
    data = np.frombuffer(text.encode("utf-8", "surrogateescape"), np.uint8)
    return Part(np.broadcast_to(data, (n, len(data))))


def chosen(texts: Sequence[str], index: NDArray[Any]) -> Part:
    """One of a few texts in each row."""
    data = [text.encode("utf-8", "surrogateescape") for text in texts]
    width = max(map(len, data), default=0)
    table = np.frombuffer(b"".join(text.ljust(width) for text in data), np.uint8).reshape(len(data), width)
    sizes = np.array([len(text) for text in data])
    return Part(table[index], None if (sizes == width).all() else sizes[index])


def ragged(texts: Sequence[str]) -> Part:
    """A text of its own in each row, in ASCII."""
    sizes = np.array([len(text) for text in texts])
    block = np.array([text.encode() for text in texts], f"S{max(sizes, default=1)}")
    return Part(block.view(np.uint8).reshape(len(texts), -1), sizes)


def numbers(values: NDArray[Any]) -> Part:
    """Whole numbers, none below zero, in decimal digits."""
    width = len(str(int(values.max(initial=0))))
    powers = 10 ** np.arange(width - 1, -1, -1, dtype=np.int64)
    digits = values[:, None] // powers
    sizes = np.maximum((digits > 0).sum(axis=1), 1)
    block = (digits % 10 + ord("0")).astype(np.uint8)
    return Part(block, None if (sizes == width).all() else sizes, right=True)


def cells(values: Bytes, filler: str = ".") -> Part:
    """The cells of boards (n, 81): digits, and ``filler`` where they are 0."""
    table = (filler + "123456789").encode().ljust(256)
    return Part(np.frombuffer(values.tobytes().translate(table), np.uint8).reshape(values.shape))


def joined(parts: Sequence[Part]) -> tuple[bytes, NDArray[np.int64]]:
    """Return the rows of text, one behind the other, and where each begins, with the end of the last."""
    n = len(parts[0].block)
    width = sum(part.block.shape[1] for part in parts)
    whole, at = np.empty((n, width), np.uint8), 0
    even = all(part.sizes is None for part in parts)
    kept = None if even else np.empty((n, width), np.bool_)
    for part in parts:
        columns = slice(at, at := at + part.block.shape[1])
        whole[:, columns] = part.block
        if kept is not None:
            kept[:, columns] = part.mask()
    if kept is None:
        return whole.tobytes(), np.arange(n + 1) * width
    starts = np.zeros(n + 1, np.int64)
    np.cumsum(kept.sum(axis=1), out=starts[1:])
    return whole[kept].tobytes(), starts
