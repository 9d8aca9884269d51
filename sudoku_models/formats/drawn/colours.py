"""Names of colours in plain words."""

from __future__ import annotations

import re
from colorsys import rgb_to_hls

_HEX = re.compile(r"#?([0-9a-fA-F]{1,8})\Z")
_RGB = re.compile(r"rgba?\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})")
_NAMED = frozenset({"black", "white", "red", "green", "blue", "orange", "purple", "yellow", "pink", "grey", "teal"})
_ALIASES = {"gray": "grey", "magenta": "purple", "violet": "purple", "cyan": "teal", "lime": "green"}
_HUES = ((15, "red"), (45, "orange"), (70, "yellow"), (165, "green"), (187, "teal"), (255, "blue"), (335, "purple"))
WORDS = frozenset({*_NAMED, *_ALIASES, "peach", "gold", "turquoise", "lavender"})
"""Words for colours in the text of rules."""


def meant(word: str) -> str:
    """Return the colour that a word means, with the name that ``name_of`` uses."""
    return {**_ALIASES, "gold": "yellow", "turquoise": "teal", "lavender": "purple"}.get(word, word)


def name_of(colour: str) -> str:
    """Return the name of a colour (#rgb, #rrggbb, #F for white, rgb(...), a word); "" if it is invisible."""
    word = colour.strip().lower()
    if _ALIASES.get(word, word) in _NAMED:
        return _ALIASES.get(word, word)
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
    return next((name for end, name in _HUES if hue * 360 < end), "red")


def _parts(text: str) -> tuple[int, int, int] | None:
    found = _RGB.match(text)
    if found:
        red, green, blue = (min(int(part), 255) for part in found.groups())
        return red, green, blue
    match = _HEX.match(text)
    if not match:
        return None
    digits = match[1] * 6 if len(match[1]) == 1 else match[1]
    if len(digits) in (4, 8) and int(digits[len(digits) * 3 // 4 :], 16) == 0:
        return None  # wholly transparent
    if len(digits) in (3, 4):
        digits = "".join(c * 2 for c in digits[:3])
    if len(digits) < 6:
        return None
    return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:6], 16)
