"""The commands about existing boards (which clues are needed, which boards are the same), and their options."""

from __future__ import annotations

from typing import Annotated

from .codes import Code
from .declarations import Option
from .groups import Sharded, SourceOptions, Tabular
from .options import Backend, BoardsTo, Chance, MadeFormat, Out, RecordFormat, TimeLimit

Only = Annotated[str | None, Option("--only", metavar="KIND", help="Remove only givens (given) or only rules (rule).")]


def complete(
    source: Sharded,
    seed: Chance = 0,
    backend: Backend = "auto",
    time_limit: TimeLimit = None,
    to: BoardsTo = "line",
    format: MadeFormat = None,
    out: Out = None,
) -> Code:
    """Add as few givens as possible to puzzles with several solutions so that one remains, chosen by the seed."""
    from . import needed as command

    return command.complete(source.input(), seed, backend, time_limit, to, format, out)


def minimise(
    source: Sharded,
    only: Only = None,
    parted: Annotated[bool, Option("--parted", help="Also leave out single parts of rules.")] = False,
    smallest: Annotated[
        bool, Option("--smallest", help="Look for the fewest clues, and report what is proved.")
    ] = False,
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
    source: Sharded,
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
    source: Sharded,
    size: Annotated[int, Option("--size", min=1, help="The largest number of cells in a set.")] = 12,
    values: Annotated[
        int,
        Option(
            "--values", min=1, help="Find sets that use at most this number of values, or that lie within two lines."
        ),
    ] = 2,
    every: Annotated[
        bool,
        Option(
            "--all", help="Find all sets up to the given size, whatever values they use; sizes up to 9 take seconds."
        ),
    ] = False,
    format: RecordFormat = None,
    out: Out = None,
) -> Code:
    """List small unavoidable sets of grids: every puzzle of a grid has a clue in each of its sets.

    Without --all, only sets that use few values or lie within two lines are looked for.
    """
    from . import needed as command

    return command.unavoidable(source.input(), size, None if every else values, format, out)


def clues_needed(
    source: Sharded,
    time_limit: TimeLimit = 60.0,
    format: RecordFormat = None,
    out: Out = None,
) -> Code:
    """Find the fewest clues of any puzzle with this solution: exactly on small grids, a bound on large ones."""
    from . import needed as command

    return command.clues_needed(source.input(), time_limit, format, out)


def search(
    source: SourceOptions,
    folder: Annotated[str, Option("--folder", metavar="FOLDER", help="The folder in which the search is stored.")],
    changed: Annotated[
        int, Option("--changed", min=1, max=2, help="The number of clues to remove and to add in each step.")
    ] = 1,
    looks: Annotated[
        int | None, Option("--looks", min=1, help="End after examining this number of puzzles in total.")
    ] = None,
    time_limit: TimeLimit = None,
    to: BoardsTo = "line",
    out: Out = None,
) -> Code:
    """Search neighbouring puzzles for ones with as few clues, and repeat from these; an earlier search is continued."""
    from . import needed as command

    return command.search(source.input(), folder, changed, looks, time_limit, to, out)


def canonical(source: Sharded, to: BoardsTo = "line", format: MadeFormat = None, out: Out = None) -> Code:
    """Write the canonical form of boards: boards that are the same up to symmetry have the same form."""
    from . import forms as command

    return command.canonical(source.input(), to, format, out)


def automorphisms(source: Sharded, format: RecordFormat = None, out: Out = None) -> Code:
    """Count the symmetries of the cells that leave a board unchanged, up to renaming its values."""
    from . import forms as command

    return command.automorphisms(source.input(), format, out)


def same(source: Tabular, format: RecordFormat = None, out: Out = None) -> Code:
    """Report for each board whether an earlier one is the same up to symmetry, and the transformation between them."""
    from . import forms as command

    return command.same(source.input(), format, out)


def morph(
    source: SourceOptions,
    number: Annotated[int, Option("--number", "-n", min=1, help="The number of boards to make from each board.")] = 1,
    seed: Chance = 0,
    to: BoardsTo = "line",
    out: Out = None,
) -> Code:
    """Write equivalent boards: random symmetries are applied, to all rules as well."""
    from . import forms as command

    return command.morph(source.input(), number, seed, to, out)


def traces(
    source: Sharded,
    form: Annotated[
        str, Option("--as", metavar="FORM", help="The form of a path: tokens, ids (numbers) or text.")
    ] = "tokens",
    highest: Annotated[
        str | None, Option("--highest", metavar="LEVEL", help="The highest level to try, such as 2.any.")
    ] = None,
    time_limit: TimeLimit = None,
    format: RecordFormat = None,
    out: Out = None,
) -> Code:
    """Write the path to the solution of each puzzle on one line, for models that learn from steps."""
    from . import needed as command

    return command.traces(source.input(), form, highest, time_limit, format, out)
