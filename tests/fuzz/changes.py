"""How an input is changed into the next: bytes by the fuzzer, and parts of what the text says by these."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from random import Random
from typing import Any

from sudoku_models.errors import FormatError
from sudoku_models.formats.links import F_PUZZLES, link_with, packed, packed_of, unpacked
from sudoku_models.formats.penpa_sheet import packed as deflated
from sudoku_models.formats.penpa_sheet import unpacked as inflated
from sudoku_models.formats.penpa_sheet import whole

Bytes = Callable[[bytes, int], bytes]
ODD: list[Any] = [None, True, -1, 0, 1, 9, 10**17, 1.5, "", "x", "R1C1", "R9C9", "R0C1", "1", [], {}, [[]], ["R1C1"]]
_TOKEN = re.compile(r"[A-Za-z]+[0-9A-Za-z]*|-?[0-9]+|[^\w\s]+|\s+")
_WORDS = (
    "R1C1 R9C9 R0C3 VA VA2 CC1 0 1 9 -1 99999999 ~ . _ - ~~ .End .Or .And .Replicate~F Shape 16x16 1x16 "
    '[ ] { } ( ) , " * ?'
)


def changed(data: bytes, most: int, seed: int, kind: str, others: list[bytes], plain: Bytes) -> bytes:
    """Return another input of at most ``most`` bytes: in two of three cases with a part of its text changed."""
    random = Random(seed)
    if random.random() < 0.34:
        return plain(data, most)
    text = data.decode("utf-8", "replace")
    if kind == "link" and random.random() < 0.7:
        made = _relinked(text, random, others)
    elif kind == "penpa" and random.random() < 0.8:
        made = _redeflated(text, random, others)
    elif kind == "json" or text[:1] == "{":
        made = _rewritten(text, random, others)
    else:
        made = _reworded(text, random, others)
    return plain(data, most) if made is None else made.encode("utf-8", "replace")[:most]


def _rewritten(text: str, random: Random, others: list[bytes]) -> str | None:
    """Change some parts of a JSON document."""
    try:
        value = json.loads(text)
        for _ in range(random.randint(1, 3)):
            value = _replaced(value, random, others)
        return json.dumps(value, ensure_ascii=False)
    except (ValueError, RecursionError):
        return None


def _relinked(text: str, random: Random, others: list[bytes]) -> str | None:
    """Change the document in a link."""
    try:
        inner = unpacked(packed_of(text).text, 20_000)
    except FormatError:
        return None
    made = _rewritten(inner, random, others) or _reworded(inner, random, others)
    return link_with(F_PUZZLES, packed(made))


def _redeflated(text: str, random: Random, others: list[bytes]) -> str | None:
    """Change a line of the text in a link to penpa-edit: a document's parts, or some words."""
    head, _, tail = text.partition("p=")
    try:
        lines = inflated(tail.partition("&")[0]).split("\n")
    except FormatError:
        return None
    at = 3 if len(lines) > 3 and random.random() < 0.7 else random.randrange(len(lines))
    made = _rewritten(whole(lines[at]), random, others) or _reworded(lines[at], random, others)
    return f"{head}p={deflated(chr(10).join([*lines[:at], made, *lines[at + 1 :]]))}"


def _replaced(value: Any, random: Random, others: list[bytes]) -> Any:
    places = list(_places(value))
    if not places:
        return random.choice(ODD)
    holder, key = random.choice(places)
    found = random.choice(places)
    way = random.randrange(6)
    if way == 0:
        holder[key] = random.choice(ODD)
    elif way == 1:
        holder[key] = found[0][found[1]]
        json.dumps(value)  # ValueError where a part was put into itself
    elif way == 2 and isinstance(holder, list):
        holder.insert(key, holder[key])
    elif way == 3 and isinstance(holder, list):
        del holder[key]
    elif way == 4 and isinstance(holder, dict) and isinstance(found[1], str):
        holder[found[1]] = holder.pop(key)
    elif isinstance(holder[key], int) and not isinstance(holder[key], bool):
        holder[key] += random.choice((-1, 1, 5, 1000, -1000))
    else:
        other = _some(random, others)
        holder[key] = random.choice(ODD) if other is None else other
    return value


def _some(random: Random, others: list[bytes]) -> Any:
    """Return a part of another document."""
    try:
        value = json.loads(random.choice(others))
        holder, key = random.choice(list(_places(value)))
        return holder[key]
    except (ValueError, IndexError):
        return None


def _places(value: Any) -> Any:
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in pairs:
        yield value, key
        yield from _places(item)


def _reworded(text: str, random: Random, others: list[bytes]) -> str:
    """Change, double, drop, move or borrow some words and marks."""
    words = _TOKEN.findall(text)
    for _ in range(random.randint(1, 4)):
        if not words:
            return random.choice(_WORDS.split())
        at, other = random.randrange(len(words)), random.randrange(len(words))
        way = random.randrange(6)
        if way == 0:
            words[at] = random.choice(_WORDS.split())
        elif way == 1:
            words[at] = words[other]
        elif way == 2:
            words[at:at] = words[other : other + random.randint(1, 12)]
        elif way == 3:
            del words[at : at + random.randint(1, 8)]
        elif way == 4 and words[at].lstrip("-").isdigit():
            words[at] = str(int(words[at][:20]) + random.choice((-1, 1, 10, 1000)))
        else:
            borrowed = _TOKEN.findall(random.choice(others).decode("utf-8", "replace")[:3000])
            start = random.randrange(len(borrowed)) if borrowed else 0
            words[at:at] = borrowed[start : start + random.randint(1, 20)]
    return "".join(words)
