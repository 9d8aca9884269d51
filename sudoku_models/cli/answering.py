"""The commands that answer puzzles, and put the answers of shards together."""

from __future__ import annotations

from typing import Annotated

from .codes import Code, UsageError
from .declared import Argument, Option
from .groups import ChosenBackend, Sharded
from .options import (
    Backend,
    BoardFormat,
    CertificateLimit,
    Certificates,
    Out,
    RecordFormat,
    TimeLimit,
)


def solve(
    source: Sharded,
    solver: ChosenBackend,
    limit: Annotated[int, Option("--limit", "-n", min=1, help="How many solutions of each puzzle to find.")] = 1,
    unique: Annotated[bool, Option("--unique", "-u", help="Say whether the solution is the only one.")] = False,
    format: BoardFormat = None,
    out: Out = None,
    certify: Certificates = None,
    proof_limit: CertificateLimit = None,
) -> Code:
    """Solve puzzles and write each solution as soon as it is found.

    A puzzle without a solution is a comment line (#) in the formats line and grid, and a record in the others.
    """
    from . import solve as command
    from .merging import sharded

    found = source.input()
    folder = command.Folder.of(certify, proof_limit)
    return sharded(
        found, format, out, lambda part: command.solve(found, solver.choice(), limit, unique, format, part, folder)
    )


def count(
    source: Sharded,
    solver: ChosenBackend,
    limit: Annotated[
        int | None,
        Option(
            "--limit",
            "-n",
            min=1,
            help="Stop counting there, and say 'at least' where a puzzle has more solutions.",
        ),
    ] = None,
    format: RecordFormat = None,
    out: Out = None,
) -> Code:
    """Count the solutions of puzzles, a line each: the number, or 'at least' a number when a limit came first."""
    from . import count as command
    from .merging import sharded

    found = source.input()
    return sharded(found, format, out, lambda part: command.count(found, solver.choice(), limit, format, part))


def candidates(source: Sharded, solver: ChosenBackend, format: BoardFormat = None, out: Out = None) -> Code:
    """Tell for each cell the values that it has in some solution.

    In the format grid a drawn board with all of them in each cell; in the format line a place for every value of every
    cell, as in the input format pencilmarks. A puzzle without a solution is a comment line (#) there.
    """
    from . import candidates as command
    from .merging import sharded

    found = source.input()
    return sharded(found, format, out, lambda part: command.candidates(found, solver.choice(), format, part))


def validate(
    source: Sharded,
    core: Annotated[
        bool,
        Option("--core", help="Where there is no solution, name the givens, houses and rules that conflict."),
    ] = False,
    backend: Backend = "auto",
    time_limit: TimeLimit = None,
    format: RecordFormat = None,
    out: Out = None,
) -> Code:
    """Tell whether boards are legal, a line each: no house holds a value twice. A board may be partly filled."""
    from . import validate as command
    from .merging import sharded

    if not core and (backend != "auto" or time_limit is not None):
        raise UsageError("--backend and --time-limit go with --core: without it nothing is solved")
    choice = ChosenBackend(backend, time_limit).choice() if core else None
    found = source.input()
    return sharded(found, format, out, lambda part: command.validate(found, choice, format, part))


def merge(
    out: Annotated[str, Argument(metavar="FILE", help="The file that was given as --out for every shard.")],
) -> Code:
    """Put the answers of all shards of a run together, in order, as one run would have written them."""
    from . import merging as command

    return command.merge(out)
