"""Rules taken apart: what a rule says, as several weaker rules that say it together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import Any

from ..puzzle import rules as r
from ..puzzle.rules import Rule


def pieces(rules: Iterable[Rule]) -> tuple[Rule, ...]:
    """Return rules with each one that has parts replaced by them.

    A group is parted into its rules, a thermometer into its steps, a cage with a sum into the sum and the difference of
    its cells, a set of values that some cells hold into single values. Other rules stay whole.
    """
    return tuple(piece for rule in rules for piece in _pieces(rule))


def _pieces(rule: Rule) -> Iterator[Rule]:
    part: Callable[[Any], Iterator[Rule]] | None = _PARTS.get(type(rule).__name__)
    if part is None:
        yield rule
    else:
        yield from part(rule)


def _group(rule: r.AllOf) -> Iterator[Rule]:
    yield from pieces(rule.rules)


def _thermo(rule: r.Thermo) -> Iterator[Rule]:
    return (r.Thermo(pair) for pair in pairwise(rule.cells))


def _cage(rule: r.KillerCage) -> Iterator[Rule]:
    yield r.ExtraRegion(rule.cells)
    if rule.total is not None:
        yield r.WeightedSum(rule.cells, total=rule.total)


def _values(rule: Any) -> Iterator[Rule]:
    yield from (type(rule)(rule.cells, (value,) * times) for value, times in Counter(rule.values).items())


_PARTS: dict[str, Callable[[Any], Iterator[Rule]]] = {
    "AllOf": _group,
    "Thermo": _thermo,
    "KillerCage": _cage,
    "Quadruple": _values,
    "ContainAtLeast": _values,
}
