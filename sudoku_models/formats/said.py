"""The rules that a sentence states for a line or a cell: their kinds, and the numbers in the sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from math import isqrt

from ..puzzle import rules as r
from ..puzzle.rules.rule_base import Rule
from .lexicon import says
from .words import Sentence, sentence_of

Names = tuple[str, ...]
Values = Sequence[int]
OfLine = Callable[[Names, Sentence | None, Values], Rule]
"""Makes the rule of a line from its cells, the sentence that names its kind, and the values of the board."""


def _plainly(kind: Callable[[Names], Rule]) -> OfLine:
    return lambda names, said, values: kind(names)


def _once(kind: Callable[[Names], Rule]) -> OfLine:
    """Return the maker of a rule in which each cell counts once, also where a line comes back to it."""
    return lambda names, said, values: kind(tuple(dict.fromkeys(names)))


def _round(kind: Callable[[Names], Rule]) -> OfLine:
    """Return the maker of a rule of each three cells in a row, also where a loop closes."""
    return lambda names, said, values: kind((*names, *(names[1:2] if names[0] == names[-1] else ())))


def _summing(kind: Callable[[Names, int], Rule]) -> OfLine:
    return lambda names, said, values: kind(names, _number_in(said))


def _number_in(said: Sentence | None) -> int:
    """Return the sum that a sentence states; raise ValueError if it states none, or several."""
    if said is None or said.number is None or says("not one sum", said.plain):
        raise ValueError("the rules state no sum for its cells, or several")
    return said.number


def fast_thermo(names: Names, said: Sentence | None, values: Values) -> Rule:
    """Return the rule that each value is larger than the one before it by a number that the sentence states."""
    if said is None or said.number is None:
        raise ValueError("the rules do not say by how much the values increase")
    step = said.number
    return _pairs(names, lambda a, b: b - a >= step, values)


def dot_step(said: Sentence | None) -> int:
    """Return the difference at white dots: 1 if the sentence states none. Raises ValueError if it states several."""
    if said is None or said.number is None:
        return 1
    if re.search(r"\bdiffer (?:by )?\d+ or\b", said.said):
        raise ValueError("the sentence states several differences")
    exact = re.search(rf"\bdiffer (?:by )?(?:exactly |cell |digit ){{0,2}}{said.number}\b", said.said)
    return said.number if exact else 1


def _same_difference(names: Names, said: Sentence | None, values: Values) -> Rule:
    def apart(step: int) -> Rule:
        return _pairs(names, lambda a, b: abs(a - b) == step, values)

    return r.AnyOf(tuple(map(apart, range(values[-1] - values[0] + 1))))


def _pairs(names: Names, holds: Callable[[int, int], bool], values: Values) -> Rule:
    return r.Pair(names, tuple((a, b) for a in values for b in values if holds(a, b)))


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
    "multiple": lambda n, factor: n % factor == 0,
    "divisible": lambda n, factor: n % factor == 0,
}
_LIMITED = re.compile(r"(?:(?P<limit>atleast|atmost|over|under|above|below) )?(?P<number>\d{1,3}|one)\b")
MEASURES = frozenset({*_SETS, *_LIMITS, "never", "exactly", "one"}) - {""}
"""Words, besides numbers, with which a sentence limits a sum, difference or product."""
_MEASURE = rf"(?:\d+|{'|'.join(sorted({*_SETS, *filter(None, _LIMITS)}))})\b"
_TERM = re.compile(rf"(?:({'|'.join(filter(None, _LIMITS))}) )?(?:by )?\b(\d+|one)\b|({'|'.join(_SETS)})")
_BESIDE = "or|and|nor|by|exactly|either|digit|min2|one"
_COMPARED = re.compile(
    rf"\b(?:sum|differ|product|multiply)\b(?: (?!{_MEASURE})\w+)*?"
    rf"((?: (?:{_BESIDE})\b)* {_MEASURE}(?: (?:{_MEASURE}|(?:{_BESIDE})\b))*)"
)
"""What a sentence says of a sum, difference or product: limits, numbers and sorts of numbers side by side."""


def _parity(a: int, b: int) -> int:
    return (a - b) % 2


_COMBINED: Mapping[str, tuple[Callable[[int, int], int], int | None]] = {
    "sum": (int.__add__, None),
    "differ": (lambda a, b: abs(a - b), None),
    "product": (int.__mul__, None),
    "multiply": (int.__mul__, None),
    "ratio": (lambda a, b: max(a, b) // min(a, b) if min(a, b) and max(a, b) % min(a, b) == 0 else 0, 2),
    "double": (lambda a, b: 2 if a == 2 * b or b == 2 * a else 0, 2),
    "consecutive": (lambda a, b: abs(a - b), 1),
    "parity": (_parity, 0),
}
"""What a sentence may say of two values, and the number that it means if it states none."""


def relation(said: Sentence | None) -> Callable[[int, int], bool]:
    """Return the relation of two neighbours that a sentence states: their sum, difference, ... is limited or of a sort.

    Without a sentence they are consecutive. Raises ValueError if the sentence may say something else, or more.
    """
    if said is None:
        return lambda a, b: abs(a - b) == 1
    words, never = said.words, "never" in said.words
    named = [word for word in _COMBINED if word in words and (word != "differ" or "parity" not in words)]
    (combine, usual), *others = dict.fromkeys(_COMBINED[word] for word in named or ["consecutive"])
    before = never and "never" not in sentence_of(said.text.rpartition(":")[2]).words
    if others or before or ("may" in words and not never) or says("unsure", said.said):
        raise ValueError("the sentence may say more of two neighbours than is understood")
    if usual is not None and re.search(rf"\b{_MEASURE}", said.said):
        raise ValueError("the sentence names numbers that are not understood")
    wanted = _wanted(said) if usual is None else usual.__eq__
    unlike = combine is _parity and not words.isdisjoint(("distinct", "opposite", "differ", "alternate"))
    return lambda a, b: wanted(combine(a, b)) != (never != unlike)


def _wanted(said: Sentence) -> Callable[[int], bool]:
    """Return the test that a sentence states for a number: limits, some numbers, or a sort of numbers."""
    found = _COMPARED.search(said.said)
    if found is None or re.search(rf"\b(?:{_MEASURE}|exactly|one)\b", said.said.replace(found[0], "", 1)):
        raise ValueError("the sentence states no number, or several")
    terms = _TERM.findall(found[1])
    if not terms or re.search(rf"\b{_MEASURE}", _TERM.sub("", found[1])):
        raise ValueError("the sentence states a limit that is no number")
    limits = [limit for limit, _, sort in terms if not sort]
    if limits[:1] in (["multiple"], ["divisible"]):
        limits = [limits[0]] * len(limits)  # of 3 or 5
    every = any(limits) and " and " in found[1]
    if ("" in limits and any(limits)) or (every and "never" in said.words):
        raise ValueError("the sentence limits numbers in a way that is not understood")
    tests = [_SETS[sort] for _, _, sort in terms if sort]
    numbers = [1 if number == "one" else int(number) for _, number, sort in terms if not sort]
    pairs, joined = list(zip(limits, numbers, strict=True)), all if every else any
    return lambda n: joined(chain((test(n) for test in tests), (_LIMITS[limit](n, number) for limit, number in pairs)))


LINES: Mapping[str, tuple[frozenset[str], OfLine]] = {
    "Renban": (frozenset({"purple", "pink"}), _once(r.Renban)),
    "RegionSumLine": (frozenset({"blue"}), _once(r.RegionSumLine)),
    "Palindrome": (frozenset({"grey"}), _plainly(r.Palindrome)),
    "Entropic": (frozenset({"peach"}), _round(r.Entropic)),
    "Modular": (frozenset({"teal"}), _round(r.Modular)),
    "Zipper": (frozenset(), _plainly(r.Zipper)),
    "Nabner": (frozenset({"yellow"}), _once(r.Nabner)),
    "AlternatingParity": (frozenset({"red"}), _plainly(r.AlternatingParity)),
    "EqualParity": (frozenset(), _plainly(r.EqualParity)),
    "SumLine": (frozenset(), _summing(r.SumLine)),
    "LineSum": (frozenset(), _summing(r.WeightedSum)),
    "NoRepeat": (frozenset(), _once(r.ExtraRegion)),
    "Increasing": (frozenset(), lambda names, said, values: r.AnyOf((r.Thermo(names), r.Thermo(names[::-1])))),
    "Progression": (frozenset(), _plainly(r.Progression)),
    "SameDifference": (frozenset(), _same_difference),
    "Neighbours": (frozenset(), lambda names, said, values: _pairs(names, relation(said), values)),
    "SameRemainder": (frozenset(), _same_remainder),
    "OfTwoBefore": (frozenset(), _of_two_before),
}
"""Lines that are recognised by the colours that most setters use, or by the text."""
OF_SETS = frozenset(["Renban", "Nabner", "NoRepeat", "EqualParity", "SameRemainder"])
"""Lines whose order tells nothing, so that those that hang together are one."""
ALIKE: Mapping[str, Callable[[tuple[Names, ...]], Rule]] = {"SameValues": r.SameValues, "EqualSums": r.EqualSums}
"""What two or more lines of one colour may be together."""


def _value_set(name: str, said: Sentence, values: Values) -> Rule:
    """Return the rule that a cell holds one of the values that a sentence names: 6-9, less than 5, prime, low."""
    listed = re.search(r"(\d+)\s*(?:-|to|through)\s*(\d+)", said.lower)
    several = re.search(r"\d+(?:(?:\s*(?:,|/|\bor\b|\band\b))+\s*\d+)+", said.lower)
    limited, half = _LIMITED.search(said.plain), len(values) // 2
    if listed:
        kept = set(range(int(listed[1]), int(listed[2]) + 1))
    elif several:
        kept = set(map(int, re.findall(r"\d+", several[0])))
    elif limited and limited["limit"]:
        number = int(limited["number"].replace("one", "1"))
        kept = {v for v in values if _LIMITS[limited["limit"]](v, number)}
    elif "prime" in said.words and not re.search(r"\d", said.plain):
        kept = set(filter(_SETS["prime"], values))
    elif ("low" in said.words) != ("high" in said.words):
        kept = set(values[:half] if "low" in said.words else values[-half:])
    else:
        raise ValueError("the sentence names no values")
    if "never" in said.words:
        if not re.match(r"(?:[^\d]* )?never\b", said.plain) or "only" in said.words:
            raise ValueError("the sentence may say more of the values than is understood")
        kept = set(values) - kept
    return r.OneOf(name, tuple(sorted(kept.intersection(values))))


CELLS: Mapping[str, Callable[[str, Sentence, Values], Rule]] = {
    "Odd": lambda name, said, values: r.Parity(name, True),
    "Even": lambda name, said, values: r.Parity(name, False),
    "Minimum": lambda name, said, values: r.Minimum(name),
    "Maximum": lambda name, said, values: r.Maximum(name),
    "ValueSet": _value_set,
    "ColumnIndexer": lambda name, said, values: r.ColumnIndexer(name),
    "RowIndexer": lambda name, said, values: r.RowIndexer(name),
}
"""What a marked or shaded cell may say of its value."""
ARROWS: Mapping[str, Callable[[Names, int | None], Rule]] = {
    "ProductArrow": lambda names, total: r.Condition(f"{' * '.join(names[1:])} == {names[0]}"),
    "AverageArrow": lambda names, total: r.Condition(f"{' + '.join(names[1:])} == {names[0]} * {len(names) - 1}"),
}
"""What an arrow, which shows no number, may say of its circle besides the sum."""


def _shown(total: int | None) -> int:
    if total is None:
        raise ValueError("the cage shows no number")
    return total


def _filled(names: Names, total: int | None) -> Rule:
    """Return the rule that a cage of n cells, which shows no number, holds the values from 1 to n."""
    if total is not None:
        raise ValueError("the cage shows a number")
    kept = tuple(range(1, len(names) + 1))
    return r.AllOf((r.KillerCage(names), *(r.OneOf(name, kept) for name in names)))


def magic(names: Sequence[str]) -> Rule:
    """Return the rule that the rows, columns and diagonals of 3 x 3 cells, row by row, have one sum."""
    first = tuple(map(int, re.findall(r"\d+", names[0])))
    if list(names) != [f"R{first[0] + i}C{first[1] + j}" for i in range(3) for j in range(3)]:
        raise ValueError("a magic square has 3 x 3 cells")
    lines = [*(names[i : i + 3] for i in (0, 3, 6)), *(names[i::3] for i in (0, 1, 2)), names[::4], names[2:7:2]]
    return r.EqualSums(tuple(map(tuple, lines)))


CAGES: Mapping[str, Callable[[Names, int | None], Rule]] = {
    "RellikCage": lambda names, total: r.RellikCage(names, _shown(total)),
    "FilledCage": _filled,
    "EqualityCage": lambda names, total: r.EqualityCage(names),
    "LookAndSay": lambda names, total: r.LookAndSay(names, tuple(map(int, str(_shown(total))))),
    "MagicSquare": lambda names, total: magic(names),
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
    "FrameSum": lambda names, total: r.FrameSum(names, total) if len(names) == 3 else r.WeightedSum(names, total),
}
"""What a number beside a row or column may say."""
