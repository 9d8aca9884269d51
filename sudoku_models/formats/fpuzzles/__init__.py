"""The JSON of f-puzzles, and the links that hold it."""

from .from_json import puzzle_of, read_fpuzzles
from .to_json import json_of, link_of, sudokupad_link_of

__all__ = ["json_of", "link_of", "puzzle_of", "read_fpuzzles", "sudokupad_link_of"]
