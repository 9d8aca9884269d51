"""SudokuPad's documents, which hold a drawing; its links may hold them, or the text of f-puzzles."""

from .reading import puzzle_of

__all__ = ["puzzle_of"]
