"""``sudoku-models validate``.

The columns of an answer are ``status``, ``clues``, ``complete`` and ``reason``, with ``--core`` also ``core``. A JSON
record has the list ``clashes`` of {house, value, cells}, and ``core`` as a list. The page about the command line
describes them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..bulk.question import BlockAnswers, RowAnswer
from ..bulk.questions import Explaining, Validating
from ..formats import Entry
from ..verbs.results import Core, Validation
from .answers import answer
from .codes import Code
from .effort import Effort
from .inputs import Input
from .options import Records
from .shown import base_of
from .terminal import Tally

if TYPE_CHECKING:
    from ..bulk.joined_text import TextPart


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

    def line(self, entry: Entry, answer: RowAnswer) -> str:
        """Return the verdict in words, or "" for a board that could not be read."""
        values = answer.values
        if values["clues"] is None:
            return ""
        if values["status"] == "illegal":
            return f"illegal: {values['reason']}\n"
        verdict = "legal and complete" if values["complete"] else "legal"
        if self.explaining is not None:
            verdict += f", {values['reason'] or 'solvable'}"
        return verdict + "\n"

    def drawn(self, entry: Entry, answer: RowAnswer) -> str:
        """Return the verdict, as there is nothing to draw."""
        return self.line(entry, answer)

    def parts(self, answers: BlockAnswers) -> tuple[list[TextPart], Sequence[int]]:
        """Return the verdicts of legal boards."""
        from ..bulk.joined_text import chosen

        complete = base_of(answers["complete"]).data.view("u1")
        return [chosen(["legal\n", "legal and complete\n"], complete)], sorted(answers.alone)

    def details(self, found: Any) -> dict[str, Any]:
        """Return the clashes, and the core as a list."""
        clashes = found.clashes if isinstance(found, Validation) else ()
        listed = [{"house": c.house, "value": c.value, "cells": list(c.cells)} for c in clashes]
        core = {"core": list(found.parts) if isinstance(found, Core) else None}
        return {"clashes": listed, **(core if self.explaining is not None else {})}

    def detail_columns(self, answers: BlockAnswers) -> dict[str, Any]:
        """Return the same for a block of legal boards."""
        from ..bulk.columns import Same

        n = len(answers["status"])
        return {name: Same(value, n) for name, value in self.details(None).items()}
