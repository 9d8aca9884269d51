"""The commands that make puzzles and sets of puzzles, and their options."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Annotated

from .codes import Code
from .declarations import Argument, Option
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

GivenClues = Annotated[str | None, _wish("--clues", metavar="N|LEAST-MOST", help="The number of givens, or a range.")]
Minimal = Annotated[bool, _wish("--minimal/--no-minimal", help="Remove givens until every remaining one is needed.")]
OfGivens = Annotated[
    str,
    _wish(
        "--symmetry",
        help="The symmetry of the positions of the givens: none, half-turn, quarter-turn, horizontal, vertical, "
        "diagonal, "
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
        help="The number of threads; the output does not depend on it.",
    ),
]
Side = Annotated[int, Option("--side", min=1, help="The number of rows of the board.", rich_help_panel=INPUT)]
BoxOption = Annotated[
    BoxSize | None,
    Option(
        "--boxes",
        parser=read_boxes,
        metavar="RxC|none",
        help="The rows and columns of a box (RxC), or none.",
        show_default="as close to square as possible",
        rich_help_panel=INPUT,
    ),
]
LikePuzzle = Annotated[
    str | None,
    Option(
        "--like",
        metavar="PUZZLE",
        help="Use the board and rules of this puzzle, or of the puzzle in this file.",
        rich_help_panel=INPUT,
    ),
]
MostTries = Annotated[
    int | None, Option("--tries", min=1, help="Stop after trying this number of candidates.", rich_help_panel=LIMITS)
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


def generate(wish: GenerateOptions, to: BoardsTo = "line", format: MadeFormat = None, out: Out = None) -> Code:
    """Make puzzles, each proved to have exactly one solution, of any size, with the givens and rules you choose."""
    from . import make as command

    return command.generate(wish, to, format, out)


def grids(wish: GridsOptions, to: BoardsTo = "line", format: MadeFormat = None, out: Out = None) -> Code:
    """Make random solution grids. For 4 x 4, 6 x 6 and 9 x 9, every grid is equally likely."""
    from . import make as command

    return command.grids(wish, to, format, out)


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
    from . import make as command

    return command.statistics(population, runs, by, seed, workers, format, out)


def dataset(folder: Annotated[str, Argument(metavar="FOLDER", help="A new folder.")], wish: DatasetOptions) -> Code:
    """Write a data set: Parquet files for training, validation and testing, and a data card.

    No two puzzles in it are the same up to symmetry, and neither are any two solutions.
    """
    from . import make as command

    return command.dataset(folder, wish)


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
    from . import make as command

    return command.jigsaw(side, number, exchanges, seed, to, out)


Rows = Annotated[
    str,
    Argument(
        metavar="FILE",
        help="A table (CSV, Parquet, Arrow) with columns question and answer or quizzes and solutions, or arrays "
        "(.npz); - is standard input, which cannot be .npz.",
    ),
]


def augment(
    file: Rows,
    times: Annotated[int, Option("--times", min=1, help="The number of random symmetries for each row.")] = 1,
    seed: Chance = 0,
    format: RecordFormat = None,
    out: Out = None,
) -> Code:
    """Apply random symmetries to questions and answers, to get equivalent boards for training."""
    from . import rows_made as command

    return command.augment(file, times, seed, format, out)


def verify(
    file: Rows,
    credit: Annotated[bool, Option("--credit", help="Also print the share of the empty cells that are right.")] = False,
    format: RecordFormat = None,
    out: Out = None,
) -> Code:
    """Check for each row whether its answer is a solution of its question. The exit code is 1 if any is not."""
    from . import rows_made as command

    return command.verify(file, credit, format, out)
