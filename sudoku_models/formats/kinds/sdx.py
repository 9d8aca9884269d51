"""The format ``sdx``."""

from __future__ import annotations

from ..format import Format
from ..lettering import each
from ..sdx import is_sdx, read_sdx, write_sdx

FORMAT = Format(
    "sdx",
    "nine lines of nine words: a given, u and an entry, or candidates",
    read=read_sdx,
    write=each("sdx", write_sdx),
    tells=is_sdx,
    turn=11,
    extensions=(".sdx",),
)
