"""The commands that make puzzles: ``generate``, ``grids``, ``minimise`` and ``canonical``, and their options."""

from __future__ import annotations

from typing import Annotated

import typer

from .codes import HELP, Code
from .groups import Source, grouped
from .guard import guarded
from .options import INPUT, LIMITS, OUTPUT, Backend, BoxSize, Out, TimeLimit, Verbose, read_boxes
from .terminal import set_verbose

WISHES = "Wishes"

Number = Annotated[int, typer.Option("--number", "-n", min=0, help="How many are made.")]
Chance = Annotated[int, typer.Option("--seed", "-s", help="Chooses all chances: the same seed, the same output.")]
Threads = Annotated[int, typer.Option("--workers", "-w", min=1, help="Threads; the output does not depend on them.")]
To = Annotated[
    str,
    typer.Option("--to", "-t", metavar="FORMAT", help="The format to write.", rich_help_panel=OUTPUT),
]
Side = Annotated[int, typer.Option("--side", min=1, help="The rows of the board.", rich_help_panel=INPUT)]
BoxOption = Annotated[
    BoxSize | None,
    typer.Option(
        "--boxes",
        parser=read_boxes,
        metavar="RxC|none",
        help="Rows and columns of a box.",
        show_default="those nearest to squares",
        rich_help_panel=INPUT,
    ),
]


def add(app: typer.Typer) -> None:
    """Add the commands to the program."""
    for command in (generate, grids, minimise, canonical):
        app.command(epilog=HELP)(guarded(grouped(command)))


def generate(
    number: Number = 1,
    side: Side = 9,
    boxes: BoxOption = None,
    like: Annotated[
        str | None,
        typer.Option(
            "--like", metavar="PUZZLE", help="A puzzle, or a file of one: its board and rules.", rich_help_panel=INPUT
        ),
    ] = None,
    clues: Annotated[
        str | None,
        typer.Option("--clues", metavar="N|LEAST-MOST", help="How many givens.", rich_help_panel=WISHES),
    ] = None,
    minimal: Annotated[
        bool,
        typer.Option("--minimal/--no-minimal", help="Each given is needed.", rich_help_panel=WISHES),
    ] = True,
    symmetry: Annotated[
        str,
        typer.Option(
            "--symmetry",
            help="Of the givens: none, half-turn, quarter-turn, horizontal, vertical, diagonal, antidiagonal, both, "
            "diagonals or full.",
            rich_help_panel=WISHES,
        ),
    ] = "none",
    pattern: Annotated[
        str | None,
        typer.Option(
            "--pattern", metavar="SIGNS", help="Where givens may be: a sign for each cell, . where not.",
            rich_help_panel=WISHES,
        ),
    ] = None,
    grid: Annotated[
        str | None, typer.Option("--from", metavar="GRID", help="The solution to begin with.", rich_help_panel=WISHES)
    ] = None,
    level: Annotated[
        str | None,
        typer.Option("--level", metavar="LOW-HIGH", help="How hard, on the ladder: 1.2-2.3.", rich_help_panel=WISHES),
    ] = None,
    rule: Annotated[
        list[str] | None,
        typer.Option("--rule", metavar="KIND", help="A rule about the whole grid: AntiKnight.", rich_help_panel=WISHES),
    ] = None,
    place: Annotated[
        list[str] | None,
        typer.Option("--place", metavar="KIND=N", help="Rules to put: KillerCage=12.", rich_help_panel=WISHES),
    ] = None,
    dropping: Annotated[
        bool,
        typer.Option("--dropping", help="Leave out rules that were put and are not needed.", rich_help_panel=WISHES),
    ] = False,
    uniform: Annotated[
        bool, typer.Option("--uniform", help="Grids of which each has the same chance.", rich_help_panel=WISHES)
    ] = False,
    tries: Annotated[
        int | None, typer.Option("--tries", min=1, help="Candidates that are tried at most.", rich_help_panel=LIMITS)
    ] = None,
    time_limit: TimeLimit = None,
    seed: Chance = 0,
    workers: Threads = 1,
    to: To = "line",
    out: Out = None,
    verbose: Verbose = False,
) -> Code:  # fmt: skip
    """Make puzzles with exactly one solution, proved: of any size, with givens and rules as you wish."""
    from . import make as command

    set_verbose(verbose)
    wish = command.Wish(
        number, side, boxes, like, clues, minimal, symmetry, pattern, grid, level, tuple(rule or ()),
        tuple(place or ()), dropping, uniform, tries, time_limit, seed, workers,
    )  # fmt: skip
    return command.generate(wish, to, out)


def grids(
    number: Number = 1,
    side: Side = 9,
    boxes: BoxOption = None,
    fast: Annotated[bool, typer.Option("--fast", help="Quicker, and not quite evenly distributed.")] = False,
    seed: Chance = 0,
    workers: Threads = 1,
    to: To = "line",
    out: Out = None,
    verbose: Verbose = False,
) -> Code:
    """Make random solution grids. Those of 4 x 4, 6 x 6 and 9 x 9 all have the same chance."""
    from . import make as command

    set_verbose(verbose)
    return command.grids(number, command.shape_of(side, boxes), seed, fast, workers, to, out)


def minimise(
    source: Source,
    only: Annotated[
        str | None, typer.Option("--only", metavar="KIND", help="Only givens (given) or only rules (rule) may go.")
    ] = None,
    parted: Annotated[bool, typer.Option("--parted", help="Parts of rules go one by one.")] = False,
    smallest: Annotated[
        bool, typer.Option("--smallest", help="Look for the fewest clues, and say what is proved.")
    ] = False,
    redundant: Annotated[
        bool, typer.Option("--redundant", help="Only list, line by line, the clues that could be left out alone.")
    ] = False,
    backend: Backend = "auto",
    time_limit: TimeLimit = None,
    seed: Chance = 0,
    to: To = "line",
    out: Out = None,
    verbose: Verbose = False,
) -> Code:
    """Leave out givens and rules of puzzles with one solution until each is needed."""
    from . import make as command

    set_verbose(verbose)
    asked = command.Asked(only, parted, smallest, redundant, backend, time_limit, seed)
    return command.minimise(source.input(), asked, to, out)


def canonical(source: Source, to: To = "line", out: Out = None, verbose: Verbose = False) -> Code:
    """Write the least form of boards under all symmetries: boards that are the same have the same form."""
    from . import make as command

    set_verbose(verbose)
    return command.canonical(source.input(), to, out)
