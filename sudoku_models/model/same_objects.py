"""Objects as a key by which something is kept: not what they say but which they are."""

from __future__ import annotations


class SameObjects:
    """A key that equals another one of the very same objects, which it keeps alive; found in no time, however large."""

    __slots__ = ("_ids", "kept")

    def __init__(self, *kept: object) -> None:
        self.kept = kept
        self._ids = tuple(map(id, kept))

    def __hash__(self) -> int:
        return hash(self._ids)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SameObjects) and self._ids == other._ids
