"""A column of candidates as JSON objects: a list of values for each cell, by its name."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .joined_text import TextPart
from .where import NINE


@dataclass(frozen=True)
class ValueLists:
    """The values of each cell by its name, from candidate masks (n, 81): one JSON object in each row."""

    masks: NDArray[np.uint16]

    def __len__(self) -> int:
        return len(self.masks)

    def __getitem__(self, rows: slice) -> ValueLists:
        return ValueLists(self.masks[rows])

    def tolist(self) -> list[Any]:
        """Return the objects."""
        return [dict(zip(_NAMES, map(_LISTS.__getitem__, row), strict=True)) for row in self.masks.tolist()]

    def to_arrow(self, pyarrow: Any) -> Any:
        """Return an Arrow array of the objects as structs."""
        return pyarrow.array(self.tolist())

    def part(self, null: str, quoted: str) -> TextPart:
        """Return the objects as JSON; those with one value in each cell are written together."""
        single = (self.masks & (self.masks - np.uint16(1)) == 0).all(axis=1) & (self.masks != 0).all(axis=1)
        block: Any = _ONE_EACH[np.arange(81), self.masks * single[:, None]].view(np.uint8).reshape(len(self), -1)
        if single.all():
            return TextPart(block)
        rows = np.flatnonzero(~single)
        texts = [json.dumps(row) for row in self[rows].tolist()]  # type: ignore[index]
        sizes = np.full(len(self), block.shape[1])
        sizes[rows] = [len(text) for text in texts]
        whole = np.empty((len(self), max(block.shape[1], int(sizes.max()))), np.uint8)
        whole[:, : block.shape[1]] = block
        for row, text in zip(rows.tolist(), texts, strict=True):
            whole[row, : len(text)] = np.frombuffer(text.encode(), np.uint8)
        return TextPart(whole, sizes)


_NAMES = NINE.names
_LISTS = [[v for v in range(1, 10) if mask >> v - 1 & 1] for mask in range(512)]
_ONE_EACH = np.array(
    [[f'{" " if i else "{"}"{name}": [{max(mask.bit_length(), 1)}]{"}" if i == 80 else ","}' for mask in range(512)]
     for i, name in enumerate(_NAMES)], "S13",
)  # fmt: skip
"""The text, 13 bytes, for each cell and each mask of one value in such an object."""
