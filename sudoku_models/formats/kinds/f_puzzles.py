"""The format ``f-puzzles``."""

from __future__ import annotations

from ...puzzle.puzzle import Puzzle
from ..format import ALL, Format
from ..lettering import each
from ..link_texts import F_PUZZLES, kind_of_link
from ..readers import each_document


def is_link(text: str) -> bool:
    """Return whether a line is a link of this program."""
    return kind_of_link(text) == F_PUZZLES


def read_one(text: str) -> Puzzle:
    """Read one puzzle."""
    from ..documents import read_link

    return read_link(text)


def write_one(puzzle: Puzzle) -> str:
    """Write one puzzle."""
    from ..fpuzzles import link_of

    return link_of(puzzle)


FORMAT = Format(
    F_PUZZLES,
    "one link to f-puzzles on each line (its JSON is read too): variants",
    read=each_document(F_PUZZLES, read_one),
    write=each(F_PUZZLES, write_one),
    tells=is_link,
    turn=4,
    holds=ALL,
    mixes=True,
    by_lines=True,
)
