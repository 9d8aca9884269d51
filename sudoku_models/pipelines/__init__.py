"""Puzzles by the million: from files and tables to files and tables, in constant memory.

``solve_into`` and its like stream from a source to a file; ``solve_frame`` and its like add columns to a table of
pandas, polars or Arrow; ``candidates_arrays`` tells for many boards which values a cell has in some solution. Numpy is
imported with this package.
"""

from .arrays import candidates_arrays
from .blocks import Block, blocks_of
from .frames import candidates_frame, count_frame, solve_frame, validate_frame
from .into import Summary, answered, candidates_into, count_into, solve_into, validate_into
from .marking import Marking
from .sinks import written
from .verbs import Counting, Solving, Validating

__all__ = [
    "Block",
    "Counting",
    "Marking",
    "Solving",
    "Summary",
    "Validating",
    "answered",
    "blocks_of",
    "candidates_arrays",
    "candidates_frame",
    "candidates_into",
    "count_frame",
    "count_into",
    "solve_frame",
    "solve_into",
    "validate_frame",
    "validate_into",
    "written",
]
