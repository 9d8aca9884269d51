"""``sudoku-models validate``.

The columns of an answer are ``status``, ``clues``, ``complete`` and ``reason``, with ``--core`` also ``core``. A JSON
record has the list ``clashes`` of {house, value, cells}, and ``core`` as a list. The page about the command line
describes them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Annotated, Any

from ..bulk.question import BlockAnswers, Verb
from ..bulk.questions import Explaining, Validating
from ..bulk.rows import Block
from ..verbs.results import Core, Validation
from .answers import Shown, answer, details_by
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
    verb: Verb = Validating()
    if core:
        choice = Effort(backend, time_limit).checked()
        verb = Explaining(choice.backend, choice.limits)
    shown = Shown(verb, "validate", partial(_lines, core), partial(details_by, partial(_details, core)), "validating")
    return answer(source.input(), shown, format, out, Tally())


def _lines(core: bool, block: Block, answers: BlockAnswers) -> Iterator[str]:
    """Yield the verdicts in words, or "" for a board that could not be read."""
    for clues, status, complete, reason in answers.lists("clues", "status", "complete", "reason"):
        verdict = "legal and complete" if complete else "legal"
        if clues is None:
            yield ""
        elif status == "illegal":
            yield f"illegal: {reason}\n"
        else:
            yield f"{verdict}, {reason or 'solvable'}\n" if core else f"{verdict}\n"


def _details(core: bool, found: Any) -> dict[str, Any]:
    """Return the clashes, and the core as a list."""
    clashes = found.clashes if isinstance(found, Validation) else ()
    listed = [{"house": c.house, "value": c.value, "cells": list(c.cells)} for c in clashes]
    return {"clashes": listed, **({"core": list(found.parts) if isinstance(found, Core) else None} if core else {})}
