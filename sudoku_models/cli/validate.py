"""``sudoku-models validate``.

The columns of an answer are ``status``, ``clues``, ``complete`` and ``reason``, with ``--core`` also ``core``. A JSON
record has the list ``clashes`` of {house, value, cells}, and ``core`` as a list. The page about the command line
describes them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any

from ..bulk.question import BlockAnswers
from ..bulk.questions import Explaining, Validating
from ..bulk.rows import Block
from ..verbs.results import Core, Validation
from .answers import answer, details_by
from .codes import Code
from .effort import Effort, refuse
from .options import Backend, Out, RecordFormat, Sharded, TimeLimit
from .parser import Option, command
from .terminal import Tally


@command("Solve", "validate --core puzzles.txt")
def validate(
    source: Sharded,
    core: Annotated[
        bool,
        Option("--core", help="If there is no solution, name the givens, houses and rules that conflict."),
    ] = False,
    backend: Backend = "auto",
    time_limit: TimeLimit = None,
    format: RecordFormat = None,
    out: Out = None,
) -> Code:
    """Check whether each board is legal: no house holds a value twice. A board may be partly filled."""
    refuse(
        core or (backend == "auto" and time_limit is None),
        "--backend and --time-limit need --core: without it nothing is solved",
    )
    explaining = Effort(backend, time_limit).checked() if core else None
    return answer(source.input(), Validated(explaining), format, out, Tally())


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
