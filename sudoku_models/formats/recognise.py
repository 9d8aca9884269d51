"""Recognises the format of a text from its first lines or, if two formats are possible, from the lines of one board."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import isqrt
from operator import attrgetter

from ..errors import FormatError
from ..puzzle.shape import LARGEST_SIDE
from .catalogue import CSV, FORMATS, GRID, KILLER, LINE, NUMBERS, SDK
from .cells import FILLERS, Options, is_number
from .kinds.annotated import is_row_of_words
from .kinds.grid import UPRIGHTS, is_note, is_rule, row_width, section, without_borders, without_minus_ones
from .kinds.line import SEPARATORS, classic, is_blank_filled, is_grouped, is_skipped
from .kinds.programs import misnamed
from .links import addresses
from .source import LONGEST_LINE, Line, foreign
from .table import header_of, named_column

LOOKED_AT = 64
"""The number of unrecognised lines that are skipped before a text is refused."""
_MOST_SYMBOLS = 35
_WORD = re.compile(rf"[^\s{re.escape(SEPARATORS)}]*")
_SYMBOLS = re.compile(r"[0-9A-Za-z.*_?-]+\Z")
_FILE = re.compile(
    r"\s*[\w./\\~-]{1,200}\.(?:txt|csv|tsv|sdk|sdm|sdx|ss|msk|json|jsonl|ipuz|parquet|arrow|gz|zst)\s*\Z", re.IGNORECASE
)
_BLANK_FILLED = re.compile(r"(?=.*[1-9])(?=.* )[1-9 ]{4,9}\Z")

_COLUMN = re.compile(r"[A-Za-z_][\w .-]{0,40}\Z")

Kinds = frozenset[str]
OF_LINE, OF_GRID, OF_NUMBERS, OF_TABLE, OF_SDK = (frozenset([name]) for name in (LINE, GRID, NUMBERS, CSV, SDK))
EITHER = OF_LINE | OF_GRID
NONE: Kinds = frozenset()


def _recorded(lines: Iterator[Line], seen: list[Line]) -> Iterator[Line]:
    """Yield lines, which are added to those seen; raise FormatError if they become too many."""
    size = 0
    for line in lines:
        seen.append(line)
        size += len(line[1] or "")
        if size > 2 * LONGEST_LINE or len(seen) > 100_000:
            raise FormatError("no puzzle was found up to this line", line=line[0])
        yield line


def recognise(lines: Iterator[Line], options: Options, ahead: bool = True) -> tuple[str, list[Line]]:
    """Return the format's name and the lines that were read from ``lines`` to find it.

    Without ``ahead``, lines that would repeat values several times in the rows and columns of one board are taken
    for a list of boards at once, because the following line of a pipe may be long in coming. One repeat may be a
    mistake in a board, which later rows with larger values show.
    Raises FormatError if the lines fit no format, or if they fit two: it then says how to choose between them.
    """
    seen, unknown = list[Line](), list[Line]()
    lines = _recorded(lines, seen)
    for line in lines:
        kinds = kinds_of(line[1], options)
        if kinds is None:
            continue
        if len(kinds) == 1:
            return next(iter(kinds)), seen
        if kinds:
            return _look_on(line, lines, seen, options, ahead), seen
        unknown.append(line)
        if len(unknown) >= LOOKED_AT:
            break
    return _given_up(seen, unknown[0] if unknown else None, options), seen


def kinds_of(text: str | None, options: Options) -> Kinds | None:
    """Return the formats to which a line may belong; None if it is uninformative (blank, a comment, a border)."""
    if text is None:
        return NONE
    if options.shape is None and (classic(text) is not None or is_blank_filled(text)):
        return OF_LINE
    named = _named(text)
    if named is not None and (
        not (named == KILLER and (options.symbols is not None and _are_cells("".join(text.split()), options)))
    ):
        return frozenset([named])
    if section(text) is not None:
        return OF_SDK
    if is_skipped(text) or (is_rule(text) and set(text.strip()) != {"-"}):
        return None
    if is_note(text):
        return None if header_of(text, options.column) is None else OF_TABLE
    if header_of(text, options.column) is not None:
        return OF_TABLE
    return _by_width(text, options)


def _named(text: str) -> str | None:
    """Return the format whose lines are unmistakable, if the line is one."""
    name = next((kind.name for kind in _RECOGNISED if kind.tells and kind.tells(text)), None)
    return name or ("pencilmarks" if is_row_of_words(text) else None)


_RECOGNISED = sorted((kind for kind in FORMATS.values() if kind.tells), key=attrgetter("turn"))


def _by_width(text: str, options: Options) -> Kinds:
    text = without_minus_ones(text)
    words = text.split()
    if _BLANK_FILLED.match(text) and len(words) < 4:
        return OF_GRID
    if len(words) >= 4 and all(map(is_number, words)) and row_width(text) == len(words):
        return _row_or_board(len(words), OF_NUMBERS, LARGEST_SIDE, options, _largest(words, options))
    head = _WORD.match(text.lstrip())
    symbols = head[0] if head is not None else ""
    if not _are_cells(symbols, options):
        return _drawn(text, options)
    if symbols == text.strip() or text.lstrip()[len(symbols) : len(symbols) + 1] in ";,#":
        return _row_or_board(len(symbols), OF_GRID, _widest(options), options, _largest(symbols, options))
    if options.fixed is not None:
        return OF_LINE if len(symbols) == options.fixed.cells else _drawn(text, options)
    side = isqrt(len(symbols))
    whole = side >= 4 and (side * side == len(symbols) or len(symbols) > _widest(options))
    banded = len({len(word) for word in words}) == 1 and len(words[0]) * len(words) <= _MOST_SYMBOLS
    return OF_LINE if whole and not banded else _drawn(text, options)


def _drawn(text: str, options: Options) -> Kinds:
    """Recognise a row with blanks or borders between its cells, or a whole board with blanks between its rows."""
    words = without_borders(text).split()
    width, bordered = row_width(text), not set(text).isdisjoint(UPRIGHTS)
    if not _are_cells("".join(words), options):
        return NONE
    if is_grouped(words) and not bordered:
        rows = width <= _widest(options) and options.fixed is None
        return EITHER if rows and _largest("".join(words), options) <= len(words) else OF_GRID if rows else OF_LINE
    if width <= (LARGEST_SIDE if width == len(words) else _widest(options)):
        return OF_GRID if width >= options.smallest and (len(words) > 1 or bordered) else NONE
    return NONE


def _row_or_board(width: int, row: Kinds, widest: int, options: Options, largest: int) -> Kinds:
    """Return the formats in which ``width`` cells can be a row, or all cells of a board."""
    if options.fixed is not None:
        found = OF_LINE if width == options.fixed.cells else NONE
        return found | row if width == options.fixed.width else found or OF_LINE
    side = isqrt(width)
    boards = side * side == width and side >= options.smallest and largest <= side
    rows = options.smallest <= width <= widest
    return (OF_LINE if boards or width > widest else NONE) | (row if rows else NONE)


def _has_shape(side: int, options: Options) -> bool:
    try:
        options.square(side)
    except FormatError:
        return False
    return True


def _widest(options: Options) -> int:
    return max(_MOST_SYMBOLS, len(options.symbols or ""))


def _largest(cells: Sequence[str], options: Options) -> int:
    """Return a lower bound for the largest value of these cells: letters are values above 9."""
    if options.symbols is not None:
        return max((options.symbols.find(c) + 1 for c in set(cells)), default=0)
    known = [c for c in set(cells) if c.isascii() and c.isalnum() and c not in "xX"]
    return max((int(c) if c.isdigit() else 10 for c in known), default=0)


def _plausible(cells: str) -> bool:
    """Distinguish cells from prose: letters are all capitals or all small, with digits or open cells, or each once."""
    letters = {c for c in set(cells) if c.isalpha() and c not in "xX"}
    if not letters:
        return True
    prose = letters == set(cells) and len(cells) <= _MOST_SYMBOLS and len(letters) < max(10, len(cells))
    return len({c.isupper() for c in letters}) == 1 and not prose


def _are_cells(text: str, options: Options) -> bool:
    """Return whether a text may be cells: in the chosen alphabet, or in a usual one and unlike prose."""
    if options.symbols is not None:
        return not text.strip(options.symbols + FILLERS) and bool(text)
    return _SYMBOLS.match(text) is not None and _plausible(text)


def _look_on(line: Line, lines: Iterator[Line], seen: list[Line], options: Options, ahead: bool) -> str:
    """Use the following lines to decide between a list of boards, one on each line, and one board of several rows.

    If all cells are open it is one board, as nobody lists empty boards.
    """
    text = line[1] or ""
    width, begun, following = row_width(text), len(seen) - 1, text
    rows, repeats, columns = 0, 0, set[tuple[int, str]]()
    while True:
        words = without_borders(following).split()
        cells = words if len(words) == width else list("".join(words))
        given = [(place, cell) for place, cell in enumerate(cells) if cell.strip(FILLERS)]
        repeats += len(given) - len({cell for _, cell in given}) + len(columns.intersection(given))
        columns.update(given)
        rows += 1
        going_on = rows <= width and (ahead or repeats < 2)  # lines that repeat more are not the rows of one board
        following = (next(lines, (0, None))[1] if going_on else None) or ""
        kinds = kinds_of(following, options) if following.strip() else None
        if kinds is None:
            break
        if len(kinds) == 1 and row_width(following) == width:
            return next(iter(kinds))
    side = isqrt(width)
    grid = NUMBERS if len(text.split()) == width else GRID
    if rows != width or repeats:
        return LINE
    rest = "".join(following or "" for _, following in seen[begun:])
    if not _has_shape(side, options) or not rest.strip(FILLERS + "\t"):
        return grid
    raise FormatError(
        f"{rows} lines of {width} cells have two readings: {rows} boards of {side} x {side} (--input-format {LINE}) "
        f"or one of {width} x {width} (--input-format {grid})",
        line=line[0],
    )


def _given_up(seen: Sequence[Line], first: Line | None, options: Options) -> str:
    """Treat an unrecognised text as lines, each with its error, if some line looks like cells.

    Raises FormatError for other texts, and for a table whose puzzles are in no column with a usual or chosen name.
    """
    texts = [text for _, text in seen if text and not is_skipped(text)]
    if names := _columns(texts):
        named_column(names, options.column)
    bad = ((number, error) for number, text in seen if text and (error := foreign(text)))
    if any(text is None for _, text in seen) or any(map(_looks_like_cells, texts)):
        return LINE
    for number, error in bad:
        raise error.at(line=number)
    if len(texts := [text for _, text in seen if text and text.strip()]) == 1 and _FILE.match(texts[0]):
        raise FormatError(
            f"{texts[0].strip()[:60]!r} looks like the name of a file, but a puzzle's text is expected: "
            "use Path(name).read_text() for the text of a file, or solve_many(Path(name)) for its puzzles"
        )
    if first is None:
        raise FormatError("no puzzle was found: only blank lines, comments or borders")
    if (named := misnamed(first[1] or "")) is not None:
        raise FormatError(named, line=first[0])
    if (address := next(iter(addresses(first[1] or "")), None)) is not None:
        raise FormatError(
            f"the link {address[:60]!r} holds no puzzle: links are not fetched; open it in a browser, "
            "and use the long link that holds the puzzle itself, or the puzzle's text",
            line=first[0],
        )
    raise FormatError(
        f"{(first[1] or '')[:40]!r} is not the beginning of a puzzle: cells (lines of 81 characters, grids, "
        "numbers, CSV with a header, sdk, sdm), or a variant's link, constraint string or JSON, are expected",
        line=first[0],
    )


def _columns(texts: Sequence[str]) -> list[str]:
    """Return the names of columns in the first line, if the second line has as many fields."""
    if len(texts) < 2:
        return []
    delimiter = max(",;\t", key=texts[0].count)
    names = [name.strip() for name in texts[0].split(delimiter)]
    alike = len(names) > 1 and texts[1].count(delimiter) == len(names) - 1
    prose = delimiter == "," and any(" " in name for name in names)
    return names if alike and not prose and all(map(_COLUMN.match, names)) else []


def _looks_like_cells(text: str) -> bool:
    cells = sum(c in FILLERS or c.isdigit() for c in text[:81])
    return cells * 2 >= len(text[:81]) and not text[:81].isspace() and cells >= 8
