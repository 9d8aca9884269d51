"""Boards of several lines, one row on each line, with or without drawn borders: ``grid`` and ``numbers``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from ...errors import FormatError
from ...puzzle.drawing import board_text
from ...puzzle.puzzle import Puzzle
from ...puzzle.shape import LARGEST_SIDE
from ..board_rows import Numbered, board, is_rule, row_width
from ..format import Format
from ..lettering import check_symbols, notes_text
from ..options import Options
from ..source import LONGEST_LINE, Line, too_long
from .line import Found

_TITLE = re.compile(r"\s*(?:grid|puzzle|sudoku|board)\b[^|]*\Z", re.IGNORECASE)
_MOST_LINES, _MOST_NOTES = 4 * LARGEST_SIDE, 100

Notes = Callable[[Sequence[str]], tuple[str, str]]
"""Makes the title and comment from the # lines before a board."""


@dataclass
class _Block:
    """The lines of one board read so far, and the # lines before it.

    ``band`` is the number of rows between blank lines, if a board is divided into bands, and ``banded`` is the number
    of rows before the last blank line.
    """

    notes: list[str] = field(default_factory=list)
    lines: list[Numbered] = field(default_factory=list)
    size: int = 0
    rows: int = 0
    height: int = 0
    band: int = 0
    banded: int = 0

    def add(self, number: int, text: str, options: Options) -> None:
        self.lines.append((number, text))
        self.size += len(text)
        if not is_rule(text):
            self.height = self.height or (options.fixed.height if options.fixed else row_width(text))
            self.rows += 1

    @property
    def overflows(self) -> bool:
        return self.size > LONGEST_LINE or len(self.lines) > _MOST_LINES

    @property
    def breaks_band(self) -> bool:
        return self.band > 0 and self.rows - self.banded > self.band

    def end_band(self) -> bool:
        """Handle a blank line; return whether the board may continue after it."""
        rows = self.rows - self.banded
        if not self.band and 1 < rows < self.height and self.height % rows == 0:
            self.band = rows
        goes_on = self.rows < self.height and rows in (0, self.band) and self.band > 0
        self.banded = self.rows if goes_on else self.banded
        return goes_on

    def split(self) -> _Block:
        """Remove the rows after the last blank line, and return them as a separate block."""
        rows = [i for i, (_, text) in enumerate(self.lines) if not is_rule(text)]
        start = rows[self.banded]
        tail = _Block(lines=self.lines[start:], rows=self.rows - self.banded, height=self.height)
        tail.size = sum(len(text) for _, text in tail.lines)
        del self.lines[start:]
        return tail


def read_grids(lines: Iterator[Line], options: Options, notes: Notes | None = None) -> Iterator[Found]:
    """Read boards, separated by blank lines, # lines or nothing. A board that cannot be read becomes a FormatError."""
    notes = notes or title_and_comment
    block = _Block()
    for number, text in lines:
        if text is None:
            yield number, too_long()
            block = _Block()
        elif not text.strip() or is_note(text):
            if block.rows and not (not text.strip() and block.end_band()):
                yield _finished(block, options, notes)
                block = _Block()
            _add_note(block, text)
        else:
            block.add(number, text, options)
            if block.breaks_band:
                tail = block.split()
                yield _finished(block, options, notes)
                block = tail
            found = _ready(block, options, notes)
            if found:
                yield found
                block = _Block()
    if block.rows:
        yield _finished(block, options, notes)


def is_note(text: str) -> bool:
    """Return whether a line names or describes a board: it begins with # or reads like "Grid 01"."""
    return text.lstrip()[:1] == "#" or _TITLE.match(text) is not None


def title_and_comment(notes: Sequence[str]) -> tuple[str, str]:
    """Use the first # line as the title, and the others as the comment."""
    return (notes[0] if notes else ""), "\n".join(notes[1:])


def _add_note(block: _Block, text: str) -> None:
    if is_note(text) and len(block.notes) < _MOST_NOTES:
        block.notes.append(text.strip().removeprefix("#").strip())


def _ready(block: _Block, options: Options, notes: Notes) -> Found | None:
    """Read the board if its last row has been reached; otherwise wait, as further lines may belong to it."""
    if block.overflows:
        return block.lines[0][0], FormatError(
            "the board has no end within the following lines, which are more than any board has"
        )
    if block.band or block.rows != block.height or is_rule(block.lines[-1][1]):
        return None
    found = _finished(block, options, notes)
    return None if isinstance(found[1], FormatError) else found


def _finished(block: _Block, options: Options, notes: Notes) -> Found:
    first = next(number for number, text in block.lines if not is_rule(text))
    try:
        shape, values = board(block.lines, options)
    except FormatError as error:
        return first, error
    return first, Puzzle(shape, values, (), *notes(block.notes))


def write_all(puzzles: Iterable[Puzzle], symbols: str | None) -> Iterator[str]:
    """Write boards drawn with borders, preceded by their notes in # lines."""
    for i, puzzle in enumerate(puzzles):
        if symbols is not None:
            check_symbols(symbols, puzzle.shape)
        drawn = board_text(puzzle.shape, puzzle.givens, symbols)
        yield ("\n" if i else "") + notes_text(puzzle) + drawn + "\n"


def write_numbers(puzzles: Iterable[Puzzle], symbols: str | None) -> Iterator[str]:
    """Write rows of numbers, with blank lines between boards."""
    if symbols is not None:
        raise FormatError("the format numbers uses no alphabet: leave out the alphabet")
    for i, puzzle in enumerate(puzzles):
        width = max(len(str(value)) for value in puzzle.shape.values)
        words = ["." if value is None else str(value) for value in puzzle.givens]
        rows = [words[r : r + puzzle.shape.width] for r in range(0, len(words), puzzle.shape.width)]
        text = "".join(" ".join(word.rjust(width) for word in row) + "\n" for row in rows)
        yield ("\n" if i else "") + notes_text(puzzle) + text


GRID = Format(
    "grid",
    "one row on each line, with or without borders; boards separated by blank lines",
    read=read_grids,
    write=write_all,
    extensions=(".txt",),
    states_boxes=False,
    writes_any=True,
)
NUMBERS = Format(
    "numbers",
    "one row on each line, numbers separated by blanks ('.' or 0 if open), any side up to 400",
    read=read_grids,
    write=write_numbers,
    extensions=(".txt",),
    states_boxes=False,
    writes_any=True,
)
