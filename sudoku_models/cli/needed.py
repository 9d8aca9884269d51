"""``sudoku-models complete``, ``minimise``, ``redundant``, ``unavoidable``, ``clues-needed``, ``search``, ``traces``.

The page about the command line names the columns. Records of JSON have ``dropped`` and ``redundant`` as lists of clues
as in ``explain``, ``added`` as a list of cells, ``sets`` of ``unavoidable`` as lists of cells.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from .. import make
from ..bulk.question import RowAnswer
from ..engine.budget import Budget
from ..explain import level_text
from ..formats import Entry
from ..make.rows import Settling
from ..make.traces import form_of
from ..make.wishes import level_of
from ..puzzle import Puzzle
from .answers import ShownByText, answer, column_text
from .board_answers import as_boards, each_board, used, written
from .codes import Code
from .inputs import Input
from .options import Records
from .terminal import Tally, say

SETTLING = 10.0
"""The default time limit, in seconds, of the search for the fewest clues."""


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


def complete(
    source: Input,
    seed: int,
    backend: str,
    time_limit: float | None,
    to: str,
    format: Records | None,
    out: str | None,
) -> Code:
    """Complete each puzzle; an error in one is reported, and the others continue."""
    wishes: dict[str, Any] = {"seed": seed, "backend": backend, "time_limit": time_limit}
    if as_boards(source, to, format, out):
        return each_board(source, lambda entry, puzzle: _completed(entry, make.complete(puzzle, **wishes)), to, out)
    shown = ShownByText(Settling("complete", wishes), "complete", column_text("completed"), _added, "completing")
    return answer(source, shown, format, out, Tally())


def _added(found: Any) -> dict[str, Any]:
    return {"added": found and list(found.added)}


def _completed(entry: Entry, found: make.Completed) -> Iterator[Puzzle]:
    needed = "1 is needed" if found.bound == 1 else f"{found.bound} are needed"
    proof = "proved to be the fewest" if found.proved else f"at least {needed}"
    say(f"{entry.place}: {len(found.added)} further given{'' if len(found.added) == 1 else 's'}: {proof}")
    yield found.puzzle


def minimise(source: Input, fewer: Fewer, to: str, format: Records | None, out: str | None) -> Code:
    """Minimise each puzzle; an error in one is reported, and the others continue."""
    if as_boards(source, to, format, out):
        return each_board(source, partial(_boards, fewer), to, out)
    if fewer.smallest:
        least = Settling("smallest", {**fewer.wishes, "seconds": fewer.time_limit})
        return answer(source, ShownByText(least, "minimise", column_text("minimal")), format, out, Tally())
    shown = ShownByText(Settling("minimise", fewer.wishes), "minimise", column_text("minimal"), _dropped)
    return answer(source, shown, format, out, Tally())


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


def redundant(source: Input, fewer: Fewer, format: Records | None, out: str | None) -> Code:
    """List the clues of each puzzle that could each be left out."""
    wishes = {name: fewer.wishes[name] for name in ("backend", "kinds", "time_limit")}

    def listed(found: Any) -> dict[str, Any]:
        """Return the clues as data."""
        return {"redundant": None if found is None else [clue.to_json() for clue in found]}

    shown = ShownByText(Settling("redundant", wishes), "redundant", column_text("redundant"), listed)
    return answer(source, shown, format, out, Tally())


def unavoidable(source: Input, size: int, values: int | None, format: Records | None, out: str | None) -> Code:
    """List the unavoidable sets of each grid, one line for each set."""

    def listed(found: Any) -> dict[str, Any]:
        """Return the sets as data."""
        return {"sets": found and list(map(list, found))}

    shown = ShownByText(Settling("unavoidable", {"size": size, "values": values}), "unavoidable", _sets, listed)
    return answer(source, shown, format, out, Tally())


def _sets(answer: RowAnswer) -> str | None:
    return None if answer.found is None else "\n".join(map(" ".join, answer.found))


def clues_needed(source: Input, time_limit: float | None, format: Records | None, out: str | None) -> Code:
    """Find for each grid the smallest number of clues of a puzzle with that solution."""
    shown = ShownByText(Settling("clues-needed", {"time_limit": time_limit}), "clues-needed", _bound)
    return answer(source, shown, format, out, Tally())


def _bound(answer: RowAnswer) -> str | None:
    bound, minimal = answer.values["bound"], answer.values["minimal"]
    if bound is None:
        return None
    return f"at least {bound}" if minimal is None else f"{bound}: {minimal}"


def search(
    source: Input, folder: str, changed: int, looks: int | None, time_limit: float | None, to: str, out: str | None
) -> Code:
    """Search among the neighbours of all puzzles of a source; write the canonical forms of those found."""
    tally = Tally()
    start = [entry.puzzle for entry in source.entries(tally) if entry.puzzle is not None]
    if tally.code is not Code.SOLVED:
        return tally.code
    found = used(lambda: make.search(start, folder, changed=changed, looks=looks, time_limit=time_limit))
    written(iter(found.puzzles), to, out)
    left = "" if found.complete else f", {len(found.forms) - found.done} are still to be examined"
    say(f"{len(found.forms)} puzzles, the fewest clues are {found.fewest}; looked at {found.done}{left}")
    return Code.SOLVED if found.complete else Code.LIMIT


def traces(
    source: Input, form: str, highest: str | None, time_limit: float | None, format: Records | None, out: str | None
) -> Code:
    """Write the path of each puzzle as tokens, numbers or text."""
    wishes: dict[str, Any] = {"highest": highest, "time_limit": time_limit, "form": form}
    used(lambda: (form_of(form), highest and level_of(highest)))
    shown = ShownByText(Settling("traces", wishes), "traces", column_text("trace"), _way)
    return answer(source, shown, format, out, Tally())


def _way(found: Any) -> dict[str, Any]:
    """Return the hardest level of a path, and how it ended."""
    return {"level": found and level_text(found.path.level), "end": found and found.end}
