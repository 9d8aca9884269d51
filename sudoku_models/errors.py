"""The exceptions of the library, all under SudokuModelsError."""

from __future__ import annotations

from collections.abc import Iterable

LONGEST = 1_000
"""Characters of a message about a text; what is left out of a longer one lies before its end."""


class SudokuModelsError(Exception):
    """Base of every exception that the library raises on purpose."""


class FormatError(SudokuModelsError, ValueError):
    """A text cannot be read as a puzzle. The message says what, where and what was expected.

    ``source`` (a file's name), ``row`` (of a table or a list, from 1), ``line`` and ``cell`` say where, as far as that
    is known.
    """

    def __init__(
        self,
        message: str,
        *,
        source: str | None = None,
        line: int | None = None,
        cell: str | None = None,
        row: int | None = None,
    ) -> None:
        if len(message) > LONGEST:
            message = f"{message[: LONGEST - 300]} ... {message[-200:]}"
        super().__init__(message)
        self.message, self.source, self.line, self.cell, self.row = message, source, line, cell, row

    def __str__(self) -> str:
        row = None if self.row is None else f"row {self.row}"
        places = [self.source, row, None if self.line is None else f"line {self.line}", self.cell]
        return ": ".join([place for place in places if place] + [self.message])

    def at(self, source: str | None = None, line: int | None = None, row: int | None = None) -> FormatError:
        """Return the same error with a place that it did not have yet."""
        line, row = self.line if self.line is not None else line, self.row if self.row is not None else row
        return FormatError(self.message, source=self.source or source, line=line, cell=self.cell, row=row)

    def __reduce__(self) -> tuple[object, ...]:
        return _format_error, (self.message, self.source, self.line, self.cell, self.row)


def _format_error(
    message: str, source: str | None, line: int | None, cell: str | None, row: int | None = None
) -> FormatError:
    return FormatError(message, source=source, line=line, cell=cell, row=row)


class Unsupported(SudokuModelsError):
    """A backend was asked for something that it does not declare; the message gives the reason."""


class Unusable(SudokuModelsError):
    """What a command was pointed to (a folder, a scheduler) is missing, in use, or something else."""


class BadOption(SudokuModelsError, ValueError):
    """A backend's specification, option or value is not known; the message lists the choices."""


class BackendMissing(SudokuModelsError, ImportError):
    """A backend's engine is not installed; the message gives the command that installs it."""


class BackendFailed(SudokuModelsError):
    """An engine raised, crashed or ended without an answer."""


class BackendCrashed(BackendFailed):
    """An engine's process died: by a signal, or by leaving without an answer."""


class LimitReached(SudokuModelsError):
    """A limit ended the work before the question could be answered; ``known`` is what was found until then."""

    def __init__(self, message: str, known: object = None) -> None:
        super().__init__(message)
        self.known = known

    def __reduce__(self) -> tuple[object, ...]:
        return LimitReached, (str(self), self.known)


class NotOneSolution(SudokuModelsError, ValueError):
    """A puzzle has no solution where exactly one is expected; ``status`` is what tables call that."""

    status = "unsatisfiable"

    def __init__(self, message: str = "the puzzle has no solution: exactly one is expected") -> None:
        super().__init__(message)


class NotUnique(NotOneSolution):
    """A puzzle has several solutions where exactly one is expected."""

    status = "several solutions"

    def __init__(self, message: str = "the puzzle has several solutions: exactly one is expected") -> None:
        super().__init__(message)


class NoLeastForm(SudokuModelsError, ValueError):
    """A board has no least form: values clash on it, or candidates are stated."""


class WrongAnswer(SudokuModelsError):
    """An engine returned what the stated model contradicts; ``backend`` names it."""

    def __init__(self, message: str, backend: str = "") -> None:
        super().__init__(message)
        self.backend = backend

    def __reduce__(self) -> tuple[object, ...]:
        return WrongAnswer, (str(self), self.backend)


def meant(word: str, known: Iterable[str]) -> str:
    """Return the end of a message about an unknown word: which of those that are known looks like it, if one does."""
    from difflib import get_close_matches

    names = {name.lower(): name for name in known}
    near = get_close_matches(word[:LONGEST].lower(), names, 1)
    return f"; did you mean {names[near[0]]}?" if near else ""
