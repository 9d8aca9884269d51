"""What is given of a board, as the domains of a request, without a dictionary where nobody looks at them by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from .domain import Domain


class Givens(Mapping[str, Domain]):
    """A domain of one value for each variable that has one: ``cells`` are values in the order of ``names``, or None.

    It is the mapping ``{name: (value,)}``, which is made when it is looked at.
    """

    __slots__ = ("_found", "cells", "names")

    def __init__(self, names: tuple[str, ...], cells: Sequence[int | None]) -> None:
        self.names, self.cells = names, cells
        self._found: dict[str, Domain] | None = None

    @property
    def number(self) -> int:
        """How many variables have a value."""
        return len(self.cells) - self.cells.count(None)

    def _mapping(self) -> dict[str, Domain]:
        if self._found is None:
            pairs = zip(self.names, self.cells, strict=True)
            self._found = {name: (value,) for name, value in pairs if value is not None}
        return self._found

    def __getitem__(self, name: str) -> Domain:
        return self._mapping()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._mapping())

    def __len__(self) -> int:
        return self.number

    def __repr__(self) -> str:
        return repr(self._mapping())

    def __reduce__(self) -> tuple[type[Givens], tuple[tuple[str, ...], Sequence[int | None]]]:
        return Givens, (self.names, self.cells)
