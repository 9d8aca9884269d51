"""Formats whose puzzles are JSON objects or links: which reader serves a text?"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..errors import FormatError
from ..puzzle.puzzle import Puzzle
from . import ipuz, own_json, sudokupad
from .fpuzzles import puzzle_of, read_fpuzzles
from .json_text import loaded


def read_json(text: str) -> Puzzle:
    """Read any JSON that is known, told by its keys; FormatError where nothing tells."""
    data = loaded(text)
    if "schema" in data:
        return own_json.puzzle_of(data)
    if "kind" in data:
        return ipuz.puzzle_of(data)
    if "grid" in data:
        return puzzle_of(data)
    if "cells" in data or "ce" in data:
        return sudokupad.puzzle_of(data)
    raise FormatError(
        "JSON of no known kind: a key schema (our own), kind (ipuz), grid (f-puzzles) or cells (SudokuPad) is expected"
    )


DOCUMENTS: Mapping[str, Callable[[str], Puzzle]] = {
    "json": read_json,
    "f-puzzles": read_fpuzzles,
    "f-puzzles-json": read_fpuzzles,
    "sudokupad": sudokupad.read_sudokupad,
    "ipuz": ipuz.read_ipuz,
}
