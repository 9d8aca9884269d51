"""The JSON of f-puzzles, and the links that hold it."""

from .reading import puzzle_of, read_fpuzzles
from .writing import json_of, link_of, sudokupad_link_of

__all__ = ["json_of", "link_of", "puzzle_of", "read_fpuzzles", "sudokupad_link_of"]
