"""Finite integer domains: ascending tuples of distinct integers."""

from __future__ import annotations

from collections.abc import ItemsView, Iterable, Iterator, KeysView, Mapping, Sequence, ValuesView
from dataclasses import fields
from functools import lru_cache
from operator import lt
from typing import Any

Domain = tuple[int, ...]
"""The values that a variable may take: ascending and distinct."""
MOST_VALUES = 2_000_000
"""The largest number of values of a domain: every value is stored, and most engines have an item for each."""
_INTEGERS = frozenset([int])


def domain(values: Iterable[int]) -> Domain:
    """Return ``values`` as a domain: ascending and distinct.

    Raises TypeError if a value is not an integer (booleans are also refused) or if ``values`` is not a collection, and
    ValueError for a range of more than ``MOST_VALUES``.
    """
    if isinstance(values, range):
        return _interval(values)
    if type(values) is not tuple and not isinstance(values, Iterable):
        raise TypeError(f"values are expected, as a collection of integers, not {values!r}")
    found = tuple(values)
    if _INTEGERS.issuperset(map(type, found)):
        return found if all(map(lt, found, found[1:])) else tuple(sorted(set(found)))
    return tuple(sorted({integer(value) for value in found}))


def integer(value: object, name: str = "") -> int:
    """Return ``value`` as a plain int; numpy integers pass, but booleans and floats raise TypeError with ``name``."""
    if type(value) is int:
        return value
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} is {value!r}, which is not an integer" if name else f"{value!r} is not an integer")
    return int(value.__index__())


def integers(values: Iterable[object]) -> tuple[int, ...]:
    """Return several values as plain ints, see ``integer``."""
    if type(values) is not tuple and not isinstance(values, Iterable):
        raise TypeError(f"a list of integers is expected, not {values!r:.60}")
    found = tuple(values)
    return found if _INTEGERS.issuperset(map(type, found)) else tuple(map(integer, found))  # type: ignore[return-value]


def domain_text(values: Domain) -> str:
    """Write a domain: ``1..9`` for an interval of three or more values, otherwise ``{1, 3, 5}``."""
    if len(values) > 2 and values[-1] - values[0] == len(values) - 1:
        return f"{values[0]}..{values[-1]}"
    return "{" + ", ".join(map(str, values)) + "}"


@lru_cache(maxsize=256)
def _interval(values: range) -> Domain:
    if abs(values.stop - values.start) // abs(values.step) > MOST_VALUES:
        raise ValueError(f"the domain {values}: at most {MOST_VALUES} values are expected")
    return tuple(values) if values.step > 0 else tuple(reversed(values))


def fields_only(self: Any) -> dict[str, Any]:
    """Return the state of a dataclass that copies and other processes get: not what was computed from the fields.

    For use as ``__getstate__``.
    """
    return {field.name: getattr(self, field.name) for field in fields(self)}


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
        return self._mapping().get(name, default)

    def __getitem__(self, name: str) -> Domain:
        return self._mapping()[name]

    def __contains__(self, name: object) -> bool:
        return name in self._mapping()

    def keys(self) -> KeysView[str]:
        return self._mapping().keys()

    def values(self) -> ValuesView[Domain]:
        return self._mapping().values()

    def items(self) -> ItemsView[str, Domain]:
        return self._mapping().items()

    def __iter__(self) -> Iterator[str]:
        return iter(self._mapping())

    def __len__(self) -> int:
        return self.number

    def __repr__(self) -> str:
        return repr(self._mapping())

    def __reduce__(self) -> tuple[type[Givens], tuple[tuple[str, ...], Sequence[int | None]]]:
        return Givens, (self.names, self.cells)
