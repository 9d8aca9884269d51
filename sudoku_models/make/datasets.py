"""Data sets for training and testing models (extra ``data``): no two puzzles are the same up to symmetry.

A set is a folder with ``train.parquet``, ``validation.parquet``, ``test.parquet`` and a card, ``README.md``. While it
is made, a folder beside it, whose name ends in ``.part``, has a journal with a line for each batch of puzzles. A batch
depends only on the options and on the batches before it, so that a set whose making was interrupted is continued, and
gets the same bytes as an uninterrupted one.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, islice, pairwise
from numbers import Real
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from ..errors import LimitReached, Unusable, meant
from ..explain import rate
from ..explain.classic import rate_arrays
from ..journal import Journal
from ..puzzle import Grid, Puzzle, Shape
from ..puzzle.rules.rule_base import Rule, each
from .arrays import canonical_arrays
from .chance import Array
from .generating import generate
from .rows import text_of
from .symmetry import canonical
from .traces import form_of, trace
from .wishes import NINE, Options, Wishes

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
BATCH, FEW = 1024, 16
"""Puzzles that are made together at most; and of variants or of some difficulty, each of which takes some time."""

BARREN = 8
"""The search ends after this number of batches without a new puzzle."""

TOGETHER = 65_536
"""Rows of a part that are written together."""

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
    **wishes: Unpack[Options],
) -> Dataset:
    """Make a data set of puzzles, each with one solution, and write it to a new folder.

    No two puzzles in it, in any of its parts, are the same up to symmetry, and neither are their solution grids: so the
    test set contains nothing from the training set. ``mix`` lists sorts of puzzles, each with its ``share`` (1 unless
    given), its ``shape``, and further options of ``generate``. Other ``wishes`` apply to all sorts. ``strata`` are
    bands with equally many puzzles: levels, ("1.1", "1.2"), or SE-like ratings, (1.0, 2.5), of classic boards. Parts
    are similar: the puzzles of each sort, and in it of each level (``rated``) or otherwise of each number of clues, are
    split in the same proportion. ``traces`` adds the path of each puzzle, as "tokens", "ids" or "text".

    The same seed gives the same bytes, with any number of ``workers``. The folder appears when it is complete; a call
    that was interrupted, even by a kill, is continued by the same call. FileExistsError for a folder that already
    exists; Unusable if another process makes this set, or if one with other options was begun there; ValueError for
    numbers below 0, incompatible options, or a shape without boxes that is not a Latin square; LimitReached if too few
    puzzles are found.
    """
    target, sizes = Path(folder), dict(zip(PARTS, (train, validation, test), strict=True))
    if min(sizes.values()) < 0:
        raise ValueError(f"parts of {train}, {validation} and {test} puzzles: 0 or more are expected")
    traces = None if traces is None else form_of(traces)
    if target.exists():
        raise FileExistsError(f"{target} already exists: a new folder is expected")
    sorts = _sorts(mix, strata, {"shape": shape, **wishes})
    head = {
        "sizes": sizes, "rated": rated, "traces": traces, "seed": seed,
        "sorts": [[sort.share, str(sort.shape), sort.stated] for sort in sorts],
    }  # fmt: skip
    return _made(target, sorts, sizes, head)


def _made(target: Path, sorts: Sequence[Sort], sizes: Mapping[str, int], head: Mapping[str, Any]) -> Dataset:
    """Make a set in a folder beside its own, and put it there when it is complete."""
    amounts, part = _amounts(sorts, sum(sizes.values())), target.with_name(f"{target.name}.part")
    part.mkdir(parents=True, exist_ok=True)
    with Journal(part / "journal.jsonl") as journal:
        made = _Making(journal, head)
        try:
            for sort, amount in zip(sorts, amounts, strict=True):
                made.make(sort, amount)
        except BaseException:
            if not made.batches:
                shutil.rmtree(part)
            raise
        whole = part / "set"
        shutil.rmtree(whole, ignore_errors=True)
        whole.mkdir()
        _write_parts(made, sizes, whole)
        (whole / "README.md").write_text(_card(made, sizes, sorts), encoding="utf-8")
        whole.rename(target)
    shutil.rmtree(part)
    return Dataset(target, sizes, made.tried)


# ---- sorts of puzzles


@dataclass(frozen=True)
class Sort:
    """Puzzles with some ``options`` of ``generate``, and a ``share`` of the total; ``number`` is its index."""

    number: int
    share: float
    shape: Shape
    options: Mapping[str, Any]
    is_variant: bool

    @property
    def is_slow(self) -> bool:
        """Return whether each puzzle takes some time."""
        return bool({"level", "rating", "techniques", "accept"} & self.options.keys()) or self.is_variant

    @cached_property
    def stated(self) -> dict[str, Any]:
        """The options as JSON values; without those that have a column or do not change the puzzles."""
        left = self.options.keys() - {"shape", "seed", "workers"}
        stated: dict[str, Any] = json.loads(json.dumps({x: self.options[x] for x in sorted(left)}, default=_stated))
        return stated

    def __str__(self) -> str:
        stated = ", ".join(f"{name} {json.dumps(value)}" for name, value in self.stated.items())
        return f"{self.shape}{'; ' if stated else ''}{stated}"

    def digests(self, boards: Sequence[Any]) -> list[str]:
        """Return digests of the least forms of boards without rules: rows of values."""
        forms: Any = canonical_arrays(_array(boards), self.shape).boards if boards else []
        return [_digest(form.tobytes()) for form in forms]

    def scales(self, puzzles: Sequence[Puzzle], rated: bool) -> Iterable[tuple[str | None, float | None]]:
        """Return the level of each puzzle, and the SE-like rating of classic ones."""
        if not rated or not puzzles:
            return [(None, None)] * len(puzzles)
        if self.is_variant or self.shape != NINE:
            found = [rate(puzzle, highest=TRIALS) for puzzle in puzzles]
            return [(one.to_json()["level"] if one.exact else None, None) for one in found]
        values = _array([puzzle.givens for puzzle in puzzles])
        ratings = (rate_arrays(values, "se").values / 10).tolist()
        return zip(rate_arrays(values, "level").texts(), ratings, strict=True)


def _stated(value: Any) -> Any:
    """Return an option that JSON does not have as one that it has."""
    if isinstance(value, Puzzle | Grid):
        return text_of(Puzzle.of(value) if isinstance(value, Grid) else value)
    if isinstance(value, Rule):
        return repr(value)
    if callable(value):
        return getattr(value, "__qualname__", type(value).__qualname__)
    try:
        return dict(value) if isinstance(value, Mapping) else list(value)
    except TypeError:
        return str(value)


def _digest(form: bytes) -> str:
    return hashlib.sha256(form).hexdigest()[:32]


def _array(rows: Sequence[Any]) -> Array:
    return np.array([[value or 0 for value in row] for row in rows], np.uint8)


def _sorts(
    mix: Sequence[Mapping[str, Any]], strata: Sequence[tuple[Any, Any]], options: Mapping[str, Any]
) -> list[Sort]:
    """Return the sorts that a mix states, divided into strata; ValueError for impossible shares and options."""
    found: list[Sort] = []
    known = ["shape", *Options.__annotations__]
    bounds = [{"level" if isinstance(band[0], str) else "rating": band} for band in strata] or [{}]
    for stated in mix or [{}]:
        own = {**options, **stated}
        share = own.pop("share", 1.0)
        if not isinstance(share, Real) or share <= 0:
            raise ValueError(f"a share of {share!r:.80}: a number above 0 is expected")
        for name in sorted(stated.keys() - {"share", *known}):
            one = f"one of {', '.join(sorted(known))} is expected{meant(name, known)}"
            raise ValueError(f"{name!r} is not an option of generate: {one}")
        for bound in bounds:
            if set(bound) & set(own):
                raise ValueError(f"strata and the option {next(iter(bound))} cannot be combined")
            chosen = {**own, **bound}
            wishes = Wishes(own.get("shape"), 0, chosen)
            found.append(Sort(len(found), float(share) / len(bounds), wishes.shape, chosen, wishes.has_rules))
    return found


def _amounts(sorts: Sequence[Sort], total: int) -> list[int]:
    """Divide a number into integers as close as possible to the shares; the same sorts give the same numbers.

    LimitReached if there are not so many grids.
    """
    sums = list(accumulate(sort.share for sort in sorts))
    ends = [0, *(round(total * part / sums[-1]) for part in sums)]
    found = [end - begin for begin, end in pairwise(ends)]
    for sort, amount in zip(sorts, found, strict=True):
        classes = CLASSES.get(sort.shape.box or (0, 0), amount)
        if amount > classes:
            few = f"{sort.shape} has {classes} grids up to symmetry, and no two puzzles of a set share one"
            raise LimitReached(f"{amount} puzzles cannot be made: {few}", [])
    return found


# ---- making rows, batch by batch


class _Making:
    """Makes rows in batches, a line of the journal for each; leaves out puzzles whose grids occurred before.

    Lines that are in the journal already are taken from there. ``keys`` says of each row what the parts should be alike
    in: its sort, its level and its number of clues.
    """

    def __init__(self, journal: Journal, head: Mapping[str, Any]) -> None:
        self.journal, self.rated, self.traces, self.seed = journal, head["rated"], head["traces"], head["seed"]
        self.batches, self.tried, self.keys = 0, 0, list[tuple[int, str, int]]()
        self.counts: dict[str, Counter[Any]] = {name: Counter() for name in ("sort", "clues", "level", "rating")}
        self._grids: set[str] = set()
        self._known = journal.lines()
        begun = next(self._known, None)
        if begun is None:
            journal.add(dict(head))
        elif begun != json.loads(json.dumps(head)):
            there = f"{journal.path.parent} is an unfinished data set with other options"
            raise Unusable(f"{there}: remove it, or choose another folder")

    def make(self, sort: Sort, amount: int) -> None:
        """Make rows of one sort; LimitReached if there are not enough."""
        found, number, last, size = 0, 0, 0, min(FEW if sort.is_slow else BATCH, 2 * amount + 16)
        while found < amount and number <= last + BARREN:
            line = next(self._known, None)
            if line is None:
                line = self._batch(sort, number, size, amount - found)
                self.journal.add(line)
            for row in line["rows"]:
                self._note(row)
            self.batches += 1
            self.tried += line["tried"]
            found += len(line["rows"])
            last = number if line["rows"] else last
            number = number + 1 if line["complete"] else last + BARREN + 1
        if found < amount:
            raise LimitReached(f"only {found} puzzles were found that are not the same up to symmetry")

    def _note(self, row: Row) -> None:
        self._grids.add(row["grid"])
        self.keys.append((row["sort"], row["level"] or "", row["clues"]))
        for name, counter in self.counts.items():
            if row[name] is not None:
                counter[row[name]] += 1

    def _batch(self, sort: Sort, number: int, size: int, most: int) -> dict[str, Any]:
        """Make the next batch of a sort, with at most a number of rows, all with new grids."""
        seed = self.seed + 1_000_003 * number
        made = generate(size, **{**sort.options, "seed": seed})
        new: dict[str, Puzzle] = {}  # by the least forms of the grids
        for puzzle, key in zip(made, sort.digests([puzzle.stated for puzzle in made]), strict=True):
            if key not in self._grids and len(new) < most:
                new.setdefault(key, puzzle)
        puzzles = list(new.values())
        if sort.is_variant:
            forms = [_digest(text_of(canonical(puzzle).board).encode()) for puzzle in puzzles]
        else:
            forms = sort.digests([puzzle.givens for puzzle in puzzles])
        found = zip(puzzles, new, forms, sort.scales(puzzles, self.rated), strict=True)
        rows = [
            {**self._row(puzzle, sort), "level": level, "rating": rating, "canonical": form, "seed": seed, "grid": grid}
            for puzzle, grid, form, (level, rating) in found
        ]
        return {"tried": made.tried, "complete": made.complete, "rows": rows}

    def _row(self, puzzle: Puzzle, sort: Sort) -> Row:
        assert puzzle.stated is not None
        highest = None if sort.shape == NINE and not sort.is_variant else "3.any"
        return {
            "question": text_of(puzzle),
            "answer": Puzzle(sort.shape, puzzle.stated).to_line(),
            "board": f"{sort.shape.height}x{sort.shape.width}",
            "rules": " ".join(sorted({type(rule).__name__ for rule in each(puzzle.rules)})),
            "clues": puzzle.clues,
            "made": json.dumps(sort.stated),
            "trace": None if self.traces is None else trace(puzzle, highest=highest).form(self.traces),
            "sort": sort.number,
        }


# ---- writing


def _write_parts(made: _Making, sizes: Mapping[str, int], folder: Path) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    kinds = {"clues": pa.int16(), "seed": pa.int64(), "rating": pa.float32()}
    fields = [pa.field(name, kinds.get(name, pa.string()), metadata={"text": text}) for name, text in COLUMNS.items()]
    schema, parts = pa.schema(fields), _parts_of(made.keys, sizes)
    for part in PARTS:
        rows = (row for line in islice(made.journal.lines(), 1, None) for row in line["rows"])
        mine = (row for row, its in zip(rows, parts, strict=True) if its == part)
        with parquet.ParquetWriter(folder / f"{part}.parquet", schema) as file:
            file.write_table(pa.Table.from_pylist(list(islice(mine, TOGETHER)), schema))
            while more := list(islice(mine, TOGETHER)):
                file.write_table(pa.Table.from_pylist(more, schema))


def _parts_of(keys: Sequence[tuple[int, str, int]], sizes: Mapping[str, int]) -> list[str]:
    """Return the part of each row: each has its size, and all are similar in sorts, levels or numbers of clues."""
    taken, found = dict.fromkeys(sizes, 0), [""] * len(keys)
    for turn, i in enumerate(sorted(range(len(keys)), key=keys.__getitem__), 1):
        part = max(sizes, key=lambda part: sizes[part] * turn / len(keys) - taken[part])
        taken[part] += 1
        found[i] = part
    return found


def _card(made: _Making, sizes: Mapping[str, int], sorts: Sequence[Sort]) -> str:
    lines = ["# Sudoku puzzles", "", "Each puzzle has exactly one solution, which is proved."]
    lines += ["No two puzzles, and no two solutions, are the same up to symmetry.", ""]
    tables: dict[tuple[str, str], Iterable[tuple[Any, Any]]] = {
        ("part", "rows"): sizes.items(),
        ("column", "meaning"): COLUMNS.items(),
        ("sort of puzzles", "rows"): [(sort, made.counts["sort"][sort.number]) for sort in sorts],
    }
    for head, rows in tables.items():
        lines += [f"| {' | '.join(head)} |", "| --- | --- |", *(f"| {a} | {b} |" for a, b in rows), ""]
    for name in ("clues", "level", "rating"):
        shares = ", ".join(f"{value}: {number}" for value, number in sorted(made.counts[name].items()))
        lines += [f"Rows by {name}: {shares or 'not rated'}.", ""]
    return "\n".join([*lines, f"Made by sudoku-models with the seed {made.seed}, from {made.tried} candidates."]) + "\n"
