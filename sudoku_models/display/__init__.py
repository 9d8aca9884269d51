"""How figures, tables and puzzles are shown."""

from .picture import Picture, picture
from .table import Column, Table
from .text import puzzle_text
from .units import seconds

__all__ = ["Column", "Picture", "Table", "picture", "puzzle_text", "seconds"]
