"""The format ``killer-short``."""

from __future__ import annotations

from ..format import ALL, Format
from ..lettering import each
from .killer import SHORT, read_killers, write_killer_short

FORMAT = Format(
    SHORT,
    "9 x 9 cages with sums, one puzzle on each line: 81 pointers and sums",
    read=read_killers,
    write=each(SHORT, write_killer_short),
    holds=ALL,
)
