"""The words of sentences in one form each: "neighbouring" and "next to each other" are both ``adjacent``.

A row is a pattern of such words in any order: ``differ atleast -dot; whisper`` is met by a sentence that has "differ"
and "at least" but no dot, or "whisper". ``a|b`` is either word.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Generic, TypeVar

T = TypeVar("T")

_GROUPS = """\
apply applies applied applying
mark marker
adjacent neighbouring neighboring neighbour neighbor adjoining successive contiguous
alternate alternating alternately alternation
arrow shaft
atleast >= \u2265
atmost <= \u2264
box boxes nonet block 3x3
building tower
cage caged
centre center central
circle circled ring
clone cloned
colour color coloured colored shaded shading marked highlighted outlined painted tinted
contain containing include including hold have has having consist made
decrease decreasing descend descending fall falling drop
differ differing difference vary varies varying jump
digit number value numeral integer entry entries
distinct different unique distinctly nonrepeating unequal
divide divided split cut separate segmented break broken partition
do does did
dot kropkis pearl
double twice doubled
end endpoint tip endcap
equidistant equidistantly
given shown drawn placed present displayed
greater larger bigger higher taller more
over exceed exceeding
hide hidden obscure obscured blocking
increase increasing rise rising grow growing ascend ascending climb
index indexes indices indexing indexed indexer
inequality inequalities
less smaller lower fewer shorter
line path loop snake worm
may might can could allowed permitted
middle mid medium
mix mixes mixed mixing mixture
modulo mod modulus
never cannot can't mustn't don't doesn't isn't aren't won't not no nor neither without
unless
opposite opposing
only solely wholly purely
order ordered unordered
palindrome palindromic
parity parities
part piece section segment portion
point pointing open opening
position place location spot arrangement layout
purple violet magenta lavender lilac
ratio 1:2 2:1 factor
region area shape window
remainder residue
repeat repeated repeating repetition duplicate duplicated recur
reverse reversed
share sharing shared
same equal identical match matches matching common constant equivalent
see seen visible
set sequence run series collection
sign symbol chevron
smallest lowest
square squared
start starting begin beginning
sum summing summed total totalling totaling add adding added
surround surrounding
thermo thermometer tube
touch touches touching
sandwich sandwiched sandwiches
quadruple quad
consecutive consecutively
entropy entropic entropies
minimum minima
maximum maxima
back backward
exactly precisely
windoku hypersudoku
each every
lows 123; mids 456; highs 789; mod1 147; mod2 258; mod0 369
x xs; v vs; nth xth; grey gray
2 two; 3 three; 4 four; 5 five; 6 six; 7 seven; 8 eight; 9 nine; 10 ten"""
"""Words of one meaning, the first of which stands for all. A plural with s need not be listed."""
_FORMS = {form: group.split()[0] for group in re.split("[;\n]", _GROUPS) for form in group.split()}
_SILENT = frozenset(
    ["the", "a", "an", "must", "should", "will", "also", "always", "up", "is", "are", "be", "to", "of", "s"]
)
"""Words without which a sentence says the same."""
_PHRASES: Mapping[str, str] = {
    phrase.strip(): word
    for word, phrases in {
        "atleast": "at least, at very least, never less than, or greater, or over, never under",
        "atleast 2 min2": "atleast 2, 2 atleast, over 1, over one, greater than 1, greater than one",
        "bulb": "round end, rounded end, circular end",
        "consecutive": "one away, 1 away",
        "anywhere": "even if never adjacent",
        "differ atleast": "never closer than, minimum differ, differ minimum, differ by minimum",
        "atmost": "at most, at very most, never greater than, or less, never over",
        "differ atmost": "never differ by greater than, never differ by over, never differ over,"
        " maximum differ, differ maximum, differ by maximum",
        "over": "greater than",
        "alternate": "take turn",
        "under": "less than",
        "notall": "never necessarily, need never, never need, never do, never have",
        "nonegative": "never negative",
        "never": "may never, do never, never ever, never may, never even",
        "diagonally": "even diagonally",
        "at": "even at",
        "if": "even if",
        "differ by": "distinct by",
        "any": "adjacent or never",
        "alternate odd even": "odd even odd, even odd even",
        "never 2": "never pair",
        "repeat": "greater than once, appear double, repeat or appear",
        "antiknight": "anti knight",
        "oneparity": "one parity",
        "three consecutive": "3 consecutive, 3 adjacent, 3 sequential",
        "three cell": "3 cell, 3 digit",
        "iff": "if and only if, only if",
        "flatmate": "flat mate",
        "antiking": "anti king",
        "antirenban": "anti renban",
        "antidiagonal": "anti diagonal",
        "nonconsecutive": "non consecutive, nonconsecutive",
        "distinct": "non repeat, nonrepeat",
        "never decrease": "non decrease, nondecrease",
        "littlekiller": "little killer",
        "regionsum": "region sum, box sum line",
        "sumline": "sum line",
        "framesum": "frame sum",
        "hiddenskyscraper": "hidden skyscraper",
        "where": "which position, which cell",
        "where column": "which column, column which, column in which",
        "where row": "which row, row which, row in which",
        "doublearrow": "double arrow, double ended arrow, double end arrow, double headed arrow",
        "betweenline": "between line",
        "numberedroom": "numbered room",
        "countingcircle": "counting circle",
        "lockout": "lock out",
        "samediffer": "same differ",
        "equidistant": "same distance, equally far, equally distant, equally spaced",
        "adjacent": "next each other, next one another, next itself, side by side, share edge, share side, "
        "orthogonally connected",
        "oneandnine": "1 and 9, 9 and 1, 1s and 9s",
        "1to9": "1 9, 1 through 9, digit 1 9, 1 thru 9, all 9 digit",
        "distinct 1to9": "9 distinct digit",
        "2x2": "2 x 2, 2 by 2",
        "box": "3 x 3, 3 by 3, box region, 3 x 3 box",
        "lows": "1 3, 1 2 3, 1 2 or 3, 1 2 and 3",
        "mids": "4 6, 4 5 6, 4 5 or 6, 4 5 and 6",
        "highs": "7 9, 7 8 9, 7 8 or 9, 7 8 and 9",
        "mod1": "1 4 7, 1 4 or 7, 1 4 and 7",
        "mod2": "2 5 8, 2 5 or 8, 2 5 and 8",
        "mod0": "3 6 9, 3 6 or 9, 3 6 and 9",
        "greaterthan sign": "greater than sign, less than sign, over sign",
        "disjoint": "disjoint group, disjoint set, disjoint subset",
        "ratio": "1 2 ratio, 2 1 ratio",
    }.items()
    for phrase in phrases.split(",")
}
_LONGEST = max(len(phrase.split()) for phrase in _PHRASES)
_BEGINNINGS = frozenset(" ".join(phrase.split()[:2]) for phrase in _PHRASES)
_BEFORE = tuple(
    (re.compile(pattern), word)
    for pattern, word in (
        (r"\bnumber of\b|\bhow (?:many|often)\b", "count"),
        (r"\bnot (?:all|every|each)\b|\bdo(?:es)?(?: not|n't) (?:have|need) to\b", "notall"),
        (r"\bx-sums?\b|\bx sums?\b(?! (?:up )?(?:to|is|of)\b| \d)", "xsum"),
        (r"\b(\d{1,2})\+", r"at least \1"),
        (r"\b(?:2x|(?:two|2) times|times (?:two|2))\b", "double"),
        (r"\bsum of (?=(?:the|a|each|every) (?:\w+ )?lines?\b)", "sum along "),
        (r"\bminimum of (?=\d|two|three|four|five)", "at least "),
        (r"\bmaximum of (?=\d|two|three|four|five)", "at most "),
        (r"\b(?:within|at most|no more than) (\w+) (?:of (?:each other|one another)|apart)\b", r"differ at most \1"),
        (r"\bsuccessive (?=numbers|integers|values)", "consecutive "),
    )
)
_BEHIND = re.compile(r"\b(\d+) (atleast|atmost)\b(?! \d)")
_TOKEN = re.compile(r"r\d+c\d+|\d+:\d+|\d+x\d+|[a-z]+(?:'t\b)?|\d+|[<>]=?|[\u2264\u2265\u2227\u2228]")


def plain(text: str) -> str:
    """Return the words of a text in small letters, in their one form, without those that say nothing."""
    for pattern, word in _BEFORE:
        text = pattern.sub(word, text)
    found = tuple(word for word in map(_form, _TOKEN.findall(text)) if word not in _SILENT)
    return _BEHIND.sub(r"\2 \1", " ".join(_joined(tuple(_joined(found)))))


def _form(word: str) -> str:
    known = _FORMS.get(word)
    if known is not None:
        return known
    return _FORMS.get(word[:-1], word[:-1]) if word[-1] == "s" and len(word) > 2 else word


def _joined(words: tuple[str, ...]) -> Iterable[str]:
    """Yield words, with the longest known phrases as one word each."""
    place = 0
    while place < len(words):
        size = 1
        if " ".join(words[place : place + 2]) in _BEGINNINGS:
            size = next((n for n in range(_LONGEST, 1, -1) if " ".join(words[place : place + n]) in _PHRASES), 1)
        yield from _PHRASES[" ".join(words[place : place + size])].split() if size > 1 else words[place : place + 1]
        place += size


class Patterns(Generic[T]):
    """Things and the patterns that name them, found by the rarest word of each alternative of a pattern."""

    def __init__(self, patterns: Iterable[tuple[T, str]]) -> None:
        parts = [(thing, part.split()) for thing, pattern in patterns for part in pattern.split(";")]
        ways = [
            (place, thing, [frozenset(word.split("|")) for word in words if word[0] != "-"], _barred(words))
            for place, (thing, words) in enumerate(parts)
        ]
        common = Counter(word for _, _, needed, _ in ways for words in needed for word in words)
        self._ways: dict[str, list[tuple[int, T, list[frozenset[str]], frozenset[str]]]] = {}
        for way in ways:
            for word in min(way[2], key=lambda words: sum(common[word] for word in words)):
                self._ways.setdefault(word, []).append(way)

    def met(self, words: frozenset[str]) -> list[T]:
        """Return the things of whose patterns some alternative is met by the words, in order."""
        found = {
            place: thing
            for word in words.intersection(self._ways)
            for place, thing, needed, barred in self._ways[word]
            if words.isdisjoint(barred) and not any(map(words.isdisjoint, needed))
        }
        return list(dict.fromkeys(found[place] for place in sorted(found)))


def _barred(words: Iterable[str]) -> frozenset[str]:
    return frozenset(word[1:] for word in words if word[0] == "-")
