"""Data sets for people who train and test models (extra ``data``): no two members are the same up to symmetry.

A set is a folder: ``train.parquet``, ``validation.parquet``, ``test.parquet`` and a card, ``README.md``.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, TypedDict, Unpack

import numpy as np

from ..engine.registry import BackendLike
from ..errors import FormatError, LimitReached
from ..explain.rating import rate
from ..puzzle import Puzzle, Shape
from ..verbs.task import Problem
from .arrays import canonical_arrays
from .bands import Array
from .generating import Clues, generate
from .levels import Accept

PARTS = ("train", "validation", "test")
COLUMNS = {
    "question": "the puzzle in one line, . in open cells",
    "answer": "its only solution in one line",
    "clues": "the number of givens",
    "level": "how hard it is on the ladder of rate, such as 2.3; empty where it was not asked for",
    "canonical": "a digest of the least form under all symmetries: boards that are the same have the same one",
    "seed": "the seed with which it was made",
    "made": "the wishes with which it was made, as JSON",
}
"""What a row says, by column."""
BATCH = 1024
BARREN = 8
"""The search ends after this number of batches without anything new."""

Row = dict[str, Any]


@dataclass(frozen=True)
class Dataset:
    """A data set that was written: its folder, the number of rows of each part, and how many puzzles were ``tried``."""

    folder: Path
    sizes: Mapping[str, int]
    tried: int


class Wishes(TypedDict, total=False):
    """The wishes of ``generate`` that a data set may have, for type checkers and editors."""

    clues: Clues
    minimal: bool
    symmetry: str
    pattern: str | Iterable[int] | None
    start: Problem | None
    level: tuple[str, str] | None
    rating: float | tuple[float, float] | None
    techniques: tuple[str, ...]
    accept: Accept | None
    uniform: bool
    workers: int
    tries: int | None
    time_limit: float | None
    backend: BackendLike


def dataset(
    folder: str | Path,
    train: int,
    validation: int = 0,
    test: int = 0,
    *,
    shape: Shape | None = None,
    rated: bool = False,
    seed: int = 0,
    **wishes: Unpack[Wishes],
) -> Dataset:
    """Make a data set of puzzles, each with one solution, and write it to a new folder.

    No two puzzles in it, of whatever parts, are the same up to symmetry, nor have two of them grids that are the same:
    so a test set holds nothing that was trained on. Parts are alike: puzzles of a level (``rated``), or else of a
    number of clues, are shared out in the same proportion. Other wishes are those of ``generate``. The same seed gives
    the same rows. The folder appears when it is complete. FileExistsError for a folder that is there; ValueError for
    numbers below 0 or a shape without boxes that is no Latin square; LimitReached when there are not as many puzzles.
    """
    target, sizes = Path(folder), dict(zip(PARTS, (train, validation, test), strict=True))
    if min(sizes.values()) < 0:
        raise ValueError(f"parts of {train}, {validation} and {test} puzzles: 0 or more are expected")
    if target.exists():
        raise FileExistsError(f"{target} is there already: a new folder is expected")
    shape = shape or Shape.square(9)
    made = _Rows(shape, rated, seed, wishes, min(BATCH, 2 * sum(sizes.values()) + 16))
    rows = list(islice(made, sum(sizes.values())))
    if len(rows) < sum(sizes.values()):
        raise LimitReached(f"only {len(rows)} puzzles were found that are not the same up to symmetry", rows)
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as temporary:
        whole = Path(temporary) / "set"
        whole.mkdir()
        for part, chosen in _shared(rows, sizes).items():
            _write(chosen, whole / f"{part}.parquet")
        (whole / "README.md").write_text(_card(rows, sizes, shape, seed, wishes, made.tried), encoding="utf-8")
        shutil.move(whole, target)
    return Dataset(target, sizes, made.tried)


class _Rows:
    """The rows of a data set, without end; puzzles and grids that were there before are left out."""

    def __init__(self, shape: Shape, rated: bool, seed: int, wishes: Mapping[str, Any], size: int) -> None:
        self.shape, self.rated, self.seed, self.wishes, self.tried = shape, rated, seed, wishes, 0
        self._grids: set[bytes] = set()
        self._size = size

    def __iter__(self) -> Iterator[Row]:
        told = json.dumps({name: str(value) for name, value in sorted(self.wishes.items())})
        number, last = 0, 0
        while number <= last + BARREN:
            seed = self.seed + 1_000_003 * number
            made = generate(self._size, shape=self.shape, seed=seed, **self.wishes)
            self.tried += made.tried
            grids, forms = canonical_arrays(made.solutions, self.shape), canonical_arrays(made.values, self.shape)
            for puzzle, grid, form in zip(made.puzzles, grids.boards, forms.boards, strict=True):
                if grid.tobytes() not in self._grids:
                    self._grids.add(grid.tobytes())
                    last = number
                    yield self._row(puzzle, form, seed, told)
            number = number + 1 if made.complete else last + BARREN + 1

    def _row(self, puzzle: Puzzle, form: Array, seed: int, told: str) -> Row:
        assert puzzle.stated is not None
        return {
            "question": puzzle.to_line(),
            "answer": Puzzle(self.shape, puzzle.stated).to_line(),
            "clues": puzzle.clues,
            "level": rate(puzzle, time_limit=10).to_json()["level"] if self.rated else None,
            "canonical": hashlib.sha256(form.tobytes()).hexdigest()[:32],
            "seed": seed,
            "made": told,
        }


def _shared(rows: list[Row], sizes: Mapping[str, int]) -> dict[str, list[Row]]:
    """Share rows out so that each part has its size and the parts are alike in level, or in clues."""
    ordered = sorted(range(len(rows)), key=lambda i: (rows[i]["level"] or "", rows[i]["clues"], i))
    found: dict[str, list[int]] = {part: [] for part in sizes}
    for turn, i in enumerate(ordered, 1):
        part = max(sizes, key=lambda part: sizes[part] * turn / max(len(rows), 1) - len(found[part]))
        found[part].append(i)
    return {part: [rows[i] for i in sorted(chosen)] for part, chosen in found.items()}


def _write(rows: list[Row], path: Path) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    kinds = {"clues": pa.int16(), "seed": pa.int64()}
    fields = [pa.field(name, kinds.get(name, pa.string()), metadata={"text": text}) for name, text in COLUMNS.items()]
    parquet.write_table(pa.Table.from_pylist(rows, pa.schema(fields)), path)


def _card(
    rows: list[Row], sizes: Mapping[str, int], shape: Shape, seed: int, wishes: Mapping[str, Any], tried: int
) -> str:
    lines = ["# Sudoku puzzles", "", f"Boards: {shape}. Each puzzle has exactly one solution, which is proved."]
    lines += [
        "No two puzzles, and no two solutions, are the same up to symmetry.",
        "",
        "| part | rows |",
        "| --- | --- |",
    ]
    lines += [f"| {part} | {size} |" for part, size in sizes.items()]
    lines += ["", "| column | meaning |", "| --- | --- |", *(f"| {name} | {text} |" for name, text in COLUMNS.items())]
    for name in ("clues", "level"):
        values = sorted({row[name] for row in rows if row[name] is not None})
        shares = ", ".join(f"{value}: {sum(row[name] == value for row in rows)}" for value in values)
        lines += ["", f"Rows by {name}: {shares or 'not rated'}."]
    lines += [
        "",
        f"Made by sudoku-models with the seed {seed}, from {tried} candidates; wishes: {dict(wishes) or 'none'}.",
    ]
    return "\n".join(lines) + "\n"


@dataclass(frozen=True)
class Loaded:
    """Puzzles from elsewhere: ``puzzles`` and ``solutions`` (uint8, n x cells), and their ``ratings`` as they stand."""

    puzzles: Array
    solutions: Array | None
    ratings: list[Any] | None


_NAMES = {"puzzles": ("question", "quizzes", "puzzle"), "solutions": ("answer", "solutions", "solution")}


def load(path: str | Path) -> Loaded:
    """Read puzzles and solutions in a plain form: a table (CSV, Parquet) or arrays (``.npz``).

    Columns, or arrays, are called question and answer, quizzes and solutions, puzzle and solution, or puzzles; a table
    may have a rating or a level. FormatError for a file without such a column, and for lines that are no boards.
    """
    source = Path(path)
    if source.suffix == ".npz":
        with np.load(source) as arrays:
            columns: dict[str, Any] = dict(arrays)
    else:
        import pandas as pd

        table = pd.read_parquet(source) if source.suffix == ".parquet" else pd.read_csv(source, dtype=str)
        columns = {name: table[name].tolist() for name in table.columns}
    puzzles = _boards(columns, (*_NAMES["puzzles"], "puzzles"), source)
    if puzzles is None:
        raise FormatError(f"{source}: no column of puzzles: question, quizzes or puzzle is expected")
    ratings = next((list(columns[name]) for name in ("rating", "level", "difficulty") if name in columns), None)
    return Loaded(puzzles, _boards(columns, _NAMES["solutions"], source), ratings)


def _boards(columns: Mapping[str, Any], names: tuple[str, ...], source: Path) -> Array | None:
    found = next((columns[name] for name in names if name in columns), None)
    if found is None:
        return None
    if hasattr(found, "dtype"):
        rows: Array = found.reshape(len(found), -1).astype(np.uint8)
        return rows
    from ..bulk.batches import rows_of

    lines = [str(line) for line in found]
    if {len(line) for line in lines} <= {81}:
        read: Array = rows_of(lines)
        return read
    try:
        grids = [[v or 0 for v in Puzzle.parse(line).givens] for line in lines]
        return np.array(grids, np.uint8)
    except (FormatError, ValueError) as error:
        raise FormatError(f"{source}: lines of boards of one size are expected: {error}") from None
