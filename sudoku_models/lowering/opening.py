"""Kinds of constraint stated by simpler ones, as definitions and a formula.

``opened`` returns both. The definitions always hold: for every choice of the stated variables there is exactly one
choice of the auxiliary ones that satisfies them. So the formula may be used inside an Or or a Not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations
from typing import Any

from ..model import (
    AllDifferent,
    And,
    Compare,
    Connected,
    Constraint,
    Count,
    Cumulative,
    Element,
    GlobalCardinality,
    InDomain,
    Inverse,
    Linear,
    MinMax,
    MultisetEqual,
    NoOverlap,
    NValue,
    Or,
)
from .connected_rewrites import labelled
from .global_rewrites import Opened, opened_cumulative
from .rewrite import Scratch


def opened(constraint: Constraint, scratch: Scratch) -> Opened | None:
    """Return a constraint stated by simpler kinds; None for a kind that has no such form."""
    opener = _OPENERS.get(type(constraint))
    return opener(constraint, scratch) if opener else None


def clauses_of_element(c: Element, scratch: Scratch) -> list[Constraint]:
    """The value at the position given by the index is the stated value."""
    inside = [i for i in scratch.domains[c.i] if 0 <= i < len(c.xs)]
    found: list[Constraint] = [InDomain(c.i, inside)]
    for place in inside:
        elsewhere = InDomain(c.i, [i for i in inside if i != place])
        if isinstance(c.y, str):
            found.append(Or(elsewhere, Compare(c.xs[place], "==", c.y)))
        else:
            found.append(Or(elsewhere, InDomain(c.xs[place], (c.y,))))
    return found


def parts_of_min_max(c: MinMax, scratch: Scratch) -> list[Constraint]:
    """No value lies beyond an end, and each end is reached."""
    found: list[Constraint] = []
    for end, op in ((c.lo, ">="), (c.hi, "<=")):
        if isinstance(end, str):
            found += [Compare(x, op, end) for x in dict.fromkeys(c.xs) if x != end]
            found += _met(c.xs, end, scratch)
        elif end is not None:
            found += [InDomain(x, _bounded(scratch.domains[x], op, end)) for x in dict.fromkeys(c.xs)]
            found.append(Or(InDomain(x, (end,)) for x in dict.fromkeys(c.xs)))
    return found


def _bounded(values: Iterable[int], op: str, end: int) -> list[int]:
    return [v for v in values if (v >= end if op == ">=" else v <= end)]


def _met(xs: Iterable[str], end: str, scratch: Scratch) -> list[Constraint]:
    """Some variable has the value of the end: a clause for each value."""
    if end in xs:
        return []
    values = scratch.domains[end]
    return [Or(InDomain(end, set(values) - {v}), *(InDomain(x, (v,)) for x in dict.fromkeys(xs))) for v in values]


def presence(c: NValue, scratch: Scratch) -> Opened:
    """For each value, 0 or 1 for whether it occurs; their sum is the number of values."""
    xs = tuple(dict.fromkeys(c.xs))
    found: list[Constraint] = []
    flags: list[str] = []
    for value in sorted(set().union(*(scratch.domains[x] for x in xs))):
        flag = scratch.auxiliary("present", (0, 1))
        having = [x for x in xs if value in scratch.domains[x]]
        found += [Or(_other(x, value, scratch), InDomain(flag, (1,))) for x in having]
        found.append(Or(InDomain(flag, (0,)), *(InDomain(x, (value,)) for x in having)))
        flags.append(flag)
    return found, _sum(flags, c)


def _other(x: str, value: int, scratch: Scratch) -> InDomain:
    return InDomain(x, [v for v in scratch.domains[x] if v != value])


def flagged(c: Count, scratch: Scratch) -> Opened:
    """For each variable, 0 or 1 for whether it has one of the values; their sum is the number."""
    found: list[Constraint] = []
    flags: list[str] = []
    for x in c.xs:
        flag = scratch.auxiliary("one", (0, 1))
        inside = InDomain(x, [v for v in scratch.domains[x] if v in c.values])
        outside = InDomain(x, [v for v in scratch.domains[x] if v not in c.values])
        found += [Or(outside, InDomain(flag, (1,))), Or(inside, InDomain(flag, (0,)))]
        flags.append(flag)
    return found, _sum(flags, c)


def _sum(flags: list[str], c: Count | NValue) -> Constraint:
    if isinstance(c.y, str):
        return Linear([*[1] * len(flags), -1], [*flags, c.y], c.op, 0)
    return Linear([1] * len(flags), flags, c.op, c.y)


def numbers(c: MultisetEqual, scratch: Scratch) -> Opened:
    """For each value, how often it occurs on either side: these numbers are equal."""
    xs, ys = _without_common(c)
    found: list[Constraint] = []
    equal: list[Constraint] = []
    for value in sorted(set().union(*(scratch.domains[x] for x in (*xs, *ys)))):
        names = [scratch.auxiliary("number", tuple(range(len(xs) + 1))) for _ in range(2)]
        found += [Count(side, (value,), "==", name) for side, name in zip((xs, ys), names, strict=True)]
        equal.append(Compare(names[0], "==", names[1]))
    return found, And(equal)


def shared_numbers(c: MultisetEqual, scratch: Scratch) -> list[Constraint]:
    """For each value, one number for how often it occurs on both sides."""
    xs, ys = _without_common(c)
    found: list[Constraint] = []
    for value in sorted(set().union(*(scratch.domains[x] for x in (*xs, *ys)))):
        having = [[x for x in side if value in scratch.domains[x]] for side in (xs, ys)]
        most = min(map(len, having))
        number = scratch.auxiliary("number", tuple(range(most + 1))) if most else 0
        found += [Count(side, (value,), "==", number) for side in having if side]
    return found


def _without_common(c: MultisetEqual) -> tuple[list[str], list[str]]:
    """Return both sides without the elements that they have in common."""
    left, right = [], list(c.ys)
    for x in c.xs:
        if x in right:
            right.remove(x)
        else:
            left.append(x)
    return left, right


_OPENERS: dict[type[Constraint], Callable[[Any, Scratch], Opened]] = {
    AllDifferent: lambda c, scratch: ([], And(Compare(x, "!=", y) for x, y in combinations(c.xs, 2))),
    Element: lambda c, scratch: ([], And(clauses_of_element(c, scratch))),
    MinMax: lambda c, scratch: ([], And(parts_of_min_max(c, scratch))),
    NValue: presence,
    Count: flagged,
    MultisetEqual: numbers,
    Connected: lambda c, scratch: labelled(c, scratch, total=True),
    Cumulative: opened_cumulative,
    **dict.fromkeys((GlobalCardinality, Inverse, NoOverlap), lambda c, scratch: ([], And(c.parts(scratch.domains)))),
}
