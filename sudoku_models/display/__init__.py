"""Displays figures, tables and puzzles."""

from ..puzzle.drawing import puzzle_text
from .picture import Picture, picture
from .text_tables import Column, TextTable, seconds

__all__ = ["Column", "Picture", "TextTable", "picture", "puzzle_text", "seconds"]
