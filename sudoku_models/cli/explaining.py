"""The commands that explain: why there is no solution, the next step, the whole path, a rating."""

from __future__ import annotations

from typing import Annotated

from .codes import Code
from .declarations import Option
from .groups import ChosenBackend, PuzzlesOrModel
from .options import AssumeUnique, Backend, Jobs, Out, RecordFormat, Steps, TimeLimit


def explain(
    source: PuzzlesOrModel,
    more: Annotated[
        int,
        Option("--more", "-m", min=0, help="The number of further reasons and repairs to look for."),
    ] = 0,
    backend: Backend = "auto",
    time_limit: TimeLimit = None,
    format: RecordFormat = None,
    out: Out = None,
) -> Code:
    """Explain why there is no solution and how to repair it, where solutions differ, or which clues are not needed."""
    from . import explain as command

    return command.explain(source.source(), ChosenBackend(backend, time_limit).choice(), more, format, out)


def hint(
    source: PuzzlesOrModel,
    state: Annotated[
        str | None,
        Option(
            "--state",
            "-s",
            metavar="TEXT",
            help="The board as you have filled it in so far; for a model, its known values as in 'x=3 y=1'.",
        ),
    ] = None,
    cell: Annotated[
        str | None, Option("--cell", "-c", metavar="R1C1", help="Show the steps that lead to this cell.")
    ] = None,
    assume_unique: AssumeUnique = False,
    time_limit: TimeLimit = None,
    format: RecordFormat = None,
    out: Out = None,
) -> Code:
    """Print the easiest next step and its reason; a wrong entry in the state is reported first."""
    from . import why

    return why.hint(source.source(), state, cell, assume_unique, time_limit, format, out)


def path(
    source: PuzzlesOrModel,
    assume_unique: AssumeUnique = False,
    order: Annotated[
        Steps,
        Option("--order", help="All steps of the cheapest level together, or one step after another as people go."),
    ] = Steps.LEVEL,
    time_limit: TimeLimit = None,
    format: RecordFormat = None,
    out: Out = None,
) -> Code:
    """Write the whole path to the solution in stages, with the reason for each step."""
    from . import why

    return why.path(source.source(), assume_unique, order, time_limit, format, out)


def rate(
    source: PuzzlesOrModel,
    jobs: Jobs = 1,
    time_limit: TimeLimit = None,
    format: RecordFormat = None,
    out: Out = None,
) -> Code:
    """Rate puzzles on a ladder that is the same for every variant; after a limit, print 'harder than' a level."""
    from . import why

    return why.rate(source.source(), time_limit, jobs, format, out)
