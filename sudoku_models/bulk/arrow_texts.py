"""A column of texts of any length, stored as an Arrow array."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .columns import shown_text
from .joined_text import TextPart


@dataclass(frozen=True)
class Strings:
    """Texts of any length in an Arrow string array without nulls."""

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
        """Return the texts, quoted where the format requires it."""
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
"""Characters that need quoting or escaping in CSV or JSON."""
