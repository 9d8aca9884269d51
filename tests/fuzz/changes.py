"""How an input is changed into the next: bytes by the fuzzer, and parts of what the text says by these."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from sudoku_models.errors import FormatError
from sudoku_models.formats.links import F_PUZZLES, link_with, packed, packed_of, unpacked
from sudoku_models.formats.penpa import unpacked as inflated
from sudoku_models.formats.penpa import whole
from tests.formats.variants.penpa_made import packed as deflated

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
    try:
        if kind == "link" and random.random() < 0.7:
            made = link_with(F_PUZZLES, packed(_edited(unpacked(packed_of(text), 20_000), random, others)))
        elif kind == "penpa" and random.random() < 0.8:
            made = _penpa(text, random, others)
        else:
            made = _edited(text, random, others)
    except FormatError:
        return plain(data, most)
    return made.encode("utf-8", "replace")[:most]


def _penpa(text: str, random: Random, others: list[bytes]) -> str:
    """Change a line of the text in a link to penpa-edit: most often the document."""
    head, _, tail = text.partition("p=")
    lines = inflated(tail.partition("&")[0]).split("\n")
    at = 3 if len(lines) > 3 and random.random() < 0.7 else random.randrange(len(lines))
    lines[at] = _edited(whole(lines[at]), random, others)
    return f"{head}p={deflated(chr(10).join(lines))}"


def _edited(text: str, random: Random, others: list[bytes]) -> str:
    """Change some parts of a JSON document, or some words of any other text."""
    try:
        value = json.loads(text)
        for _ in range(random.randint(1, 3)):
            value = _replaced(value, random, others)
        return json.dumps(value, ensure_ascii=False)
    except (ValueError, RecursionError):
        return _reworded(text, random, others)


def _replaced(value: Any, random: Random, others: list[bytes]) -> Any:
    """Put something odd, or another part, in the place of a part of a document; drop, double, rename or count it."""
    places = list(_places(value))
    if not places:
        return random.choice(ODD)
    (holder, key), (other, name) = random.choice(places), random.choice(places)
    way = random.randrange(6)
    if way == 1:
        holder[key] = other[name]
        json.dumps(value)  # ValueError where a part was put into itself
    elif way == 2 and isinstance(holder, list):
        holder.insert(key, holder[key])
    elif way == 3 and isinstance(holder, list):
        del holder[key]
    elif way == 4 and isinstance(holder, dict) and isinstance(name, str):
        holder[name] = holder.pop(key)
    elif way == 5 and type(holder[key]) is int:
        holder[key] += random.choice((-1, 1, 5, 1000, -1000))
    else:
        holder[key] = random.choice(ODD)
    return value


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in pairs:
        yield value, key
        yield from _places(item)


def _reworded(text: str, random: Random, others: list[bytes]) -> str:
    """Change, double, drop or borrow some words and marks."""
    words = _TOKEN.findall(text) or [random.choice(_WORDS.split())]
    for _ in range(random.randint(1, 4)):
        at, other, way = random.randrange(len(words) + 1), random.randrange(len(words) + 1), random.randrange(5)
        if way == 0:
            words[at : at + 1] = [random.choice(_WORDS.split())]
        elif way == 1:
            words[at:at] = words[other : other + random.randint(1, 12)]
        elif way == 2:
            del words[at : at + random.randint(1, 8)]
        elif way == 3 and words[at:] and words[at].lstrip("-").isdigit():
            words[at] = str(int(words[at][:20]) + random.choice((-1, 1, 10, 1000)))
        else:
            borrowed = _TOKEN.findall(random.choice(others).decode("utf-8", "replace")[:3000])
            start = random.randrange(len(borrowed) + 1)
            words[at:at] = borrowed[start : start + random.randint(1, 20)]
    return "".join(words)
