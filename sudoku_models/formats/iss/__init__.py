"""Reads and writes ISS constraint strings and links, the notation of the Interactive Sudoku Solver."""

from typing import TYPE_CHECKING

from ...lazy import on_first_use

if TYPE_CHECKING:
    from ..kinds.iss import is_iss
    from .from_string import read_iss
    from .to_string import link_of, write_iss

__all__ = ["is_iss", "link_of", "read_iss", "write_iss"]

__getattr__, __dir__ = on_first_use(__name__, __all__, {
    ".kinds.iss": "is_iss",
    "from_string": "read_iss",
    "to_string": "link_of write_iss",
})  # fmt: skip
