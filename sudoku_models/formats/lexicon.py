"""The words of sentences in one form each: "neighbouring" and "next to each other" are both ``adjacent``.

``words.txt`` holds the forms and the patterns: ``differ atleast -dot`` is met by a sentence that has "differ" and "at
least", in any order, but no dot. To read another wording of a rule, add a row there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import product
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
        elif line and line[0] != "#":
            head, _, row = line.partition(": ")
            if head in section:
                raise ValueError(f"words.txt has the head {head!r} twice in a section")
            rows = section[head] = [row] if row else []
    return found


@cache
def _known() -> frozenset[str]:
    return frozenset(re.findall("[a-z]+", files(__package__).joinpath("words.txt").read_text("utf-8")))


def is_known(word: str) -> bool:
    """Return whether a word stands anywhere in ``words.txt``, as most words of rules in English do."""
    return word in _known() or word.removesuffix("s") in _known() or word in _SILENT


@cache
def expression(name: str) -> re.Pattern[str]:
    """Return the regular expression that is met where any row below a head of ``expressions`` is met."""
    lists, rows = sections()["lists"], "|".join(sections()["expressions"][name])
    return re.compile(re.sub(r"<(\w+)>", lambda found: lists[found[1]][0], rows))


def says(name: str, text: str) -> re.Match[str] | None:
    """Return where a text meets any row below a head of ``expressions``; None if it meets none."""
    return expression(name).search(text)


_FORMS = {form: group.split()[0] for group in sections()["forms"] for form in group.split()}
"""The one form of each word."""
_SILENT = frozenset(" ".join(sections()["silent"]["all"]).split())
"""Words without which a sentence says the same."""
_PHRASES = {
    " ".join(phrase): word
    for word, rows in sections()["phrases"].items()
    for row in rows
    for phrase in product(*(either.split("|") for either in row.split()))
}
_LONGEST = max(len(phrase.split()) for phrase in _PHRASES)
_BEGINNINGS = frozenset(" ".join(phrase.split()[:2]) for phrase in _PHRASES)
_MEANT = re.compile(r"corner|circle|square|white|black|red\b|green|blue|orange|purple|yellow|pink|gr[ea]y|teal")


def _aside(found: re.Match[str]) -> str:
    """Return nothing for an aside ("even across boxes"), but what says where even digits are, or what touches."""
    before = found.string[: found.start()]
    diagonals = "diagonal" in found[0] and "knight" not in before
    return found[0] if _MEANT.search(found[0]) or diagonals or re.search(r"\bodd\b", before) else " "


_EVEN = re.compile(r"[,(\u2014-] ?(?:not )?even (?:in|on|along|between|across|over|when|through)\b[^.,;)]*")
_BEFORE = [(re.compile("|".join(rows)), " " if word == "-" else word) for word, rows in sections()["before"].items()]
_BEHIND = re.compile(r"\b(\d+) (atleast|atmost)\b(?! \d)")
_TOKEN = re.compile(r"r\d+c\d+|\d+:\d+|\d+x\d+|[a-z]+(?:'t\b)?|\d+|[<>]=?|[\u2264\u2265\u2227\u2228]")


def plain(text: str) -> str:
    """Return the words of a text in small letters, in their one form, without those that say nothing."""
    text = _EVEN.sub(_aside, text)
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
