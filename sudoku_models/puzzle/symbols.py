"""Writes values on lines: one character for each cell if an alphabet suffices, otherwise numbers and blanks."""

from __future__ import annotations

import string
from collections.abc import Collection, Iterable

from .shape import Shape

DIGITS = "123456789"
ALPHABETS = {
    "digits": DIGITS,
    "A-P": string.ascii_uppercase,
    "1-G": DIGITS + string.ascii_uppercase,
    "0-F": "0123456789" + string.ascii_uppercase,
    "A-Y": string.ascii_uppercase,
    "1-P": DIGITS + string.ascii_uppercase,
    "0-O": "0123456789" + string.ascii_uppercase,
}
"""Named alphabets: position i is the symbol of the value i + 1. The names for side 16 come first, then side 25."""

SINGLE = 25
"""The largest side that is written with one character for each cell by default."""


BLACK = "#"
"""The symbol of a cell that is not part of the puzzle."""


def line_of(
    values: Iterable[int | None], shape: Shape, alphabet: str | None = None, unused: Collection[int] = ()
) -> str:
    """Write values on one line, with '.' for None and '#' for ``unused`` cells.

    ``alphabet`` is a named one or the symbols of 1, 2, ...; by default digits and letters up to side 25. If no alphabet
    has a symbol for every value, the line holds numbers separated by blanks.
    """
    symbols = ALPHABETS.get(alphabet, alphabet) if alphabet else None
    if symbols is None and shape.values[0] >= 1 and shape.values[-1] <= SINGLE:
        symbols = ALPHABETS["1-G"]
    apart = ""
    if symbols is None and shape.values[0] == 0 and shape.values[-1] <= 9:
        texts = ["." if value is None else str(value) for value in values]
    elif symbols is None or shape.values[-1] > len(symbols) or shape.values[0] < 1:
        texts, apart = ["." if value is None else str(value) for value in values], " "
    else:
        texts = ["." if value is None else symbols[value - 1] for value in values]
    for cell in unused:
        texts[cell] = BLACK
    return apart.join(texts)
