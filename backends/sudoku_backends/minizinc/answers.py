"""The program's answers: a stream of JSON, with one message on each line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

from sudoku_models.engine.budget import Budget, OutOfMemory
from sudoku_models.engine.program import Program

PROVED = frozenset({"ALL_SOLUTIONS", "OPTIMAL_SOLUTION", "UNSATISFIABLE"})
"""Statuses that end a search in which nothing is left to find."""

NO_MEMORY = ("bad_alloc", "memory", "not allocate", "failed to map", "temporarily unavailable")
"""Words that programs print when they cannot allocate more memory."""


class MiniZincAnswers:
    """The solutions in the order in which they come. ``complete``: it is proved that there are no further ones."""

    def __init__(self, process: Program, clock: Budget, limited: bool) -> None:
        """If ``limited``, memory is limited, and running out of it is not a failure."""
        self._process, self._clock, self._limited = process, clock, limited
        self.complete = False

    def __iter__(self) -> Iterator[Mapping[str, int]]:
        """Yield the values of each solution by identifier.

        Raise OutOfTime or OutOfMemory, or RuntimeError with the program's words when it fails.
        """
        status, errors = "", []
        for message in map(_message, self._process.lines(self._clock)):
            match message.get("type"):
                case "solution":
                    yield message["output"]["json"]
                case "status":
                    status = message["status"]
                case "error":
                    errors.append(str(message.get("message", message)))
        if errors or status in ("", "ERROR"):
            self._fail([*errors, self._process.remarks()])
        self.complete = status in PROVED

    def _fail(self, messages: list[str]) -> NoReturn:
        reason = "; ".join(filter(None, messages)) or "the program ended without an answer"
        if self._limited and any(word in reason for word in NO_MEMORY):
            raise OutOfMemory
        raise RuntimeError(reason)


def _message(line: bytes) -> dict[str, Any]:
    """Read a line; a line that is not a message of the program (a solver may print its own) is ignored."""
    if not line.startswith(b"{"):
        return {}
    found: dict[str, Any] = json.loads(line)
    return found
