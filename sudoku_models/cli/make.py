"""``sudoku-models generate``, ``grids``, ``statistics`` and ``dataset``.

The record of the schema ``sudoku-models/generate/1``, one a puzzle: ``number``, ``puzzle`` (a line, or a constraint
string where there are rules), ``solution``, ``clues``, ``seed``; of ``sudoku-models/grids/1``: ``number``,
``solution``, ``seed``. A table has the same columns. Of ``sudoku-models/statistics/1``, a record for each number of
clues: ``clues``, ``share``, ``low``, ``high`` (the interval that holds the true share in 95 of 100 cases).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from .. import make
from ..bulk.kinds import INTEGER, NUMBER, TEXT
from ..formats import parse
from ..make.many_made import text_of
from ..puzzle import Puzzle
from .answers import wants_table
from .board_answers import used, written
from .codes import Code, UsageError
from .making import DatasetOptions, GenerateOptions, GridsOptions
from .options import Records
from .outputs import output
from .records import Fields, pieces, writer
from .terminal import say
from .wishes import board_of, levels_of, mix_of, placed, rating_of, shape_of, span_of, strata_of

PUZZLES = {"puzzle": TEXT, "solution": TEXT, "clues": INTEGER, "seed": INTEGER}
GRIDS = {"solution": TEXT, "seed": INTEGER}
SHARES = {"clues": INTEGER, "share": NUMBER, "low": NUMBER, "high": NUMBER}
"""The columns of what is made, and what each holds."""


def generate(wish: GenerateOptions, to: str, format: Records | None, out: str | None) -> Code:
    """Make puzzles and write them; say how many candidates were tried."""
    made = used(lambda: _generated(wish))
    if format is None and not wants_table(format, out):
        written(iter(made.puzzles), to, out)
    else:
        rows = ({**_row(puzzle), "seed": wish.seed} for puzzle in made.puzzles)
        records("generate", PUZZLES, rows, format, out)
    say(f"made {len(made)}, tried {made.tried}" + (f": {made.reason}" if made.reason else ""))
    return Code.SOLVED if made.complete else Code.LIMIT


def _generated(wish: GenerateOptions) -> make.Generated | make.Variants:
    board, techniques = board_of(wish), tuple(wish.technique or ())
    limits: dict[str, Any] = {
        "seed": wish.seed,
        "level": levels_of(wish.level),
        "tries": wish.tries,
        "time_limit": wish.time_limit,
    }
    if board.rules or wish.place:
        if wish.rating is not None or wish.size is not None or techniques:
            raise UsageError("--rating, --size and --technique are for puzzles without rules: --level is for all")
        if not (wish.minimal and wish.symmetry == "none" and wish.pattern is None and wish.start is None):
            raise UsageError("--no-minimal, --symmetry, --pattern and --from are for puzzles without rules")
        if wish.uniform:
            raise UsageError("--uniform is for puzzles without rules")
        return make.generate_variants(
            wish.number, shape=board.shape, rules=board.rules, place=placed(wish), clues=span_of(wish.clues),
            dropping=wish.dropping, **limits,
        )  # fmt: skip
    start = None if wish.start is None else parse(wish.start, shape=board.shape)
    return make.generate(
        wish.number, shape=board.shape, clues=span_of(wish.clues), minimal=wish.minimal, symmetry=wish.symmetry,
        pattern=wish.pattern, start=start, rating=rating_of(wish.rating),
        size=span_of(wish.size, "--size", "2-4"),
        techniques=techniques, uniform=wish.uniform, workers=wish.workers, **limits,
    )  # fmt: skip


def _row(puzzle: Puzzle) -> dict[str, Any]:
    assert puzzle.stated is not None
    solution = Puzzle(puzzle.shape, puzzle.stated).to_line()
    return {"puzzle": text_of(puzzle), "solution": solution, "clues": puzzle.clues}


def grids(wish: GridsOptions, to: str, format: Records | None, out: str | None) -> Code:
    """Make grids and write them."""
    shape = shape_of(wish.side, wish.boxes)
    rows = used(lambda: make.grids(wish.number, shape, seed=wish.seed, fast=wish.fast, workers=wish.workers))
    boards = (Puzzle(shape, tuple(row)) for row in rows.tolist())
    if format is None and not wants_table(format, out):
        written(boards, to, out)
    else:
        lines = ({"solution": board.to_line(), "seed": wish.seed} for board in boards)
        records("grids", GRIDS, lines, format, out)
    return Code.SOLVED


def statistics(population: int, runs: int, seed: int, workers: int, format: Records | None, out: str | None) -> Code:
    """Estimate the shares of all minimal puzzles by their numbers of clues."""
    found = used(lambda: make.minimal_statistics(population, runs, seed=seed, workers=workers))
    mean = found.mean
    rows = (
        {"clues": clues, "share": share.value, "low": max(share.low, 0.0), "high": share.high,
         "text": f"{clues} clues: {share.value:.2%} ({max(share.low, 0):.2%} to {share.high:.2%})"}
        for clues, share in found.shares.items()
    )  # fmt: skip
    records("statistics", SHARES, rows, format, out)
    say(f"mean {mean.value:.2f} clues ({mean.low:.2f} to {mean.high:.2f}), from {len(found.puzzles)} minimal puzzles")
    return Code.SOLVED


def dataset(folder: str, wish: DatasetOptions) -> Code:
    """Write a data set to a new folder."""
    wishes: dict[str, Any] = {
        "mix": mix_of(wish.mix),
        "strata": strata_of(wish.level, wish.rating),
        "traces": wish.traces,
    }
    own: dict[str, Any] = {"clues": span_of(wish.clues), "minimal": wish.minimal, "symmetry": wish.symmetry}
    shape = shape_of(wish.side, wish.boxes)
    made = used(
        lambda: make.dataset(
            folder, wish.train, wish.validation, wish.test, shape=shape, rated=wish.rated, seed=wish.seed,
            workers=wish.workers, **wishes, **({} if wish.mix else own),
        )
    )  # fmt: skip
    sizes = ", ".join(f"{part} {size}" for part, size in made.sizes.items())
    say(f"wrote {made.folder}: {sizes}; tried {made.tried}")
    return Code.SOLVED


def records(
    name: str, kinds: Mapping[str, str], rows: Iterable[Fields], format: Records | None, out: str | None
) -> None:
    """Write rows as records or as a table; ``kinds`` are the columns and what each holds."""
    if wants_table(format, out):
        from ..bulk import written as table

        whole = list(rows)
        with table(out or "-", kinds, format) as sink:
            sink.write({column: [row[column] for row in whole] for column in kinds})
        return
    put_all = pieces(
        (({"number": number, **row}, str(row.get("text") or row.get("puzzle") or row.get("solution")))
         for number, row in enumerate(rows, 1)),
        writer(format or Records.LINE, f"sudoku-models/{name}/1", ("number", *kinds)),
        lambda: Code.SOLVED,
    )  # fmt: skip
    with output(out) as put:
        for piece in put_all:
            put(piece)
