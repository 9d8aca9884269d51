"""State a Sudoku once, as a declarative constraint model, and solve it by any of several backends.

>>> from sudoku_models import Puzzle, solve
>>> result = solve(Puzzle.parse("1..."  "..2."  "...3"  ".4.."), unique=True)
>>> print(result.status, result.unique)
solved True
"""

from .errors import (
    BackendCrashed,
    BackendFailed,
    BackendMissing,
    BadOption,
    FormatError,
    LimitReached,
    SudokuModelsError,
    Unsupported,
    WrongAnswer,
)
from .model import Model, Variable
from .puzzle import Grid, Puzzle, Shape
from .verbs.asynchronous import acount, asolve, asolve_many
from .verbs.core import core
from .verbs.export import export
from .verbs.inspecting import Inspection, inspect
from .verbs.results import Core, Count, Result, Solutions, Status, Validation
from .verbs.solving import candidates, count, cross_check, is_unique, solutions, solve, solve_many, validate

__version__ = "0.1.0"

__all__ = [
    "BackendCrashed",
    "BackendFailed",
    "BackendMissing",
    "BadOption",
    "Core",
    "Count",
    "FormatError",
    "Grid",
    "Inspection",
    "LimitReached",
    "Model",
    "Puzzle",
    "Result",
    "Shape",
    "Solutions",
    "Status",
    "SudokuModelsError",
    "Unsupported",
    "Validation",
    "Variable",
    "WrongAnswer",
    "acount",
    "asolve",
    "asolve_many",
    "candidates",
    "core",
    "count",
    "cross_check",
    "export",
    "inspect",
    "is_unique",
    "solutions",
    "solve",
    "solve_many",
    "validate",
]
