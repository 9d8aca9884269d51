"""Every solution of a small model, found by trying every assignment: the reference for everything else."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod

from .model import Model

LARGEST = 5_000_000


def brute_force(model: Model) -> Iterator[tuple[int, ...]]:
    """Yield every solution as values in the order of ``model.names``, in lexicographic order.

    Raises ValueError if there are more than five million assignments to try.
    """
    assignments = prod(len(v.domain) for v in model.variables)
    if assignments > LARGEST:
        raise ValueError(f"{assignments} assignments are too many for brute force (at most {LARGEST})")
    for row in product(*(v.domain for v in model.variables)):
        values = dict(zip(model.names, row, strict=True))
        if all(c.holds(values) for c in model.constraints):
            yield row
