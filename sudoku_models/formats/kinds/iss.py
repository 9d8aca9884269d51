"""The format ``iss``: constraint strings and links to them, recognised without parsing them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..format import ALL, Format, each, late
from ..links import addresses, bare, kind_of_link
from ..source import Line
from .line import each_document

NAME = "iss"


def strings(lines: Iterator[Line]) -> Iterator[Line]:
    """Yield each constraint string or link, with the line in which it begins.

    A string goes on in the next line if a block is open, if that line begins with an argument, or if its first two
    lines are parts of one puzzle: only the first has a Shape, or each states one thing. Then everything up to the next
    blank line or Shape belongs to it.
    """
    waiting: Line | None = None
    goes_on: bool | None = None  # None: not known before the second line
    for number, text in lines:
        if text is not None and text.lstrip().startswith("#"):
            continue
        if text is None or not text.strip():
            yield from [waiting] if waiting else []
            yield from [(number, None)] if text is None else []
            waiting, goes_on = None, None
        elif waiting is None:
            waiting = number, text
        elif _is_continued(waiting[1] or "", text, goes_on):
            goes_on = goes_on or _is_whole(waiting[1] or "")
            waiting = waiting[0], f"{waiting[1]}\n{text}"
        else:
            yield waiting
            waiting, goes_on = (number, text), None if goes_on else False
    yield from [waiting] if waiting else []


def _is_whole(text: str) -> bool:
    """Return whether all blocks are closed."""
    return len(_OPENING.findall(text)) <= len(_CLOSING.findall(text))


def _is_continued(first: str, second: str, goes_on: bool | None) -> bool:
    """Return whether a line belongs to the string before it, which is known to go on, or not, or is its first line."""
    if is_link(first) or is_link(second):
        return False
    if not _is_whole(first) or not second.lstrip().startswith("."):
        return not _is_whole(first) or second.lstrip()[:1] in ("~", "_")
    if not _BEGIN.match(second) and second.strip() != ".":
        return False  # a line of symbols
    shapes = [_SHAPE.search(line) is not None for line in (first, second)]
    if goes_on is not None or shapes[1]:
        return bool(goes_on) and not shapes[1]
    alone = [len(_TOKEN.findall(_COMMENT.sub("", line))) == 1 for line in (first, second)]
    given = [_GIVEN.match(line) is not None for line in (first, second)]
    return shapes[0] or (all(alone) and not all(given))


_OPENING, _CLOSING = re.compile(r"\.\s*(?:Or|And|Replicate)\b"), re.compile(r"\.\s*End\b")
_SHAPE, _TOKEN, _GIVEN = re.compile(r"\.\s*Shape\s*~"), re.compile(r"\."), re.compile(r"\s*\.\s*~")

_HEAD = 20
LONGEST = 200_000
"""The length, in characters, of the longest text that is read."""
_LINK = re.compile(r"\s*(?:(?i:https?://)|(?i:sigh\.github\.io/))[^\s?#]*\?(?:[^\s#]*&)?q=[^&#]*")
_BEGIN = re.compile(r"\s*(?:\.\s*)++(?:~\s*[RrVCD]|[A-Za-z]{1,31}\s*~|(?P<bare>[A-Z][A-Za-z]{1,30})\s*(?:\.|\s#|\Z))")
_COMMENT = re.compile(r"^[^\S\n]*#.*|(?<=\s)#.*", re.MULTILINE)
_BARE = frozenset(
    {
        *("NoBoxes", "Windoku", "DisjointSets", "AntiKnight", "AntiKing", "AntiConsecutive", "AntiTaxicab"),
        *("StrictKropki", "StrictXV", "GlobalEntropy", "GlobalMod", "DutchFlatmates", "FullRankTies", "Or", "And"),
        *("RegionSameValues", "ChaosConstruction", "Doppelganger"),
    }
)
"""Types without arguments. Rows of symbols look similar ('.ABC.'), so no other words are taken as types."""


def is_iss(text: str) -> bool:
    """Return whether a text is an ISS constraint string or a link to one."""
    head = text[:LONGEST]
    match = _BEGIN.match(head)
    name = match["bare"] if match else None
    return is_link(head) or (match is not None and (name is None or name in _BARE))


def is_link(text: str) -> bool:
    """Return whether a text is a link that may hold a constraint string."""
    return bool(_LINK.match(bare(text)))


def puzzle_links(text: str) -> list[str]:
    """Return the links to puzzle programs in a line."""
    return [address for address in addresses(text) if is_link(address) or kind_of_link(address)]


def is_prose(text: str) -> bool:
    """Return whether a line has a link to a puzzle after other words, or several such links."""
    found = puzzle_links(text)
    return len(found) > 1 or (len(found) == 1 and not bare(text).startswith(found[0][:_HEAD]))


def without_comments(text: str) -> tuple[str, str]:
    """Separate a text from its comments, which follow a # at the start of a line or after a blank."""
    comments = [comment.strip()[1:].strip() for comment in _COMMENT.findall(text)] if "#" in text else []
    return (_COMMENT.sub("", text) if comments else text), "\n".join(comments)


ISS = Format(
    NAME,
    "one constraint string (.Type~argument~...) or link with ?q= on each line: variants",
    read=each_document(NAME, late("iss.from_string", "read_iss"), strings, "a constraint string"),
    write=each(NAME, late("iss.to_string", "write_iss"), lambda text: not text.startswith(".Shape")),
    tells=is_iss,
    turn=3,
    holds=ALL,
    extensions=(".iss",),
    mixes=True,
)
