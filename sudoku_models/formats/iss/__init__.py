"""Reads and writes ISS constraint strings and links, the notation of the Interactive Sudoku Solver."""

from ..kinds.iss import is_iss
from .from_string import read_iss
from .to_string import link_of, write_iss

__all__ = ["is_iss", "link_of", "read_iss", "write_iss"]
