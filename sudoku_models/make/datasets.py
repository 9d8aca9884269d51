"""Data sets for training and testing models (extra ``data``): no two puzzles are the same up to symmetry.

A set is a folder with ``train.parquet``, ``validation.parquet``, ``test.parquet`` and a card, ``README.md``.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from ..errors import LimitReached
from ..explain import rate
from ..explain.classic import rate_arrays
from ..formats import write
from ..puzzle import Puzzle, Shape
from ..puzzle.rules.rule_base import each
from .bands import Array
from .form_arrays import canonical_arrays
from .ratings import NINE
from .sorts import Sort, Wishes, amounts, sorts_of
from .symmetry import canonical
from .traces import form_of, trace

PARTS = ("train", "validation", "test")
TRIALS = (3, 1000)
"""The highest level tried on boards that are not classic, so that every machine rates the same ones."""

COLUMNS = {
    "question": "the puzzle in one line, . in open cells; a constraint string where it has rules",
    "answer": "its only solution in one line",
    "board": "rows x columns of the board",
    "rules": "the kinds of its rules, separated by spaces",
    "clues": "the number of givens",
    "level": "its level on the ladder of rate, such as 2.3; empty if it was not requested, and on boards that "
    "are not classic beyond level 3",
    "rating": "the SE-like rating of classic 9 x 9 boards; empty if it was not requested",
    "canonical": "a digest of the least form under all symmetries: boards that are the same have the same one",
    "seed": "the seed with which it was made",
    "made": "the options with which it was made, as JSON",
    "trace": "the path to the solution, as tokens or text; empty if it was not requested",
}
"""The meaning of each column."""
BATCH = 1024
BARREN = 8
"""The search ends after this number of batches without a new puzzle."""

Row = dict[str, Any]

CLASSES = {(2, 2): 2, (2, 3): 49, (3, 2): 49}
"""The number of grids up to symmetry, by the rows and columns of a box."""


@dataclass(frozen=True)
class Dataset:
    """A data set on disk: its folder, the number of rows in each part, and the number of candidates (``tried``)."""

    folder: Path
    sizes: Mapping[str, int]
    tried: int

    def __repr__(self) -> str:
        parts = ", ".join(f"{part} {size}" for part, size in self.sizes.items())
        return f"<Dataset in {self.folder}: {parts}>"


def dataset(
    folder: str | Path,
    train: int,
    validation: int = 0,
    test: int = 0,
    *,
    shape: Shape | None = None,
    mix: Sequence[Mapping[str, Any]] = (),
    strata: Sequence[tuple[str, str] | tuple[float, float]] = (),
    rated: bool = False,
    traces: str | None = None,
    seed: int = 0,
    **wishes: Unpack[Wishes],
) -> Dataset:
    """Make a data set of puzzles, each with one solution, and write it to a new folder.

    No two puzzles in it, in any of its parts, are the same up to symmetry, and neither are their solution grids: so the
    test set contains nothing from the training set. ``mix`` lists sorts of puzzles, each with its ``share`` (1 unless
    given), its ``shape``, and further options of ``generate``. Other ``wishes`` apply to all sorts. ``strata`` are
    bands with equally many puzzles: levels, ("1.1", "1.2"), or SE-like ratings, (1.0, 2.5), of classic boards. Parts
    are similar: the puzzles of each sort, and in it of each level (``rated``) or otherwise of each number of clues, are
    split in the same proportion. ``traces`` adds the path of each puzzle, as "tokens", "ids" or "text".

    The same seed gives the same rows. The folder appears when it is complete. FileExistsError for a folder that already
    exists; ValueError for numbers below 0, incompatible options, or a shape without boxes that is not a Latin
    square; LimitReached if too few puzzles are found.
    """
    target, sizes = Path(folder), dict(zip(PARTS, (train, validation, test), strict=True))
    if min(sizes.values()) < 0:
        raise ValueError(f"parts of {train}, {validation} and {test} puzzles: 0 or more are expected")
    traces = None if traces is None else form_of(traces)
    if target.exists():
        raise FileExistsError(f"{target} already exists: a new folder is expected")
    sorts = sorts_of(mix, strata, shape, wishes)
    made = _Making(seed, rated, traces)
    rows = [
        row
        for sort, amount in zip(sorts, amounts(sorts, sum(sizes.values())), strict=True)
        for row in made.rows(sort, amount)
    ]
    _put(target, rows, sizes, _card(rows, sizes, sorts, seed, made.tried))
    return Dataset(target, sizes, made.tried)


def _put(target: Path, rows: list[Row], sizes: Mapping[str, int], card: str) -> None:
    """Write the parts and the card to a folder that appears when it is complete."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as temporary:
        whole = Path(temporary) / "set"
        whole.mkdir()
        for part, chosen in _shared(rows, sizes).items():
            _write(chosen, whole / f"{part}.parquet")
        (whole / "README.md").write_text(card, encoding="utf-8")
        shutil.move(whole, target)


class _Making:
    """Makes rows; leaves out puzzles whose grids occurred before, in any sort."""

    def __init__(self, seed: int, rated: bool, traces: str | None) -> None:
        self.seed, self.rated, self.traces, self.tried = seed, rated, traces, 0
        self._grids: set[tuple[int, bytes]] = set()

    def rows(self, sort: Sort, amount: int) -> list[Row]:
        """Make rows of one sort; LimitReached if there are not enough."""
        classes = CLASSES.get(sort.shape.box or (0, 0), amount)
        if amount > classes:
            few = f"{sort.shape} has {classes} grids up to symmetry, and no two puzzles of a set share one"
            raise LimitReached(f"{amount} puzzles cannot be made: {few}", [])
        rows = list(islice(self._endless(sort, amount), amount))
        if len(rows) < amount:
            raise LimitReached(f"only {len(rows)} puzzles were found that are not the same up to symmetry", rows)
        return rows

    def _endless(self, sort: Sort, amount: int) -> Iterator[Row]:
        number, last, size = 0, 0, sort.together(min(BATCH, 2 * amount + 16))
        while number <= last + BARREN:
            seed = self.seed + 1_000_003 * number
            made = sort.made(size, seed)
            self.tried += made.tried
            for puzzle, form, scales in self._new(sort, made.puzzles):
                last = number
                yield self._row(puzzle, form, scales, sort, seed)
            number = number + 1 if made.complete else last + BARREN + 1

    def _new(self, sort: Sort, puzzles: Sequence[Puzzle]) -> Iterator[tuple[Puzzle, str, Row]]:
        """Yield puzzles whose grids are new, with a digest of the least form and their ratings."""
        if not puzzles:
            return
        grids = canonical_arrays(_array([puzzle.stated for puzzle in puzzles]), sort.shape).boards
        new = []
        for puzzle, grid in zip(puzzles, grids, strict=True):
            key = len(grid), grid.tobytes()
            if key not in self._grids:
                self._grids.add(key)
                new.append(puzzle)
        if new:
            yield from zip(new, _digests(new, sort), self._scales(new, sort), strict=True)

    def _scales(self, puzzles: list[Puzzle], sort: Sort) -> list[Row]:
        """Return the level of each puzzle, and the SE-like rating of classic ones."""
        if not self.rated:
            return [{"level": None, "rating": None}] * len(puzzles)
        if sort.is_variant or sort.shape != NINE:
            found = [rate(puzzle, highest=TRIALS) for puzzle in puzzles]
            return [{"level": f.to_json()["level"] if f.exact else None, "rating": None} for f in found]
        values = _array([puzzle.givens for puzzle in puzzles])
        levels, ratings = rate_arrays(values, "level").texts(), rate_arrays(values, "se").values.tolist()
        return [{"level": level, "rating": se / 10} for level, se in zip(levels, ratings, strict=True)]

    def _row(self, puzzle: Puzzle, form: str, scales: Row, sort: Sort, seed: int) -> Row:
        assert puzzle.stated is not None
        return {
            "question": next(write([puzzle], "iss")).strip() if puzzle.rules else puzzle.to_line(),
            "answer": Puzzle(sort.shape, puzzle.stated).to_line(),
            "board": f"{sort.shape.height}x{sort.shape.width}",
            "rules": " ".join(sorted({type(rule).__name__ for rule in each(puzzle.rules)})),
            "clues": puzzle.clues,
            **scales,
            "canonical": form,
            "seed": seed,
            "made": json.dumps({name: str(value) for name, value in sorted(sort.wishes.items())}),
            "trace": self._trace(puzzle, sort),
            "sort": sort.number,
        }

    def _trace(self, puzzle: Puzzle, sort: Sort) -> str | None:
        if self.traces is None:
            return None
        found = trace(puzzle, highest=None if sort.shape == NINE and not sort.is_variant else "3.any")
        return found.form(self.traces)


def _digests(puzzles: list[Puzzle], sort: Sort) -> list[str]:
    """Return digests of the least forms."""
    if not sort.is_variant:
        forms = canonical_arrays(_array([puzzle.givens for puzzle in puzzles]), sort.shape).boards
        return [_digest(form.tobytes()) for form in forms]
    return [_digest(next(write([canonical(puzzle).board], "iss")).strip().encode()) for puzzle in puzzles]


def _digest(form: bytes) -> str:
    return hashlib.sha256(form).hexdigest()[:32]


def _array(rows: Sequence[Any]) -> Array:
    return np.array([[value or 0 for value in row] for row in rows], np.uint8)


def _shared(rows: list[Row], sizes: Mapping[str, int]) -> dict[str, list[Row]]:
    """Split rows so that each part has its size and all parts are similar in sorts, and in level or number of clues."""
    ordered = sorted(range(len(rows)), key=lambda i: (rows[i]["sort"], rows[i]["level"] or "", rows[i]["clues"], i))
    found: dict[str, list[int]] = {part: [] for part in sizes}
    for turn, i in enumerate(ordered, 1):
        part = max(sizes, key=lambda part: sizes[part] * turn / max(len(rows), 1) - len(found[part]))
        found[part].append(i)
    return {part: [rows[i] for i in sorted(chosen)] for part, chosen in found.items()}


def _write(rows: list[Row], path: Path) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    kinds = {"clues": pa.int16(), "seed": pa.int64(), "rating": pa.float32()}
    fields = [pa.field(name, kinds.get(name, pa.string()), metadata={"text": text}) for name, text in COLUMNS.items()]
    parquet.write_table(pa.Table.from_pylist(rows, pa.schema(fields)), path)


def _card(rows: list[Row], sizes: Mapping[str, int], sorts: Sequence[Sort], seed: int, tried: int) -> str:
    lines = ["# Sudoku puzzles", "", "Each puzzle has exactly one solution, which is proved."]
    lines += ["No two puzzles, and no two solutions, are the same up to symmetry.", ""]
    lines += _table(("part", "rows"), sizes.items())
    lines += _table(("column", "meaning"), COLUMNS.items())
    numbers = [sum(row["sort"] == sort.number for row in rows) for sort in sorts]
    lines += _table(("sort of puzzles", "rows"), zip(map(str, sorts), numbers, strict=True))
    for name in ("clues", "level", "rating"):
        values = sorted({row[name] for row in rows if row[name] is not None})
        shares = ", ".join(f"{value}: {sum(row[name] == value for row in rows)}" for value in values)
        lines += [f"Rows by {name}: {shares or 'not rated'}.", ""]
    return "\n".join([*lines, f"Made by sudoku-models with the seed {seed}, from {tried} candidates."]) + "\n"


def _table(head: tuple[str, str], rows: Any) -> list[str]:
    """Return a table of two columns, followed by an empty line."""
    return [f"| {' | '.join(head)} |", "| --- | --- |", *(f"| {a} | {b} |" for a, b in rows), ""]
