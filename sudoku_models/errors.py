"""The exceptions of the library, all under SudokuModelsError."""

from __future__ import annotations

from collections.abc import Iterable

LONGEST = 1_000
"""The most characters of a message about a text; what is left out of a longer one lies before its end."""


def said(error: Exception) -> str:
    """Return what an error says, in plain words where Python speaks of its own limits."""
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    return "a number has too many digits" if "set_int_max_str_digits" in str(error) else str(error)


class SudokuModelsError(Exception):
    """Base of every exception that the library raises on purpose."""


class FormatError(SudokuModelsError, ValueError):
    """A text cannot be read as a puzzle. The message says what is wrong, where, and what was expected.

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
        """Return the same error with a location, where it had none."""
        line, row = self.line if self.line is not None else line, self.row if self.row is not None else row
        return FormatError(self.message, source=self.source or source, line=line, cell=self.cell, row=row)


class Unsupported(SudokuModelsError):
    """A request needs a feature that the backend does not declare; the message gives the reason."""


class Unusable(SudokuModelsError):
    """A folder or scheduler that a command needs is missing, in use or of the wrong kind."""


class BadOption(SudokuModelsError, ValueError):
    """A backend's specification, option or value is unknown; the message lists the choices."""


class BackendMissing(SudokuModelsError, ImportError):
    """A backend's engine is not installed; the message gives the command that installs it."""


class BackendFailed(SudokuModelsError):
    """An engine raised, crashed or ended without an answer."""


class BackendCrashed(BackendFailed):
    """An engine's process died: by a signal, or by exiting without an answer."""


class LimitReached(SudokuModelsError):
    """A limit ended the work before the question was answered; ``known`` is the result so far."""

    def __init__(self, message: str, known: object = None) -> None:
        super().__init__(message)
        self.known = known


class NotOneSolution(SudokuModelsError, ValueError):
    """A puzzle has no solution although exactly one is expected; ``status`` is its status in tables."""

    status = "unsatisfiable"

    def __init__(self, message: str = "the puzzle has no solution: exactly one is expected") -> None:
        super().__init__(message)


class NotUnique(NotOneSolution):
    """A puzzle has several solutions although exactly one is expected."""

    status = "several solutions"

    def __init__(self, message: str = "the puzzle has several solutions: exactly one is expected") -> None:
        super().__init__(message)


class NoLeastForm(SudokuModelsError, ValueError):
    """A board has no canonical form, because its values clash or it states candidates."""


class WrongAnswer(SudokuModelsError):
    """An engine returned something that contradicts the stated model; ``backend`` names it."""

    def __init__(self, message: str, backend: str = "") -> None:
        super().__init__(message)
        self.backend = backend


def meant(word: str, known: Iterable[str]) -> str:
    """Return the end of a message about an unknown word: "did you mean ...?" if a known word is similar, otherwise
    empty.
    """
    from difflib import get_close_matches

    names = {name.lower(): name for name in known}
    near = get_close_matches(word[:LONGEST].lower(), names, 1)
    return f"; did you mean {names[near[0]]}?" if near else ""
