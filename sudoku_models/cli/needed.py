"""``sudoku-models complete``, ``minimise``, ``redundant``, ``unavoidable``, ``clues-needed``, ``search``, ``traces``.

The page about the command line names the columns. Records of JSON have ``dropped`` and ``redundant`` as lists of clues
as in ``explain``, ``added`` as a list of cells, ``sets`` of ``unavoidable`` as lists of cells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated, Any

from .. import make
from ..bulk.question import RowAnswer
from ..engine.budget import Budget
from ..formats import Entry
from ..puzzle import Puzzle
from .answers import Shown, answer, as_boards, by_text, each_board, used, write_boards
from .codes import Code
from .options import Made, Positive, Seconds, Sharded, SourceOptions, Written
from .parser import command, whole
from .terminal import Tally, say

SETTLING = 10.0
"""The default time limit, in seconds, of the search for the fewest clues."""


def settled(
    question: str,
    options: dict[str, Any],
    text: Callable[[RowAnswer], str | None] | str,
    more: Callable[[Any], dict[str, Any]] = lambda _: {},
    doing: str = "working",
) -> Shown:
    """Return a question of the room ``make`` to every row, with its options."""
    from ..make.rows import Settling  # which loads numpy

    return by_text(Settling(question, options), "minimise" if question == "smallest" else question, text, more, doing)


@command("Make", "complete puzzles.txt")
def complete(
    source: Sharded, *, seed: int = 0, backend: str = "auto", time_limit: Seconds | None = None, made: Made
) -> Code:
    """Add as few givens as possible to puzzles with several solutions so that one remains, chosen by the seed."""
    rows = source.input()
    wishes: dict[str, Any] = {"seed": seed, "backend": backend, "time_limit": time_limit}
    if as_boards(rows, made):
        return each_board(rows, lambda entry, puzzle: _completed(entry, make.complete(puzzle, **wishes)), made)

    def added(found: Any) -> dict[str, Any]:
        """Return the cells of the added givens."""
        return {"added": found and list(found.added)}

    return answer(rows, settled("complete", wishes, "completed", added, "completing"), made)


def _completed(entry: Entry, found: make.Completed) -> Iterator[Puzzle]:
    needed = "1 is needed" if found.bound == 1 else f"{found.bound} are needed"
    proof = "proved to be the fewest" if found.proved else f"at least {needed}"
    say(f"{entry.place}: {len(found.added)} further given{'' if len(found.added) == 1 else 's'}: {proof}")
    yield found.puzzle


@command("Make", "minimise puzzles.txt")
def minimise(
    source: Sharded,
    *,
    only: str | None = None,
    parted: bool = False,
    smallest: bool = False,
    backend: str = "auto",
    time_limit: Seconds | None = None,
    seed: int = 0,
    made: Made,
) -> Code:
    """Leave out givens and rules of puzzles with one solution until each is needed.

    --only KIND  Remove only givens (given) or only rules (rule).
    --parted  Also leave out single parts of rules.
    --smallest  Look for the fewest clues, and report what is proved.
    """
    rows = source.input()
    wishes: dict[str, Any] = {
        "backend": backend, "kinds": _kinds(only), "time_limit": None if smallest else time_limit, "parted": parted,
        "seed": seed,
    }  # fmt: skip

    def boards(entry: Entry, puzzle: Puzzle) -> Iterator[Puzzle]:
        """Yield the minimal puzzle, and say what is known about the fewest clues."""
        if not smallest:
            yield make.minimise(puzzle, **wishes).puzzle
            return
        with Budget(time_limit) as budget:
            found = make.minimise(puzzle, **wishes, budget=budget)
            best = found.smallest(SETTLING if budget.left is None else budget.left)
        proof = "proved to be the fewest" if best.proved else f"at least {best.bound} are needed"
        say(f"{entry.place}: {best.clues} clues: {proof}")
        yield best.puzzle

    if as_boards(rows, made):
        return each_board(rows, boards, made)
    if smallest:
        return answer(rows, settled("smallest", {**wishes, "seconds": time_limit}, "minimal"), made)

    def dropped(found: Any) -> dict[str, Any]:
        """Return the clues that were left out of a minimal puzzle, as data."""
        return {"dropped": None if found is None else [clue.to_json() for clue in found.dropped]}

    return answer(rows, settled("minimise", wishes, "minimal", dropped), made)


def _kinds(only: str | None) -> tuple[str, ...]:
    """Return the kinds of clues that may be removed."""
    return ("given", "rule") if only is None else (only,)


@command("Make", "redundant puzzles.txt")
def redundant(
    source: Sharded,
    *,
    only: str | None = None,
    backend: str = "auto",
    time_limit: Seconds | None = None,
    written: Written,
) -> Code:
    """List the clues of puzzles with one solution, each of which could be left out alone.

    --only KIND  Remove only givens (given) or only rules (rule).
    """
    wishes = {"backend": backend, "kinds": _kinds(only), "time_limit": time_limit}

    def clues(found: Any) -> dict[str, Any]:
        """Return the clues as data."""
        return {"redundant": None if found is None else [clue.to_json() for clue in found]}

    return answer(source.input(), settled("redundant", wishes, "redundant", clues), written)


@command("Make", "unavoidable grids.txt")
def unavoidable(
    source: Sharded, *, size: Positive = 12, values: Positive = 2, all_: bool = False, written: Written
) -> Code:
    """List small unavoidable sets of grids: every puzzle of a grid has a clue in each of its sets.

    Without --all, only sets that use few values or lie within two lines are looked for.

    --size NUMBER  The largest number of cells in a set.
    --values NUMBER  Find sets that use at most this number of values, or that lie within two lines.
    --all  Find all sets up to the given size, whatever values they use; sizes up to 9 take seconds.
    """

    def sets(found: Any) -> dict[str, Any]:
        """Return the sets as data."""
        return {"sets": found and list(map(list, found))}

    def text(answer: RowAnswer) -> str | None:
        """Return a line for each set."""
        return None if answer.found is None else "\n".join(map(" ".join, answer.found))

    options = {"size": size, "values": None if all_ else values}
    return answer(source.input(), settled("unavoidable", options, text, sets), written)


@command("Make", "clues-needed 1234341221434321")
def clues_needed(source: Sharded, *, time_limit: Seconds | None = 60.0, written: Written) -> Code:
    """Find the fewest clues of any puzzle with this solution: exactly on small grids, a bound on large ones."""

    def text(answer: RowAnswer) -> str | None:
        """Return the bound, and the puzzle that has as few clues."""
        bound, minimal = answer.values["bound"], answer.values["minimal"]
        exact = f"{bound}: {minimal}" if minimal is not None else f"at least {bound}"
        return None if bound is None else exact

    return answer(source.input(), settled("clues-needed", {"time_limit": time_limit}, text), written)


@command("Make", "search puzzles.txt --folder found --looks 20")
def search(
    source: SourceOptions,
    folder: str,
    changed: Annotated[int, whole(1, 2)] = 1,
    looks: Positive | None = None,
    time_limit: Seconds | None = None,
    to: str = "line",
    out: str | None = None,
) -> Code:
    """Search neighbouring puzzles for ones with as few clues, and repeat from these; an earlier search is continued.

    --folder FOLDER  The folder in which the search is stored.
    --changed NUMBER  The number of clues to remove and to add in each step.
    --looks NUMBER  End after examining this number of puzzles in total.
    """
    tally = Tally()
    start = [entry.puzzle for entry in source.input().entries(tally) if entry.puzzle is not None]
    if tally.code is not Code.SOLVED:
        return tally.code
    found = used(lambda: make.search(start, folder, changed=changed, looks=looks, time_limit=time_limit))
    write_boards(iter(found.puzzles), to, out)
    left = "" if found.complete else f", {len(found.forms) - found.done} are still to be examined"
    say(f"{len(found.forms)} puzzles, the fewest clues are {found.fewest}; looked at {found.done}{left}")
    return Code.SOLVED if found.complete else Code.LIMIT


@command("Make", "traces puzzles.txt --out traces.jsonl")
def traces(
    source: Sharded,
    *,
    as_: str = "tokens",
    highest: str | None = None,
    time_limit: Seconds | None = None,
    written: Written,
) -> Code:
    """Write the path to the solution of each puzzle on one line, for models that learn from steps.

    --as FORM  The form of a path: tokens, ids (numbers) or text.
    --highest LEVEL  The highest level to try, such as 2.any.
    """
    from ..explain import level_text
    from ..make.traces import form_of
    from ..make.wishes import level_of

    def way(found: Any) -> dict[str, Any]:
        """Return the hardest level of a path, and how it ended."""
        return {"level": found and level_text(found.path.level), "end": found and found.end}

    wishes: dict[str, Any] = {"highest": highest, "time_limit": time_limit, "form": as_}
    used(lambda: (form_of(as_), highest and level_of(highest)))
    return answer(source.input(), settled("traces", wishes, "trace", way), written)
