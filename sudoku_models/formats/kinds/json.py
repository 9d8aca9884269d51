"""The format ``json``."""

from __future__ import annotations

from ...puzzle.puzzle import Puzzle
from ..format import ALL, Format
from ..json_text import looks_like_json
from ..lettering import each
from ..readers import each_document

NAME = "json"


def read_one(text: str) -> Puzzle:
    """Read one puzzle."""
    from ..documents import read_json

    return read_json(text)


def write_one(puzzle: Puzzle) -> str:
    """Write one puzzle."""
    from ..own_json import write_own

    return write_own(puzzle)


FORMAT = Format(
    NAME,
    "the package's own JSON: everything a puzzle holds; other JSON is recognised by its keys",
    read=each_document(NAME, read_one),
    write=each(NAME, write_one),
    tells=looks_like_json,
    turn=1,
    holds=ALL,
    extensions=(".json", ".jsonl"),
    by_lines=True,
)
