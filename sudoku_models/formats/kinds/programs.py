"""JSON and links of puzzle programs: our own JSON, f-puzzles, SudokuPad, penpa-edit, links in prose; other grids."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ...errors import FormatError, meant
from ...puzzle.puzzle import Puzzle
from ..format import ALL, Format, each, late
from ..json_text import document, looks_like_json
from ..links import F_PUZZLES, PENPA, SUDOKUPAD, kind_of_link, packed_of, unpacked
from ..source import Line
from .iss import is_link, is_prose, puzzle_links
from .line import as_format_error, each_document

OWN, F_PUZZLES_JSON = "json", "f-puzzles-json"


def _is_link_to(name: str) -> Callable[[str], bool]:
    return lambda text: kind_of_link(text) == name


def _addresses(lines: Iterator[Line]) -> Iterator[Line]:
    """Yield the links in lines of prose; skip lines without a link."""
    for number, text in lines:
        yield from ((number, address) for address in ([None] if text is None else puzzle_links(text)))


def read_json(text: str) -> Puzzle:
    """Read any JSON that is recognised by its keys; raise FormatError for other JSON."""
    data = document(text)
    kind = next((read for key, read in _KEYS.items() if key in data), None)
    if kind is None:
        raise FormatError(
            "JSON of no known kind: a key schema (our own), kind (ipuz), grid (f-puzzles) or cells (SudokuPad) is "
            "expected"
        )
    return kind(data)


def read_link(text: str) -> Puzzle:
    """Read a link to f-puzzles, SudokuPad or penpa-edit, the packed text of a link, or JSON.

    Raises FormatError for links to puzzles that are stored on a server.

    A blank in a link is read as a plus sign; if that gives no puzzle, the text after the blank is taken as prose.
    """
    if looks_like_json(text):
        return read_json(text)
    if kind_of_link(text) == PENPA:
        return _read_penpa(text)
    link, *behind = text.split(maxsplit=1)
    try:
        return _in_link(text)
    except FormatError as error:
        if not behind:
            raise
        try:
            return _in_link(link)
        except FormatError:
            raise error from None


def _in_link(link: str) -> Puzzle:
    """Read the JSON that is packed in a link; raise a FormatError that names the link if it is damaged."""
    text = packed_of(link)
    try:
        found = unpacked(text)
        problem = "" if looks_like_json(found) or found.startswith("[") else "its packed data is not JSON"
    except FormatError as error:
        found, problem = "", error.message if text else "it contains no packed data"
    if problem:
        shown = link.strip() if len(link.strip()) <= 60 else f"{link.strip()[:60]}..."
        raise FormatError(f"the link {shown} is damaged or incomplete ({problem}): copy the whole link again")
    return read_json(found)


_KEYS: Mapping[str, Callable[[Mapping[str, Any]], Puzzle]] = {
    "schema": late("own_json", "puzzle_of"),
    "kind": late("kinds.ipuz", "puzzle_of"),
    "grid": late("fpuzzles", "puzzle_of"),
    "cells": late("sudokupad", "puzzle_of"),
    "ce": late("sudokupad", "puzzle_of"),
}
"""The kinds of JSON, recognised by the first of these keys that is present."""

read_iss: Callable[[str], Puzzle] = late("iss.from_string", "read_iss")
_read_penpa: Callable[[str], Puzzle] = late("penpa", "read_penpa")

FORMATS = (
    Format(
        OWN,
        "the package's own JSON: everything a puzzle holds; other JSON is recognised by its keys",
        read=each_document(OWN, read_json),
        write=each(OWN, late("own_json", "write_own")),
        tells=looks_like_json,
        turn=1,
        holds=ALL,
        extensions=(".json", ".jsonl"),
        by_lines=True,
    ),
    Format(
        F_PUZZLES,
        "one link to f-puzzles on each line (its JSON is read too): variants",
        read=each_document(F_PUZZLES, read_link),
        write=each(F_PUZZLES, late("fpuzzles", "link_of")),
        tells=_is_link_to(F_PUZZLES),
        turn=4,
        holds=ALL,
        mixes=True,
        by_lines=True,
    ),
    Format(
        F_PUZZLES_JSON,
        "the JSON of f-puzzles, one puzzle on each line: variants",
        read=each_document(F_PUZZLES_JSON, late("fpuzzles", "read_fpuzzles")),
        write=each(F_PUZZLES_JSON, late("fpuzzles", "json_of")),
        holds=ALL,
        by_lines=True,
    ),
    Format(
        SUDOKUPAD,
        "one link to SudokuPad on each line; from drawings, givens, regions, cages and the solution are read",
        read=each_document(SUDOKUPAD, read_link),
        write=each(SUDOKUPAD, late("fpuzzles", "sudokupad_link_of")),
        tells=_is_link_to(SUDOKUPAD),
        turn=5,
        holds=ALL,
        mixes=True,
        by_lines=True,
    ),
    Format(
        PENPA,
        "one link to penpa-edit on each line, to edit or to solve: givens, regions, cages, thermometers, arrows are "
        "read",
        read=each_document(PENPA, late("penpa", "read_penpa")),
        tells=_is_link_to(PENPA),
        turn=6,
        mixes=True,
        by_lines=True,
    ),
    Format(
        "links",
        "prose with any number of links to puzzles of these programs",
        read=each_document(
            "links", lambda text: (read_iss if is_link(text) else read_link)(text), _addresses, "a link"
        ),
        tells=lambda text: "/" in text and not text.lstrip().startswith((".", "#")) and is_prose(text),
        turn=2,
    ),
)


# ---- grids other than Sudoku, each with its name: ``futoshiki: 4:0,0R,...``, up to a blank line

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
        rules = f" with rules ({', '.join(kinds[:4])}{', ...' if len(kinds) > 4 else ''})" if kinds else ""
        raise FormatError(f"{puzzle.shape}{rules} cannot be written in the format grids: {error}") from None


GRIDS = Format(
    "grids",
    "other grids, each with its name, a colon, and a game ID or rows: futoshiki, kenken, ...",
    read=each_document("grids", _read, _paragraphs, "the name of a grid"),
    write=each("grids", write_headed, lambda text: True),
    tells=lambda text: (":" in text[:20] and _HEAD.match(text) is not None) or is_without_name(text),
    turn=7,
    holds=ALL,
)
