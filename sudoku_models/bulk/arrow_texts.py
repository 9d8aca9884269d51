"""A column of texts of any length, as Arrow has them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .columns import shown_text
from .joined import TextPart


@dataclass(frozen=True)
class Strings:
    """Texts of any length: a string array of Arrow, all of them known."""

    array: Any

    def __len__(self) -> int:
        return len(self.array)

    def __getitem__(self, rows: slice) -> Strings:
        return Strings(self.array[rows])

    def tolist(self) -> list[Any]:
        """Return the texts."""
        return list(self.array.to_pylist())

    def to_arrow(self, pyarrow: Any) -> Any:
        """Return the array itself."""
        return self.array

    def part(self, null: str, quoted: str) -> TextPart:
        """Return the texts, quoted as far as the format needs it."""
        _, ends, data = self.array.buffers()
        ends = np.frombuffer(ends, np.int32)[self.array.offset :][: len(self) + 1]
        raw = np.frombuffer(data or b"", np.uint8)[ends[0] : ends[-1]]
        sizes = np.diff(ends).astype(np.int64)
        if np.isin(raw, _CAREFUL).any():
            texts = [shown_text(text, quoted).encode("utf-8", "surrogateescape") for text in self.tolist()]
            raw = np.frombuffer(b"".join(texts), np.uint8)
            sizes, quoted = np.array([len(text) for text in texts], np.int64), ""
        edge = len(quoted)
        block = np.full((len(self), int(sizes.max(initial=0)) + 2 * edge), ord(quoted or " "), np.uint8)
        column = np.arange(block.shape[1])
        block[(column >= edge) & (column < (sizes + edge)[:, None])] = raw
        return TextPart(block, sizes + 2 * edge)


_CAREFUL = np.array([*range(32), *b'",\\'], np.uint8)
"""Characters that CSV or JSON write in a way of their own."""
