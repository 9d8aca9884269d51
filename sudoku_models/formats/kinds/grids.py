"""Grids other than Sudoku, each with its name: ``futoshiki: 4:0,0R,...``, up to a blank line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...errors import FormatError, meant
from ...puzzle.puzzle import Puzzle
from ..format import ALL, Format
from ..lettering import each
from ..source import Line
from .line import as_format_error, each_document

NAMES = (
    *("futoshiki", "kenken", "calcudoku", "towers", "skyscrapers", "kakuro", "str8ts", "killer"),
    *("binairo", "hitori", "star-battle", "numbrix", "hidato", "magic-square", "quasigroup"),
)
_HEAD = re.compile(rf"\s*({'|'.join(NAMES)})\s*:(?!//)(.*)\Z", re.IGNORECASE | re.DOTALL)

_ORDER = re.compile(r"\s*order\s+\d{1,3}\s*\Z", re.IGNORECASE)


def is_without_name(text: str) -> bool:
    """Return whether a line begins a quasigroup completion problem, which collections write without a name."""
    return _ORDER.match(text) is not None


def misnamed(text: str) -> str | None:
    """Return the error for a line that begins with a word similar to the name of a grid; None for other lines."""
    word = text.partition(":")[0].strip()
    near = meant(word, NAMES) if ":" in text[:20] and word.isalnum() else ""
    return f"{word!r} is not the name of a grid: {', '.join(NAMES)} are known{near}" if near else None


def _paragraphs(lines: Iterator[Line]) -> Iterator[Line]:
    """Yield grids, which blank lines separate; # begins a comment only before a name."""
    for number, text in lines:
        if text is not None and (not text.strip() or text.lstrip().startswith("#")):
            continue
        parts = [text]
        while parts[-1] is not None and parts[-1].strip() and (following := next(lines, None)):
            parts.append(following[1])
        yield number, None if None in parts else "\n".join(part for part in parts if part)


def _read(text: str) -> Puzzle:
    from ...grids.texts import READERS

    match = _HEAD.match(text) or _HEAD.match(f"quasigroup: {text}" if is_without_name(text.split("\n")[0]) else "")
    if match is None:
        word = text.split(":")[0].strip()[:20]
        raise FormatError(f"{word!r} is not the name of a grid: {', '.join(NAMES)} are known{meant(word, NAMES)}")
    try:
        return READERS[match[1].lower()](match[2])
    except ValueError as error:
        raise FormatError(f"{match[1].lower()}: {as_format_error(error).message}") from None


def write_headed(puzzle: Puzzle) -> str:
    """Write one of these grids with its name; raise FormatError for any other puzzle."""
    from ...grids.to_text import text_of

    try:
        return text_of(puzzle)
    except ValueError as error:
        kinds = sorted({type(rule).__name__ for rule in puzzle.rules})
        rules = f" with rules ({', '.join(kinds[:_NAMED])}{', ...' if len(kinds) > _NAMED else ''})" if kinds else ""
        raise FormatError(f"{puzzle.shape}{rules} cannot be written in the format grids: {error}") from None


_NAMED = 4
"""The largest number of kinds of rules that a message names."""


def is_such_a_grid(text: str) -> bool:
    """Return whether a line is a grid of another kind, with its name or in a program's form without a name."""
    return (":" in text[:20] and _HEAD.match(text) is not None) or is_without_name(text)


GRIDS = Format(
    "grids",
    "other grids, each with its name, a colon, and a game ID or rows: futoshiki, kenken, ...",
    read=each_document("grids", _read, _paragraphs, "the name of a grid"),
    write=each("grids", write_headed, lambda text: True),
    tells=is_such_a_grid,
    turn=7,
    holds=ALL,
)
