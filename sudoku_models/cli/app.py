"""The commands and their options. What a command does is imported when it runs, so that help is quick."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from . import certificates, inspect, making, page, reducing
from .codes import HELP, Code, UsageError
from .commands import Commands
from .comparing import (
    Against,
    Backends,
    Certify,
    Cold,
    Counting,
    Directory,
    EachCpuLimit,
    EachTimeLimit,
    First,
    FirstSeed,
    GroupBy,
    Parallel,
    ProofLimit,
    Repeats,
    Reports,
    Resume,
    Rows,
    Scheduler,
    Seeds,
    Unique,
    alone,
)
from .converting import Exporter, ExportTo, Largest, Marks, Number, Solution, To, ToAlphabet
from .groups import Sharded, Solver, Source, Tabular, grouped
from .guard import guarded
from .options import (
    OUTPUT,
    AssumeUnique,
    Backend,
    BoardFormat,
    CertificateLimit,
    Certificates,
    Jobs,
    MemoryLimit,
    Out,
    RecordFormat,
    TimeLimit,
    Verbose,
)
from .terminal import set_verbose

app = typer.Typer(
    name="sudoku-models",
    cls=Commands,
    help="State a Sudoku once, as a constraint model, and solve it by any of several backends.",
    epilog=HELP,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        from .. import __version__

        typer.echo(f"sudoku-models {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    set_verbose(False)


@app.command(epilog=HELP)
@guarded
@grouped
def solve(
    source: Sharded,
    solver: Solver,
    limit: Annotated[
        int, typer.Option("--limit", "-n", min=1, help="How many solutions of each puzzle are wanted.")
    ] = 1,
    unique: Annotated[bool, typer.Option("--unique", "-u", help="Tell whether the solution is the only one.")] = False,
    format: BoardFormat = None,
    out: Out = None,
    certify: Certificates = None,
    proof_limit: CertificateLimit = None,
    verbose: Verbose = False,
) -> Code:
    """Solve puzzles and write each solution as soon as it is found.

    A puzzle without a solution is a comment line (#) in the formats line and grid, and a record in the others.
    """
    from . import solve as command
    from .merging import sharded

    set_verbose(verbose)
    found = source.input()
    folder = command.Folder.of(certify, proof_limit)
    return sharded(
        found, format, out, lambda part: command.solve(found, solver.choice(), limit, unique, format, part, folder)
    )


@app.command(epilog=HELP)
@guarded
@grouped
def count(
    source: Sharded,
    solver: Solver,
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit",
            "-n",
            min=1,
            help="Count no further; 'at least' this number if there are more.",
        ),
    ] = None,
    format: RecordFormat = None,
    out: Out = None,
    verbose: Verbose = False,
) -> Code:
    """Count the solutions of puzzles, a line each: the number, or 'at least' a number when a limit came first."""
    from . import count as command
    from .merging import sharded

    set_verbose(verbose)
    found = source.input()
    return sharded(found, format, out, lambda part: command.count(found, solver.choice(), limit, format, part))


@app.command(epilog=HELP)
@guarded
@grouped
def candidates(
    source: Sharded, solver: Solver, format: BoardFormat = None, out: Out = None, verbose: Verbose = False
) -> Code:
    """Tell for each cell the values that it has in some solution.

    In the format grid a drawn board with all of them in each cell; in the format line a place for every value of every
    cell, as in the input format pencilmarks. A puzzle without a solution is a comment line (#) there.
    """
    from . import candidates as command
    from .merging import sharded

    set_verbose(verbose)
    found = source.input()
    return sharded(found, format, out, lambda part: command.candidates(found, solver.choice(), format, part))


@app.command(epilog=HELP)
@guarded
@grouped
def validate(
    source: Sharded,
    core: Annotated[
        bool,
        typer.Option("--core", help="Of a board without a solution tell which givens, houses and rules contradict."),
    ] = False,
    backend: Backend = "auto",
    time_limit: TimeLimit = None,
    format: RecordFormat = None,
    out: Out = None,
    verbose: Verbose = False,
) -> Code:
    """Tell whether boards are legal, a line each: no house holds a value twice. A board may be partly filled."""
    from . import validate as command
    from .merging import sharded

    if not core and (backend != "auto" or time_limit is not None):
        raise UsageError("--backend and --time-limit go with --core: without it nothing is solved")
    set_verbose(verbose)
    choice = Solver(backend, time_limit).choice() if core else None
    found = source.input()
    return sharded(found, format, out, lambda part: command.validate(found, choice, format, part))


@app.command(epilog=HELP)
@guarded
@grouped
def explain(
    source: Tabular,
    more: Annotated[
        int,
        typer.Option("--more", "-m", min=0, help="How many further reasons and repairs are looked for."),
    ] = 0,
    backend: Backend = "auto",
    time_limit: TimeLimit = None,
    format: RecordFormat = None,
    out: Out = None,
    verbose: Verbose = False,
) -> Code:
    """Say why there is no solution and how to repair it, what tells several apart, or what could be left out."""
    from . import explain as command

    set_verbose(verbose)
    return command.explain(source.input(), Solver(backend, time_limit).choice(), more, format, out)


@app.command(epilog=HELP)
@guarded
@grouped
def hint(
    source: Tabular,
    state: Annotated[
        str | None, typer.Option("--state", "-s", metavar="TEXT", help="The board as far as it is filled in.")
    ] = None,
    cell: Annotated[
        str | None, typer.Option("--cell", "-c", metavar="R1C1", help="Say what leads to this cell.")
    ] = None,
    assume_unique: AssumeUnique = False,
    time_limit: TimeLimit = None,
    format: RecordFormat = None,
    out: Out = None,
    verbose: Verbose = False,
) -> Code:
    """Say the cheapest next step and its reason; a wrong entry of the state is named first."""
    from . import why

    set_verbose(verbose)
    return why.hint(source.input(), state, cell, assume_unique, time_limit, format, out)


@app.command(epilog=HELP)
@guarded
@grouped
def path(
    source: Tabular,
    assume_unique: AssumeUnique = False,
    time_limit: TimeLimit = None,
    format: RecordFormat = None,
    out: Out = None,
    verbose: Verbose = False,
) -> Code:
    """Write the whole way to the solution in stages, each step with its reason."""
    from . import why

    set_verbose(verbose)
    return why.path(source.input(), assume_unique, time_limit, format, out)


@app.command(epilog=HELP)
@guarded
@grouped
def rate(
    source: Tabular,
    jobs: Jobs = 1,
    time_limit: TimeLimit = None,
    format: RecordFormat = None,
    out: Out = None,
    verbose: Verbose = False,
) -> Code:
    """Rate puzzles on a ladder that means the same for every variant; a limit gives 'harder than' a level."""
    from . import why

    set_verbose(verbose)
    return why.rate(source.input(), time_limit, jobs, format, out)


@app.command(epilog=HELP)
@guarded
@grouped
def compare(
    context: typer.Context,
    source: Source,
    backend: Backends = None,
    first: First = None,
    unique: Unique = True,
    count: Counting = False,
    certify: Certify = False,
    proof_limit: ProofLimit = None,
    seeds: Seeds = 1,
    repeats: Repeats = 1,
    cold: Cold = False,
    time_limit: EachTimeLimit = 10.0,
    cpu_limit: EachCpuLimit = None,
    memory_limit: MemoryLimit = None,
    parallel: Parallel = 1,
    seed: FirstSeed = 0,
    out: Rows = None,
    directory: Directory = None,
    report: Reports = None,
    against: Against = None,
    group_by: GroupBy = None,
    resume: Resume = None,
    scheduler: Scheduler = None,
    verbose: Verbose = False,
) -> Code:
    """Solve every puzzle on every backend; compare answers and times.

    Timeouts and failures of engines are results: they stand in the table and leave the exit code 0. A wrong answer is
    code 4.
    """
    from . import compare as command
    from .reports import Told

    set_verbose(verbose)
    told = Told(out, report or (), against, group_by)
    seconds = command.proof_seconds(certify, proof_limit)
    if resume:
        alone(context, "--resume", command.WITH_RESUME)
        return command.resume(resume, told, scheduler, seconds)
    goal = "count" if count else "unique" if unique else "first"
    limits = {"time_limit": time_limit, "cpu_limit": cpu_limit, "memory_limit": memory_limit}
    rounds = {"seeds": tuple(range(seed, seed + seeds)), "shuffle": seed, "repeats": repeats}
    choices = {"goal": goal, "cold": cold, "parallel": parallel, **limits, **rounds}
    return command.compare(source.input(), backend or (), first, told, directory, scheduler, seconds, **choices)


@app.command(epilog=HELP)
@guarded
@grouped
def convert(
    source: Source,
    to: To = "line",
    to_alphabet: ToAlphabet = None,
    solution: Solution = False,
    marks: Marks = False,
    out: Out = None,
    verbose: Verbose = False,
) -> Code:
    """Read puzzles in any known format and write them in another."""
    from . import convert as command
    from .pictures import Wanted

    set_verbose(verbose)
    return command.convert(source.input(), Wanted(to, solution, marks), to_alphabet, out)


@app.command(epilog=HELP)
@guarded
@grouped
def export(
    source: Source,
    to: ExportTo = "model",
    backend: Exporter = None,
    number: Number = None,
    largest: Largest = 10_000_000,
    out: Out = None,
    verbose: Verbose = False,
) -> Code:
    """Write the model of one puzzle for other programs, or to read it."""
    from . import export as command

    set_verbose(verbose)
    return command.export(source.input(), to, backend, number, largest, out)


@app.command(epilog=HELP)
@guarded
def merge(
    out: Annotated[str, typer.Argument(metavar="FILE", help="The file that was given as --out for every shard.")],
) -> Code:
    """Put the answers of all shards of a run together, in order, as one run would have written them."""
    from . import merging as command

    return command.merge(out)


class _Listed(StrEnum):
    TEXT = "text"
    JSON = "json"


@app.command(epilog=HELP)
@guarded
def backends(
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Write the table in Markdown.", rich_help_panel=OUTPUT)
    ] = False,
    format: Annotated[
        _Listed, typer.Option("--format", "-f", help="How the list is written.", rich_help_panel=OUTPUT)
    ] = _Listed.TEXT,
    verbose: Verbose = False,
) -> Code:
    """List the backends: what is installed, what each accepts and offers, how to install what is missing."""
    from . import backends as command

    set_verbose(verbose)
    if markdown and format is _Listed.JSON:
        raise UsageError("--markdown and --format json do not go together")
    return command.backends(markdown, format is _Listed.JSON)


inspect.add(app)
page.add(app)
certificates.add(app)
making.add(app)
reducing.add(app)
