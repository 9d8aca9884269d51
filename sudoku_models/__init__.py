"""State a Sudoku once, as a declarative constraint model, and solve it by any of several backends.

>>> from sudoku_models import Puzzle, solve
>>> result = solve(Puzzle.parse("1..."  "..2."  "...3"  ".4.."), unique=True)
>>> print(result.status, result.unique)
solved True
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .lazy import on_first_use, register

if TYPE_CHECKING:
    from .bulk.awaiting_many import asolve_many
    from .bulk.solving_many import solve_many
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
    from .verbs.agreement import cross_check
    from .verbs.asynchronous import acount, asolve
    from .verbs.inspecting import Inspection, inspect
    from .verbs.results import Core, Result, SolutionCount, Solutions, Status, Validation
    from .verbs.smallest_conflict import core
    from .verbs.solving import candidates, count, export, is_unique, solutions, solve, validate

__version__ = "0.1.0"

register({
    "parse": f"{__name__}.formats:parse",
    "opened": f"{__name__}.formats.source:opened",
    "zstandard": f"{__name__}.formats.source:zstandard",
    "export": f"{__name__}.verbs.solving:export",
    "picture": f"{__name__}.display:picture",
})  # fmt: skip

__all__ = [
    "BackendCrashed",
    "BackendFailed",
    "BackendMissing",
    "BadOption",
    "Core",
    "FormatError",
    "Grid",
    "Inspection",
    "LimitReached",
    "Model",
    "Puzzle",
    "Result",
    "Shape",
    "SolutionCount",
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

# a child process that runs an engine loads neither rules nor formats nor verbs
__getattr__, __dir__ = on_first_use(__name__, __all__, {
    "errors": "BackendCrashed BackendFailed BackendMissing BadOption FormatError "
    "LimitReached SudokuModelsError Unsupported WrongAnswer",
    "verbs.results": "Core Result SolutionCount Solutions Status Validation",
    "puzzle": "Grid Puzzle Shape",
    "verbs.inspecting": "Inspection inspect",
    "model": "Model Variable",
    "verbs.asynchronous": "acount asolve",
    "bulk.awaiting_many": "asolve_many",
    "verbs.solving": "candidates count export is_unique solutions solve validate",
    "verbs.smallest_conflict": "core",
    "verbs.agreement": "cross_check",
    "bulk.solving_many": "solve_many",
}, "bulk collection compare display engine explain exports formats "
    "grids lowering make model page prove puzzle testing widget")  # fmt: skip
