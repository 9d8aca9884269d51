"""Parses the rows of one drawn board into borders and cells."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isqrt

from ..errors import FormatError
from ..puzzle.shape import Shape
from .cells import FILLERS, Values, from_numbers, from_symbols, is_number
from .kinds.line import expected
from .options import Options

DRAWN = "".join(map(chr, range(0x2500, 0x2580)))
"""The characters for drawing boxes."""
UPRIGHTS = "|:+=" + DRAWN
BORDERS = "|-+*=:" + DRAWN
BLANKS = " \t\u00a0"

_SIGNED = re.compile(r"(?:-?\d{1,3}|[.*_?])\Z")

Numbered = tuple[int, str]
"""A line number and its text."""


@dataclass(frozen=True)
class _Row:
    line: int
    words: list[str]

    @property
    def symbols(self) -> str:
        return "".join(self.words)


def board(lines: Sequence[Numbered], options: Options) -> tuple[Shape, Values]:
    """Read the rows of a board between its borders; raise FormatError with the line, cell and what was expected.

    A border character may also stand for open cells, so the possible readings are tried in turn; the first in which the
    rows form a complete board is used.
    """
    lines = [(number, without_minus_ones(text)) for number, text in lines]
    for rows in _readings(lines):
        width = options.fixed.width if options.fixed is not None else len(rows)
        if len(rows) < options.smallest or (options.fixed is not None and len(rows) != options.fixed.height):
            continue
        for numbers in (True, False) if options.symbols is None else (False, True):
            cells = [row.words if numbers else list(row.symbols) for row in rows]
            if all(len(row) == width for row in cells) and not (numbers and not _all_numbers(rows)):
                return _values(rows, cells, numbers, options)
    raise _misshapen(_between(lines, BORDERS), options)


def without_borders(text: str) -> str:
    """Replace the vertical borders of a row by blanks; a dash or a star among cells is an open cell."""
    return text.translate(_BLANKED[UPRIGHTS])


def without_minus_ones(text: str) -> str:
    """Replace each -1 in a row of numbers by an open cell; raise FormatError for other negative numbers."""
    words = text.split() if "-" in text else ()
    if len(words) < 4 or not all(map(_SIGNED.match, words)):
        return text
    low = next((word for word in words if word[0] == "-" and word[1:] and int(word) < -1), None)
    if low is not None:
        raise FormatError(f"{low} is not a value: numbers from 0, or -1 or '.' for an open cell, are expected")
    return " ".join("." if word == "-1" else word for word in words)


def row_width(text: str) -> int:
    """Return the number of cells in a row, without looking at other rows."""
    words = without_borders(text).split()
    return len(words) if _is_number_row(words) else sum(map(len, words))


def is_rule(text: str) -> bool:
    """Return whether a line consists only of borders."""
    return not text.strip(BORDERS + BLANKS)


def _readings(lines: Sequence[Numbered]) -> Iterator[list[_Row]]:
    yield _between(lines, BORDERS)
    for filler in "-*":
        yield _between(lines, BORDERS.replace(filler, ""), filler)
    if not any(set(text) & _NO_BLANK_BESIDE for _, text in lines if not is_rule(text)):
        yield _exact(lines)


def _between(lines: Sequence[Numbered], borders: str, filler: str = "") -> list[_Row]:
    """Split rows into words between borders. A line of borders is not a row; a line of fillers of that length is."""
    table = _BLANKED[borders]
    found = [_Row(number, text.translate(table).split()) for number, text in lines if not _is_frame(text, borders)]
    if not filler:
        return found
    usual = Counter(len(row.symbols) for row in found).most_common(1)
    return [row for row in found if set(row.symbols) != {filler} or len(row.symbols) == usual[0][0]]


def _is_frame(text: str, borders: str) -> bool:
    return not text.strip(borders + BLANKS) or ("+" in text and is_rule(text))


def _exact(lines: Sequence[Numbered]) -> list[_Row]:
    """Read every character between vertical borders as a cell, and blanks as open cells."""
    return [_Row(number, [text.translate(_NO_UPRIGHTS)]) for number, text in lines if not is_rule(text)]


def _all_numbers(rows: Sequence[_Row]) -> bool:
    return all(map(is_number, {word for row in rows for word in row.words}))


def _is_number_row(words: Sequence[str]) -> bool:
    if len(words) < 4 or not all(map(is_number, set(words))):
        return False
    return len(words) > 9 or all(len(w) == 1 or not w.isdigit() or int(w) <= len(words) for w in words)


def _values(rows: Sequence[_Row], cells: Sequence[list[str]], numbers: bool, options: Options) -> tuple[Shape, Values]:
    shape = options.board(len(rows), len(cells[0]))
    flat = [symbol for row in cells for symbol in row]
    try:
        if numbers and options.symbols is None:
            return shape, from_numbers(flat, shape)
        return shape, from_symbols(flat, shape, options)
    except FormatError as error:
        raise error.at(line=_line_of(error.cell, rows)) from None


def _line_of(cell: str | None, rows: Sequence[_Row]) -> int | None:
    return rows[int(cell[1 : cell.index("C")]) - 1].line if cell else None


def _misshapen(rows: Sequence[_Row], options: Options) -> FormatError:
    """Explain why rows do not form a board: a row has another length, or there are too few or too many."""
    if not rows:
        return FormatError("a drawn frame without cells")
    numbers = all(_is_number_row(row.words) for row in rows)
    found = [len(row.words) if numbers else len(row.symbols) for row in rows]
    fixed = options.fixed
    width = fixed.width if fixed is not None else Counter(found).most_common(1)[0][0]
    for row, length in zip(rows, found, strict=True):
        if length != width:
            return FormatError(f"a row of {_cells(length)}: {width} are expected", line=row.line)
    height = fixed.height if fixed is not None else width
    count = "1 row" if len(rows) == 1 else f"{len(rows)} rows"
    board = ""
    if len(rows) == 1 and fixed is None and isqrt(width) ** 2 == width:
        board = f", or values from 1 to {isqrt(width)} for one board of that side"
    if len(rows) == 1 and fixed is None and not numbers:
        return FormatError(f"{width} characters on one line: {expected(options, width)}, or {height} such rows{board}")
    return FormatError(f"{count} of {_cells(width)}: {height} rows are expected{board}")


def _cells(count: int) -> str:
    return "1 cell" if count == 1 else f"{count} cells"


_BLANKED = {
    borders: str.maketrans(dict.fromkeys(borders, " "))
    for borders in (UPRIGHTS, BORDERS, BORDERS.replace("-", ""), BORDERS.replace("*", ""))
}
_NO_BLANK_BESIDE = set(FILLERS) - {" ", "x", "X"} | {"\t"}
"""In a board with one of these characters, blanks are not open cells."""
_NO_UPRIGHTS = str.maketrans(dict.fromkeys(UPRIGHTS))
