"""Colours: the words for them, and which of the words of a text is meant by a colour that is drawn."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from colorsys import rgb_to_hls
from functools import lru_cache

from .lexicon import sections

_HEX = re.compile(r"#?([0-9a-fA-F]{1,8})\Z")
_RGB = re.compile(r"rgba?\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*(?:,\s*(\d{0,3}\.?\d{1,6}))?")
_HUES = {"red": 15, "orange": 45, "yellow": 70, "green": 165, "teal": 187, "blue": 255, "purple": 318, "pink": 346}
"""Where the hues end that go by a name."""
_SHADES = {word: [tuple(bytes.fromhex(one)) for one in rows[0].split()] for word, rows in sections()["shades"].items()}
_ALIKE = {colour: frozenset(rows[0].split()) for colour, rows in sections()["colours"].items()}
"""The words by which people also call a colour."""
COLOUR_WORDS = re.compile(rf"\b((?:(?:light|pale|bright|dark|deep)[ -]?)?(?:{'|'.join(sorted(_SHADES))}))\b")
_SHADED = re.compile(r"(light|pale|bright|dark|deep)?[ -]?(\w+)\Z")
_SAME = 60
"""How far a drawn colour may be from what a word names, though it is rather called otherwise."""


def called(drawn: Iterable[str], words: Iterable[str]) -> Mapping[str, str]:
    """Return the word that means each drawn colour, for those that have one: the nearest, for each colour another."""
    pairs = ((_distance(colour, word), colour, word) for colour in set(drawn) for word in words)
    near = sorted((far, colour, word) for far, colour, word in pairs if far is not None)
    found, taken = dict[str, str](), set[str]()
    for _, colour, word in near:
        if colour not in found and word not in taken:
            found[colour] = word
            taken.add(word)
    best = {word: far for far, _, word in reversed(near)}
    for far, colour, word in near:  # several shades of one colour, unless the word names one of them
        if name_of(colour) == family(word) and (far <= best[word] + _SAME or word in _SHADES):
            found.setdefault(colour, word)
    return found


def _distance(colour: str, word: str) -> float | None:
    """Return how far a drawn colour is from what a word names, from 0 on; None if nobody would call it so."""
    parts, shade = _parts(colour.strip().lower()), _SHADED.match(word)
    if parts is None or shade is None:
        return None
    own, named, white = name_of(colour), family(word), 0 if shade[1] in ("dark", "deep") else 255
    known = [[(part + white) / 2 if shade[1] else part for part in one] for one in _SHADES[shade[2]]]
    far = min(sum(abs(a - b) for a, b in zip(parts, one, strict=True)) for one in known)
    if own == named or far < _SAME:
        return far
    return far + 100 if not _ALIKE.get(own, frozenset()).isdisjoint((named, shade[2])) else None


def family(word: str) -> str:
    """Return the colour of which a word names a shade: blue for "navy" and for "light blue"."""
    red, green, blue = _SHADES.get(_SHADED.sub(r"\2", word), [(0, 0, 0)])[0]
    return name_of(f"#{red:02x}{green:02x}{blue:02x}")


def unseen(colour: str) -> bool:
    """Return whether a colour is transparent; one that is not understood is seen."""
    word = colour.strip().lower()
    known = word in ("none", "transparent") or _RGB.match(word) or _HEX.match(word)
    return bool(known) and _parts(word) is None


@lru_cache(maxsize=256)
def name_of(colour: str) -> str:
    """Return the name of a colour (#rgb, #rrggbb, #F for white, rgb(...), a word); "" if it is invisible."""
    word = colour.strip().lower()
    known = max((shade for shade in _SHADES if word.endswith(shade)), key=len, default="")
    if known:  # "blue", "lightblue"
        return family(known)
    parts = _parts(word)
    if parts is None:
        return ""
    red, green, blue = parts
    hue, light, fullness = rgb_to_hls(red / 255, green / 255, blue / 255)
    if light > 0.97 or light < 0.08:
        return "white" if light > 0.5 else "black"
    if max(parts) - min(parts) < 24:
        return "grey"
    if light > 0.8 and 10 <= hue * 360 <= 45 and fullness > 0.5:
        return "peach"
    if light > 0.8 and hue * 360 >= 285:
        return "pink"
    return next((name for name, end in _HUES.items() if hue * 360 < end), "red")


def tone(colour: str) -> str:
    """Return the name of a colour; black and white for dark and light greys."""
    found, parts = name_of(colour), _parts(colour.strip().lower())
    if found != "grey" or parts is None:
        return found
    return "black" if max(parts) < 90 else "white" if min(parts) > 225 else found


def _parts(text: str) -> tuple[int, ...] | None:
    """Return red, green and blue of a colour as it is seen on white paper; None if it is invisible or no colour."""
    found, match = _RGB.match(text), _HEX.match(text)
    if found:
        parts, alpha = [min(int(part), 255) for part in found.groups()[:3]], float(found[4] or 1)
    elif match:
        digits = match[1] * 6 if len(match[1]) == 1 else match[1]
        digits = "".join(c * 2 for c in digits) if len(digits) in (3, 4) else digits
        if len(digits) < 6:
            return None
        parts = [int(digits[i : i + 2], 16) for i in (0, 2, 4)]
        alpha = int(digits[6:], 16) / 255 if len(digits) == 8 else 1.0
    else:
        return None
    return tuple(round(255 - (255 - part) * min(alpha, 1.0)) for part in parts) if alpha else None
