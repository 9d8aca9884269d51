"""SudokuPad's documents, which hold a drawing; its links may hold them, or the text of f-puzzles."""

from .from_document import puzzle_of

__all__ = ["puzzle_of"]
