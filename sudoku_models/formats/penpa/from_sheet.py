"""Reads a puzzle from a link to penpa-edit.

The reader takes givens, marks as candidates, regions (thick borders between cells), the solution, title, author and
rules in words, and rules for which the program has tools: killer cages with their sums, thermometers, arrows. Other
drawings are described, with the rule that they look like; they become rules only if ``guess`` is set.
"""

from __future__ import annotations

from ...errors import FormatError
from ...puzzle.puzzle import Puzzle
from ..link_texts import bare
from ..meant import as_meant
from .drawings import Drawings
from .packing import PenpaSheet, sheet_of
from .paper import Paper
from .sheet_board import board_of, numbers_of, stated_of
from .stated import SheetRules

_MOST_NOTES = 100


def read_penpa(link: str) -> Puzzle:
    """Read a link, or its part from ``m=`` on; raise FormatError if it holds no board of square cells."""
    try:
        return puzzle_of(sheet_of(bare(link)))
    except FormatError:
        raise
    except ValueError as error:
        raise FormatError(str(error)) from None


def puzzle_of(sheet: PenpaSheet) -> Puzzle:
    """Make a puzzle from a sheet."""
    paper, notes = Paper.of(sheet), list[str]()
    shape = board_of(sheet, paper, notes)
    numbers = numbers_of(sheet.question, paper, shape)
    stated = SheetRules(sheet, paper, shape, notes)
    rules = stated.rules()
    drawings = Drawings(sheet, paper, numbers.others, stated.used, stated.caged)
    author = [f"author: {sheet.author}"] if sheet.author else []
    puzzle = Puzzle(
        shape,
        numbers.givens,
        numbers.candidates,
        sheet.title,
        "\n".join([*author, *([sheet.rules] if sheet.rules else [])]),
        stated_of(sheet, paper, shape, numbers.givens),
        rules,
        tuple(dict.fromkeys(notes))[:_MOST_NOTES],
    )
    return as_meant(puzzle, sheet.rules, drawings.strokes(), drawings.marks())
