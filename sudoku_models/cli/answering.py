"""The commands that answer puzzles, and the command that merges the answers of shards."""

from __future__ import annotations

from typing import Annotated

from .codes import Code, UsageError
from .declarations import Argument, Option
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
    unique: Annotated[bool, Option("--unique", "-u", help="Report whether the solution is the only one.")] = False,
    format: BoardFormat = None,
    out: Out = None,
    certify: Certificates = None,
    proof_limit: CertificateLimit = None,
) -> Code:
    """Solve puzzles and write each solution as soon as it is found.

    In the formats line and grid, a puzzle without a solution becomes a comment line (#); in the others, a record.
    """
    from . import solve as command

    folder = command.Folder.of(certify, proof_limit)
    return command.solve(source.input(), solver.choice(), limit, unique, format, out, folder)


def count(
    source: Sharded,
    solver: ChosenBackend,
    limit: Annotated[
        int | None,
        Option(
            "--limit",
            "-n",
            min=1,
            help="Stop counting at this number, and print 'at least' if a puzzle may have more solutions.",
        ),
    ] = None,
    format: RecordFormat = None,
    out: Out = None,
) -> Code:
    """Count the solutions of each puzzle: print the number, or 'at least' a number if a limit was reached first."""
    from . import count as command

    return command.count(source.input(), solver.choice(), limit, format, out)


def candidates(source: Sharded, solver: ChosenBackend, format: BoardFormat = None, out: Out = None) -> Code:
    """List for each cell the values that it takes in at least one solution.

    The format grid draws a board with these values in each cell; the format line has one position for every value of
    every cell, like the input format pencilmarks. In both, a puzzle without a solution becomes a comment line (#).
    """
    from . import candidates as command

    return command.candidates(source.input(), solver.choice(), format, out)


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
    from . import validate as command

    if not core and (backend != "auto" or time_limit is not None):
        raise UsageError("--backend and --time-limit need --core: without it nothing is solved")
    choice = ChosenBackend(backend, time_limit).choice() if core else None
    return command.validate(source.input(), choice, format, out)


def merge(
    out: Annotated[str, Argument(metavar="FILE", help="The file name that was given as --out for every shard.")],
) -> Code:
    """Merge the answers of all shards in order: the result is the same as that of one run."""
    from . import merging as command

    return command.merge(out)
