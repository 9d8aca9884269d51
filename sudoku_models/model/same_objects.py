"""Cache keys that compare objects by identity rather than by value."""

from __future__ import annotations


class SameObjects:
    """A key that equals other keys of the same objects, which it keeps alive; lookup is fast for any size."""

    __slots__ = ("_ids", "kept")

    def __init__(self, *kept: object) -> None:
        self.kept = kept
        self._ids = tuple(map(id, kept))

    def __hash__(self) -> int:
        return hash(self._ids)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SameObjects) and self._ids == other._ids
