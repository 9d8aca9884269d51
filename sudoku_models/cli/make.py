"""``sudoku-models generate``, ``grids``, ``statistics``, ``dataset`` and ``jigsaw``.

There is one record of the schema ``sudoku-models/generate/1`` for each puzzle: ``number``, ``puzzle`` (a line, or a
constraint string if there are rules), ``solution``, ``clues``, ``seed``, ``missed`` (null; if a limit was reached
first, the last record is the nearest puzzle, and this field says which wish it misses). A record of
``sudoku-models/grids/1`` has ``number``, ``solution``, ``seed``. A table has the same columns. A record of
``sudoku-models/statistics/1``, one for each number of clues (or rating, level: ``--by``), has ``clues``,
``share``, ``low`` and ``high`` (the interval that holds the true share in 95 of 100 cases).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Annotated, Any

from .. import make
from ..bulk.columns import INTEGER, NUMBER, TEXT
from ..formats import parse
from ..puzzle import Puzzle
from .answers import records, wants_table
from .board_answers import refused, used, writable, written
from .codes import Code, UsageError
from .options import (
    INPUT,
    LIMITS,
    BoardsTo,
    BoxSize,
    Chance,
    MadeFormat,
    Out,
    RecordFormat,
    TimeLimit,
    read_boxes,
    read_workers,
)
from .parser import Argument, Option, command
from .terminal import say
from .wishes import board_of, levels_of, mix_of, placed, rating_of, shape_of, sizes_of, span_of, strata_of

WISHES = "Wishes"
_wish = partial(Option, panel=WISHES)

GivenClues = Annotated[str | None, _wish("--clues", metavar="N|LEAST-MOST", help="The number of givens, or a range.")]
Minimal = Annotated[bool, _wish("--minimal/--no-minimal", help="Remove givens until every remaining one is needed.")]
OfGivens = Annotated[
    str,
    _wish(
        "--symmetry",
        help="The symmetry of the positions of givens and placed rules: none, half-turn, quarter-turn, horizontal, "
        "vertical, diagonal, antidiagonal, both, diagonals or full.",
    ),
]
Threads = Annotated[
    int,
    Option(
        "--workers",
        "-w",
        metavar="NUMBER",
        parser=read_workers,
        help="The number of threads; the output does not depend on it.",
    ),
]
Side = Annotated[int, Option("--side", min=1, help="The number of rows of the board.", panel=INPUT)]
BoxOption = Annotated[
    BoxSize | None,
    Option(
        "--boxes",
        parser=read_boxes,
        metavar="RxC|none",
        help="The rows and columns of a box (RxC), or none.",
        show_default="as close to square as possible",
        panel=INPUT,
    ),
]
LikePuzzle = Annotated[
    str | None,
    Option(
        "--like",
        metavar="PUZZLE",
        help="Use the board and rules of this puzzle, or of the puzzle in this file.",
        panel=INPUT,
    ),
]
MostTries = Annotated[
    int | None, Option("--tries", min=1, help="Stop after trying this number of candidates.", panel=LIMITS)
]
Start = Annotated[
    str | None,
    _wish(
        "--from",
        metavar="PUZZLE",
        help="Begin with a solution, or with a puzzle, which may have rules. A puzzle with several "
        "solutions gets as few further clues as possible; in a puzzle with one solution, one clue is changed.",
    ),
]
Rating = Annotated[
    str | None,
    _wish(
        "--rating",
        metavar="LEAST[-MOST]",
        help="The SE-like rating, on classic boards: 8 for at least 8, or a range such as 8-8.9.",
    ),
]
Rules = Annotated[
    list[str] | None,
    _wish("--rule", metavar="KIND", help="A rule about the whole grid, such as AntiKnight; may be repeated."),
]
Pattern = Annotated[
    str | None,
    _wish(
        "--pattern",
        metavar="SIGNS",
        help="Where givens may be: one character for each cell, with . for cells without a given.",
    ),
]


@dataclass(frozen=True)
class MadeBoards:
    """The number and the shape of the boards."""

    number: Annotated[int, Option("--number", "-n", min=0, help="The number of puzzles or boards to make.")] = 1
    side: Side = 9
    boxes: BoxOption = None


@dataclass(frozen=True)
class GenerateOptions(MadeBoards):
    """The requirements for generated puzzles."""

    like: LikePuzzle = None
    clues: GivenClues = None
    minimal: Minimal = True
    symmetry: OfGivens = "none"
    pattern: Pattern = None
    start: Start = None
    level: Annotated[
        str | None,
        _wish(
            "--level", metavar="LOW-HIGH", help="The level on the ladder, for all boards, as a range such as 1.2-2.3."
        ),
    ] = None
    rating: Rating = None
    technique: Annotated[
        list[str] | None,
        _wish(
            "--technique",
            metavar="NAME",
            help="A technique that the path must contain, such as X-wing (classic boards); may be repeated.",
        ),
    ] = None
    rule: Rules = None
    place: Annotated[
        list[str] | None,
        _wish(
            "--place",
            metavar="KIND=N|KIND=LEAST-MOST|KIND=all",
            help="Place rules of a kind, such as KillerCage=12, Thermo=1-3 or Kropki=all; may be repeated.",
        ),
    ] = None
    size: Annotated[
        list[str] | None,
        _wish(
            "--size",
            metavar="KIND=N|KIND=LEAST-MOST",
            help="The number of cells of placed rules of a kind, such as Thermo=4-7; may be repeated.",
        ),
    ] = None
    cover: Annotated[
        str | None,
        _wish("--cover", metavar="N|LEAST-MOST", help="Put every cell into a killer cage of this number of cells."),
    ] = None
    overlap: Annotated[bool, _wish("--overlap", help="Placed lines and cages may share cells and cross.")] = False
    drop: Annotated[
        list[str] | None,
        _wish(
            "--drop",
            metavar="KIND",
            show_default="given",
            help="Leave out unneeded clues of this kind: given, rule (all placed rules) or a kind such as KillerCage; "
            "may be repeated, in the order in which they are removed.",
        ),
    ] = None
    uniform: Annotated[bool, _wish("--uniform", help="Draw solution grids uniformly at random; this is slower.")] = (
        False
    )
    tries: MostTries = None
    time_limit: TimeLimit = None
    seed: Chance = 0
    workers: Threads = 1


@dataclass(frozen=True)
class GridsOptions(MadeBoards):
    """The requirements for solution grids."""

    fast: Annotated[bool, Option("--fast", help="Faster, but not quite uniformly distributed.")] = False
    seed: Chance = 0
    workers: Threads = 1


class By(StrEnum):
    """The property by which minimal puzzles are grouped."""

    CLUES = "clues"
    RATING = "rating"
    LEVEL = "level"


Levels = Annotated[
    list[str] | None,
    _wish(
        "--level",
        metavar="LOW-HIGH",
        help="A range of levels on the ladder, such as 1.1-1.2; repeat it to get equally many puzzles of each.",
    ),
]
Ratings = Annotated[
    list[str] | None,
    _wish(
        "--rating",
        metavar="LOW-HIGH",
        help="A range of SE-like ratings, such as 1-2.5; repeat it to get equally many puzzles of each.",
    ),
]
Mix = Annotated[
    str | None,
    _wish(
        "--mix",
        metavar="FILE",
        help='The kinds of puzzles, in a JSON file: [{"share": 2, "side": 6, "place": {"Thermo": 3}}, {"side": 9}].',
    ),
]
Traces = Annotated[
    str | None, _wish("--traces", metavar="FORM", help="Add the solving path of each puzzle: tokens, ids or text.")
]


@dataclass(frozen=True)
class DatasetOptions:
    """The requirements for a data set."""

    train: Annotated[int, _wish("--train", min=0, help="The number of puzzles for training.")] = 1000
    validation: Annotated[int, _wish("--validation", min=0, help="The number of puzzles for validation.")] = 0
    test: Annotated[int, _wish("--test", min=0, help="The number of puzzles for testing.")] = 0
    side: Side = 9
    boxes: BoxOption = None
    clues: GivenClues = None
    minimal: Minimal = True
    symmetry: OfGivens = "none"
    level: Levels = None
    rated: Annotated[bool, _wish("--rated", help="Rate each puzzle, and give all parts the same mix of levels.")] = (
        False
    )
    rating: Ratings = None
    mix: Mix = None
    traces: Traces = None
    seed: Chance = 0
    workers: Threads = 1


PUZZLES = {"puzzle": TEXT, "solution": TEXT, "clues": INTEGER, "seed": INTEGER, "missed": TEXT}
GRIDS = {"solution": TEXT, "seed": INTEGER}
"""The columns of the output, and the type of each."""

SCALES = {By.RATING: "se"}
"""Scales whose names differ in Python."""


@command("Make", "generate --number 10 --seed 7")
def generate(wish: GenerateOptions, to: BoardsTo = "line", format: MadeFormat = None, out: Out = None) -> Code:
    """Make puzzles, each proved to have exactly one solution, of any size, with the givens and rules you choose."""
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
        from ..make.rows import text_of

        say(f"not quite as requested, but the nearest found: {text_of(made.nearest.puzzle)}: {made.nearest.missed}")
    return code


def _refuse_early(board: Puzzle, wish: GenerateOptions, to: str) -> None:
    """Refuse a format that cannot hold the rules, before anything is made, and name those that can."""
    from ..make.laying import some_rule

    writable(to)
    kinds = [*placed(wish), *(["KillerCage"] if wish.cover else [])]
    rules = [some_rule(kind, board.shape) for kind in kinds if kind in make.PLACES]
    board = board.with_rules(*(rule for rule in rules if rule is not None))
    if (refusal := refused(board, to)) is not None:
        others = [name for name in ("sudokupad", "f-puzzles", "iss", "json") if refused(board, name) is None]
        reason = str(refusal).removesuffix(": json can hold them")
        raise UsageError(f"{reason}; formats that can hold it: {', '.join(f'--to {name}' for name in others)}")


def _generated(wish: GenerateOptions, board: Puzzle, start: Puzzle | None) -> make.Generated:
    return make.generate(
        wish.number, shape=board.shape, rules=board.rules, place=placed(wish), sizes=sizes_of(wish),
        cover=span_of(wish.cover, "--cover", "2-4"), overlap=wish.overlap, drop=tuple(wish.drop or ("given",)),
        clues=span_of(wish.clues), minimal=wish.minimal, symmetry=wish.symmetry, pattern=wish.pattern, start=start,
        level=levels_of(wish.level), rating=rating_of(wish.rating),
        techniques=tuple(wish.technique or ()), seed=wish.seed, uniform=wish.uniform, workers=wish.workers,
        tries=wish.tries, time_limit=wish.time_limit,
    )  # fmt: skip


def _row(puzzle: Puzzle, seed: int, missed: str | None = None) -> dict[str, Any]:
    from ..make.rows import text_of  # which loads numpy

    assert puzzle.stated is not None
    solution = Puzzle(puzzle.shape, puzzle.stated).to_line()
    return {
        "puzzle": text_of(puzzle),
        "solution": solution,
        "clues": puzzle.clues,
        "seed": seed,
        "missed": missed,
    }


@command("Make", "grids --number 100 --out grids.parquet")
def grids(wish: GridsOptions, to: BoardsTo = "line", format: MadeFormat = None, out: Out = None) -> Code:
    """Make random solution grids. For 4 x 4, 6 x 6 and 9 x 9, every grid is equally likely."""
    shape = shape_of(wish.side, wish.boxes)
    rows = used(lambda: make.grids(wish.number, shape, seed=wish.seed, fast=wish.fast, workers=wish.workers))
    boards = (Puzzle(shape, tuple(row)) for row in rows.tolist())
    if format is None and not wants_table(format, out):
        written(boards, to, out)
    else:
        lines = ({"solution": board.to_line(), "seed": wish.seed} for board in boards)
        records("grids", GRIDS, lines, format, out)
    return Code.SOLVED


@command("Make", "statistics --population 1000 --runs 3")
def statistics(
    population: Annotated[
        int, Option("--population", min=100, help="The number of clue sets that are thinned together in each run.")
    ] = 4000,
    runs: Annotated[
        int, Option("--runs", min=2, help="The number of independent runs, from which the intervals are computed.")
    ] = 8,
    by: Annotated[By, Option("--by", help="Group by the number of clues, or by difficulty.")] = By.CLUES,
    seed: Chance = 0,
    workers: Threads = 1,
    format: RecordFormat = None,
    out: Out = None,
) -> Code:
    """Estimate how many clues minimal 9 x 9 puzzles have, or how hard they are, with confidence intervals.

    The estimate corrects for the fact that some puzzles are found more easily than others.
    """
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


@command("Make", "dataset data --train 10000")
def dataset(folder: Annotated[str, Argument(metavar="FOLDER", help="A new folder.")], wish: DatasetOptions) -> Code:
    """Write a data set: Parquet files for training, validation and testing, and a data card.

    No two puzzles in it are the same up to symmetry, and neither are any two solutions.
    """
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


@command("Make", "jigsaw --side 9 --number 3 --seed 1")
def jigsaw(
    side: Side = 9,
    number: Annotated[int, Option("--number", "-n", min=0, help="The number of puzzles or boards to make.")] = 1,
    exchanges: Annotated[
        int | None,
        Option(
            "--exchanges",
            min=1,
            help="The number of times that two cells swap regions: more swaps make wilder regions.",
            show_default="three times the side",
        ),
    ] = None,
    seed: Chance = 0,
    to: BoardsTo = "jigsaw",
    out: Out = None,
) -> Code:
    """Make empty boards with random regions, for use with `generate --like`."""
    shapes = used(lambda: [make.jigsaw(side, seed + place, exchanges) for place in range(number)])
    written(map(Puzzle.empty, shapes), to, out)
    return Code.SOLVED
