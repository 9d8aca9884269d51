"""Puzzles by the million, from files and tables to files and tables, in constant memory.

``solve_into`` and the other ``..._into`` functions stream from a source to a file; ``solve_frame`` and the other
``..._frame`` functions add columns to a table of pandas, polars or Arrow; ``candidates_arrays`` finds for many boards
the values that cells take in solutions. Numpy is imported when one of them is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy import on_first_use

if TYPE_CHECKING:
    from .blocks import blocks_of
    from .into import (
        AnswerSummary,
        answered,
        candidates_frame,
        candidates_into,
        count_frame,
        count_into,
        solve_frame,
        solve_into,
        validate_frame,
        validate_into,
    )
    from .questions import Counting, Enumerating, Marking, Solving, Validating
    from .rows import Block
    from .sinks import written
    from .solving_arrays import candidates_arrays, solve_arrays

__all__ = [
    "AnswerSummary", "Block", "Counting", "Enumerating", "Marking", "Solving", "Validating", "answered", "blocks_of",
    "candidates_arrays", "candidates_frame", "candidates_into", "count_frame", "count_into", "solve_arrays",
    "solve_frame", "solve_into", "validate_frame", "validate_into", "written",
]  # fmt: skip

__getattr__, __dir__ = on_first_use(__name__, __all__, {
    "blocks": "blocks_of",
    "into": "AnswerSummary answered candidates_frame candidates_into count_frame count_into solve_frame solve_into "
    "validate_frame validate_into",
    "questions": "Counting Enumerating Marking Solving Validating",
    "rows": "Block",
    "sinks": "written",
    "solving_arrays": "candidates_arrays solve_arrays",
})  # fmt: skip
