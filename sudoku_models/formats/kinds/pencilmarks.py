"""Candidates of every cell: n positions for each cell on one line (n^3), or one row on each line with words.

A position is one character, or two on boards above 9 x 9: ``01`` to ``16``, or ``..`` if the candidate is excluded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from math import isqrt

from ...errors import FormatError
from ...model import Domain
from ...puzzle.puzzle import Puzzle
from ...puzzle.shape import Shape
from ..cells import place
from ..format import ALL, REGIONS, RULES, Format, each, refuse
from ..kinds.grid import is_note
from ..options import Options
from ..source import Line
from .grid import is_rule, without_borders
from .line import each_board

NAME = "pencilmarks"


_MOST = 40
_SIDES = {n**3 * (1 + (n > 9)): n for n in range(2, _MOST + 1)}
"""The side of the board for each length of a line."""
_OPEN = ".0*_-"
_NOTE = re.compile(r"\s[#;].*", re.DOTALL)
_LONGEST = 150_000
_WORD = re.compile(r"[1-9]{1,9}\Z")


def is_marks(text: str) -> bool:
    """Return whether a line is a board of n^3 characters, each a candidate in its position or a filler."""
    text = _bare(text)
    side = _SIDES.get(len(text), 0)
    cells = map(_places, _cut(text, len(text) // side**2)) if side >= 4 else ()
    return side >= 4 and all(
        all(_is_open(sign) or sign == right for sign, right in places) and not all(_is_open(sign) for sign, _ in places)
        for places in cells
    )


def _bare(text: str) -> str:
    """Remove a comment from a line, and the blanks between cells with one character for each value."""
    text = _NOTE.sub("", text).strip()
    words = text.split() if len(text) <= _LONGEST else []
    side = isqrt(len(words))
    apart = side > 1 and side * side == len(words) and {len(word) for word in words} == {side * (1 + (side > 9))}
    return "".join(words) if apart else text


def is_row_of_words(text: str) -> bool:
    """Return whether a line is a row of words of candidates, some with several digits."""
    words = without_borders(_NOTE.sub("", text)).split()
    if not 4 <= len(words) <= 9 or len(set(map(len, words))) < 2 or not all(map(_WORD.match, words)):
        return False
    return all(list(word) == sorted(set(word)) and int(word[-1]) <= len(words) for word in words)


def _cut(text: str, width: int) -> list[str]:
    return [text[i : i + width] for i in range(0, len(text), width)]


def _places(cell: str) -> list[tuple[str, str]]:
    """Return the text at each position of a cell, and the text of the candidate for that position."""
    width = 1 if len(cell) <= 9 else 2
    return [(sign, f"{value:0{width}}") for value, sign in enumerate(_cut(cell, width), start=1)]


def _is_open(sign: str) -> bool:
    return set(sign) <= set(_OPEN)


def _is_between(text: str) -> bool:
    return not text.strip() or is_rule(text) or is_note(text)


def _puzzle(text: str, lines: Iterator[Line], options: Options) -> Puzzle:
    text = _bare(text)
    side = _SIDES.get(len(text))
    if side and not without_borders(text).split()[1:]:
        cells = _cut(text, len(text) // side**2)
        return _of_marks([_marks(cell, i, side) for i, cell in enumerate(cells)], side, options)
    rows = [without_borders(text).split()]
    side = len(rows[0])
    while len(rows) < side <= 9 and (following := next(lines, None)) is not None:
        if following[1] and not _is_between(following[1]):
            rows.append(without_borders(_NOTE.sub("", following[1])).split())
    if not 2 <= side <= 9 or len(rows) != side or any(len(row) != side for row in rows):
        raise FormatError("n^3 characters, or n rows of n words of candidates, are expected (n from 2 to 9)")
    return _of_marks(
        [_word(word, i, side) for i, word in enumerate(word for row in rows for word in row)], side, options
    )


def _marks(cell: str, index: int, side: int) -> Domain:
    places = _places(cell)
    for sign, right in places:
        if not _is_open(sign) and sign != right:
            raise FormatError(f"{sign!r} where {right} or {'.' * len(right)!r} is expected", cell=place(index, side))
    return tuple(value for value, (sign, right) in enumerate(places, start=1) if sign == right)


def _word(word: str, index: int, side: int) -> Domain:
    if word in _OPEN:
        return tuple(range(1, side + 1))
    if not word.isascii() or not word.isdigit() or not all("1" <= c <= str(side) for c in word):
        raise FormatError(f"{word[:20]!r}: candidates from 1 to {side} are expected", cell=place(index, side))
    return tuple(sorted({int(c) for c in word}))


def _of_marks(marks: Sequence[Domain], side: int, options: Options) -> Puzzle:
    """Make the puzzle: a single candidate is a given, and a cell with all candidates is open."""
    shape = options.square(side)
    none = next((i for i, found in enumerate(marks) if not found), None)
    if none is not None:
        raise FormatError("has no candidate", cell=place(none, side))
    givens = tuple(found[0] if len(found) == 1 else None for found in marks)
    candidates = tuple((i, found) for i, found in enumerate(marks) if 1 < len(found) < side)
    return Puzzle(shape, givens, candidates)


def write_marks(puzzle: Puzzle) -> str:
    """Write n^3 positions on a line; raise FormatError for sides above 40, rules, other regions, impossible cells."""
    shape = puzzle.shape
    side = shape.width
    refuse(puzzle, NAME, (RULES, REGIONS))
    if not shape.is_square or side > _MOST:
        raise FormatError(f"{shape} cannot be written in the format pencilmarks")
    found = [puzzle.domains.get(name, shape.values) for name in shape.names]
    for name, values in zip(shape.names, found, strict=True):
        if not set(values) & set(shape.values):
            raise FormatError("has no candidates, which cannot be written", cell=name)
    return marks_line(shape, found)


def marks_line(shape: Shape, marks: Iterable[Domain]) -> str:
    """Write the values of each cell on a line: one position for every value, with dots for excluded values."""
    width = len(str(max(shape.values)))
    places = [(value, f"{value:0{width}}") for value in shape.values]
    return "".join(text if value in values else "." * width for values in marks for value, text in places)


PENCILMARKS = Format(
    NAME,
    "n characters for each cell (n^3 on a line; two for each value above 9 x 9), or rows of candidates",
    read=each_board(_puzzle, _is_between),
    write=each(NAME, write_marks),
    tells=is_marks,
    turn=10,
    holds=ALL,
    states_boxes=False,
)
