"""SudokuPad's documents, which are drawings; its links hold such a document or the JSON of f-puzzles."""

from .from_document import puzzle_of

__all__ = ["puzzle_of"]
