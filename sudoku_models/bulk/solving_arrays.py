"""Many puzzles in arrays: the fastest way to solve boards of one shape, with a backend that takes batches.

A grid is a row of a numpy array: uint8 values (0 open), or uint16 candidate masks in which bit k - 1 allows the k-th
value.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from typing import Any

from ..engine.batch import run_batch
from ..engine.contract import Batch, Request
from ..engine.record import Record
from ..engine.registry import BackendLike, Selection
from ..errors import FormatError, SudokuModelsError
from ..model import Model
from ..puzzle import Puzzle, Shape
from ..verbs.task import as_puzzle
from .mapping import Source
from .row_results import Answered
from .where import Where

CHUNK = 1_024
"""The number of puzzles in a chunk."""


def solve_arrays(
    grids: Any,
    backend: BackendLike = "auto",
    *,
    limit: int = 2,
    workers: int = 1,
    time_limit: float | None = None,
    shape: Shape | None = None,
    check: bool = True,
) -> Batch:
    """Solve every row of ``grids`` and count its solutions up to ``limit`` (2: is it unique?).

    ``grids`` is an array of shape (n, cells), or bytes or lines of 81 characters. The result holds arrays (see
    ``Batch``). Raises FormatError for a line that cannot be read, TypeError or ValueError for an array that does not
    hold such boards (with the row and cell), Unsupported or BackendMissing if no backend takes batches, and WrongAnswer
    for a solution that contradicts the model.
    """
    shape = shape or Shape.square(9)
    record = Record()
    watch = record.stopwatch()
    rows = rows_of(grids)
    watch.lap("parse")
    selection = Where(backend, shape=shape).needed()
    request = Request(limit=limit, workers=workers, time_limit=time_limit)
    return run_batch(shape.model, selection, rows, request, record, check)


def rows_of(grids: Any) -> Any:
    """Return an array unchanged, and bytes or lines of 81 characters as an array with a row for each line.

    Raises FormatError for a line that cannot be read, and TypeError for anything else. Blank lines and comments are
    skipped in bytes; in a list of lines they are errors.
    """
    if hasattr(grids, "dtype"):
        return grids
    return _read(grids) if isinstance(grids, bytes) else _of_lines(grids)


def _of_lines(texts: Any) -> Any:
    from ..formats.kinds.line import is_skipped

    if isinstance(texts, str) or not isinstance(texts, Iterable):
        found = "a text" if isinstance(texts, str) else type(texts).__name__
        raise TypeError(f"{found} is not an array, bytes, or a list of lines of 81 characters")
    from ..formats.plain_lines import values_of_texts

    texts = texts if isinstance(texts, list) else list(texts)
    with suppress(TypeError):  # of a line that is no text, which is named below
        if (plain := values_of_texts(texts)) is not None:
            return plain
    lines = [_line(text, number) for number, text in enumerate(texts, 1)]
    rows = _read("\n".join(lines).encode("utf-8", "replace"))
    if len(rows) != len(lines) or any("\n" in line for line in lines):
        number = next((i for i, line in enumerate(lines, 1) if is_skipped(line) or len(line.splitlines()) > 1), None)
        raise FormatError("one board is expected", line=number)
    return rows


def _line(text: object, number: int) -> str:
    if not isinstance(text, str):
        raise TypeError(f"line {number} is {type(text).__name__}: a text of 81 characters is expected")
    return text.rstrip("\r\n")


def _read(data: bytes) -> Any:
    import numpy as np

    from ..formats.arrays import read_blocks
    from ..formats.plain_lines import values_of_plain

    if (plain := values_of_plain(data)) is not None:
        return plain
    blocks = list(read_blocks(data)) if data.strip() else []
    for block in blocks:
        for row, error in sorted(block.errors.items()):
            raise error.at(line=int(block.numbers[row]))
    return np.concatenate([block.values for block in blocks]) if blocks else np.zeros((0, 81), np.uint8)


def results(
    where: Where, problems: Iterable[Any], unique: bool, one: Callable[[Any], Any], known: int
) -> Generator[Any, None, None]:
    """Yield the result of each problem, in order: classic boards in chunks, all others with ``one``.

    There are at least ``known`` problems. Chunks start small and grow, so that the first answers come early.
    """
    waiting, size, seen = Source.of(problems), 1, where.alone(known)
    yield from map(one, islice(waiting, seen))
    seen = max(seen, known)
    while chunk := list(islice(waiting, size)):
        seen += len(chunk)
        selection = where.batches(seen)
        yield from map(one, chunk) if selection is None else answered_chunk(where, selection, chunk, unique, one)
        size = min(2 * size, CHUNK)
    waiting.finish()


def solved_block(where: Where, unique: bool, problems: list[Any], seen: int) -> Iterable[Any]:
    """Return the results of some problems; an exception is the result of its problem. Made for other processes."""

    def one(problem: Any) -> Any:
        """Solve one problem alone."""
        try:
            return where.row.task(problem).solved(unique)
        except Exception as error:
            return error

    selection = None if where.engine is None else where.batches(seen)
    return map(one, problems) if selection is None else answered_chunk(where, selection, problems, unique, one)


def answered_chunk(
    where: Where, selection: Selection, problems: list[Any], unique: bool, one: Callable[[Any], Any]
) -> Iterable[Any]:
    """Return the results of some problems: classic boards in a batch, all others with ``one``."""
    from .rows import all_lines

    boards = all_lines(problems)
    if boards is not None:
        return _answered(where, selection, boards, unique)
    return _mixed(where, selection, problems, unique, one)


def _mixed(
    where: Where, selection: Selection, problems: list[Any], unique: bool, one: Callable[[Any], Any]
) -> Iterator[Any]:
    import numpy as np

    puzzles = list(map(_board, problems))
    rows = [[value or 0 for value in puzzle.givens] for puzzle in puzzles if puzzle is not None]
    solved = iter(_answered(where, selection, np.array(rows, np.uint8), unique) if rows else ())
    for problem, puzzle in zip(problems, puzzles, strict=True):
        yield one(problem) if puzzle is None else next(solved)


def _answered(where: Where, selection: Selection, boards: Any, unique: bool) -> Answered:
    batch = where.batch(selection, boards, 2 if unique else 1)
    return Answered(boards, batch.values, batch.count, unique, batch.record)


def _board(problem: Any) -> Puzzle | None:
    """Return a problem as a puzzle if it is a classic board with givens only, otherwise None."""
    from .rows import is_plain

    try:
        puzzle = None if isinstance(problem, Model) else as_puzzle(problem)
    except (SudokuModelsError, ValueError, TypeError):
        return None  # the error is raised again, in its turn, where the problem is solved alone
    return puzzle if puzzle is not None and is_plain(puzzle) else None
