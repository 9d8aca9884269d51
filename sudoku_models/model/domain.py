"""Finite integer domains: ascending tuples of distinct integers."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from operator import lt

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
        return found if _ascending(found) else tuple(sorted(set(found)))
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


def _ascending(values: Domain) -> bool:
    return all(map(lt, values, values[1:]))
