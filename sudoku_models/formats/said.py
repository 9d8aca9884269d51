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


def _combined(names: Names, said: Sentence | None, values: Values) -> Rule:
    return _pairs(names, relation(said), values)


def _same_remainder(names: Names, said: Sentence | None, values: Values) -> Rule:
    return r.Pair(names, tuple((a, b) for a in values for b in values if a % 3 == b % 3), True)


def _of_two_before(names: Names, said: Sentence | None, values: Values) -> Rule:
    return r.AllOf(
        tuple(r.Condition(f"{a} + {b} == {c}") for a, b, c in zip(names, names[1:], names[2:], strict=False))
    )


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
_OTHERS = re.compile(r"(?: (?:or|and|nor))? (\d{1,3})\b(?! or less| or greater)")


def _number(found: re.Match[str]) -> int:
    return 1 if found["number"] == "one" else int(found["number"])


_COMBINED: Mapping[str, tuple[Callable[[int, int], int], int | None]] = {
    "sum": (int.__add__, None),
    "differ": (lambda a, b: abs(a - b), None),
    "product": (int.__mul__, None),
    "multiply": (int.__mul__, None),
    "ratio": (lambda a, b: max(a, b) // min(a, b) if min(a, b) and max(a, b) % min(a, b) == 0 else 0, 2),
    "double": (lambda a, b: 2 if a == 2 * b or b == 2 * a else 0, 2),
    "consecutive": (lambda a, b: abs(a - b), 1),
    "parity": (lambda a, b: (a - b) % 2, 0),
}
"""What a sentence may say of two values, and the number that it means if it states none."""


def relation(said: Sentence | None) -> Callable[[int, int], bool]:
    """Return the relation of two neighbours that a sentence states: their sum, difference, ... is limited or of a sort.

    Without a sentence they are consecutive.
    """
    words = said.words if said else frozenset({"consecutive"})
    word = next((word for word in _COMBINED if word in words), "consecutive")
    combine, usual = _COMBINED[word]
    wanted = usual.__eq__ if usual is not None else _wanted(said) if said else (1).__eq__
    return lambda a, b: wanted(combine(a, b)) != ("never" in words or (word == "parity" and "distinct" in words))


def _wanted(said: Sentence) -> Callable[[int], bool]:
    """Return the test that a sentence states for a number: a limit, some numbers, or a sort of numbers."""
    after = re.search(r"\b(?:sum|differ|product|multiply)\b(.*)", said.plain)
    found = _LIMITED.search(after[1]) if after else None
    if after is None or found is None:
        sort = next((test for word, test in _SETS.items() if word in said.words), None)
        if sort is None:
            raise ValueError("the sentence states no number")
        return sort
    limit, numbers, place = _LIMITS[found["limit"] or ""], [_number(found)], found.end()
    while (other := _OTHERS.match(after[1], place)) and not found["limit"]:
        numbers.append(int(other[1]))
        place = other.end()
    return lambda n: any(limit(n, number) for number in numbers)


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
    "Neighbours": (frozenset(), _combined),
    "SameRemainder": (frozenset(), _same_remainder),
    "OfTwoBefore": (frozenset(), _of_two_before),
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
ARROWS: Mapping[str, Callable[[Names], Rule]] = {
    "ProductArrow": lambda names: r.Condition(f"{' * '.join(names[1:])} == {names[0]}"),
    "AverageArrow": lambda names: r.Condition(f"{' + '.join(names[1:])} == {names[0]} * {len(names) - 1}"),
}
"""What an arrow, or a line with a bulb, may say of its circle besides the sum."""


def _shown(total: int | None) -> int:
    if total is None:
        raise ValueError("the cage shows no number")
    return total


CAGES: Mapping[str, Callable[[Names, int | None], Rule]] = {
    "RellikCage": lambda names, total: r.RellikCage(names, _shown(total)),
    "EqualityCage": lambda names, total: r.EqualityCage(names),
    "LookAndSay": lambda names, total: r.LookAndSay(names, tuple(map(int, str(_shown(total))))),
    "ProductCage": lambda names, total: r.Calculation(names, "*", _shown(total)),
}
"""What a cage and its number may say besides the sum."""
BETWEEN: Mapping[str, Callable[[Names, int], Rule]] = {
    "PairSum": r.XV,
    "PairProduct": lambda names, number: r.Calculation(names, "*", number),
    "PairDifference": r.Difference,
}
"""What a number between two cells may say."""
BESIDE: Mapping[str, Callable[[Names, int], Rule]] = {
    "Sandwich": r.Sandwich,
    "XSum": r.XSum,
    "Skyscraper": r.Skyscraper,
    "NumberedRoom": r.NumberedRoom,
    "HiddenSkyscraper": r.HiddenSkyscraper,
    "FrameSum": lambda names, total: r.FrameSum(names[:3], total),
}
"""What a number beside a row or column may say."""
