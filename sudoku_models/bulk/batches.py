"""Many puzzles in arrays: the fast way for boards of one shape, on a backend that takes batches.

A grid is a row of a numpy array: uint8 values (0 open), or uint16 candidate masks in which bit k - 1 allows the k-th
value. A file of lines is read block by block, so that it may be larger than memory.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from ..engine.auto import batch_backend, loads
from ..engine.batch import run_batch
from ..engine.contract import Batch, Request
from ..engine.record import Record
from ..engine.registry import BackendLike, Selection, select
from ..errors import FormatError, SudokuModelsError, Unsupported
from ..model import Model
from ..puzzle import Grid, Puzzle, Shape, clashes
from ..verbs.results import Result, Status
from .many import Source

if TYPE_CHECKING:
    from ..formats.arrays import Block

CHUNK = 1_024
"""Puzzles that are handed over at once."""

MANY = 1_000
"""From more puzzles than this on, a batch is worth the loading of a compiled engine."""
_CHOSEN = "many classic boards, which it solves in batches"


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

    ``grids`` is an array of shape (n, cells), or bytes or lines of 81 characters. Returned are arrays (see ``Batch``).
    Raises FormatError for a line that cannot be read, TypeError or ValueError for an array that holds no such boards
    (with the row and cell), Unsupported or BackendMissing when no backend takes batches, WrongAnswer for a
    solution that the model contradicts.
    """
    shape = shape or Shape.square(9)
    record = Record()
    watch = record.stopwatch()
    rows = rows_of(grids)
    watch.lap("parse")
    selection = selection_for(shape.model, backend)
    request = Request(limit=limit, workers=workers, time_limit=time_limit)
    return run_batch(shape.model, selection, rows, request, record, check)


def solve_file(
    source: str | Path | BinaryIO | bytes, backend: BackendLike = "auto", *, limit: int = 2, workers: int = 1
) -> Iterator[tuple[Block, Batch]]:
    """Solve a file of 81-character lines block by block, in constant memory.

    Yields each block as it was read (with the lines that could not be: their rows count 0 with the error beside them)
    and its answers.
    """
    from ..formats.arrays import read_blocks

    for block in read_blocks(source):
        batch = solve_arrays(block.values, backend, limit=limit, workers=workers)
        unread = sorted(block.errors)
        batch.status[unread], batch.count[unread], batch.values[unread] = 0, 0, 0
        yield block, batch


def selection_for(model: Model, backend: BackendLike) -> Selection:
    """Return the backend asked for; for ``auto`` one that takes batches, Unsupported when none does."""
    if backend != "auto":
        return select(backend)
    found = batch_backend(model)
    if found is None:
        raise Unsupported("no installed backend takes batches of this shape: pip install 'sudoku-models[fast]'")
    return found


def rows_of(grids: Any) -> Any:
    """Return an array as it is, and bytes or lines of 81 characters as one, a row for each line.

    FormatError, with the line, if it cannot be read; TypeError for anything else. Of bytes blank lines and comments are
    passed over; in a list of lines they are errors.
    """
    if hasattr(grids, "dtype"):
        return grids
    return _read(grids) if isinstance(grids, bytes) else _of_lines(grids)


def _of_lines(texts: Any) -> Any:
    from ..formats.line import is_skipped

    if isinstance(texts, str) or not isinstance(texts, Iterable):
        found = "a text" if isinstance(texts, str) else type(texts).__name__
        raise TypeError(f"{found} where an array, bytes, or a list of lines of 81 characters is expected")
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

    blocks = list(read_blocks(data)) if data.strip() else []
    for block in blocks:
        for row, error in sorted(block.errors.items()):
            raise error.at(line=int(block.numbers[row]))
    return np.concatenate([block.values for block in blocks]) if blocks else np.zeros((0, 81), np.uint8)


@dataclass(frozen=True)
class Batcher:
    """Solves problems in chunks on a backend that takes batches; what is no board of its kind goes one by one.

    ``read`` makes a puzzle of a problem, ``one`` solves a single one. The first ``alone`` problems go one by one in any
    case; chunks begin small and grow, so that answers flow from the start. ``chosen``: the backend was not named.
    """

    selection: Selection
    unique: bool
    workers: int
    read: Callable[[Any], Puzzle]
    one: Callable[[Any], Any]
    alone: int = 0
    chosen: bool = False

    def results(self, problems: Iterable[Any]) -> Generator[Any, None, None]:
        """Yield the result of each problem, in order."""
        waiting = Source.of(problems)
        yield from map(self.one, islice(waiting, self.alone))
        size, answered = 1, self._chunk
        while chunk := list(islice(waiting, size)):
            if size == 1 and self.chosen and not loads(Shape.square(9).model, self.selection):
                answered = self._singly
            yield from answered(chunk)
            size = min(2 * size, CHUNK)
        waiting.finish()

    def _singly(self, problems: list[Any]) -> Iterator[Any]:
        return map(self.one, problems)

    def _chunk(self, problems: list[Any]) -> Iterator[Any]:
        puzzles = [self._board(problem) for problem in problems]
        boards = [puzzle for puzzle in puzzles if puzzle is not None]
        solved = iter(self._solved(boards) if boards else ())
        for problem, puzzle in zip(problems, puzzles, strict=True):
            yield self.one(problem) if puzzle is None else next(solved)

    def _board(self, problem: Any) -> Puzzle | None:
        """Return a problem as a puzzle when it is a classic board with givens only, else None."""
        try:
            puzzle = None if isinstance(problem, Model) else self.read(problem)
        except (SudokuModelsError, ValueError, TypeError):
            return None  # the error is raised again, in its turn, where the problem is solved alone
        classic = puzzle is not None and puzzle.structure is Shape.square(9).model and not puzzle.candidates
        return puzzle if classic else None

    def _solved(self, puzzles: list[Puzzle]) -> Iterator[Result]:
        import numpy as np

        shape = puzzles[0].shape
        rows = np.array([[value or 0 for value in puzzle.givens] for puzzle in puzzles], np.uint8)
        record = Record(choice=_CHOSEN if self.chosen else "")
        batch = run_batch(shape.model, self.selection, rows, self._request, record)
        answers = zip(puzzles, batch.values.tolist(), batch.count.tolist(), strict=True)
        return (self._result(puzzle, tuple(values), count, batch.record) for puzzle, values, count in answers)

    @property
    def _request(self) -> Request:
        return Request(limit=2 if self.unique else 1, workers=self.workers)

    def _result(self, puzzle: Puzzle, values: tuple[int, ...], count: int, record: Record) -> Result:
        shape = puzzle.shape
        if not count:
            clash = clashes(shape, puzzle.givens)
            return Result(None, Status.UNSATISFIABLE, False if self.unique else None, record, clashes=clash)
        unique = count == 1 if self.unique else None
        return Result(Grid(shape, values), Status.SOLVED, unique, record, names=shape.model.names, solution=values)
