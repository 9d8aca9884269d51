"""``sudoku-models complete``, ``minimise``, ``redundant``, ``unavoidable``, ``clues-needed``, ``search``, ``traces``.

The page about the command line names the columns. Records of JSON have ``dropped`` and ``redundant`` as lists of clues
as in ``explain``, ``added`` as a list of cells, ``sets`` of ``unavoidable`` as lists of cells.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

from .. import make
from ..bulk.question import RowAnswer
from ..engine.budget import Budget
from ..formats import Entry
from ..puzzle import Puzzle
from .answers import answer, by_text
from .board_answers import as_boards, each_board, used, written
from .codes import Code
from .options import Backend, BoardsTo, Chance, MadeFormat, Out, RecordFormat, Sharded, SourceOptions, TimeLimit
from .parser import Option, command
from .terminal import Tally, say

SETTLING = 10.0
"""The default time limit, in seconds, of the search for the fewest clues."""


Only = Annotated[str | None, Option("--only", metavar="KIND", help="Remove only givens (given) or only rules (rule).")]


@dataclass(frozen=True)
class Fewer:
    """The options of ``minimise``."""

    only: str | None
    parted: bool
    smallest: bool
    backend: str
    time_limit: float | None
    seed: int = 0

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of clues that may be removed."""
        return ("given", "rule") if self.only is None else (self.only,)

    @property
    def wishes(self) -> dict[str, Any]:
        """The keyword arguments of the verb."""
        limit = None if self.smallest else self.time_limit
        plain: dict[str, Any] = {"backend": self.backend, "kinds": self.kinds, "time_limit": limit}
        return {**plain, "parted": self.parted, "seed": self.seed}

    def minimal(self, puzzle: Puzzle) -> tuple[Puzzle, make.Minimised, make.Smallest | None]:
        """Return the minimal puzzle, how it was found and, if requested, what is known about the fewest clues."""
        if not self.smallest:
            found = make.minimise(puzzle, **self.wishes)
            return found.puzzle, found, None
        with Budget(self.time_limit) as budget:
            found = make.minimise(puzzle, **self.wishes, budget=budget)
            best = found.smallest(SETTLING if budget.left is None else budget.left)
        return best.puzzle, found, best


@command("Make", "complete puzzles.txt")
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
    from ..make.rows import Settling  # which loads numpy

    rows = source.input()
    wishes: dict[str, Any] = {"seed": seed, "backend": backend, "time_limit": time_limit}
    if as_boards(rows, to, format, out):
        return each_board(rows, lambda entry, puzzle: _completed(entry, make.complete(puzzle, **wishes)), to, out)
    shown = by_text(Settling("complete", wishes), "complete", "completed", _added, "completing")
    return answer(rows, shown, format, out, Tally())


def _added(found: Any) -> dict[str, Any]:
    return {"added": found and list(found.added)}


def _completed(entry: Entry, found: make.Completed) -> Iterator[Puzzle]:
    needed = "1 is needed" if found.bound == 1 else f"{found.bound} are needed"
    proof = "proved to be the fewest" if found.proved else f"at least {needed}"
    say(f"{entry.place}: {len(found.added)} further given{'' if len(found.added) == 1 else 's'}: {proof}")
    yield found.puzzle


@command("Make", "minimise puzzles.txt")
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
    from ..make.rows import Settling  # which loads numpy

    rows, fewer = source.input(), Fewer(only, parted, smallest, backend, time_limit, seed)
    if as_boards(rows, to, format, out):
        return each_board(rows, partial(_boards, fewer), to, out)
    if fewer.smallest:
        least = Settling("smallest", {**fewer.wishes, "seconds": fewer.time_limit})
        return answer(rows, by_text(least, "minimise", "minimal"), format, out, Tally())
    shown = by_text(Settling("minimise", fewer.wishes), "minimise", "minimal", _dropped)
    return answer(rows, shown, format, out, Tally())


def _dropped(found: Any) -> dict[str, Any]:
    """Return the clues that were left out of a minimal puzzle, as data."""
    return {"dropped": None if found is None else [clue.to_json() for clue in found.dropped]}


def _boards(fewer: Fewer, entry: Entry, puzzle: Puzzle) -> Iterator[Puzzle]:
    minimal, _, best = fewer.minimal(puzzle)
    if best is not None:
        say(f"{entry.place}: {best.clues} clues: {_proof(best)}")
    yield minimal


def _proof(best: make.Smallest) -> str:
    return "proved to be the fewest" if best.proved else f"at least {best.bound} are needed"


@command("Make", "redundant puzzles.txt")
def redundant(
    source: Sharded,
    only: Only = None,
    backend: Backend = "auto",
    time_limit: TimeLimit = None,
    format: RecordFormat = None,
    out: Out = None,
) -> Code:
    """List the clues of puzzles with one solution, each of which could be left out alone."""
    from ..make.rows import Settling  # which loads numpy

    fewer = Fewer(only, False, False, backend, time_limit)
    wishes = {name: fewer.wishes[name] for name in ("backend", "kinds", "time_limit")}

    def listed(found: Any) -> dict[str, Any]:
        """Return the clues as data."""
        return {"redundant": None if found is None else [clue.to_json() for clue in found]}

    shown = by_text(Settling("redundant", wishes), "redundant", "redundant", listed)
    return answer(source.input(), shown, format, out, Tally())


@command("Make", "unavoidable grids.txt")
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
    from ..make.rows import Settling  # which loads numpy

    options = {"size": size, "values": None if every else values}

    def listed(found: Any) -> dict[str, Any]:
        """Return the sets as data."""
        return {"sets": found and list(map(list, found))}

    shown = by_text(Settling("unavoidable", options), "unavoidable", _sets, listed)
    return answer(source.input(), shown, format, out, Tally())


def _sets(answer: RowAnswer) -> str | None:
    return None if answer.found is None else "\n".join(map(" ".join, answer.found))


@command("Make", "clues-needed 1234341221434321")
def clues_needed(
    source: Sharded,
    time_limit: TimeLimit = 60.0,
    format: RecordFormat = None,
    out: Out = None,
) -> Code:
    """Find the fewest clues of any puzzle with this solution: exactly on small grids, a bound on large ones."""
    from ..make.rows import Settling  # which loads numpy

    shown = by_text(Settling("clues-needed", {"time_limit": time_limit}), "clues-needed", _bound)
    return answer(source.input(), shown, format, out, Tally())


def _bound(answer: RowAnswer) -> str | None:
    bound, minimal = answer.values["bound"], answer.values["minimal"]
    if bound is None:
        return None
    return f"at least {bound}" if minimal is None else f"{bound}: {minimal}"


@command("Make", "search puzzles.txt --folder found --looks 20")
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
    tally = Tally()
    start = [entry.puzzle for entry in source.input().entries(tally) if entry.puzzle is not None]
    if tally.code is not Code.SOLVED:
        return tally.code
    found = used(lambda: make.search(start, folder, changed=changed, looks=looks, time_limit=time_limit))
    written(iter(found.puzzles), to, out)
    left = "" if found.complete else f", {len(found.forms) - found.done} are still to be examined"
    say(f"{len(found.forms)} puzzles, the fewest clues are {found.fewest}; looked at {found.done}{left}")
    return Code.SOLVED if found.complete else Code.LIMIT


@command("Make", "traces puzzles.txt --out traces.jsonl")
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
    from ..make.rows import Settling  # which loads numpy
    from ..make.traces import form_of
    from ..make.wishes import level_of

    wishes: dict[str, Any] = {"highest": highest, "time_limit": time_limit, "form": form}
    used(lambda: (form_of(form), highest and level_of(highest)))
    shown = by_text(Settling("traces", wishes), "traces", "trace", _way)
    return answer(source.input(), shown, format, out, Tally())


def _way(found: Any) -> dict[str, Any]:
    """Return the hardest level of a path, and how it ended."""
    from ..explain import level_text

    return {"level": found and level_text(found.path.level), "end": found and found.end}
