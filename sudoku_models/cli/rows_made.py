"""``sudoku-models augment`` and ``verify``: rows of questions and answers, for those who train and test models.

There is one record of the schema ``sudoku-models/augment/1`` for each row, with ``question``, ``answer`` (null if there
is none) and ``rating`` (as in the file). A record of ``sudoku-models/verify/1`` has ``correct`` (is the answer a
solution of the question? null if the question cannot be read) and ``credit`` (with ``--credit``: the share of the empty
cells that are right; otherwise null).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from .. import make
from ..bulk.columns import NUMBER, TEXT, TRUTH
from ..errors import FormatError
from ..puzzle import Puzzle, Shape
from ..verbs.solving import solve
from .answers import records, used
from .codes import Code, UsageError
from .options import Positive, Written
from .parser import command
from .terminal import Tally, say

if TYPE_CHECKING:
    from ..make.tables import BoardsOfShape, LoadedRows

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

    loaded, tally = _loaded(file), Tally()
    for boards in [boards for boards in loaded.boards if blocks(boards.shape) is None]:
        loaded.refuse(boards, f"{boards.shape}: a board with boxes, or a Latin square, is expected")
    _mention(loaded, tally, (boards.errors for boards in loaded.boards))
    groups = [boards.without_errors() for boards in loaded.boards]

    def rows() -> Iterator[dict[str, Any]]:
        """Yield the rows of each pass."""
        for turn in range(times):
            moved = [pair for boards in groups for pair in _moved(boards, seed + turn)]
            for row, question, answer in sorted(moved):
                rating = None if loaded.ratings is None else loaded.ratings[row]
                fields = {"question": question, "answer": answer, "rating": None if rating is None else str(rating)}
                yield {**fields, "text": question if answer is None else f"{question},{answer}"}

    return records("augment", AUGMENTED, rows(), written, tally.code)


def _moved(boards: BoardsOfShape, seed: int) -> Iterator[tuple[int, str, str | None]]:
    """Yield the number of each row, with its question and answer after a random symmetry."""
    known = [array for array in (boards.puzzles, boards.answers) if array is not None]
    moved = used(partial(make.augment, *known, seed=seed, shape=boards.shape))
    questions, *answers = ([_line(boards.shape, row) for row in array.tolist()] for array in moved)
    yield from zip(boards.rows, questions, answers[0] if answers else [None] * len(questions), strict=True)


@command("Make", "verify answers.csv")
def verify(file: str, *, credit: bool = False, written: Written) -> Code:
    """Check for each row whether its answer is a solution of its question. The exit code is 1 if any is not.

    An answer that is not a board of the question's size is wrong. Rows without a question are reported.

    <file> FILE  A table (CSV, Parquet, Arrow) with columns question and answer or quizzes and solutions, or arrays
        (.npz); - is standard input, which cannot be .npz.
    --credit  Also print the share of the empty cells that are right.
    """
    loaded, tally = _loaded(file), Tally()
    if not loaded.answered:
        raise UsageError(f"{file}: there is no column of answers: one named answer or solutions is expected")
    _mention(loaded, tally)
    right: list[bool | None] = [None] * loaded.number
    shares: list[float | None] = [None] * loaded.number
    for boards in loaded.boards:
        for row, good in zip(boards.rows, _right(boards), strict=True):
            right[row] = good
            tally.add(Code.SOLVED if good else Code.NO_SOLUTION)
        for row, share in zip(boards.rows, _shares(boards) if credit else (), strict=credit):
            shares[row] = share
    rows = (
        {"correct": good, "credit": share, "text": f"{number}: {_SHOWN[good]}{_also(share)}"}
        for number, (good, share) in enumerate(zip(right, shares, strict=True), 1)
    )
    code = records("verify", VERIFIED, rows, written, tally.code)
    checked = len(right) - right.count(None)
    say(f"{right.count(True)} of {checked} answers are right")
    return code


_SHOWN = {True: "right", False: "wrong", None: "not checked, as the question cannot be read"}


def _right(boards: BoardsOfShape) -> list[bool]:
    found: list[bool] = used(lambda: make.verify_arrays(boards.puzzles, boards.answers, boards.shape)).tolist()
    return found


def _shares(boards: BoardsOfShape) -> list[float]:
    """Return the share of the empty cells that each answer has right; the questions are solved for this."""
    import numpy as np

    shape = boards.shape
    known = [_solution(shape, row, values) for row, values in zip(boards.rows, boards.puzzles.tolist(), strict=True)]
    solutions = np.array(known, np.uint8).reshape(boards.puzzles.shape)
    found: list[float] = make.credit_arrays(boards.puzzles, boards.answers, solutions, shape).tolist()
    return found


def _solution(shape: Shape, row: int, values: list[int]) -> list[int]:
    """Return the unique solution of a question."""
    result = solve(Puzzle(shape, tuple(value or None for value in values)), unique=True)
    if result.grid is None or not result.unique:
        raise UsageError(f"row {row + 1}: --credit needs questions with exactly one solution, unlike this one")
    return [value or 0 for value in result.grid.values]


def _also(share: float | None) -> str:
    return "" if share is None else f", {share:.0%} of the empty cells"


def _loaded(path: str) -> LoadedRows:
    from ..make.tables import load_rows  # which loads numpy

    try:
        return load_rows(path)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from None


def _mention(loaded: LoadedRows, tally: Tally, others: Iterable[dict[int, FormatError]] = ()) -> None:
    """Report the rows without a board."""
    errors = {row: error for some in (loaded.errors, *others) for row, error in some.items()}
    for _, error in sorted(errors.items()):
        tally.problem(str(error), Code.USAGE)


def _line(shape: Shape, values: list[int]) -> str:
    return Puzzle(shape, tuple(value or None for value in values)).to_line()
