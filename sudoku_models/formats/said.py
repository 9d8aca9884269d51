"""The rules that a sentence states for a line or a cell: their kinds, and the numbers in the sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import isqrt

from ..puzzle import rules as r
from ..puzzle.rules.rule_base import Rule
from .words import Sentence

Names = tuple[str, ...]
Values = Sequence[int]
OfLine = Callable[[Names, Sentence | None, Values], Rule]
"""Makes the rule of a line from its cells, the sentence that names its kind, and the values of the board."""


def _plainly(kind: Callable[[Names], Rule]) -> OfLine:
    return lambda names, said, values: kind(names)


def _sum_line(names: Names, said: Sentence | None, values: Values) -> Rule:
    return r.SumLine(names, said.number if said and said.number else 10)


def _whole_sum(names: Names, said: Sentence | None, values: Values) -> Rule:
    if said is None or said.number is None or _NOT_ONE_SUM.search(said.plain):
        raise ValueError("the rules do not say to which number it sums")
    return r.WeightedSum(names, said.number)


_NOT_ONE_SUM = re.compile(r"\bnever (?!repeat)(?:\w+ )*sum\b|\bsum (?:\d+ )+(?:(?:or|and) )?\d")
"""That something is no sum, or that there are several."""


def _increasing(names: Names, said: Sentence | None, values: Values) -> Rule:
    return r.AnyOf((r.Thermo(names), r.Thermo(names[::-1])))


def _same_difference(names: Names, said: Sentence | None, values: Values) -> Rule:
    steps = range(values[-1] - values[0] + 1)
    return r.AnyOf(tuple(_pairs(names, partial(_apart, step), values) for step in steps))


def _apart(step: int, a: int, b: int) -> bool:
    return abs(a - b) == step


def _pairs(names: Names, holds: Callable[[int, int], bool], values: Values) -> Rule:
    return r.Pair(names, tuple((a, b) for a in values for b in values if holds(a, b)))


_SETS: Mapping[str, Callable[[int], bool]] = {
    "prime": lambda n: n > 1 and all(n % k for k in range(2, isqrt(n) + 1)),
    "square": lambda n: isqrt(n) ** 2 == n,
    "odd": lambda n: n % 2 == 1,
    "even": lambda n: n % 2 == 0,
}
_LIMITS: Mapping[str, Callable[[int, int], bool]] = {
    "": int.__eq__,
    "atleast": int.__ge__,
    "atmost": int.__le__,
    "over": int.__gt__,
    "under": int.__lt__,
    "above": int.__gt__,
    "below": int.__lt__,
}
_LIMITED = re.compile(r"(?:(?P<limit>atleast|atmost|over|under|above|below) )?(?P<number>\d{1,3}|one)\b")


def _number(found: re.Match[str]) -> int:
    return 1 if found["number"] == "one" else int(found["number"])


_COMBINED: Mapping[str, Callable[[int, int], int]] = {
    "sum": int.__add__,
    "differ": lambda a, b: abs(a - b),
    "product": int.__mul__,
    "multiply": int.__mul__,
}


def _neighbours(names: Names, said: Sentence | None, values: Values) -> Rule:
    """Return the rule for each two neighbours on a line: their sum, difference or product is limited or of a sort."""
    words = said.words if said else frozenset()
    combine = next((made for word, made in _COMBINED.items() if word in words), None)
    wanted = _wanted(said) if said and combine else (1).__eq__
    if combine is None:  # they are consecutive
        combine = _COMBINED["differ"]
    return _pairs(names, lambda a, b: wanted(combine(a, b)) != ("never" in words), values)


def _wanted(said: Sentence) -> Callable[[int], bool]:
    """Return the test that a sentence states for a number: a limit, or a sort of numbers."""
    after = re.search(r"\b(?:sum|differ|product|multiply)\b(.*)", said.plain)
    found = _LIMITED.search(after[1]) if after else None
    if found is None:
        sort = next((test for word, test in _SETS.items() if word in said.words), None)
        if sort is None:
            raise ValueError("the sentence states no number")
        return sort
    limit, number = _LIMITS[found["limit"] or ""], _number(found)
    return lambda n: limit(n, number)


LINES: Mapping[str, tuple[frozenset[str], OfLine]] = {
    "Renban": (frozenset({"purple", "pink"}), _plainly(r.Renban)),
    "RegionSumLine": (frozenset({"blue"}), _plainly(r.RegionSumLine)),
    "Palindrome": (frozenset({"grey"}), _plainly(r.Palindrome)),
    "Entropic": (frozenset({"peach"}), _plainly(r.Entropic)),
    "Modular": (frozenset({"teal"}), _plainly(r.Modular)),
    "Zipper": (frozenset(), _plainly(r.Zipper)),
    "Nabner": (frozenset(), _plainly(r.Nabner)),
    "AlternatingParity": (frozenset(), _plainly(r.AlternatingParity)),
    "EqualParity": (frozenset(), _plainly(r.EqualParity)),
    "SumLine": (frozenset(), _sum_line),
    "LineSum": (frozenset(), _whole_sum),
    "NoRepeat": (frozenset(), _plainly(r.ExtraRegion)),
    "Increasing": (frozenset(), _increasing),
    "SameDifference": (frozenset(), _same_difference),
    "Neighbours": (frozenset(), _neighbours),
}
"""Lines that are recognised by the colours that most setters use, or by the text."""
ALIKE: Mapping[str, Callable[[tuple[Names, ...]], Rule]] = {"SameValues": r.SameValues, "EqualSums": r.EqualSums}
"""What two or more lines of one colour may be together."""


def _value_set(name: str, said: Sentence, values: Values) -> Rule:
    """Return the rule that a cell holds one of the values that a sentence names: 6-9, less than 5, prime, low."""
    listed = re.search(r"(\d+)\s*(?:-|to|through)\s*(\d+)", said.lower)
    several = re.search(r"\d+(?:\s*(?:,|/|\bor\b|\band\b)+\s*\d+)+", said.lower)
    limited, half = _LIMITED.search(said.plain), len(values) // 2
    if listed:
        kept = set(range(int(listed[1]), int(listed[2]) + 1))
    elif several:
        kept = set(map(int, re.findall(r"\d+", several[0])))
    elif limited and limited["limit"]:
        kept = {v for v in values if _LIMITS[limited["limit"]](v, _number(limited))}
    elif "prime" in said.words:
        kept = set(filter(_SETS["prime"], values))
    elif "low" in said.words or "high" in said.words:
        kept = set(values[:half] if "low" in said.words else values[-half:])
    else:
        raise ValueError("the sentence names no values")
    return r.OneOf(name, tuple(sorted(kept.intersection(values))))


CELLS: Mapping[str, Callable[[str, Sentence, Values], Rule]] = {
    "Odd": lambda name, said, values: r.Parity(name, True),
    "Even": lambda name, said, values: r.Parity(name, False),
    "Minimum": lambda name, said, values: r.Minimum(name),
    "Maximum": lambda name, said, values: r.Maximum(name),
    "ValueSet": _value_set,
}
"""What a marked or shaded cell may say of its value."""
