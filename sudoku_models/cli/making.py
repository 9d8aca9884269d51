"""The commands that make puzzles and sets of them, and their options."""

from __future__ import annotations

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

Number = Annotated[int, Option("--number", "-n", min=0, help="How many are made.")]
Threads = Annotated[
    int,
    Option(
        "--workers",
        "-w",
        metavar="NUMBER",
        parser=read_workers,
        help="Threads; the output does not depend on them.",
    ),
]
Side = Annotated[int, Option("--side", min=1, help="The rows of the board.", rich_help_panel=INPUT)]
BoxOption = Annotated[
    BoxSize | None,
    Option(
        "--boxes",
        parser=read_boxes,
        metavar="RxC|none",
        help="Rows and columns of a box.",
        show_default="those nearest to squares",
        rich_help_panel=INPUT,
    ),
]

GivenClues = Annotated[
    str | None,
    Option("--clues", metavar="N|LEAST-MOST", help="How many givens.", rich_help_panel=WISHES),
]
Minimal = Annotated[
    bool,
    Option("--minimal/--no-minimal", help="Each given is needed.", rich_help_panel=WISHES),
]
OfGivens = Annotated[
    str,
    Option(
        "--symmetry",
        help="Of the givens: none, half-turn, quarter-turn, horizontal, vertical, diagonal, antidiagonal, both, "
        "diagonals or full.",
        rich_help_panel=WISHES,
    ),
]
LevelBand = Annotated[
    str | None,
    Option("--level", metavar="LOW-HIGH", help="How hard, on the ladder: 1.2-2.3.", rich_help_panel=WISHES),
]

LikePuzzle = Annotated[
    str | None,
    Option("--like", metavar="PUZZLE", help="A puzzle, or a file of one: its board and rules.", rich_help_panel=INPUT),
]
Pattern = Annotated[
    str | None,
    Option(
        "--pattern",
        metavar="SIGNS",
        help="Where givens may be: a sign for each cell, . where not.",
        rich_help_panel=WISHES,
    ),
]
StartFrom = Annotated[
    str | None,
    Option(
        "--from",
        metavar="PUZZLE",
        help="The solution to begin with; or a puzzle: with too few clues it gets the fewest further ones, with "
        "one solution a clue is changed.",
        rich_help_panel=WISHES,
    ),
]
RatingBand = Annotated[
    str | None,
    Option("--rating", metavar="LEAST[-MOST]", help="SE-like, of classic boards: 8-8.9.", rich_help_panel=WISHES),
]
SizeBand = Annotated[
    str | None,
    Option("--size", metavar="LEAST[-MOST]", help="Of refutations, of classic boards: 2-4.", rich_help_panel=WISHES),
]
Techniques = Annotated[
    list[str] | None,
    Option("--technique", metavar="NAME", help="It must occur: X-wing.", rich_help_panel=WISHES),
]
RuleKinds = Annotated[
    list[str] | None,
    Option("--rule", metavar="KIND", help="A rule about the whole grid: AntiKnight.", rich_help_panel=WISHES),
]
RulesToPut = Annotated[
    list[str] | None,
    Option("--place", metavar="KIND=N", help="Rules to put: KillerCage=12.", rich_help_panel=WISHES),
]
Dropping = Annotated[
    bool,
    Option("--dropping", help="Leave out rules that were put and are not needed.", rich_help_panel=WISHES),
]
Uniform = Annotated[bool, Option("--uniform", help="Grids of which each has the same chance.", rich_help_panel=WISHES)]
MostTries = Annotated[
    int | None, Option("--tries", min=1, help="Candidates that are tried at most.", rich_help_panel=LIMITS)
]
Folder = Annotated[str, Argument(metavar="FOLDER", help="A new folder.")]
TrainSize = Annotated[int, Option("--train", min=0, help="Puzzles to train with.", rich_help_panel=WISHES)]
ValidationSize = Annotated[
    int, Option("--validation", min=0, help="Puzzles to choose a model with.", rich_help_panel=WISHES)
]
TestSize = Annotated[int, Option("--test", min=0, help="Puzzles to test a model with.", rich_help_panel=WISHES)]
LevelBands = Annotated[
    list[str] | None,
    Option(
        "--level",
        metavar="LOW-HIGH",
        help="On the ladder, as many puzzles of each band: 1.1-1.2.",
        rich_help_panel=WISHES,
    ),
]
Rated = Annotated[
    bool, Option("--rated", help="Rate each puzzle: the parts are alike in levels.", rich_help_panel=WISHES)
]
RatingBands = Annotated[
    list[str] | None,
    Option(
        "--rating", metavar="LOW-HIGH", help="SE-like, as many puzzles of each band: 1-2.5.", rich_help_panel=WISHES
    ),
]
Mix = Annotated[
    str | None,
    Option(
        "--mix",
        metavar="FILE",
        help='Sorts of puzzles, a list in JSON: [{"share": 2, "side": 6, "place": {"Thermo": 3}}, {"side": 9}].',
        rich_help_panel=WISHES,
    ),
]
Traces = Annotated[
    str | None,
    Option(
        "--traces", metavar="FORM", help="Add the path of each puzzle: tokens, ids or text.", rich_help_panel=WISHES
    ),
]


def generate(
    number: Number = 1,
    side: Side = 9,
    boxes: BoxOption = None,
    like: LikePuzzle = None,
    clues: GivenClues = None,
    minimal: Minimal = True,
    symmetry: OfGivens = "none",
    pattern: Pattern = None,
    start: StartFrom = None,
    level: LevelBand = None,
    rating: RatingBand = None,
    size: SizeBand = None,
    technique: Techniques = None,
    rule: RuleKinds = None,
    place: RulesToPut = None,
    dropping: Dropping = False,
    uniform: Uniform = False,
    tries: MostTries = None,
    time_limit: TimeLimit = None,
    seed: Chance = 0,
    workers: Threads = 1,
    to: BoardsTo = "line",
    format: MadeFormat = None,
    out: Out = None,
) -> Code:  # fmt: skip
    """Make puzzles with exactly one solution, proved: of any size, with givens and rules as you wish."""
    from . import make as command
    from .wishes import GenerateOptions

    wish = GenerateOptions(
        number, side, boxes, like, clues, minimal, symmetry, pattern, start, level, rating, size,
        tuple(technique or ()), tuple(rule or ()), tuple(place or ()), dropping, uniform, tries, time_limit, seed,
        workers,
    )  # fmt: skip
    return command.generate(wish, to, format, out)


def grids(
    number: Number = 1,
    side: Side = 9,
    boxes: BoxOption = None,
    fast: Annotated[bool, Option("--fast", help="Quicker, and not quite evenly distributed.")] = False,
    seed: Chance = 0,
    workers: Threads = 1,
    to: BoardsTo = "line",
    format: MadeFormat = None,
    out: Out = None,
) -> Code:
    """Make random solution grids. Those of 4 x 4, 6 x 6 and 9 x 9 all have the same chance."""
    from . import make as command
    from .wishes import shape_of

    return command.grids(command.GridsOptions(number, shape_of(side, boxes), seed, fast, workers), to, format, out)


def statistics(
    population: Annotated[
        int, Option("--population", min=100, help="Sets of clues that are thinned together in each run.")
    ] = 4000,
    runs: Annotated[int, Option("--runs", min=2, help="Independent runs: the intervals come from them.")] = 8,
    seed: Chance = 0,
    workers: Threads = 1,
    format: RecordFormat = None,
    out: Out = None,
) -> Code:
    """Estimate how many clues all minimal 9 x 9 puzzles have, with intervals: those that are easily found mislead."""
    from . import make as command

    return command.statistics(population, runs, seed, workers, format, out)


def dataset(
    folder: Folder,
    train: TrainSize = 1000,
    validation: ValidationSize = 0,
    test: TestSize = 0,
    side: Side = 9,
    boxes: BoxOption = None,
    clues: GivenClues = None,
    minimal: Minimal = True,
    symmetry: OfGivens = "none",
    level: LevelBands = None,
    rated: Rated = False,
    rating: RatingBands = None,
    mix: Mix = None,
    traces: Traces = None,
    seed: Chance = 0,
    workers: Threads = 1,
) -> Code:
    """Write a data set: Parquet files for training, validation and test, and a card.

    No two puzzles in it are the same up to symmetry, nor are two solutions.
    """
    from . import make as command
    from .wishes import mix_of, shape_of, span_of, strata_of

    wishes = {"mix": mix_of(mix), "strata": strata_of(level, rating), "traces": traces, "workers": workers}
    own = {"clues": span_of(clues), "minimal": minimal, "symmetry": symmetry}
    sizes = train, validation, test
    return command.dataset(
        command.Sets(folder, sizes, shape_of(side, boxes), rated, seed, wishes if mix else {**wishes, **own})
    )
