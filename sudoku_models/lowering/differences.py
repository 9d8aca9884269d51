"""AllDifferent as pairwise differences."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

from ..model import AllDifferent, Compare, Constraint, Domain
from .rewrite import Rewrite, Scratch


def _pairs(constraint: Constraint, domains: Mapping[str, Domain]) -> float:
    return len(constraint.scope) * (len(constraint.scope) - 1) / 2


def _differences(constraint: Constraint, scratch: Scratch) -> list[Constraint]:
    return [Compare(x, "!=", y) for x, y in combinations(constraint.scope, 2)]


REWRITES = (Rewrite("AllDifferent to differences", AllDifferent, frozenset({Compare}), _pairs, _differences),)
