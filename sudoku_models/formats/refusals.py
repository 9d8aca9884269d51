"""The refusals of formats for plain boards."""

from __future__ import annotations

from ..errors import FormatError
from ..puzzle.puzzle import Puzzle


def refuse_rules(puzzle: Puzzle, name: str) -> None:
    """Raise a FormatError that names the kinds of rules, if there are any."""
    if puzzle.rules:
        kinds = ", ".join(sorted({type(rule).__name__ for rule in puzzle.rules}))
        raise FormatError(f"a puzzle with rules ({kinds}) cannot be written in the format {name}: json can hold them")


def refuse_regions(puzzle: Puzzle, name: str) -> None:
    """Raise a FormatError for irregular regions, which a format of cells alone would lose."""
    if puzzle.shape.regions and puzzle.shape.box is None:
        raise FormatError(f"{puzzle.shape} cannot be written in the format {name}: jigsaw and json hold the regions")


def refuse_candidates(puzzle: Puzzle, name: str) -> None:
    """Raise a FormatError if a cell is narrowed to some values."""
    if puzzle.candidates:
        raise FormatError(f"a puzzle with candidates cannot be written in the format {name}: json can hold them")
