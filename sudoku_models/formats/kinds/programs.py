"""The JSON and the links of puzzle programs: our own JSON, f-puzzles, SudokuPad, penpa-edit, and links in prose."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ...errors import FormatError
from ...puzzle.puzzle import Puzzle
from ..format import ALL, Format, late
from ..json_text import document, looks_like_json
from ..lettering import each
from ..links import F_PUZZLES, PENPA, SUDOKUPAD, kind_of_link, packed_of, unpacked
from ..source import Line
from .iss import is_link, is_prose, puzzle_links
from .line import each_document

OWN, F_PUZZLES_JSON = "json", "f-puzzles-json"


def _is_link_to(name: str) -> Callable[[str], bool]:
    return lambda text: kind_of_link(text) == name


def is_with_links(text: str) -> bool:
    """Return whether a line is prose that contains links to puzzles."""
    return "/" in text and not text.lstrip().startswith((".", "#")) and is_prose(text)


def _addresses(lines: Iterator[Line]) -> Iterator[Line]:
    """Yield the links in lines of prose; skip lines without a link."""
    for number, text in lines:
        yield from ((number, address) for address in ([None] if text is None else puzzle_links(text)))


def _read_address(text: str) -> Puzzle:
    return read_iss(text) if is_link(text) else read_link(text)


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
    text = packed_of(link).text
    try:
        found = unpacked(text)
        problem = "" if looks_like_json(found) or found.startswith("[") else "its packed data is not JSON"
    except FormatError as error:
        found, problem = "", error.message if text else "it contains no packed data"
    if problem:
        shown = link.strip() if len(link.strip()) <= _SHOWN else f"{link.strip()[:_SHOWN]}..."
        raise FormatError(f"the link {shown} is damaged or incomplete ({problem}): copy the whole link again")
    return read_json(found)


_SHOWN = 60
"""The number of characters of a link that a message shows."""


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
        read=each_document("links", _read_address, _addresses, "a link"),
        tells=is_with_links,
        turn=2,
    ),
)
