"""The words of sentences in one form each: "neighbouring" and "next to each other" are both ``adjacent``.

``words.txt`` holds the forms and the patterns: ``differ atleast -dot`` is met by a sentence that has "differ" and "at
least", in any order, but no dot. To read another wording of a rule, add a row there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from operator import itemgetter
from typing import Generic, TypeVar

T = TypeVar("T")


@cache
def sections() -> Mapping[str, Mapping[str, Sequence[str]]]:
    """Return the sections of ``words.txt``: in each, the rows below each head."""
    found: dict[str, dict[str, list[str]]] = {}
    section: dict[str, list[str]] = {}
    rows = list[str]()
    for line in files(__package__).joinpath("words.txt").read_text("utf-8").splitlines():
        if line.startswith("["):
            section = found[line[1:-1]] = {}
        elif line.startswith(" "):
            rows.append(line.strip())
        elif line in section:
            raise ValueError(f"words.txt has the head {line!r} twice in a section")
        elif line and line[0] != "#":
            rows = section[line] = []
    return found


_FORMS = {form: group.split()[0] for group in sections()["forms"] for form in group.split()}
"""The one form of each word."""
_SILENT = frozenset(
    ["the", "a", "an", "must", "should", "will", "also", "always", "up", "is", "are", "be", "to", "of", "s"]
)
"""Words without which a sentence says the same."""
_PHRASES = {phrase: word for word, phrases in sections()["phrases"].items() for phrase in phrases}
_LONGEST = max(len(phrase.split()) for phrase in _PHRASES)
_BEGINNINGS = frozenset(" ".join(phrase.split()[:2]) for phrase in _PHRASES)
_MEANT = re.compile(r"corner|circle|square|white|black|red\b|green|blue|orange|purple|yellow|pink|gr[ea]y|teal")


def _aside(found: re.Match[str]) -> str:
    """Return nothing for an aside ("even across boxes"), but what says where even digits are, or what touches."""
    before = found.string[: found.start()]
    diagonals = "diagonal" in found[0] and "knight" not in before
    return found[0] if _MEANT.search(found[0]) or diagonals or re.search(r"\bodd\b", before) else " "


_BEFORE: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = tuple(
    (re.compile(pattern), word)
    for pattern, word in (
        (r"\bnumber of\b|\bhow (?:many|often)\b", "count"),
        (
            r"\bnot (?:all|every|each)\b|\bsome of the\b"
            r"|\ball (?:\w+ )?(?:are|have) not\b|\bdo(?:es)?(?: not|n't) (?:have|need) to\b",
            "notall",
        ),
        (r"\bknight(?:'s|s')? jumps?\b|\bknight (?:can|could|may|might) (?:jump|move)(?: between)?\b", "knight"),
        (r"\bno digit (?:appears |occurs |is used )?twice\b", "no repeat"),
        (r"\bx-sums?\b|\bx sums?\b(?! (?:up )?(?:to|is|of)\b| \d)", "xsum"),
        (r"\b(\d{1,2})\+", r"at least \1"),
        (r"\b(\d|three|four|five) different (?:from|to|than)\b", r"\1 differ"),
        (r"\b(?:2x|(?:two|2) times|times (?:two|2))\b", "double"),
        (r"\bsum of (?=(?:the|a|each|every) (?:\w+ )?lines?\b)", "sum along "),
        (r"\bminimum of (?=\d|two|three|four|five)", "at least "),
        (r"\bmaximum of (?=\d|two|three|four|five)", "at most "),
        (r"\b(?:within|at most|no more than) (\w+) (?:of (?:each other|one another)|apart)\b", r"differ at most \1"),
        (r"\b(run|set|sequence) of successive\b", r"\1 of consecutive"),
        (r"\bsuccessive (?=numbers|integers|values)", "consecutive "),
        (
            r"\bconsecutive (digits|numbers|integers|values)(?:,? (?:that|which)|, (?:and )?(?:digits|they|these))?"
            r" (?:may|can|might|could) (?:be )?repeat(?:ed)?\b",
            r"consecutive \1 with repeat",
        ),
        (r"[,(\u2014-] ?(?:not )?even (?:in|on|along|between|across|over|when|through)\b[^.,;)]*", _aside),
        (r"\beven (?:across|when|through)\b[^.,;)]*", " "),
        (r"\((?:for example|e\.g\.|i\.e\.)[^)]*\)", " "),
        (r"\b(?!1 ?: ?2\b|2 ?: ?1\b)\d+ ?: ?\d+\b", "otherratio"),
        (
            r"\b(?:n?either |both )?(horizontal|vertical)(?:ly)? ?(?:n?or|and|/) ?"
            r"(?!\1)(?:horizontal|vertical)(?:ly)?\b",
            "orthogonally",
        ),
        (r"\bgo(?:es|ing)? up\b", "increase"),
        (r"\bwithout (?:an? )?(?:bulb|circle)s?\b", " "),
        (r"\bone of(?=:| an? )", "either"),
        (r"\(which [^)]*\)", " "),
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

    def __init__(self, patterns: Iterable[tuple[T, Iterable[str]]]) -> None:
        lists, ways = sections()["lists"], list[tuple[int, T, list[frozenset[str]], frozenset[str]]]()
        for place, (thing, row) in enumerate((thing, row) for thing, rows in patterns for row in rows):
            listed = (" ".join(lists[word[1:]]) if word[0] == "$" else word for word in row.split())
            words = " ".join(listed).split()
            needed = [frozenset(word.split("|")) for word in words if word[0] != "-"]
            ways.append((place, thing, needed, frozenset(word[1:] for word in words if word[0] == "-")))
        common = Counter(word for _, _, needed, _ in ways for words in needed for word in words)
        self._ways: dict[str, list[tuple[int, T, list[frozenset[str]], frozenset[str]]]] = {}
        for way in ways:
            for word in min(way[2], key=lambda words: sum(common[word] for word in words)):
                self._ways.setdefault(word, []).append(way)

    def met(self, words: frozenset[str]) -> dict[T, frozenset[str]]:
        """Return the things of whose patterns some alternative is met by the words, in order, with those words."""
        ways = {way[0]: way[1:] for word in words.intersection(self._ways) for way in self._ways[word]}
        found: dict[T, frozenset[str]] = {}
        for _, (thing, needed, barred) in sorted(ways.items(), key=itemgetter(0)):
            if words.isdisjoint(barred) and not any(map(words.isdisjoint, needed)):
                found[thing] = found.get(thing, frozenset()).union(*(words & group for group in needed))
        return found
