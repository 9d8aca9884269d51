"""The givens of a board as the domains of a request, without a dictionary unless they are looked up by name."""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, KeysView, Mapping, Sequence, ValuesView
from typing import Any

from .domain import Domain


class Givens(Mapping[str, Domain]):
    """A domain of one value for each given variable: ``cells`` holds values, or None, in the order of ``names``.

    It behaves as the mapping ``{name: (value,)}``, which is made on first use.
    """

    __slots__ = ("_found", "cells", "names")

    def __init__(self, names: tuple[str, ...], cells: Sequence[int | None]) -> None:
        self.names, self.cells = names, cells
        self._found: dict[str, Domain] | None = None

    @property
    def number(self) -> int:
        """The number of variables with a value."""
        return len(self.cells) - self.cells.count(None)

    def _mapping(self) -> dict[str, Domain]:
        if self._found is None:
            pairs = zip(self.names, self.cells, strict=True)
            self._found = {name: (value,) for name, value in pairs if value is not None}
        return self._found

    def get(self, name: str, default: Any = None) -> Any:
        """Return the domain of a variable with a value, otherwise the default."""
        return self._mapping().get(name, default)

    def __getitem__(self, name: str) -> Domain:
        return self._mapping()[name]

    def __contains__(self, name: object) -> bool:
        return name in self._mapping()

    def keys(self) -> KeysView[str]:
        """Return the names of the variables that have a value."""
        return self._mapping().keys()

    def values(self) -> ValuesView[Domain]:
        """Return the domains of one value."""
        return self._mapping().values()

    def items(self) -> ItemsView[str, Domain]:
        """Return names and domains."""
        return self._mapping().items()

    def __iter__(self) -> Iterator[str]:
        return iter(self._mapping())

    def __len__(self) -> int:
        return self.number

    def __repr__(self) -> str:
        return repr(self._mapping())

    def __reduce__(self) -> tuple[type[Givens], tuple[tuple[str, ...], Sequence[int | None]]]:
        return Givens, (self.names, self.cells)
