"""The format ``pencilmarks``."""

from __future__ import annotations

from ..format import ALL, Format
from ..lettering import each
from ..pencilmarks import is_marks, read_marks, write_marks

FORMAT = Format(
    "pencilmarks",
    "n characters a cell (n^3 a line; two for each value above 9 x 9), or rows of candidates",
    read=read_marks,
    write=each("pencilmarks", write_marks),
    tells=is_marks,
    turn=10,
    holds=ALL,
)
