"""Displays figures, tables and puzzles."""

from .picture import Picture, picture
from .text_tables import Column, TextTable
from .units import seconds
from .words import puzzle_text

__all__ = ["Column", "Picture", "TextTable", "picture", "puzzle_text", "seconds"]
