"""Split rules into several weaker rules that together mean the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import combinations, pairwise
from typing import Any

from ..puzzle import rules as r
from ..puzzle.rules import Rule

Parts = Iterator[Rule]


def pieces(rules: Iterable[Rule]) -> tuple[Rule, ...]:
    """Return rules with each divisible one replaced by its parts.

    A group is split into its rules, a line about neighbours (thermometers, whispers, alternating parity) into its
    steps, one about pairs or inner cells (palindromes, between lines, zippers) into these, a cage with a sum into the
    sum and the difference of its cells, a set of values that some cells have into single values. Other rules stay
    whole: those of one sum, count or set (arrows, renbans), of one cell or pair, and of the whole board.
    """
    return tuple(piece for rule in rules for piece in (tuple(_pieces(rule)) or (rule,)))


def _pieces(rule: Rule) -> Parts:
    part = _PARTS.get(type(rule).__name__)
    return iter(()) if part is None else part(rule)


def _group(rule: r.AllOf) -> Parts:
    yield from pieces(rule.rules)


def _windows(size: int, rule: Any) -> Parts:
    """Yield the rule for each run of ``size`` neighbours on its line."""
    cells = rule.cells
    return (replace(rule, cells=cells[i : i + size]) for i in range(len(cells) - size + 1))


def _progression(rule: r.Progression) -> Parts:
    return _windows(3 if rule.step is None else 2, rule)


def _within(size: int, rule: Any) -> Parts:
    """Yield the rule for every two cells that are less than ``size`` places apart."""
    line = enumerate(rule.cells)
    return (replace(rule, cells=(a, b)) for (i, a), (k, b) in combinations(line, 2) if k - i < size)


def _modular(rule: r.Modular) -> Parts:
    return _within(rule.modulus, rule)


def _every_two(rule: Any) -> Parts:
    return _within(len(rule.cells), rule)


def _mirrored(rule: Any) -> Parts:
    """Yield the rule for every two cells equally far from the middle."""
    cells = rule.cells
    return (replace(rule, cells=(cells[i], cells[-1 - i])) for i in range(len(cells) // 2))


def _zipper(rule: r.Zipper) -> Parts:
    """Yield the rule for every such two cells and the middle one, if there is one."""
    cells, middle = rule.cells, len(rule.cells) // 2
    return (r.Zipper((cells[i], cells[middle], cells[-1 - i])) for i in range(middle if len(cells) % 2 else 0))


def _inner(rule: Any) -> Parts:
    """Yield the rule for every inner cell and the two ends."""
    first, *inner, last = rule.cells
    return (replace(rule, cells=(first, cell, last)) for cell in inner)


def _segments(rule: r.EqualSums) -> Parts:
    return (r.EqualSums(couple) for couple in pairwise(rule.segments))


def _clone(rule: r.Clone) -> Parts:
    return (r.Clone((a,), (b,)) for a, b in zip(rule.cells, rule.clones, strict=True))


def _cage(rule: r.KillerCage) -> Parts:
    yield r.ExtraRegion(rule.cells)
    if rule.total is not None:
        yield r.WeightedSum(rule.cells, total=rule.total)


def _values(rule: Any) -> Parts:
    yield from (type(rule)(rule.cells, (value,) * times) for value, times in Counter(rule.values).items())


_PARTS: dict[str, Callable[[Any], Parts]] = {
    "AllOf": _group,
    **dict.fromkeys(("Thermo", "SlowThermo", "Whisper", "AlternatingParity", "EqualParity"), partial(_windows, 2)),
    "Progression": _progression,
    "Entropic": partial(_within, 3),
    "Modular": _modular,
    "Nabner": _every_two,
    "Palindrome": _mirrored,
    "Zipper": _zipper,
    "Between": _inner,
    "Lockout": _inner,
    "EqualSums": _segments,
    "Clone": _clone,
    "KillerCage": _cage,
    "Quadruple": _values,
    "ContainAtLeast": _values,
}
