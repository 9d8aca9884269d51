"""The commands about boards that are there: what is needed of them, what is the same; and their options."""

from __future__ import annotations

from typing import Annotated

from .codes import Code
from .declared import Option
from .groups import SourceOptions, Tabular
from .options import Backend, BoardsTo, Chance, MadeFormat, Out, RecordFormat, TimeLimit

Only = Annotated[str | None, Option("--only", metavar="KIND", help="Only givens (given) or only rules (rule) may go.")]


def complete(
    source: Tabular,
    seed: Chance = 0,
    backend: Backend = "auto",
    time_limit: TimeLimit = None,
    to: BoardsTo = "line",
    format: MadeFormat = None,
    out: Out = None,
) -> Code:
    """Give puzzles with several solutions the fewest further givens that leave one, chosen by the seed."""
    from . import needed as command

    return command.complete(source.input(), seed, backend, time_limit, to, format, out)


def minimise(
    source: Tabular,
    only: Only = None,
    parted: Annotated[bool, Option("--parted", help="Leave out single parts of rules too.")] = False,
    smallest: Annotated[bool, Option("--smallest", help="Look for the fewest clues, and say what is proved.")] = False,
    backend: Backend = "auto",
    time_limit: TimeLimit = None,
    seed: Chance = 0,
    to: BoardsTo = "line",
    format: MadeFormat = None,
    out: Out = None,
) -> Code:
    """Leave out givens and rules of puzzles with one solution until each is needed."""
    from . import needed as command

    fewer = command.Fewer(only, parted, smallest, backend, time_limit, seed)
    return command.minimise(source.input(), fewer, to, format, out)


def redundant(
    source: Tabular,
    only: Only = None,
    backend: Backend = "auto",
    time_limit: TimeLimit = None,
    format: RecordFormat = None,
    out: Out = None,
) -> Code:
    """List the clues of puzzles with one solution, each of which could be left out alone."""
    from . import needed as command

    fewer = command.Fewer(only, False, False, backend, time_limit)
    return command.redundant(source.input(), fewer, format, out)


def unavoidable(
    source: Tabular,
    size: Annotated[int, Option("--size", min=1, help="The most cells that a set may have.")] = 12,
    values: Annotated[
        int,
        Option("--values", min=1, help="Find sets that use at most this number of values, or lie within two lines."),
    ] = 2,
    every: Annotated[
        bool, Option("--all", help="Find all sets of that size, whatever values they use: up to 9 takes seconds.")
    ] = False,
    format: RecordFormat = None,
    out: Out = None,
) -> Code:
    """List small unavoidable sets of grids: every puzzle of a grid has a clue in each of its sets.

    Without --all these are the sets within some values or two lines; others are not looked for.
    """
    from . import needed as command

    return command.unavoidable(source.input(), size, None if every else values, format, out)


def clues_needed(
    source: Tabular,
    time_limit: TimeLimit = 60.0,
    format: RecordFormat = None,
    out: Out = None,
) -> Code:
    """Tell how few clues a puzzle with this solution can have: settled on small grids, a bound on large ones."""
    from . import needed as command

    return command.clues_needed(source.input(), time_limit, format, out)


def search(
    source: SourceOptions,
    folder: Annotated[str, Option("--folder", metavar="FOLDER", help="The folder that keeps the search.")],
    changed: Annotated[int, Option("--changed", min=1, max=2, help="How many clues are taken away and put.")] = 1,
    looks: Annotated[
        int | None, Option("--looks", min=1, help="End after looking at this number of puzzles in all.")
    ] = None,
    time_limit: TimeLimit = None,
    to: BoardsTo = "line",
    out: Out = None,
) -> Code:
    """Look for puzzles with as few clues among neighbours, and go on from these; an earlier search is continued."""
    from . import needed as command

    return command.search(source.input(), folder, changed, looks, time_limit, to, out)


def canonical(source: Tabular, to: BoardsTo = "line", format: MadeFormat = None, out: Out = None) -> Code:
    """Write the least form of boards under all symmetries: boards that are the same have the same form."""
    from . import forms as command

    return command.canonical(source.input(), to, format, out)


def automorphisms(source: Tabular, format: RecordFormat = None, out: Out = None) -> Code:
    """Tell how many symmetries of the cells keep a board, up to the names of its values."""
    from . import forms as command

    return command.automorphisms(source.input(), format, out)


def same(source: Tabular, format: RecordFormat = None, out: Out = None) -> Code:
    """Say for each board whether one before it is the same up to symmetry, and how it becomes this one."""
    from . import forms as command

    return command.same(source.input(), format, out)


def morph(
    source: SourceOptions,
    number: Annotated[int, Option("--number", "-n", min=1, help="How many boards to make from each one.")] = 1,
    seed: Chance = 0,
    to: BoardsTo = "line",
    out: Out = None,
) -> Code:
    """Write other boards that are the same: random symmetries are applied, with all rules carried along."""
    from . import forms as command

    return command.morph(source.input(), number, seed, to, out)


def traces(
    source: Tabular,
    form: Annotated[
        str, Option("--as", metavar="FORM", help="How a path is written: tokens, ids (numbers) or text.")
    ] = "tokens",
    highest: Annotated[
        str | None, Option("--highest", metavar="LEVEL", help="The highest level to try, such as 2.any.")
    ] = None,
    time_limit: TimeLimit = None,
    format: RecordFormat = None,
    out: Out = None,
) -> Code:
    """Write the path to the solution of each puzzle on a line, for models that learn from steps."""
    from . import needed as command

    return command.traces(source.input(), form, highest, time_limit, format, out)
