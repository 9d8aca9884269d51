"""Which models are stated: solvers count in 32 bits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sudoku_models.model import Compare, Domain, Linear, Model, Objective

LARGEST = 2**31 - 2
"""The largest value, and the largest sum on the way to one, on both sides of 0."""


def refuses_model(model: Model) -> str | None:
    """Return why a model has too large numbers, or None."""
    for variable in model.variables:
        if _size(variable.domain) > LARGEST:
            return f"{variable.name} has a value of {_size(variable.domain)}: {LARGEST} is the largest"
    sums: list[Linear | Compare | Objective] = [c for c in model.constraints if isinstance(c, Linear | Compare)]
    for stated in [*sums, *([model.objective] if model.objective else [])]:
        if (most := _most(model.domains, stated)) > LARGEST:
            return f"a sum that may come to {most} is too large: {LARGEST} is the largest"
    return None


def _most(domains: Mapping[str, Domain], stated: Linear | Compare | Objective) -> int:
    if isinstance(stated, Compare):
        return _size(domains[stated.x]) + _size(domains[stated.y]) + abs(stated.c)
    constant = stated.k if isinstance(stated, Linear) else stated.constant
    return abs(constant) + sum(abs(c) * _size(domains[x]) for c, x in zip(stated.coeffs, stated.xs, strict=True))


def _size(values: Iterable[int]) -> int:
    return max(map(abs, values), default=0)
