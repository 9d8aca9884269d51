"""The orders in which backends, including those of other packages, are tried if none is named (``Places``)."""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache

from ..errors import BackendMissing, BadOption
from .contract import Places
from .registry import in_order, load


@lru_cache(maxsize=16)
def ranked(order: str) -> tuple[str, ...]:
    """Return the backends in one order (a field of ``Places``), installed or not."""
    declared = {name: getattr(places, order) for name in in_order(order) if (places := places_of(name)) is not None}
    numbers: dict[str, int] = {name: number for name, number in declared.items() if number is not None}
    return tuple(sorted(numbers, key=lambda name: (numbers[name], name)))


def places_of(name: str) -> Places | None:
    """Return the places that a backend declares; None if it cannot be loaded."""
    with suppress(BackendMissing, BadOption):
        return load(name).capabilities.places
    return None
