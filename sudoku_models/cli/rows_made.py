"""``sudoku-models augment`` and ``verify``: rows of questions and answers, for those who train and test models.

There is one record of the schema ``sudoku-models/augment/1`` for each row, with ``question``, ``answer`` (null if there
is none) and ``rating`` (as in the file). A record of ``sudoku-models/verify/1`` has ``correct`` (is the answer a
solution of the question?) and ``credit`` (with ``--credit``: the share of the empty cells that are right; otherwise
null).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import isqrt
from pathlib import Path
from typing import Any

from .. import make
from ..bulk.kinds import NUMBER, TEXT, TRUTH
from ..puzzle import Puzzle, Shape
from ..verbs.solving import solve
from .board_answers import used
from .codes import Code, UsageError
from .make import records
from .options import Records
from .terminal import say

AUGMENTED = {"question": TEXT, "answer": TEXT, "rating": TEXT}
VERIFIED = {"correct": TRUTH, "credit": NUMBER}


def augment(path: str, times: int, seed: int, format: Records | None, out: str | None) -> Code:
    """Write every row of a file several times, each time with a random symmetry."""
    loaded, shape = _loaded(path)
    known = [array for array in (loaded.puzzles, loaded.solutions) if array is not None]
    ratings = loaded.ratings or [None] * len(loaded.puzzles)

    def rows() -> Iterator[dict[str, Any]]:
        """Yield the rows of each pass."""
        for turn in range(times):
            moved = used(partial(make.augment, *known, seed=seed + turn, shape=shape))
            questions, *answers = ([_line(shape, row) for row in array.tolist()] for array in moved)
            several = answers[0] if answers else [None] * len(questions)
            for question, answer, rating in zip(questions, several, ratings, strict=True):
                fields = {"question": question, "answer": answer, "rating": None if rating is None else str(rating)}
                yield {**fields, "text": question if answer is None else f"{question},{answer}"}

    return records("augment", AUGMENTED, rows(), format, out)


def verify(path: str, credit: bool, format: Records | None, out: str | None) -> Code:
    """Check for every row of a file whether its answer is a solution of its question."""
    loaded, shape = _loaded(path)
    if loaded.solutions is None:
        raise UsageError(f"{path}: there is no column of answers: one named answer or solutions is expected")
    right = used(lambda: make.verify_arrays(loaded.puzzles, loaded.solutions, shape)).tolist()
    shares = _shares(loaded, shape) if credit else [None] * len(right)
    rows = (
        {"correct": good, "credit": share, "text": f"{number}: {'right' if good else 'wrong'}{_also(share)}"}
        for number, (good, share) in enumerate(zip(right, shares, strict=True), 1)
    )
    code = records("verify", VERIFIED, rows, format, out, Code.SOLVED if all(right) else Code.NO_SOLUTION)
    say(f"{sum(right)} of {len(right)} answers are right")
    return code


def _shares(loaded: make.Loaded, shape: Shape) -> list[float]:
    """Return the share of the empty cells that each answer has right; the questions are solved for this."""
    import numpy as np

    known = [_solution(shape, row, values) for row, values in enumerate(loaded.puzzles.tolist(), 1)]
    solutions = np.array(known, np.uint8).reshape(loaded.puzzles.shape)
    found: list[float] = make.credit_arrays(loaded.puzzles, loaded.solutions, solutions, shape).tolist()
    return found


def _solution(shape: Shape, row: int, values: list[int]) -> list[int]:
    """Return the unique solution of a question."""
    result = solve(Puzzle(shape, tuple(value or None for value in values)), unique=True)
    if result.grid is None or not result.unique:
        raise UsageError(f"row {row}: --credit needs questions with exactly one solution, unlike this one")
    return [value or 0 for value in result.grid.values]


def _also(share: float | None) -> str:
    return "" if share is None else f", {share:.0%} of the empty cells"


def _loaded(path: str) -> tuple[make.Loaded, Shape]:
    """Read a file, and find the shape of its boards from their number of cells."""
    try:
        loaded = used(lambda: make.load(Path(path)))
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from None
    side = isqrt(loaded.puzzles.shape[1])
    return loaded, used(lambda: Shape.square(side))


def _line(shape: Shape, values: list[int]) -> str:
    return Puzzle(shape, tuple(value or None for value in values)).to_line()
