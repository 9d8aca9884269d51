"""Exchangeable values: whether a solution with some values is still one with others in their place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product
from math import prod

from ..model import AllDifferent, And, Constraint, Count, Domain, Implies, Linear, MultisetEqual, Not, NValue, Or

MOST_TRIED = 1_000
"""A constraint for which more combinations of other values would have to be tried counts as sensitive."""

Values = Mapping[str, int]


class Exchange:
    """The constraints of a problem, which are tested for sensitivity to an exchange of values."""

    def __init__(self, constraints: Iterable[Constraint], domains: Mapping[str, Domain]) -> None:
        """Store constraints and the values that their variables can have."""
        self.domains = domains
        self.users: dict[str, list[Constraint]] = {}
        self.differing: list[AllDifferent] = []
        for constraint in dict.fromkeys(constraints):
            for x in dict.fromkeys(constraint.scope):
                self.users.setdefault(x, []).append(constraint)
            if isinstance(constraint, AllDifferent):
                self.differing.append(constraint)
        self._known: dict[tuple[Constraint, tuple[tuple[str, int, int], ...]], bool] = {}

    def goes_unnoticed(self, first: Values, second: Values) -> bool:
        """Return whether each solution with the ``first`` values is one with the ``second`` in their place, and vice
        versa.
        """
        possible = all(first[x] in self.domains[x] and second[x] in self.domains[x] for x in first)
        return possible and all(self._keeps(c, first, second) for c in self.touching(first))

    def touching(self, cells: Iterable[str]) -> list[Constraint]:
        """Return the constraints on any of some cells."""
        return list(dict.fromkeys(c for x in cells for c in self.users.get(x, ())))

    def _keeps(self, constraint: Constraint, first: Values, second: Values) -> bool:
        key = constraint, tuple((x, first[x], second[x]) for x in dict.fromkeys(constraint.scope) if x in first)
        if key not in self._known:
            mine, others = ({x: values[x] for x, _, _ in key[1]} for values in (first, second))
            self._known[key] = _is_balanced(constraint, mine, others) or self._is_alike(constraint, mine, others)
        return self._known[key]

    def _is_alike(self, constraint: Constraint, first: Values, second: Values) -> bool:
        """Try all values of the other variables; return whether the constraint always gives the same result."""
        if isinstance(constraint, AllDifferent | Count):
            return False
        free = [x for x in dict.fromkeys(constraint.scope) if x not in first]
        if prod(len(self.domains[x]) for x in free) > MOST_TRIED:
            return False
        for chosen in product(*(self.domains[x] for x in free)):
            rest = dict(zip(free, chosen, strict=True))
            if constraint.holds({**rest, **first}) != constraint.holds({**rest, **second}):
                return False
        return True


def _is_balanced(constraint: Constraint, first: Values, second: Values) -> bool:
    """Return whether a constraint is insensitive by its kind: it has the same values in both cases, or the same sum."""
    if isinstance(constraint, Or | And):
        return all(_is_balanced(part, first, second) for part in constraint.parts)
    if isinstance(constraint, Not):
        return _is_balanced(constraint.part, first, second)
    if isinstance(constraint, Implies):
        return all(_is_balanced(part, first, second) for part in (constraint.condition, constraint.result))
    if isinstance(constraint, Linear):
        terms = [(k, x) for k, x in zip(constraint.coeffs, constraint.xs, strict=True) if x in first]
        return sum(k * first[x] for k, x in terms) == sum(k * second[x] for k, x in terms)
    if isinstance(constraint, Count):
        counted = [sum(v[x] in constraint.values for x in constraint.xs if x in first) for v in (first, second)]
        return constraint.y not in first and counted[0] == counted[1]
    if isinstance(constraint, NValue):
        return constraint.y not in first and _same(constraint.xs, first, second)
    if isinstance(constraint, MultisetEqual):
        return _same(constraint.xs, first, second) and _same(constraint.ys, first, second)
    if isinstance(constraint, AllDifferent):
        return _same(constraint.xs, first, second)
    return not any(x in first for x in constraint.scope)


def _same(xs: Iterable[str], first: Values, second: Values) -> bool:
    """Return whether variables have the same values in both cases, in any order."""
    mine = [x for x in xs if x in first]
    return sorted(first[x] for x in mine) == sorted(second[x] for x in mine)
