"""Displays figures, tables and puzzles."""

from .picture import Picture, picture
from .puzzle_text import puzzle_text
from .text_tables import Column, TextTable
from .units import seconds

__all__ = ["Column", "Picture", "TextTable", "picture", "puzzle_text", "seconds"]
