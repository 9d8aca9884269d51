"""``.sdx``: nine rows of nine words; a single digit is a given, and ``u`` and a digit is the solver's entry.

Longer words are the solver's candidates. The solver's work is not part of the puzzle.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...errors import FormatError
from ...puzzle.puzzle import Puzzle
from ..format import Format
from ..lettering import each
from ..options import Options
from ..source import Line, too_long
from .line import Found, as_format_error, is_skipped

NAME = "sdx"


_WORD = re.compile(r"[1-9]{1,9}\Z|u[1-9]\Z|[.0]\Z")
_SIDE = 9


def is_sdx(text: str) -> bool:
    """Return whether a line is a row with an entry of the solver."""
    words = text.split()
    return len(words) == _SIDE and all(map(_WORD.match, words)) and any(word[0] == "u" for word in words)


def read_sdx(lines: Iterator[Line], options: Options) -> Iterator[Found]:
    """Read boards of nine lines each."""
    for number, text in lines:
        if text is None:
            yield number, too_long()
        elif not is_skipped(text):
            try:
                yield number, _puzzle(text, lines, options)
            except ValueError as error:
                yield number, as_format_error(error)


def _puzzle(text: str, lines: Iterator[Line], options: Options) -> Puzzle:
    rows = [text.split()]
    while len(rows) < _SIDE and (following := next(lines, None)) is not None:
        if following[1] and following[1].strip():
            rows.append(following[1].split())
    if len(rows) != _SIDE:
        raise FormatError(f"{len(rows)} rows: {_SIDE} are expected in sdx")
    givens: list[int | None] = []
    for row, words in enumerate(rows, start=1):
        if len(words) != _SIDE:
            raise FormatError(f"row {row} has {len(words)} words: {_SIDE} are expected in sdx")
        for column, word in enumerate(words, start=1):
            if not _WORD.match(word):
                raise FormatError(
                    f"{word[:20]!r}: a digit, candidates or u and a digit is expected", cell=f"R{row}C{column}"
                )
            givens.append(int(word) if len(word) == 1 and word not in ".0" else None)
    return Puzzle(options.square(_SIDE), tuple(givens))


def write_sdx(puzzle: Puzzle) -> str:
    """Write nine lines, with all candidates in open cells; raise FormatError for boards other than 9 x 9."""
    if puzzle.shape.cells != _SIDE * _SIDE or not puzzle.shape.is_square:
        raise FormatError(f"sdx holds 9 x 9 puzzles: {puzzle.shape} cannot be written")
    words = ["123456789" if value is None else str(value) for value in puzzle.givens]
    return "".join(" ".join(words[i : i + _SIDE]) + "\n" for i in range(0, len(words), _SIDE))


FORMAT = Format(
    NAME,
    "nine lines of nine words: a given, u and an entry, or candidates",
    read=read_sdx,
    write=each(NAME, write_sdx),
    tells=is_sdx,
    turn=11,
    extensions=(".sdx",),
    states_boxes=False,
)
