"""Boards of several lines, one row on each line, with or without drawn borders: ``grid``, ``numbers`` and ``sdk``.

``sdk`` has # lines with a tag letter, and optionally sections in brackets.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field
from math import isqrt

from ...dataclass import dataclass
from ...errors import FormatError
from ...puzzle.drawing import board_text
from ...puzzle.puzzle import Puzzle
from ...puzzle.shape import LARGEST_SIDE, Shape
from ..cells import FILLERS, Options, Values, from_numbers, from_symbols, is_number
from ..format import Format, cells_text, check_symbols, each, notes_text, one_line
from ..source import LONGEST_LINE, Line, too_long
from .line import Found, expected

DRAWN = "".join(map(chr, range(0x2500, 0x2580)))
"""The characters for drawing boxes."""
UPRIGHTS = "|:+=" + DRAWN
BORDERS = "|-+*=:" + DRAWN
BLANKS = " \t\u00a0"

_SIGNED = re.compile(r"(?:-?\d{1,3}|[.*_?])\Z")

Numbered = tuple[int, str]
"""A line number and its text."""
_Rows = list[tuple[int, list[str]]]
"""The line number of each row, and its words."""


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
            cells = [words if numbers else list("".join(words)) for _, words in rows]
            fits = all(len(row) == width for row in cells)
            if fits and (not numbers or all(map(is_number, {word for row in cells for word in row}))):
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


def _readings(lines: Sequence[Numbered]) -> Iterator[_Rows]:
    yield _between(lines, BORDERS)
    for filler in "-*":
        yield _between(lines, BORDERS.replace(filler, ""), filler)
    if not any(set(text) & _NO_BLANK_BESIDE for _, text in lines if not is_rule(text)):
        # every character between vertical borders is a cell, and a blank an open one
        yield [(number, [text.translate(_NO_UPRIGHTS)]) for number, text in lines if not is_rule(text)]


def _between(lines: Sequence[Numbered], borders: str, filler: str = "") -> _Rows:
    """Split rows into words between borders. A line of borders is not a row; a line of fillers of that length is."""
    table = _BLANKED[borders]
    rows = [line for line in lines if line[1].strip(borders + BLANKS) and not ("+" in line[1] and is_rule(line[1]))]
    found = [(number, text.translate(table).split()) for number, text in rows]
    if not filler:
        return found
    usual = Counter(sum(map(len, words)) for _, words in found).most_common(1)
    return [row for row in found if set("".join(row[1])) != {filler} or sum(map(len, row[1])) == usual[0][0]]


def _is_number_row(words: Sequence[str]) -> bool:
    if len(words) < 4 or not all(map(is_number, set(words))):
        return False
    return len(words) > 9 or all(len(w) == 1 or not w.isdigit() or int(w) <= len(words) for w in words)


def _values(rows: _Rows, cells: Sequence[list[str]], numbers: bool, options: Options) -> tuple[Shape, Values]:
    shape = options.board(len(rows), len(cells[0]))
    flat = [symbol for row in cells for symbol in row]
    try:
        if numbers and options.symbols is None:
            return shape, from_numbers(flat, shape)
        return shape, from_symbols(flat, shape, options)
    except FormatError as error:
        cell = error.cell
        raise error.at(line=rows[int(cell[1 : cell.index("C")]) - 1][0] if cell else None) from None


def _misshapen(rows: _Rows, options: Options) -> FormatError:
    """Explain why rows do not form a board: a row has another length, or there are too few or too many."""
    if not rows:
        return FormatError("a drawn frame without cells")
    numbers = all(_is_number_row(words) for _, words in rows)
    found = [len(words) if numbers else sum(map(len, words)) for _, words in rows]
    fixed = options.fixed
    width = fixed.width if fixed is not None else Counter(found).most_common(1)[0][0]
    for (line, _), length in zip(rows, found, strict=True):
        if length != width:
            return FormatError(f"a row of {_cells(length)}: {width} are expected", line=line)
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


def read_grids(
    lines: Iterator[Line], options: Options, notes: Notes = lambda notes: ("".join(notes[:1]), "\n".join(notes[1:]))
) -> Iterator[Found]:
    """Read boards, separated by blank lines, # lines or nothing. A board that cannot be read becomes a FormatError.

    By default the first # line is the title, and the others are the comment.
    """
    block = _Block()
    for number, text in lines:
        if text is None:
            yield number, too_long()
            block = _Block()
        elif not text.strip() or is_note(text):
            if block.rows and not (not text.strip() and block.end_band()):
                yield _finished(block, options, notes)
                block = _Block()
            if is_note(text) and len(block.notes) < _MOST_NOTES:
                block.notes.append(text.strip().removeprefix("#").strip())
        else:
            block.add(number, text, options)
            if 0 < block.band < block.rows - block.banded:
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


def _ready(block: _Block, options: Options, notes: Notes) -> Found | None:
    """Read the board if its last row has been reached; otherwise wait, as further lines may belong to it."""
    if block.size > LONGEST_LINE or len(block.lines) > _MOST_LINES:
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


def numbers_text(puzzle: Puzzle) -> str:
    """Write the title, the comment and a board of numbers, as wide as the largest value, one row on each line."""
    width = max(len(str(value)) for value in puzzle.shape.values)
    words = ["." if value is None else str(value) for value in puzzle.givens]
    rows = [words[r : r + puzzle.shape.width] for r in range(0, len(words), puzzle.shape.width)]
    return notes_text(puzzle) + "".join(" ".join(word.rjust(width) for word in row) + "\n" for row in rows)


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
    write=each("numbers", numbers_text),
    extensions=(".txt",),
    states_boxes=False,
    writes_any=True,
)

TAGS = {"A": "author", "B": "date", "S": "source", "L": "level", "U": "address"}
"""The meaning of the tag letters, besides D (the description, here the title) and C (the comment)."""
_SECTION = re.compile(r"\s*\[(\w+)\]\s*\Z")


def section(text: str) -> str | None:
    """Return the name, in small letters, of the section that a line opens."""
    match = _SECTION.match(text)
    return match[1].lower() if match else None


def tagged(notes: Sequence[str]) -> tuple[str, str]:
    """Make the title from D tags, and the comment from C tags and the other tags with their names."""
    titles, comments = list[str](), list[str]()
    for note in notes:
        tag, text = note[:1], note[1:].strip()
        if tag == "D":
            titles.append(text)
        else:
            comments.append(f"{TAGS[tag]}: {text}" if tag in TAGS else text if tag == "C" else note)
    return " ".join(titles), "\n".join(comments)


def _puzzle_lines(lines: Iterator[Line]) -> Iterator[Line]:
    """Yield the lines of puzzles; a line that opens a section becomes blank, and other sections are left out."""
    inside = True
    for number, text in lines:
        name = section(text) if text is not None else None
        if name is not None:
            inside = name == "puzzle"
            yield number, ""
        elif inside:
            yield number, text


def write_sdk(puzzles: Iterable[Puzzle], symbols: str | None) -> Iterator[str]:
    """Write the only puzzle, with its title and comment in lines with tags."""
    for i, puzzle in enumerate(puzzles):
        if i:
            raise FormatError("sdk holds one puzzle: a second cannot be written")
        line = cells_text(puzzle.givens, puzzle.shape, symbols)
        if len(line) != puzzle.shape.cells:
            raise FormatError(f"sdk holds one symbol for each cell: {puzzle.shape} cannot be written")
        width = puzzle.shape.width
        rows = [line[i : i + width] + "\n" for i in range(0, len(line), width)]
        title = [f"#D{one_line(puzzle.title)}\n"] if puzzle.title.strip() else []
        comments = [f"#C{one_line(text)}\n" for text in puzzle.comment.strip().splitlines()]
        yield "".join([*title, *comments, "[Puzzle]\n", *rows])


SDK = Format(
    "sdk",
    "nine lines of nine, # lines with tag letters, [Puzzle] sections",
    read=lambda lines, options: read_grids(_puzzle_lines(lines), options, tagged),
    write=write_sdk,
    extensions=(".sdk",),
    single=True,
    states_boxes=False,
)
