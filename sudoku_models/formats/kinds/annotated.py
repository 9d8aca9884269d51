"""Boards with more than a symbol for each cell: candidates (``pencilmarks``), and labels of regions (``jigsaw``).

Candidates are n positions for each cell on one line (n^3), or one row on each line with words. A position is one
character, or two on boards above 9 x 9: ``01`` to ``16``, or ``..`` if the candidate is excluded. A jigsaw is a line of
givens, then a line with the region label of each cell (or both on one line).
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from math import isqrt

from ...errors import FormatError
from ...model import Domain
from ...puzzle.puzzle import Puzzle
from ...puzzle.shape import Shape
from ..cells import FILLERS, Options, from_symbols, place
from ..format import ALL, REGIONS, RULES, Format, cells_text, each, refuse
from ..regions import grouped, shape_of_labels, touching
from ..source import Line
from .grid import is_note, is_rule, without_borders
from .line import each_board, is_skipped

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


# ---- jigsaws

_BETWEEN = " \t;,:|"
_LABELS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_SYMBOLS = frozenset(string.digits + string.ascii_letters + FILLERS) - {" "}
_LONGEST_LAYOUT = 2 * len(_LABELS) ** 2 + 9


def is_jigsaw(text: str) -> bool:
    """Return whether a line holds the cells of a board and then the labels of its regions."""
    text = text.strip() if len(text) <= 2 * _LONGEST_LAYOUT else ""
    side = isqrt(len(text) // 2)
    cells, labels = text[: side * side], text[side * side :].strip(_BETWEEN)
    if side < 4 or len(labels) != side * side or len(text) > 2 * side * side + 9 or not _SYMBOLS.issuperset(cells):
        return False
    if side * side == 81:
        return set(Counter(labels).values()) == {side} and not set(cells).difference("0123456789.")
    return is_layout(labels)


def is_layout(text: str) -> bool:
    """Return whether a line holds labels of n connected regions of n cells; givens or a solution never do."""
    labels = text.strip() if len(text) <= _LONGEST_LAYOUT else ""
    side = isqrt(len(labels))
    if side < 4 or side * side != len(labels) or not labels.isalnum() or set(Counter(labels).values()) != {side}:
        return False
    groups = grouped((label, divmod(cell, side)) for cell, label in enumerate(labels))
    return all(len(touching(places)) == 1 for places in groups.values())


def _labelled(text: str, lines: Iterator[Line], options: Options) -> Puzzle:
    text = text.strip()
    half = len(text) // 2
    if isqrt(len(text)) ** 2 == len(text):
        following = (text.strip() for _, text in lines if text is not None and not is_skipped(text))
        cells, labels = text, next(following, "")
    else:
        cells, labels = text[: isqrt(half) ** 2], text[isqrt(half) ** 2 :].strip(_BETWEEN)
    side = isqrt(len(cells))
    if len(labels) != len(cells) or not 1 <= side <= len(_LABELS):
        raise FormatError(f"{len(cells)} cells and {len(labels)} region labels: as many labels as cells are expected")
    counts = Counter(labels)
    wrong = next((label for label, count in counts.items() if count != side), None)
    if wrong is not None:
        raise FormatError(f"region {wrong!r} has {counts[wrong]} cells: {side} are expected")
    shape = shape_of_labels(side, labels)
    return Puzzle(shape, from_symbols(cells, shape, replace(options, shape=None)))


def write_jigsaws(puzzles: Iterable[Puzzle], symbols: str | None) -> Iterator[str]:
    """Write the givens on one line and the region labels on another; raise FormatError for other regions."""
    for puzzle in puzzles:
        shape, cells = puzzle.shape, cells_text(puzzle.givens, puzzle.shape, symbols)
        even = len(shape.regions) == shape.width and {len(region) for region in shape.regions} == {shape.width}
        if not (shape.is_square and even and None not in shape.region_of):
            raise FormatError(f"{shape} cannot be written in the format jigsaw: n regions of n cells are expected")
        if shape.width > len(_LABELS) or len(cells) != shape.cells:
            raise FormatError(f"{shape} cannot be written in the format jigsaw, which has one character for each cell")
        yield f"{cells}\n" + "".join(_LABELS[region or 0] for region in shape.region_of) + "\n"


JIGSAW = Format(
    "jigsaw",
    "a line of givens, then a line with the region label of each cell",
    read=each_board(_labelled),
    write=write_jigsaws,
    tells=is_jigsaw,
    turn=9,
    holds=frozenset([REGIONS]),
)
