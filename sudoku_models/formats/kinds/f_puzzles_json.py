"""The format ``f-puzzles-json``."""

from __future__ import annotations

from ...puzzle.puzzle import Puzzle
from ..format import ALL, Format
from ..lettering import each
from ..readers import each_document

NAME = "f-puzzles-json"


def read_one(text: str) -> Puzzle:
    """Read one puzzle."""
    from ..fpuzzles import read_fpuzzles

    return read_fpuzzles(text)


def write_one(puzzle: Puzzle) -> str:
    """Write one puzzle."""
    from ..fpuzzles import json_of

    return json_of(puzzle)


FORMAT = Format(
    NAME,
    "the JSON of f-puzzles, one puzzle on each line: variants",
    read=each_document(NAME, read_one),
    write=each(NAME, write_one),
    holds=ALL,
    by_lines=True,
)
