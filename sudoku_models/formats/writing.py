"""Writing puzzles and grids as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..errors import FormatError, meant
from ..puzzle.grid import Grid
from ..puzzle.puzzle import Puzzle
from .catalogue import FORMATS
from .format import CANDIDATES, REGIONS, RULES, Format
from .lettering import refuse_candidates, refuse_regions, refuse_rules
from .options import symbols_of

Board = Puzzle | Grid

_REFUSALS = {CANDIDATES: refuse_candidates, RULES: refuse_rules, REGIONS: refuse_regions}


def write(puzzles: Iterable[Board], format: str, *, alphabet: str | None = None) -> Iterator[str]:
    """Write puzzles or grids as pieces of text, each ending with a complete line.

    ``format`` is a name in ``FORMATS``, ``alphabet`` a name in ``ALPHABETS`` or the symbols of 1, 2, ... (by default
    digits, then letters up to side 25, otherwise numbers). Raises FormatError for what the format cannot hold:
    candidates and rules, except in formats for variants (``json`` holds all, ``iss`` and ``f-puzzles`` most); irregular
    regions, except in those and ``jigsaw``; boards other than 9 x 9 in ``sdm``; a second puzzle in ``sdk``; too few
    symbols. Formats that hold only cells do not record unusual boxes, or that there are none.
    """
    kind = FORMATS.get(format)
    if kind is None or kind.write is None:
        known = [name for name, found in FORMATS.items() if found.writes]
        raise FormatError(f"the format {format!r}: one of {', '.join(known)} is expected{meant(format, known)}")
    return kind.write((_held(board, kind) for board in puzzles), symbols_of(alphabet))


def _held(board: Board, kind: Format) -> Puzzle:
    """Return a board as a puzzle; raise FormatError for parts that the format cannot hold."""
    puzzle = Puzzle.of(board) if isinstance(board, Grid) else board
    for part, refuse in _REFUSALS.items():
        if part not in kind.holds:
            refuse(puzzle, kind.name)
    return puzzle
