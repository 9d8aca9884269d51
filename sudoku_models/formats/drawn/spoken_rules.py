"""Finds the kinds of rules, and their colours, that the text of the rules names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from .colours import WORDS, meant

_KINDS: Mapping[str, str] = {
    "Thermo": r"thermo(?:meter)?s?\b(?!.*slow)|increase\w* (?:strictly )?(?:from|away from) the (?:bulb|round)",
    "SlowThermo": r"slow[ -]thermo",
    "Arrow": r"\barrows?\b(?!.*little)",
    "DoubleArrow": r"double[ -]arrow",
    "Whisper": r"whisper|differ\w* (?:of|by) at least (?:5|five|4|four)\b",
    "Renban": r"renban|consecutive (?:digits|numbers|values)?[^.]*any order|set of consecutive",
    "Palindrome": r"palindrom|reads? the same",
    "Between": r"\bbetween[ -]lines?|strictly between|between the (?:digits|values|numbers)",
    "Lockout": r"lock-?out",
    "RegionSumLine": r"region[ -]sum|box borders? divides?|equal sums? (?:in|within) each (?:box|region)|same sum",
    "Entropic": r"entrop",
    "Modular": r"modular",
    "Nabner": r"nabner",
    "Zipper": r"zipper",
    "Difference": r"white (?:dot|circle|kropki)|kropki|difference (?:dot|of (?:1|one))|consecutive",
    "Ratio": r"black (?:dot|circle|kropki)|kropki|ratio",
    "XV": r"\bx(?: ?/ ?|, ?| ?and ?(?:an? )?)?v\b|sum to (?:10|ten|5|five)",
    "Quadruple": r"quad(?:ruple)?s?\b|digits? in (?:a |the )?(?:white )?circles? must appear",
    "Odd": r"\bodd\b",
    "Even": r"\beven\b",
    "LittleKiller": r"little[ -]killer|along the (?:indicated |marked )?diagonal",
    "Sandwich": r"sandwich",
    "XSum": r"x[ -]sums?",
    "Skyscraper": r"skyscraper|buildings?",
    "NumberedRoom": r"numbered[ -]rooms?",
    "KillerCage": r"killer|\bcages?\b",
    "Diagonal": r"\bdiagonals?\b",
    "Greater": r"greater[ -]than|inequalit|points? (?:to|at|towards?) the (?:smaller|lower)",
    "ExtraRegion": r"extra[ -]regions?|windoku|hyper[ -]?sudoku|shaded (?:areas?|regions?|boxes)"
    r"|each gr[ea]y (?:area|region)",
}
_PATTERNS = {kind: re.compile(pattern, re.IGNORECASE) for kind, pattern in _KINDS.items()}
_COLOURS = re.compile(rf"\b({'|'.join(sorted(WORDS))})\b", re.IGNORECASE)
_SENTENCE = re.compile(r"[^.;\n!]+")
_DUTCH = re.compile(r"dutch|at least (?:4|four)\b", re.IGNORECASE)
_LONGEST = 20_000


@dataclass(frozen=True)
class Words:
    """The kinds of rules that a text names: each with the colours that the same sentences name."""

    named: Mapping[str, frozenset[str]]
    dutch: bool = False

    @classmethod
    def of(cls, text: str) -> Words:
        """Parse a text of rules."""
        found: dict[str, frozenset[str]] = {}
        for sentence in _SENTENCE.findall(text[:_LONGEST]):
            colours = frozenset(meant(word.lower()) for word in _COLOURS.findall(sentence))
            for kind in _kinds(sentence):
                found[kind] = found.get(kind, frozenset()) | colours
        return cls(found, bool(_DUTCH.search(text[:_LONGEST])))

    def __bool__(self) -> bool:
        return bool(self.named)

    def speaks(self, kind: str, colour: str) -> tuple[int, str]:
        """Return the score that the text gives a kind of rule with a colour, and the reason."""
        if kind not in self.named:
            others = any(colour in colours for colours in self.named.values() if colour)
            return (-2 if others else -1 if self.named else 0), ""
        colours = self.named[kind]
        if colour and colour in colours:
            return 3, f"the rules name {spoken(kind)} and {colour}"
        return (0 if colours and colour else 2), f"the rules name {spoken(kind)}"


def spoken(kind: str) -> str:
    """Return the name of a kind of rule in a sentence."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", kind).lower() if kind not in ("XV", "XSum") else kind


def _kinds(sentence: str) -> Iterator[str]:
    return (kind for kind, pattern in _PATTERNS.items() if pattern.search(sentence))
