"""The format ``line``: a symbol for each cell, row by row; text after the last cell is a comment. And ``sdm``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from ...errors import FormatError
from ...lazy import Loaded
from ...puzzle.puzzle import Puzzle
from ...puzzle.shape import Shape
from ..cells import FILLERS, Options, Values, from_numbers, from_symbols, is_number
from ..format import Format, Reader, cells_text, one_line
from ..json_text import documents
from ..source import Line, foreign, too_long


def write_all(puzzles: Iterable[Puzzle], symbols: str | None) -> Iterator[str]:
    """Write a line for each puzzle, with its comment after #."""
    for puzzle in puzzles:
        comment = one_line(puzzle.comment or puzzle.title)
        yield cells_text(puzzle.givens, puzzle.shape, symbols) + (f" # {comment}" if comment else "") + "\n"


Found = tuple[int, Puzzle | FormatError]
"""The line in which a puzzle begins, and the puzzle or its error."""

_ISS = Loaded("sudoku_models.formats.iss.from_string")
SEPARATORS = " \t;,#:|"
"""The characters that may separate a comment from the cells."""
_NINE = Shape.square(9)
_DIGITS = "123456789"
_CELLS_81 = {filler: _DIGITS + filler for filler in FILLERS.strip()}
_VALUES: dict[str, int | None] = dict.fromkeys(FILLERS) | {d: int(d) for d in _DIGITS}
_SIDES = [n for n in range(4, 36) if any(n % k == 0 for k in range(2, n))]
_HEAD = re.compile(r"([^\s;,#:|]+)(.*)\Z", re.DOTALL)
_NOTE = re.compile(r"(?:^|\s)[;#].*\Z", re.DOTALL)


def read_lines(lines: Iterator[Line], options: Options) -> Iterator[Found]:
    """Read one puzzle from every line; blank lines and lines that begin with # are skipped."""
    plain = options.symbols is None and options.shape is None
    for number, text in lines:
        if text is None:
            yield number, too_long()
            continue
        puzzle = classic(text) if plain and text.isascii() else None
        if puzzle is None:
            if is_skipped(text):
                continue
            yield number, foreign(text) or line_or_error(text, options)
        else:
            yield number, puzzle


def each_board(
    read_one: Callable[[str, Iterator[Line], Options], Puzzle], skips: Callable[[str], bool] | None = None
) -> Reader:
    """Make the reader of a format from a function that reads one puzzle, with its first line and the following ones."""

    def read_all(lines: Iterator[Line], options: Options) -> Iterator[Found]:
        for number, text in lines:
            if text is None:
                yield number, too_long()
            elif not (skips or is_skipped)(text):
                try:
                    yield number, read_one(text, lines, options)
                except ValueError as error:
                    yield number, as_format_error(error)

    return read_all


def each_document(
    name: str,
    read_one: Callable[[str], Puzzle],
    pieces: Callable[[Iterator[Line]], Iterator[Line]] = documents,
    what: str = "",
) -> Reader:
    """Make the reader of a format from a function that reads one puzzle.

    ``pieces`` yields the text of each with its line, by default JSON objects or single lines. ``what`` is what states
    the shape, for messages; by default the format.
    """

    def read_all(lines: Iterator[Line], options: Options) -> Iterator[Found]:
        refuse_options(options, what or name)
        for number, text in pieces(lines):
            try:
                yield number, too_long() if text is None else foreign(text) or read_one(text)
            except ValueError as error:
                yield number, in_another_format(text or "", options, name) or as_format_error(error)

    return read_all


def refuse_options(options: Options, what: str) -> None:
    """Raise FormatError if the shape or the symbols are chosen, which a text states itself."""
    if options.shape is not None or options.symbols is not None:
        raise FormatError(f"{what} states its own shape and values: leave out shape and alphabet")


def read_constraints(text: str, options: Options) -> Puzzle:
    """Read a constraint string; raise FormatError if it is wrong, or if a shape or an alphabet is chosen for it."""
    refuse_options(options, "a constraint string")
    puzzle: Puzzle = _ISS.read_iss(text)
    return puzzle


def is_skipped(text: str) -> bool:
    """Return whether a line is blank or a comment."""
    bare = text.lstrip()
    return not bare or bare[0] == "#"


def classic(text: str) -> Puzzle | None:
    """Read 81 cells of a 9 x 9 board quickly; return None if the text needs the general reader."""
    head, rest = text[:81], text[81:]
    if len(head) < 81 or (rest and (rest[0] not in SEPARATORS or "\0" in rest)):
        return None
    filler = head.strip(_DIGITS)[:1] or "."
    if head.strip(_CELLS_81.get(filler, "")):
        return None
    return Puzzle(_NINE, tuple(map(_VALUES.get, head)), (), "", comment_of(rest) if rest else "")


def as_format_error(error: ValueError) -> FormatError:
    """Return a FormatError unchanged, and convert another ValueError (from making a puzzle) to one."""
    return error if isinstance(error, FormatError) else FormatError(str(error))


def line_or_error(text: str, options: Options) -> Puzzle | FormatError:
    """Read one line, perhaps of another format; return the error if it cannot be read."""
    try:
        return parse_line(text, options)
    except FormatError as error:
        return in_another_format(text, options) or error


def in_another_format(text: str, options: Options, own: str | None = None) -> Puzzle | FormatError | None:
    """Read a line that its file's format ``own`` (lines of cells) cannot read, if its format may be mixed in.

    Return None if it looks like no such format, or if the user chose how to read the file.
    """
    if not options.is_plain:
        return None
    from ..catalogue import FORMATS, LINE
    from ..reading import parse_with
    from ..recognise import kinds_of

    own = own or LINE
    name = next((kind for kind in kinds_of(text, options) or () if FORMATS[kind].mixes), own)
    if name == own:
        return None
    try:
        return parse_with(text, Options(name))
    except FormatError as error:
        return error


def parse_line(text: str, options: Options) -> Puzzle:
    """Read one line of a board of any side; a FormatError names the problem and the cell."""
    blank_filled = options.sized(81) if is_blank_filled(text) else None
    if blank_filled is not None and blank_filled.values[-1] <= 9:
        return Puzzle(blank_filled, from_symbols(text[:81], blank_filled, options), (), "", comment_of(text[81:]))
    note = _NOTE.search(text) if ";" in text or "#" in text else None
    words, comment = (text[: note.start()].split(), comment_of(note[0])) if note else (text.split(), "")
    numbers = all(map(is_number, words))
    if is_grouped(words):
        shape, values = cells_of("".join(words), options)
    elif len(words) >= 4 and (numbers or max(map(len, words)) == 1):
        shape, values = _separate(words, numbers, options)
    else:
        match = _HEAD.match(text.strip())
        if match is None:
            raise FormatError("no cells before the comment: " + expected(options, 0))
        (shape, values), comment = cells_of(match[1], options), comment_of(match[2])
    return Puzzle(shape, values, (), "", comment)


def _separate(words: Sequence[str], numbers: bool, options: Options) -> tuple[Shape, Values]:
    """Read numbers (or single symbols) separated by blanks."""
    shape = options.sized(len(words))
    if shape is None:
        raise FormatError(f"{len(words)} numbers: {expected(options, len(words))}")
    as_symbols = options.symbols is not None or not numbers
    return shape, from_symbols(words, shape, options) if as_symbols else from_numbers(words, shape)


def cells_of(cells: str, options: Options) -> tuple[Shape, Values]:
    """Read the cells of one board from one word: one symbol each, or two digits each if values exceed 9."""
    shape = options.sized(len(cells))
    if shape is not None:
        return shape, from_symbols(cells, shape, options)
    shape = options.sized(len(cells) // 2) if len(cells) % 2 == 0 and len(cells) >= 200 else None
    if shape is None or shape.values[-1] <= 9:
        raise FormatError(f"{_counted(cells)}: {expected(options, len(cells))}")
    return shape, from_numbers([cells[i : i + 2] for i in range(0, len(cells), 2)], shape)


def _counted(cells: str) -> str:
    """Return the number of characters, and the first of them that is invisible."""
    counted = "1 character" if len(cells) == 1 else f"{len(cells)} characters"
    hidden = next((i for i, c in enumerate(cells) if not c.isprintable()), None)
    if hidden is None:
        return counted
    return f"{counted} (character {hidden + 1} is invisible: U+{ord(cells[hidden]):04X})"


def comment_of(rest: str) -> str:
    """Return the comment in the text after the last cell, without one leading separator."""
    rest = rest.strip()
    return rest[1:].lstrip() if rest and rest[0] in SEPARATORS else rest


def is_blank_filled(text: str) -> bool:
    """Return whether a line begins with 81 cells in which a blank is an open cell."""
    head, rest = text[:81], text[81:]
    if len(head) < 81 or head.strip(_DIGITS + " ") or (rest and rest[0] not in "\t;,#"):
        return False
    return " " in head and bool(head.strip()) and set(head[1::2]) != {" "}


def is_grouped(words: Sequence[str]) -> bool:
    """Return whether words are the rows of a board on one line."""
    return len(words) >= 4 and all(len(word) == len(words) for word in words)


def expected(options: Options, found: int) -> str:
    """Describe the possible lengths of a line: that of the chosen shape, or the one nearest to the actual length."""
    if options.fixed is not None:
        return f"{options.fixed.cells} are expected ({options.fixed})"
    near = min(_SIDES, key=lambda n: abs(n * n - found)) if found > 40 else 9
    sizes = ", ".join(f"{n * n} for {n} x {n}" for n in (4, 6, 8, 9, 10, 12) if n != near)
    return f"{near * near} are expected for {near} x {near} ({sizes}, ...)"


def read_sdm(lines: Iterator[Line], options: Options) -> Iterator[Found]:
    """Read lines; boards other than 9 x 9 are errors."""
    for line, found in read_lines(lines, options):
        if isinstance(found, Puzzle) and found.shape.cells != 81:
            yield line, FormatError(f"{found.shape.cells} cells: 81 are expected in sdm")
        else:
            yield line, found


def write_sdm(puzzles: Iterable[Puzzle], symbols: str | None) -> Iterator[str]:
    """Yield the lines of an sdm file; raise FormatError for boards other than 9 x 9."""
    for puzzle in puzzles:
        if puzzle.shape.cells != 81:
            raise FormatError(f"sdm holds 9 x 9 puzzles: {puzzle.shape} cannot be written")
        yield cells_text(puzzle.givens, puzzle.shape, symbols) + "\n"


LINE = Format(
    "line",
    "one puzzle on each line, one symbol for each cell ('.' or 0 if open); further text is a comment",
    read=read_lines,
    write=write_all,
    extensions=(".txt",),
    by_lines=True,
    states_boxes=False,
    writes_any=True,
    mixes=True,
)
SDM = Format(
    "sdm",
    "one 9 x 9 puzzle on each line, nothing else",
    read=read_sdm,
    write=write_sdm,
    extensions=(".sdm",),
    by_lines=True,
    states_boxes=False,
)
