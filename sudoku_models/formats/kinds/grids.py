"""The format ``grids``."""

from __future__ import annotations

from ..format import ALL, Format
from ..headed import is_headed, is_without_name, read_headed, write_headed
from ..lettering import each

NAME = "grids"


def is_such_a_grid(text: str) -> bool:
    """Return whether a line is a grid of another kind, with its name or in a program's form without a name."""
    return is_headed(text) or is_without_name(text)


FORMAT = Format(
    NAME,
    "other grids, each with its name, a colon, and a game ID or rows: futoshiki, kenken, ...",
    read=read_headed,
    write=each(NAME, write_headed, apart=True),
    tells=is_such_a_grid,
    turn=7,
    holds=ALL,
)
