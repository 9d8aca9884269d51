"""The commands that make puzzles and sets of them, and their options."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Annotated

from .codes import Code
from .declared import Argument, Option
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

WISHES = "Wishes"
_wish = partial(Option, rich_help_panel=WISHES)

GivenClues = Annotated[
    str | None, _wish("--clues", metavar="N|LEAST-MOST", help="The number of givens, or a range of it.")
]
Minimal = Annotated[bool, _wish("--minimal/--no-minimal", help="Remove givens until each one that is left is needed.")]
OfGivens = Annotated[
    str,
    _wish(
        "--symmetry",
        help="The symmetry of the places of the givens: none, half-turn, quarter-turn, horizontal, vertical, diagonal, "
        "antidiagonal, both, diagonals or full.",
    ),
]
Threads = Annotated[
    int,
    Option(
        "--workers",
        "-w",
        metavar="NUMBER",
        parser=read_workers,
        help="Threads to use; the output does not depend on their number.",
    ),
]
Side = Annotated[int, Option("--side", min=1, help="The number of rows of the board.", rich_help_panel=INPUT)]
BoxOption = Annotated[
    BoxSize | None,
    Option(
        "--boxes",
        parser=read_boxes,
        metavar="RxC|none",
        help="The rows and columns of a box, or none.",
        show_default="those nearest to squares",
        rich_help_panel=INPUT,
    ),
]
LikePuzzle = Annotated[
    str | None,
    Option(
        "--like",
        metavar="PUZZLE",
        help="Use the board and the rules of this puzzle, or of the puzzle in this file.",
        rich_help_panel=INPUT,
    ),
]
MostTries = Annotated[
    int | None, Option("--tries", min=1, help="Stop after this number of candidates.", rich_help_panel=LIMITS)
]
Start = Annotated[
    str | None,
    _wish(
        "--from",
        metavar="PUZZLE",
        help="Begin with a solution, or with a puzzle, which may have rules. One with several solutions gets the "
        "fewest further clues; in one with one solution, one clue is changed.",
    ),
]
Rating = Annotated[
    str | None,
    _wish("--rating", metavar="LEAST[-MOST]", help="The SE-like rating, on classic boards: at least 8, or 8-8.9."),
]
Size = Annotated[
    str | None, _wish("--size", metavar="LEAST[-MOST]", help="The size of refutations, on classic boards: 2-4.")
]
Rules = Annotated[
    list[str] | None,
    _wish("--rule", metavar="KIND", help="A rule about the whole grid, such as AntiKnight; may be repeated."),
]
Pattern = Annotated[
    str | None,
    _wish("--pattern", metavar="SIGNS", help="Where givens may stand: a sign for each cell, . where none may."),
]


@dataclass(frozen=True)
class MadeBoards:
    """How many boards are made, and of which shape."""

    number: Annotated[int, Option("--number", "-n", min=0, help="How many to make.")] = 1
    side: Side = 9
    boxes: BoxOption = None


@dataclass(frozen=True)
class GenerateOptions(MadeBoards):
    """What is wished of puzzles that are made."""

    like: LikePuzzle = None
    clues: GivenClues = None
    minimal: Minimal = True
    symmetry: OfGivens = "none"
    pattern: Pattern = None
    start: Start = None
    level: Annotated[
        str | None, _wish("--level", metavar="LOW-HIGH", help="The level on the ladder, for all boards: 1.2-2.3.")
    ] = None
    rating: Rating = None
    size: Size = None
    technique: Annotated[
        list[str] | None,
        _wish(
            "--technique",
            metavar="NAME",
            help="A technique that the path must contain, on classic boards, such as X-wing; may be repeated.",
        ),
    ] = None
    rule: Rules = None
    place: Annotated[
        list[str] | None,
        _wish(
            "--place",
            metavar="KIND=N|KIND=LEAST-MOST",
            help="Place rules of a kind, such as KillerCage=12 or Thermo=1-3; may be repeated.",
        ),
    ] = None
    drop: Annotated[
        list[str] | None,
        _wish(
            "--drop",
            metavar="KIND",
            show_default="given",
            help="Leave out clues of this kind that are not needed: given, rule (all that were placed) or one such as "
            "KillerCage; may be repeated, in the order in which they go.",
        ),
    ] = None
    uniform: Annotated[bool, _wish("--uniform", help="Draw solution grids that all have the same chance: slower.")] = (
        False
    )
    tries: MostTries = None
    time_limit: TimeLimit = None
    seed: Chance = 0
    workers: Threads = 1


@dataclass(frozen=True)
class GridsOptions(MadeBoards):
    """What is wished of solution grids."""

    fast: Annotated[bool, Option("--fast", help="Quicker, and not quite evenly distributed.")] = False
    seed: Chance = 0
    workers: Threads = 1


class By(StrEnum):
    """What all minimal puzzles are shared out by."""

    CLUES = "clues"
    RATING = "rating"
    LEVEL = "level"
    SIZE = "size"


Levels = Annotated[
    list[str] | None,
    _wish(
        "--level",
        metavar="LOW-HIGH",
        help="A band of levels on the ladder, such as 1.1-1.2; repeat it for equally many puzzles of each.",
    ),
]
Ratings = Annotated[
    list[str] | None,
    _wish(
        "--rating",
        metavar="LOW-HIGH",
        help="A band of SE-like ratings, such as 1-2.5; repeat it for equally many puzzles of each.",
    ),
]
Mix = Annotated[
    str | None,
    _wish(
        "--mix",
        metavar="FILE",
        help='Sorts of puzzles, a list in JSON: [{"share": 2, "side": 6, "place": {"Thermo": 3}}, {"side": 9}].',
    ),
]
Traces = Annotated[
    str | None, _wish("--traces", metavar="FORM", help="Add the path of each puzzle: tokens, ids or text.")
]


@dataclass(frozen=True)
class DatasetOptions:
    """What is wished of a data set."""

    train: Annotated[int, _wish("--train", min=0, help="How many puzzles to train with.")] = 1000
    validation: Annotated[int, _wish("--validation", min=0, help="Number of puzzles to choose a model with.")] = 0
    test: Annotated[int, _wish("--test", min=0, help="Number of puzzles to test a model with.")] = 0
    side: Side = 9
    boxes: BoxOption = None
    clues: GivenClues = None
    minimal: Minimal = True
    symmetry: OfGivens = "none"
    level: Levels = None
    rated: Annotated[bool, _wish("--rated", help="Rate each puzzle, and give the parts the same mix of levels.")] = (
        False
    )
    rating: Ratings = None
    mix: Mix = None
    traces: Traces = None
    seed: Chance = 0
    workers: Threads = 1


def generate(wish: GenerateOptions, to: BoardsTo = "line", format: MadeFormat = None, out: Out = None) -> Code:
    """Make puzzles with exactly one solution, proved: of any size, with givens and rules as you wish."""
    from . import make as command

    return command.generate(wish, to, format, out)


def grids(wish: GridsOptions, to: BoardsTo = "line", format: MadeFormat = None, out: Out = None) -> Code:
    """Make random solution grids. Those of 4 x 4, 6 x 6 and 9 x 9 all have the same chance."""
    from . import make as command

    return command.grids(wish, to, format, out)


def statistics(
    population: Annotated[
        int, Option("--population", min=100, help="Sets of clues that are thinned together in each run.")
    ] = 4000,
    runs: Annotated[int, Option("--runs", min=2, help="Independent runs: the intervals come from them.")] = 8,
    by: Annotated[By, Option("--by", help="Share out by the number of clues, or by how hard puzzles are.")] = By.CLUES,
    seed: Chance = 0,
    workers: Threads = 1,
    format: RecordFormat = None,
    out: Out = None,
) -> Code:
    """Estimate how many clues all minimal 9 x 9 puzzles have, or how hard they are, with intervals.

    Those that are easily found mislead.
    """
    from . import make as command

    return command.statistics(population, runs, by, seed, workers, format, out)


def dataset(folder: Annotated[str, Argument(metavar="FOLDER", help="A new folder.")], wish: DatasetOptions) -> Code:
    """Write a data set: Parquet files for training, validation and test, and a card.

    No two puzzles in it are the same up to symmetry, nor are two solutions.
    """
    from . import make as command

    return command.dataset(folder, wish)


def jigsaw(
    side: Side = 9,
    number: Annotated[int, Option("--number", "-n", min=0, help="How many to make.")] = 1,
    exchanges: Annotated[
        int | None,
        Option(
            "--exchanges",
            min=1,
            help="How often two cells change their regions: more make wilder regions.",
            show_default="three times the side",
        ),
    ] = None,
    seed: Chance = 0,
    to: BoardsTo = "jigsaw",
    out: Out = None,
) -> Code:
    """Make empty boards with random regions, for `generate --like`."""
    from . import make as command

    return command.jigsaw(side, number, exchanges, seed, to, out)


Rows = Annotated[
    str,
    Argument(
        metavar="FILE",
        help="A table (CSV, Parquet) with question and answer, or quizzes and solutions, or arrays (.npz).",
    ),
]


def augment(
    file: Rows,
    times: Annotated[int, Option("--times", min=1, help="How many random symmetries each row gets.")] = 1,
    seed: Chance = 0,
    format: RecordFormat = None,
    out: Out = None,
) -> Code:
    """Write questions and answers with random symmetries: other boards that are the same, to train with."""
    from . import rows_made as command

    return command.augment(file, times, seed, format, out)


def verify(
    file: Rows,
    credit: Annotated[bool, Option("--credit", help="Tell what share of the open cells is right, too.")] = False,
    format: RecordFormat = None,
    out: Out = None,
) -> Code:
    """Tell of each row whether its answer is a solution of its question. Exit code 1 where one is not."""
    from . import rows_made as command

    return command.verify(file, credit, format, out)
