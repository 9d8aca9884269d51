"""The shape of a constraint: everything but the names of its variables, together with their domains."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import fields
from typing import Any

from ..model import Constraint, Domain


def shape_of(constraint: Constraint, domains: Mapping[str, Domain]) -> Hashable:
    """Return a key that is equal for constraints that can be rewritten in the same ways at the same costs."""
    places = {x: place for place, x in enumerate(constraint.scope)}
    return _shape(constraint, places), tuple([domains[x] for x in places])


def _shape(part: Any, places: Mapping[str, int]) -> Hashable:
    if isinstance(part, str):
        return (places[part],) if part in places else part
    if isinstance(part, Constraint):
        return type(part), tuple([_shape(getattr(part, field.name), places) for field in fields(part)])  # type: ignore[arg-type]
    if isinstance(part, tuple) and part and isinstance(part[0], str | Constraint):
        return tuple([_shape(one, places) for one in part])
    return part  # type: ignore[no-any-return]
