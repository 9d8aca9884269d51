"""Is a text an ISS constraint string, or a link to one? Told without reading it."""

from __future__ import annotations

import re

LONGEST = 200_000
"""The longest text that is read, in characters."""
_LINK = re.compile(r"\s*https?://[^\s?#]*\?(?:[^\s#]*&)?q=[^&#]*")
_BEGIN = re.compile(r"\s*\.\s*(?:~\s*[RrVCD]|[A-Z][A-Za-z]{0,30}\s*~|(?P<bare>[A-Z][A-Za-z]{2,30})\s*(?:\.|\Z))")
_BARE = frozenset(
    {
        *("NoBoxes", "Windoku", "DisjointSets", "AntiKnight", "AntiKing", "AntiConsecutive", "AntiTaxicab"),
        *("StrictKropki", "StrictXV", "GlobalEntropy", "GlobalMod", "DutchFlatmates", "FullRankTies", "Or", "And"),
        *("RegionSameValues", "ChaosConstruction", "Doppelganger"),
    }
)
"""Types without arguments. Rows of symbols look alike ('.ABC.'), so others are not taken for types."""


def is_iss(text: str) -> bool:
    """Tell whether a text is an ISS constraint string or a link to one."""
    head = text[:LONGEST]
    match = _BEGIN.match(head)
    bare = match["bare"] if match else None
    return bool(_LINK.match(head)) or (match is not None and (bare is None or bare in _BARE))
