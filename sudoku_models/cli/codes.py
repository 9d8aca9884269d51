"""Exit codes."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum

from ..bulk.questions import BAD_INPUT, FAILED, UNSUPPORTED, WRONG
from ..errors import (
    BackendMissing,
    BadOption,
    FormatError,
    LimitReached,
    NoLeastForm,
    NotOneSolution,
    NotUnique,
    SudokuModelsError,
    Unsupported,
    Unusable,
    WrongAnswer,
)
from ..formats.target import FULL
from ..verbs.results import AS_READ, WITHOUT_DRAWN


class Code(IntEnum):
    """The exit codes of the program. For a batch: the first that applies, in the order of ``RANK``."""

    SOLVED = 0
    NO_SOLUTION = 1  # or an illegal board
    USAGE = 2  # or bad input
    LIMIT = 3
    DISAGREE = 4  # or a wrong answer
    FAULT = 5
    WITHOUT_DRAWN = 6  # the answer is that of the puzzle without rules, drawn or in words, that were not understood
    INTERRUPTED = 130


RANK = tuple(map(Code, (130, 5, 4, 2, 6, 3, 1, 0)))

HELP = (
    "Exit codes: 0 solved; 1 no solution, or an illegal board; 2 usage or bad input; 3 stopped by a limit; 4 backends "
    "disagree or an answer is wrong; 5 a fault of the program or of an engine; 6 answered without rules, drawn or in "
    "words, that were not understood; 130 interrupted. For many puzzles: the first that applies of 130, 5, 4, 2, 6, 3, "
    "1, 0."
)


class UsageError(SudokuModelsError):
    """Raised for options that exclude each other, or a value that makes no sense."""


def refuse(unless: bool, text: str) -> None:
    """Raise UsageError with the given text unless the condition holds."""
    if not unless:
        raise UsageError(text)


_OF_ERRORS: dict[Code, tuple[type[Exception], ...]] = {
    Code.DISAGREE: (WrongAnswer,),
    Code.LIMIT: (LimitReached,),
    Code.USAGE: (FormatError, BadOption, BackendMissing, Unsupported, UsageError, Unusable, NotUnique),
    Code.NO_SOLUTION: (NotOneSolution, NoLeastForm),
}


def code_of(error: Exception) -> Code:
    """Return the exit code for an exception; FAULT for an unexpected one, and for a full disk."""
    if isinstance(error, OSError) and error.filename and error.errno not in FULL:
        return Code.USAGE
    return next((code for code, kinds in _OF_ERRORS.items() if isinstance(error, kinds)), Code.FAULT)


_ANSWERED = ("solved", "counted", "settled", "legal", "rated", "harder", "hinted")
_NONE = ("unsatisfiable", "no solution")

OF_STATUS = {
    **dict.fromkeys(_ANSWERED, Code.SOLVED),
    **{
        f"{word}{why}": Code.WITHOUT_DRAWN
        for word in (*_ANSWERED, *_NONE, "several solutions")
        for why in (WITHOUT_DRAWN, AS_READ)
    },
    **dict.fromkeys((*_NONE, "illegal", "stuck"), Code.NO_SOLUTION),
    **dict.fromkeys(("unknown", "time limit"), Code.LIMIT),
    **dict.fromkeys((BAD_INPUT, UNSUPPORTED, "several solutions"), Code.USAGE),
    WRONG: Code.DISAGREE,
    FAILED: Code.FAULT,
}
"""Exit codes by the status of a row, in every format."""

OF_REASONS = {
    **dict.fromkeys(("one solution", "several solutions", "hinted", "wrong entry", "no step"), Code.SOLVED),
    **{
        f"{status}{why}": Code.WITHOUT_DRAWN
        for status in ("one solution", "several solutions", "no solution", "hinted")
        for why in (WITHOUT_DRAWN, AS_READ)
    },
}
"""Exit codes of complete answers to questions about reasons, even if a limit left something else open."""


def code_of_row(status: str, reason: str | None = None, own: Mapping[str, Code] | None = None) -> Code:
    """Return the exit code for a row. A solution has a ``reason`` if a limit left its uniqueness open.

    ``own`` are the codes of a question that go before those of all others.
    """
    if own and status in own:
        return own[status]
    code = OF_STATUS.get(status, Code.NO_SOLUTION)  # a path that ends otherwise than in a solution
    return Code.LIMIT if reason and code in (Code.SOLVED, Code.WITHOUT_DRAWN) else code


def first(a: Code, b: Code) -> Code:
    """Return the code that comes first in the order of ``RANK``."""
    return min(a, b, key=RANK.index)
