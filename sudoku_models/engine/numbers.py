"""The size of the numbers in a model and the largest that an engine accepts: offsets and spreads for each kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, fields, is_dataclass
from math import prod
from typing import Any

from ..dataclass import dataclass
from ..model import Constraint, Domain, Model, Objective, kinds
from ..model.logic import nested

Domains = Mapping[str, Domain]
Stated = Constraint | Objective


@dataclass(frozen=True)
class Numbers:
    """The largest numbers that an engine takes, or with which it computes exactly; an undeclared number is unbounded.

    ``value`` bounds the size of a variable's values, ``spread`` the difference between two of them, ``values`` their
    number; ``stated`` bounds the size of the numbers in constraints, ``pairs``, by kind, the pairs of values of two
    variables in one constraint. ``sums`` bounds, by kind, the size that any partial sum may reach (including the number
    it is compared with), ``spreads`` the amount by which it may vary. Nested constraints count too.
    """

    value: int | None = None
    spread: int | None = None
    values: int | None = None
    stated: int | None = None
    pairs: Mapping[type[Constraint], int] = field(default_factory=dict, hash=False)
    sums: Mapping[type[Stated], int] = field(default_factory=dict, hash=False)
    spreads: Mapping[type[Stated], int] = field(default_factory=dict, hash=False)

    def refused(self, model: Model) -> str | None:
        """Return which number of a model is too large; None if none is."""
        bounded = {self.value, self.spread, self.values} != {None}
        for x, values in model.domains.items() if bounded else ():
            if self.value is not None and _size(values) > self.value:
                return f"{x} has values beyond {_shown(self.value)}, the largest that the engine accepts"
            if self.spread is not None and _width(values) > self.spread:
                return f"the values of {x} differ by more than {_shown(self.spread)}, the most that the engine accepts"
            if self.values is not None and len(values) > self.values:
                return f"{x} has {len(values)} values: at most {self.values} are taken, one by one"
        for c in model.constraints if self.pairs else ():
            if type(c) in self.pairs and len(c.scope) == 2:
                pairs = prod(len(model.domains[x]) for x in c.scope)
                if pairs > (most := self.pairs[type(c)]):
                    return f"{pairs} pairs of values of one constraint are too many: {most} are taken"
        if self.stated is not None:
            for c in model.constraints:
                if largest_in(c) > self.stated:
                    limit = f"{_shown(self.stated)}, the largest that the engine accepts"
                    return f"a {type(c).__name__} has numbers beyond {limit}"
        if self.sums or self.spreads:
            for stated in sums_of(model):
                if reason := self._too_large(stated, model.domains):
                    return reason
        return None

    def _too_large(self, stated: Stated, domains: Domains) -> str | None:
        kind, most, varies = type(stated), *measured(stated, domains)
        what = "an objective" if kind is Objective else f"a sum in {kind.__name__}"
        for number, bounds, does in ((most, self.sums, "may come to"), (varies, self.spreads, "varies by")):
            if number > (bound := bounds.get(kind, number)):
                return f"{what} that {does} {number} is too large for exact results: at most {_shown(bound)} is exact"
        return None


def measured(stated: Stated, domains: Domains) -> tuple[int, int]:
    """Return the size that a sum may reach and the amount by which it varies; 0 and 0 for kinds without sums."""
    match stated:
        case kinds.Linear() | Objective():
            constant = stated.k if isinstance(stated, kinds.Linear) else stated.constant
            terms = list(zip(map(abs, stated.coeffs), (domains[x] for x in stated.xs), strict=True))
            most = sum(c * _size(values) for c, values in terms)
            return abs(constant) + most, sum(c * _width(values) for c, values in terms)
        case kinds.Compare(x=x, y=y, c=c):
            both = domains[x], domains[y]
            return abs(c) + sum(map(_size, both)), sum(map(_width, both))
        case kinds.Count(xs=xs, y=y) | kinds.NValue(xs=xs, y=y):
            values = domains[y] if isinstance(y, str) else (y,)
            return len(xs) + _size(values), len(xs) + _width(values)
        case kinds.LexLess(xs=xs, ys=ys):
            pairs = [(domains[x], domains[y]) for x, y in zip(xs, ys, strict=True)]
            most = max((sum(map(_size, pair)) for pair in pairs), default=0)
            return most, max((sum(map(_width, pair)) for pair in pairs), default=0)
    return 0, 0


def largest_in(part: Any) -> int:
    """Return the size of the largest number in a constraint, or in what it consists of; 0 if there is none."""
    if isinstance(part, int):
        return abs(part)
    if is_dataclass(part):
        part = [getattr(part, field.name) for field in fields(part)]
    return max(map(largest_in, part), default=0) if isinstance(part, list | tuple | frozenset) else 0


def sums_of(model: Model) -> Iterator[Stated]:
    """Yield all constraints of a model, nested ones included, and its objective."""
    for constraint in model.constraints:
        yield from nested(constraint)
    if model.objective:
        yield model.objective


def _size(values: Domain) -> int:
    return max(-values[0], values[-1], 0) if values else 0


def _width(values: Domain) -> int:
    return values[-1] - values[0] if values else 0


def _shown(number: int) -> str:
    """Format a number; one near a power of two is also shown in that form."""
    for bits in (31, 62, 63):
        below = (1 << bits) - number
        if 0 <= below <= 2:
            return f"{number} (2^{bits}{f' - {below}' if below else ''})"
    return str(number)
