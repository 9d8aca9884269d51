"""``sudoku-models validate``.

The columns of an answer are ``status``, ``clues``, ``complete`` and ``reason``, with ``--core`` also ``core``. A JSON
record has the list ``clashes`` of {house, value, cells}, and ``core`` as a list. The page about the command line
describes them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..bulk.question import BlockAnswers
from ..bulk.questions import Explaining, Validating
from ..bulk.rows import Block
from ..verbs.results import Core, Validation
from .answers import answer, details_by
from .codes import Code
from .effort import Effort
from .inputs import Input
from .options import Records
from .terminal import Tally


def validate(source: Input, explaining: Effort | None, format: Records | None, out: str | None) -> Code:
    """Check whether each board is legal; with the backend ``explaining``, also report why a board has no solution."""
    if explaining:
        explaining.checked()
    return answer(source, Validated(explaining), format, out, Tally())


@dataclass(frozen=True)
class Validated:
    """How verdicts are written; ``explaining`` names the backend that finds cores."""

    explaining: Effort | None
    name: str = "validate"
    doing: str = "validating"

    @cached_property
    def verb(self) -> Validating | Explaining:
        """The verb that answers."""
        if self.explaining is None:
            return Validating()
        return Explaining(self.explaining.backend, self.explaining.limits)

    def lines(self, block: Block, answers: BlockAnswers) -> Iterator[str]:
        """Yield the verdicts in words, or "" for a board that could not be read."""
        for clues, status, complete, reason in answers.lists("clues", "status", "complete", "reason"):
            verdict = "legal and complete" if complete else "legal"
            if clues is None:
                yield ""
            elif status == "illegal":
                yield f"illegal: {reason}\n"
            elif self.explaining is None:
                yield f"{verdict}\n"
            else:
                yield f"{verdict}, {reason or 'solvable'}\n"

    drawn = lines

    def details(self, answers: BlockAnswers) -> dict[str, Any]:
        """Return the clashes, and the core as a list."""
        return details_by(self._details, answers)

    def _details(self, found: Any) -> dict[str, Any]:
        clashes = found.clashes if isinstance(found, Validation) else ()
        listed = [{"house": c.house, "value": c.value, "cells": list(c.cells)} for c in clashes]
        core = {"core": list(found.parts) if isinstance(found, Core) else None}
        return {"clashes": listed, **(core if self.explaining is not None else {})}
