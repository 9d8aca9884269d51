"""The format ``penpa``."""

from __future__ import annotations

from ...puzzle.puzzle import Puzzle
from ..format import Format
from ..link_texts import PENPA, kind_of_link
from ..readers import each_document


def is_link(text: str) -> bool:
    """Return whether a line is a link of this program."""
    return kind_of_link(text) == PENPA


def read_one(text: str) -> Puzzle:
    """Read one puzzle."""
    from ..penpa import read_penpa

    return read_penpa(text)


FORMAT = Format(
    PENPA,
    "one link to penpa-edit on each line, to edit or to solve: givens, regions, cages, thermometers, arrows are read",
    read=each_document(PENPA, read_one),
    tells=is_link,
    turn=6,
    mixes=True,
    by_lines=True,
)
