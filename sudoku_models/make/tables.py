"""Load puzzles and their answers from tables, files of puzzles and arrays."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import isqrt
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

import numpy as np

from ..bulk.blocks import blocks_of
from ..bulk.rows import NINE, Block, Rows, listed, puzzle_or_error
from ..errors import FormatError
from ..formats.catalogue import CSV
from ..formats.cells import Options
from ..formats.reading import parse_with
from ..formats.source import check_sizes, most_unpacked
from ..formats.table import SOLUTION
from ..formats.target import ending
from ..puzzle import Puzzle, Shape
from .chance import Array

RATINGS = ("rating", "level", "difficulty")
WIDEST = 255
"""The largest side: the values of a board are bytes."""


@dataclass(frozen=True)
class Loaded:
    """Loaded puzzles: ``puzzles`` and ``solutions`` (uint8, n x cells), and their ``ratings`` as given."""

    puzzles: Array
    solutions: Array | None
    ratings: list[Any] | None


@dataclass(frozen=True)
class BoardsOfShape:
    """Rows of a source with boards of one shape: ``rows`` are their numbers, from 0; ``puzzles`` is uint8, n x cells.

    ``answers`` has the same shape (None if the source has none); it is 0 throughout for an answer in ``errors``, which
    maps numbers of rows to what is wrong with their answers.
    """

    shape: Shape
    rows: list[int]
    puzzles: Array
    answers: Array | None = None
    errors: dict[int, FormatError] = field(default_factory=dict)

    def without_errors(self) -> BoardsOfShape:
        """Return the rows whose answers could be read."""
        kept = [i for i, row in enumerate(self.rows) if row not in self.errors]
        answers = None if self.answers is None else self.answers[kept]
        return BoardsOfShape(self.shape, [self.rows[i] for i in kept], self.puzzles[kept], answers)


@dataclass
class LoadedRows:
    """The rows of a source: boards by shape, ``ratings`` as given, and errors of rows without a board of cells."""

    boards: list[BoardsOfShape] = field(default_factory=list)
    errors: dict[int, FormatError] = field(default_factory=dict)
    ratings: list[Any] | None = None
    answered: bool = False
    number: int = 0
    places: list[dict[str, Any]] = field(default_factory=list)

    def refuse(self, boards: BoardsOfShape, problem: str) -> None:
        """Note for all rows of some boards what is wrong with them, and leave these boards out."""
        self.boards.remove(boards)
        for row in boards.rows:
            place = self.places[row] if self.places else {"row": row + 1}
            self.errors[row] = FormatError(problem).at(**place)


def load(path: str | Path) -> Loaded:
    """Read puzzles and solutions from a table (CSV, Parquet, Arrow), a file of puzzles, or arrays (``.npz``).

    Columns, or arrays, are called question and answer, quizzes and solutions, or puzzle and solution; a table may have
    a rating or a level. Raises FormatError for a source without puzzles, for a row that is not a board (with its
    place), and for boards of several sizes.
    """
    found = load_rows(path)
    errors = {**found.errors, **{row: error for boards in found.boards for row, error in boards.errors.items()}}
    for _, error in sorted(errors.items()):
        raise error
    if len(found.boards) > 1:
        shapes = " and ".join(str(boards.shape) for boards in found.boards[:2])
        raise FormatError(f"boards of one size are expected, but there are {shapes}", source=str(path))
    boards = found.boards[0] if found.boards else BoardsOfShape(NINE, [], np.zeros((0, 81), np.uint8))
    return Loaded(boards.puzzles, boards.answers, found.ratings)


def load_rows(path: str | Path) -> LoadedRows:
    """Read the same rows one by one: a row without a board is an error among the others.

    Raises FormatError for a source that cannot be read at all.
    """
    return _of_arrays(Path(path)) if Path(path).suffix == ".npz" else _of_blocks(path)


def _of_arrays(path: Path) -> LoadedRows:
    try:
        with ZipFile(path) as archive:
            check_sizes(archive, most_unpacked(path.stat().st_size), path)
        with np.load(path) as arrays:
            columns: Mapping[str, Array] = dict(arrays)
    except FormatError:
        raise
    except (ValueError, TypeError, EOFError, BadZipFile, MemoryError) as error:
        raise FormatError(f"is not a file of arrays ({error})", source=str(path)) from None
    try:
        return _of_columns(columns)
    except ValueError as error:
        raise FormatError(str(error), source=str(path)) from None


def _of_columns(columns: Mapping[str, Array]) -> LoadedRows:
    """Return the rows of named arrays; ValueError for arrays that are no boards."""
    puzzles = _array(columns, ("question", "quizzes", "puzzle", "puzzles"))
    answers = _array(columns, ("answer", "solutions", "solution"))
    if puzzles is None:
        raise ValueError("no array of puzzles: question, quizzes or puzzle is expected")
    if answers is not None and answers.shape != puzzles.shape:
        raise ValueError("the arrays of puzzles and of answers differ in shape: equally many boards are expected")
    side = isqrt(puzzles.shape[1])
    if side * side != puzzles.shape[1]:
        raise ValueError(f"boards of {puzzles.shape[1]} cells: a square board is expected")
    ratings = next((list(columns[name]) for name in RATINGS if name in columns), None)
    boards = BoardsOfShape(Shape.square(side), list(range(len(puzzles))), puzzles, answers)
    return LoadedRows([boards], {}, ratings, answers is not None, len(puzzles))


def _array(columns: Mapping[str, Array], names: Sequence[str]) -> Array | None:
    """Return the first array with one of the names as rows of cells; ValueError for what cannot be boards."""
    name = next((name for name in names if name in columns), None)
    if name is None:
        return None
    found = columns[name]
    kind = found.dtype.kind
    is_whole = kind in "iu" or (kind == "f" and bool((np.floor(found) == found).all()))
    if found.ndim < 2 or not found.size or not is_whole:
        shape = " x ".join(map(str, found.shape)) or "a single value"
        raise ValueError(f"the array {name} ({shape}, {found.dtype}): at least one board of whole numbers is expected")
    if found.min() < 0 or found.max() > WIDEST:
        raise ValueError(f"the array {name} holds values outside 0 to {WIDEST}")
    return found.reshape(len(found), -1).astype(np.uint8)


def _of_blocks(path: str | Path) -> LoadedRows:
    loaded, answers, ratings = LoadedRows(), list[Any](), list[Any]()
    found: dict[Shape, list[tuple[list[int], Array]]] = defaultdict(list)
    for block in blocks_of(path, Options(CSV if ending(path) == ".csv" else None)):
        loaded.places += [{"source": block.source, block.unit: int(number)} for number in block.numbers]
        for shape, rows, values in _boards(block, loaded):
            found[shape].append((rows, values))
        known = {name.lower(): name for name in reversed(list(block.columns))}
        for names, column in ((SOLUTION, answers), (RATINGS, ratings)):
            name = next((known[name] for name in names if name in known), None)
            column += [None] * len(block) if name is None else listed(block.columns[name])
            loaded.answered |= names is SOLUTION and name is not None
        loaded.number += len(block)
    loaded.ratings = ratings if any(rating is not None for rating in ratings) else None
    for shape, parts in found.items():
        boards = BoardsOfShape(shape, [row for rows, _ in parts for row in rows], np.concatenate([x for _, x in parts]))
        loaded.boards.append(_answered(boards, answers, loaded.places) if loaded.answered else boards)
    return loaded


def _boards(block: Block, loaded: LoadedRows) -> Iterator[tuple[Shape, list[int], Array]]:
    """Yield the boards of the next block by shape, in order, and note the errors of its other rows."""
    start, others = loaded.number, block.rows.others
    plain = [row for row in range(len(block)) if row not in others]
    if plain:
        yield NINE, [start + row for row in plain], block.rows.values[plain]
    for row, puzzle in sorted(others.items()):
        # arrays of bytes, with 0 for open cells, hold givens only
        usual = isinstance(puzzle, Puzzle) and not (puzzle.rules or puzzle.candidates)
        if usual and puzzle.shape.values[0] >= 1 and puzzle.shape.values[-1] <= WIDEST:
            yield puzzle.shape, [start + row], np.array([[value or 0 for value in puzzle.givens]], np.uint8)
        else:
            problem = f"a board with givens only, and with values from 1 to at most {WIDEST}, is expected here"
            loaded.errors[start + row] = block.entry(row).error or FormatError(problem).at(**loaded.places[start + row])


def _answered(boards: BoardsOfShape, answers: Sequence[Any], places: Sequence[Mapping[str, Any]]) -> BoardsOfShape:
    nine = boards.shape == NINE
    parse = Puzzle.parse if nine else partial(parse_with, options=Options(shape=boards.shape))
    found = Rows.of([answers[row] for row in boards.rows], partial(puzzle_or_error, read=parse), quick=nine)
    values = found.values.copy() if nine else np.zeros_like(boards.puzzles)
    errors = {}
    for i, answer in found.others.items() if nine else found.puzzles():
        if isinstance(answer, Puzzle) and answer.shape == boards.shape:
            values[i] = [value or 0 for value in answer.givens]
        else:
            shown = answer.message if isinstance(answer, FormatError) else f"a board of {answer.shape}"
            errors[boards.rows[i]] = FormatError(f"the answer: {shown}").at(**places[boards.rows[i]])
    return replace(boards, answers=values, errors=errors)
