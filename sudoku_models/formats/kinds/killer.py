"""The format ``killer``."""

from __future__ import annotations

from ..format import ALL, Format
from ..killer import is_killer, read_killers, write_killer_long
from ..lettering import each

FORMAT = Format(
    "killer",
    "9 x 9 cages with sums, one puzzle a line: 3x3::k: and 81 numbers",
    read=read_killers,
    write=each("killer", write_killer_long),
    tells=is_killer,
    turn=8,
    holds=ALL,
)
