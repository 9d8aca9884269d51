"""``sudoku-models generate``, ``grids``, ``statistics``, ``dataset`` and ``jigsaw``.

There is one record of the schema ``sudoku-models/generate/1`` for each puzzle: ``number``, ``puzzle`` (a line, or a
constraint string if there are rules), ``solution``, ``clues``, ``seed``, ``missed`` (null; if a limit was reached
first, the last record is the nearest puzzle, and this field says which wish it misses). A record of
``sudoku-models/grids/1`` has ``number``, ``solution``, ``seed``. A table has the same columns. A record of
``sudoku-models/statistics/1``, one for each number of clues (or rating, level: ``--by``), has ``clues``,
``share``, ``low`` and ``high`` (the interval that holds the true share in 95 of 100 cases).
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from .. import make
from ..bulk.columns import INTEGER, NUMBER, TEXT
from ..bulk.sinks import BINARY, format_of
from ..bulk.sinks import written as table
from ..formats import parse
from ..make.places import some_rule
from ..make.rows import text_of
from ..puzzle import Puzzle
from .answers import check_format, form_of_rows, wants_table
from .board_answers import refused, used, writable, written
from .codes import Code, UsageError
from .making import By, DatasetOptions, GenerateOptions, GridsOptions
from .options import Records
from .outputs import output
from .terminal import say
from .wishes import board_of, levels_of, mix_of, placed, rating_of, shape_of, span_of, strata_of

PUZZLES = {"puzzle": TEXT, "solution": TEXT, "clues": INTEGER, "seed": INTEGER, "missed": TEXT}
GRIDS = {"solution": TEXT, "seed": INTEGER}
"""The columns of the output, and the type of each."""

AT_ONCE = 8_192
"""The number of rows written to a table at a time."""

SCALES = {By.RATING: "se"}
"""Scales whose names differ in Python."""


def generate(wish: GenerateOptions, to: str, format: Records | None, out: str | None) -> Code:
    """Make puzzles and write them; report the number of candidates tried and, after a limit, the nearest one."""
    as_boards = format is None and not wants_table(format, out)
    board = board_of(wish)
    start = None if wish.start is None else used(lambda: parse(str(wish.start), shape=board.shape))
    if as_boards:
        _refuse_early(board if start is None else start.with_rules(*board.rules), wish, to)
    made = used(lambda: _generated(wish, board, start))
    code = Code.SOLVED if made.complete else Code.LIMIT
    if as_boards:
        written(iter(made.puzzles), to, out)
    else:
        rows = [_row(puzzle, wish.seed) for puzzle in made.puzzles]
        rows += [] if made.nearest is None else [_row(made.nearest.puzzle, wish.seed, made.nearest.missed)]
        records("generate", PUZZLES, rows, format, out, code)
    say(f"made {len(made)}, tried {made.tried}" + (f": {made.reason}" if made.reason else ""))
    if made.nearest is not None:
        say(f"not quite as requested, but the nearest found: {text_of(made.nearest.puzzle)}: {made.nearest.missed}")
    return code


def _refuse_early(board: Puzzle, wish: GenerateOptions, to: str) -> None:
    """Refuse a format that cannot hold the rules, before anything is made, and name those that can."""
    writable(to)
    rules = [some_rule(kind, board.shape) for kind in placed(wish) if kind in make.PLACES]
    board = board.with_rules(*(rule for rule in rules if rule is not None))
    if (refusal := refused(board, to)) is not None:
        others = [name for name in ("sudokupad", "f-puzzles", "iss", "json") if refused(board, name) is None]
        reason = str(refusal).removesuffix(": json can hold them")
        raise UsageError(f"{reason}; formats that can hold it: {', '.join(f'--to {name}' for name in others)}")


def _generated(wish: GenerateOptions, board: Puzzle, start: Puzzle | None) -> make.Generated:
    return make.generate(
        wish.number, shape=board.shape, rules=board.rules, place=placed(wish), drop=tuple(wish.drop or ("given",)),
        clues=span_of(wish.clues), minimal=wish.minimal, symmetry=wish.symmetry, pattern=wish.pattern, start=start,
        level=levels_of(wish.level), rating=rating_of(wish.rating),
        techniques=tuple(wish.technique or ()), seed=wish.seed, uniform=wish.uniform, workers=wish.workers,
        tries=wish.tries, time_limit=wish.time_limit,
    )  # fmt: skip


def _row(puzzle: Puzzle, seed: int, missed: str | None = None) -> dict[str, Any]:
    assert puzzle.stated is not None
    solution = Puzzle(puzzle.shape, puzzle.stated).to_line()
    return {
        "puzzle": text_of(puzzle),
        "solution": solution,
        "clues": puzzle.clues,
        "seed": seed,
        "missed": missed,
    }


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


def statistics(
    population: int, runs: int, by: By, seed: int, workers: int, format: Records | None, out: str | None
) -> Code:
    """Estimate the distribution of all minimal puzzles by number of clues or by difficulty."""
    found = used(lambda: make.minimal_statistics(population, runs, seed=seed, workers=workers))
    mean = found.mean
    of: Mapping[Any, make.Share] = found.shares if by is By.CLUES else found.ratings(SCALES.get(by, str(by)))
    rows = [
        {str(by): key, "share": share.value, "low": max(share.low, 0.0), "high": share.high,
         "text": f"{_named(by, key)}: {share.value:.2%} ({max(share.low, 0):.2%} to {share.high:.2%})"}
        for key, share in of.items()
    ]  # fmt: skip
    kinds = {str(by): INTEGER if by is By.CLUES else TEXT, "share": NUMBER, "low": NUMBER, "high": NUMBER}
    records("statistics", kinds, rows, format, out)
    say(f"mean {mean.value:.2f} clues ({mean.low:.2f} to {mean.high:.2f}), from {len(found.puzzles)} minimal puzzles")
    return Code.SOLVED


def _named(by: By, key: object) -> str:
    """Name a row of the statistics: 25 clues, level 2.3, rating 7.0 to 7.9."""
    texts = {By.CLUES: f"{key} clues", By.RATING: f"rating {key}.0 to {key}.9"}
    return texts.get(by, f"{by} {key}")


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


def jigsaw(side: int, number: int, exchanges: int | None, seed: int, to: str, out: str | None) -> Code:
    """Make empty boards with random regions and write them."""
    shapes = used(lambda: [make.jigsaw(side, seed + place, exchanges) for place in range(number)])
    written(map(Puzzle.empty, shapes), to, out)
    return Code.SOLVED


def records(
    name: str,
    kinds: Mapping[str, str],
    rows: Iterable[Mapping[str, Any]],
    format: Records | None,
    out: str | None,
    code: Code = Code.SOLVED,
) -> Code:
    """Write rows with their numbers in any format; ``kinds`` maps the columns to their types.

    The line format writes the ``text`` of each row, or its puzzle or grid. Returns ``code``, the exit code.
    """
    kind = format or format_of(out or "") or Records.LINE
    check_format(kind, out, sys.stdout.isatty())
    columns = {"number": INTEGER, **kinds}
    numbered = ({"number": number, **row} for number, row in enumerate(rows, 1))
    if kind in BINARY:
        with table(out or "-", columns, kind) as sink:
            while some := list(islice(numbered, AT_ONCE)):
                sink.write({column: [row[column] for row in some] for column in columns})
        return code
    with output(out) as put:
        for piece in _text_of_rows(name, list(columns), numbered, kind, code):
            put(piece)
    return code


def _text_of_rows(
    name: str, columns: list[str], rows: Iterable[Mapping[str, Any]], kind: str, code: Code
) -> Iterator[str]:
    if kind == Records.LINE:
        yield from (f"{row.get('text') or row.get('puzzle') or row['solution']}\n" for row in rows)
        return
    form = form_of_rows(kind, name)
    yield form.head(columns)
    yield from (form.rows({column: [row[column]] for column in columns}) for row in rows)
    yield form.end(int(code))
