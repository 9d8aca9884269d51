"""What is made from boards: fewer or more clues, forms, symmetries, paths, and rows to train and test models.

docs/command_line.md has the columns of the answers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated, Any, Literal

from .. import make
from ..bulk.questions import RowAnswer
from ..bulk.rows import NUMBER, TEXT, TRUTH
from ..errors import FormatError
from ..formats import Entry
from ..puzzle import Puzzle, Shape
from ..verbs.solving import solve
from .answers import Shown, answer, boards_or_rows, by_text, each_board, records, stated_format, used, write_boards
from .codes import Code, UsageError
from .inputs import Made, Positive, Seconds, Sharded, SourceOptions, Tabular, Written
from .parser import command, whole
from .terminal import Tally, say

if TYPE_CHECKING:
    from ..make.symmetry import Canonical, Transformation
    from ..make.tables import BoardsOfShape, LoadedRows


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
    wishes: dict[str, Any] = {"seed": seed, "backend": backend, "time_limit": time_limit}
    shown = settled("complete", wishes, "completed", lambda found: {"added": found and list(found.added)}, "completing")
    return boards_or_rows(source, shown, made, attrgetter("puzzle"), _completed)


def _completed(found: make.Completed) -> str:
    needed = "1 is needed" if found.bound == 1 else f"{found.bound} are needed"
    proof = "proved to be the fewest" if found.proved else f"at least {needed}"
    return f"{len(found.added)} further given{'' if len(found.added) == 1 else 's'}: {proof}"


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
    wishes: dict[str, Any] = {"backend": backend, "kinds": _kinds(only), "parted": parted, "seed": seed}
    if smallest:
        shown = settled("smallest", {**wishes, "seconds": time_limit}, "minimal")
        return boards_or_rows(source, shown, made, attrgetter("puzzle"), _smallest)

    def dropped(found: Any) -> dict[str, Any]:
        return _clues("dropped", found and found.dropped)

    shown = settled("minimise", {**wishes, "time_limit": time_limit}, "minimal", dropped)
    return boards_or_rows(source, shown, made, attrgetter("puzzle"))


def _smallest(found: make.Smallest) -> str:
    proof = "proved to be the fewest" if found.proved else f"at least {found.bound} are needed"
    return f"{found.clues} clues: {proof}"


def _kinds(only: str | None) -> tuple[str, ...]:
    return ("given", "rule") if only is None else (only,)


def _clues(name: str, found: Any) -> dict[str, Any]:
    return {name: None if found is None else [clue.to_json() for clue in found]}


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

    return answer(source, settled("redundant", wishes, "redundant", partial(_clues, "redundant")), written)


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

    def text(answer: RowAnswer) -> str | None:
        return None if answer.found is None else "\n".join(map(" ".join, answer.found))

    options = {"size": size, "values": None if all_ else values}
    shown = settled("unavoidable", options, text, lambda found: {"sets": found and list(map(list, found))})
    return answer(source, shown, written)


@command("Make", "clues-needed 1234341221434321")
def clues_needed(source: Sharded, *, time_limit: Seconds | None = 60.0, written: Written) -> Code:
    """Find the fewest clues of any puzzle with this solution: exactly on small grids, a bound on large ones."""

    def text(answer: RowAnswer) -> str | None:
        bound, minimal = answer.values["bound"], answer.values["minimal"]
        exact = f"{bound}: {minimal}" if minimal is not None else f"at least {bound}"
        return None if bound is None else exact

    return answer(source, settled("clues-needed", {"time_limit": time_limit}, text), written)


@command("Make", "search puzzles.txt --folder found --looks 20")
def search(
    source: SourceOptions,
    folder: str,
    changed: Annotated[int, whole(1, 2)] = 1,
    looks: Positive | None = None,
    time_limit: Seconds | None = None,
    to: str | None = None,
    out: str | None = None,
) -> Code:
    """Search neighbouring puzzles for ones with as few clues, and repeat from these; an earlier search is continued.

    --folder FOLDER  The folder in which the search is stored.
    --changed NUMBER  The number of clues to remove and to add in each step.
    --looks NUMBER  End after examining this number of puzzles in total.
    """
    tally, form = Tally(), stated_format(to, out)
    start = [entry.puzzle for entry in source.entries(tally) if entry.puzzle is not None]
    if tally.code is not Code.SOLVED:
        return tally.code
    found = used(lambda: make.search(start, folder, changed=changed, looks=looks, time_limit=time_limit))
    write_boards(found.puzzles, form, out)
    left = "" if found.complete else f", {len(found.forms) - found.done} are still to be examined"
    say(f"{len(found.forms)} puzzles, the fewest clues are {found.fewest}; looked at {found.done}{left}")
    return Code.SOLVED if found.complete else Code.LIMIT


@command("Make", "traces puzzles.txt --out traces.jsonl")
def traces(
    source: Sharded,
    *,
    as_: Literal["tokens", "ids", "text"] = "tokens",
    highest: str | None = None,
    time_limit: Seconds | None = None,
    written: Written,
) -> Code:
    """Write the path to the solution of each puzzle on one line, for models that learn from steps.

    --as  The form of a path; ids are numbers.
    --highest LEVEL  The highest level to try, such as 2.any.
    """
    from ..explain import level_text
    from ..make.wishes import level_of

    def way(found: Any) -> dict[str, Any]:
        return {"level": found and level_text(found.path.level), "end": found and found.end}

    wishes: dict[str, Any] = {"highest": highest, "time_limit": time_limit, "form": as_}
    used(lambda: highest and level_of(highest))
    return answer(source, settled("traces", wishes, "trace", way), written)


# forms: boards that are the same up to symmetry


@command("Make", "canonical puzzles.txt")
def canonical(source: Sharded, made: Made) -> Code:
    """Write the canonical form of boards: boards that are the same up to symmetry have the same form."""
    shown = settled("canonical", {}, "form", lambda found: _moved(found and found.transformation))
    return boards_or_rows(source, shown, made, attrgetter("board"))


def _moved(way: Transformation | None) -> dict[str, Any]:
    return {"cells": way and list(way.cells), "values": way and list(way.values)}


@command("Make", "automorphisms grids.txt")
def automorphisms(source: Sharded, written: Written) -> Code:
    """Count the symmetries of the cells that leave a board unchanged, up to renaming its values."""
    from ..make.rows import Settling  # which loads numpy

    return answer(source, by_text(Settling("canonical"), "automorphisms", "automorphisms"), written)


@command("Make", "same puzzles.txt")
def same(source: Tabular, written: Written) -> Code:
    """Report for each board whether an earlier one is the same up to symmetry, and the transformation between them."""

    earlier: dict[bytes, tuple[str, Transformation]] = {}

    def compared(entry: Entry, answer: RowAnswer) -> RowAnswer:
        form: Canonical | None = answer.found
        if form is None:
            return answer
        key = _digest(form.board)
        if key not in earlier:
            earlier[key] = entry.place, form.transformation
            return replace(answer, found=(f"{entry.place}: new", None))
        first, there = earlier[key]
        way = there.then(form.transformation.inverse(form.board.shape), form.board.shape)
        return RowAnswer({**answer.values, "same_as": first}, (f"{entry.place}: the same as {first}", way))

    way = lambda found: _moved(found and found[1])  # noqa: E731
    shown = settled("same", {}, lambda answer: answer.found and answer.found[0], way, "comparing")
    return answer(source, shown, written, completed=compared)


def _digest(board: Puzzle) -> bytes:
    """Return 16 bytes that identify the shape, the givens and the rules of a canonical form."""
    shape = board.shape
    cells = shape.height, shape.width, shape.values, shape.regions, shape.box, shape.lines
    return blake2b(repr((cells, board.givens, board.rules)).encode(), digest_size=16).digest()


@command("Make", "morph puzzles.txt --seed 3")
def morph(
    source: SourceOptions, number: Positive = 1, seed: int = 0, to: str | None = None, out: str | None = None
) -> Code:
    """Write equivalent boards: random symmetries are applied, to all rules as well.

    --number -n NUMBER  The number of boards to make from each board.
    """
    return each_board(source, lambda _, puzzle: (make.morph(puzzle, seed + i) for i in range(number)), to, out)


# rows of questions and answers

AUGMENTED = {"question": TEXT, "answer": TEXT, "rating": TEXT}
VERIFIED = {"correct": TRUTH, "credit": NUMBER}


@command("Make", "augment answers.csv --out more.parquet")
def augment(file: str, *, times: Positive = 1, seed: int = 0, written: Written) -> Code:
    """Apply random symmetries to questions and answers, to get equivalent boards for training.

    <file> FILE  A table (CSV, Parquet, Arrow) with columns question and answer or quizzes and solutions, or arrays
        (.npz); - is standard input, which cannot be .npz.
    --times NUMBER  The number of random symmetries for each row.
    """
    from ..make.arrays import blocks  # which loads numpy
    from ..make.tables import load_rows

    loaded, tally = load_rows(file), Tally()
    for boards in [boards for boards in loaded.boards if blocks(boards.shape) is None]:
        loaded.refuse(boards, f"{boards.shape}: a board with boxes, or a Latin square, is expected")
    _mention(loaded, tally, (boards.errors for boards in loaded.boards))
    groups = [boards.without_errors() for boards in loaded.boards]

    def rows() -> Iterator[dict[str, Any]]:
        for turn in range(times):
            moved = [pair for boards in groups for pair in _augmented(boards, seed + turn)]
            for row, question, answered in sorted(moved):
                rating = None if loaded.ratings is None else loaded.ratings[row]
                fields = {"question": question, "answer": answered, "rating": None if rating is None else str(rating)}
                yield {**fields, "text": question if answered is None else f"{question},{answered}"}

    return records("augment", AUGMENTED, rows(), written, tally.code)


def _augmented(boards: BoardsOfShape, seed: int) -> Iterator[tuple[int, str, str | None]]:
    known = [array for array in (boards.puzzles, boards.answers) if array is not None]
    moved = used(partial(make.augment, *known, seed=seed, shape=boards.shape))
    questions, *answers = (
        [Puzzle(boards.shape, tuple(value or None for value in row)).to_line() for row in array.tolist()]
        for array in moved
    )
    yield from zip(boards.rows, questions, answers[0] if answers else [None] * len(questions), strict=True)


@command("Make", "verify answers.csv")
def verify(file: str, *, credit: bool = False, written: Written) -> Code:
    """Check for each row whether its answer is a solution of its question. The exit code is 1 if any is not.

    An answer that is not a board of the question's size is wrong. Rows without a question are reported.

    <file> FILE  A table (CSV, Parquet, Arrow) with columns question and answer or quizzes and solutions, or arrays
        (.npz); - is standard input, which cannot be .npz.
    --credit  Also print the share of the empty cells that are right.
    """
    from ..make.tables import load_rows  # which loads numpy

    loaded, tally = load_rows(file), Tally()
    if not loaded.answered:
        raise UsageError(f"{file}: there is no column of answers: one named answer or solutions is expected")
    _mention(loaded, tally)
    right: dict[int, bool] = {}
    shares: dict[int, float] = {}
    for boards in loaded.boards:
        found = used(partial(make.verify_arrays, boards.puzzles, boards.answers, boards.shape)).tolist()
        right |= dict(zip(boards.rows, found, strict=True))
        shares |= zip(boards.rows, _shares(boards), strict=True) if credit else ()
    for good in right.values():
        tally.add(Code.SOLVED if good else Code.NO_SOLUTION)

    def row(number: int) -> dict[str, Any]:
        good, share = right.get(number), shares.get(number)
        also = "" if share is None else f", {share:.0%} of the empty cells"
        return {"correct": good, "credit": share, "text": f"{number + 1}: {_SHOWN[good]}{also}"}

    code = records("verify", VERIFIED, map(row, range(loaded.number)), written, tally.code)
    say(f"{sum(right.values())} of {len(right)} answers are right")
    return code


_SHOWN = {True: "right", False: "wrong", None: "not checked, as the question cannot be read"}


def _shares(boards: BoardsOfShape) -> list[float]:
    """Return the share of the empty cells that each answer has right; the questions are solved for this."""
    import numpy as np

    shape = boards.shape
    known = [_solution(shape, row, values) for row, values in zip(boards.rows, boards.puzzles.tolist(), strict=True)]
    solutions = np.array(known, np.uint8).reshape(boards.puzzles.shape)
    found: list[float] = make.credit_arrays(boards.puzzles, boards.answers, solutions, shape).tolist()
    return found


def _solution(shape: Shape, row: int, values: list[int]) -> list[int]:
    result = solve(Puzzle(shape, tuple(value or None for value in values)), unique=True)
    if result.grid is None or not result.unique:
        raise UsageError(f"row {row + 1}: --credit needs questions with exactly one solution, unlike this one")
    return [value or 0 for value in result.grid.values]


def _mention(loaded: LoadedRows, tally: Tally, others: Iterable[dict[int, FormatError]] = ()) -> None:
    errors = {row: error for some in (loaded.errors, *others) for row, error in some.items()}
    for _, error in sorted(errors.items()):
        tally.problem(str(error), Code.USAGE)
