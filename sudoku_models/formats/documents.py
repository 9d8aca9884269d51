"""Chooses the reader for puzzles that are JSON objects or links."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..errors import FormatError
from ..puzzle.puzzle import Puzzle
from . import fpuzzles, own_json, sudokupad
from .json_text import looks_like_json
from .kinds import ipuz
from .link_texts import PENPA, kind_of_link, packed_of
from .lzstring import unpacked
from .penpa import read_penpa
from .relaxed import document


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
        return read_penpa(text)
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
    "schema": own_json.puzzle_of,
    "kind": ipuz.puzzle_of,
    "grid": fpuzzles.puzzle_of,
    "cells": sudokupad.puzzle_of,
    "ce": sudokupad.puzzle_of,
}
"""The kinds of JSON, recognised by the first of these keys that is present."""
