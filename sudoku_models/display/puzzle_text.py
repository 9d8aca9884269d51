"""A puzzle as text: the board, followed by its rules."""

from __future__ import annotations

from ..puzzle import Puzzle
from .words import rules_text


def puzzle_text(puzzle: Puzzle) -> str:
    """Draw the givens of a puzzle as text, followed by every rule and every cell with candidates."""
    parts = [str(puzzle.grid)]
    parts += rules_text(puzzle.rules)
    if puzzle.candidates:
        parts.append("Candidates")
        parts += [f"  {puzzle.shape.names[cell]}: {' '.join(map(str, values))}" for cell, values in puzzle.candidates]
    return "\n".join(parts)
