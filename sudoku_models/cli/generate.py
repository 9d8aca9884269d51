"""``sudoku-models generate``, ``grids``, ``statistics``, ``dataset``, ``jigsaw`` and ``set``."""

from __future__ import annotations

import json
import re
import sys
import webbrowser
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

from .. import make
from ..bulk.rows import INTEGER, NUMBER, TEXT
from ..errors import FormatError, meant, said
from ..formats import parse
from ..puzzle import Puzzle, Shape
from ..puzzle.rules import Rule, known_rules
from . import signals
from .answers import format_for, records, refusal, stated_format, used, wants_boards, write_boards
from .codes import Code, UsageError, refuse
from .inputs import Boxes, Made, Number, Positive, Seconds, Threads, Written, read_boxes
from .parser import command, whole
from .terminal import output, say

PUZZLES = {"puzzle": TEXT, "solution": TEXT, "clues": INTEGER, "seed": INTEGER, "missed": TEXT}
GRIDS = {"solution": TEXT, "seed": INTEGER}
"""The columns of the output, and the type of each."""


@dataclass(frozen=True)
class BoardOptions:
    """The shape of boards.

    Input:
    --boxes RxC|none  The rows and columns of a box (RxC), or none. [default: as close to square as possible]
    """

    side: Positive = 9
    boxes: Boxes | None = None

    def shape(self) -> Shape:
        """Return the shape; raise UsageError for boxes that do not tile it."""
        try:
            return Shape.latin(self.side) if self.boxes == (0, 0) else Shape.square(self.side, self.boxes)
        except ValueError as error:
            plain = " (--boxes none)" if "Latin" in str(error) else ""
            raise UsageError(f"{error}{plain}") from None


# requirements, parsed from the command line


def span(expected: str, word: str = "") -> Callable[[str], tuple[int, int] | str]:
    """Return what reads a number, or the smallest and largest number, or the ``word``."""

    def read(text: str) -> tuple[int, int] | str:
        match = re.fullmatch(r"(\d+)(?:-(\d+))?", text)
        if match is None and (not word or text != word):
            raise ValueError(f"{text!r}: {expected}")
        return word if match is None else (int(match[1]), int(match[2] or match[1]))

    return read


def by_kind(expected: str, word: str = "") -> Callable[[str], tuple[str, tuple[int, int] | str]]:
    """Return what reads a kind of rules and its span, or the ``word``; with one a number may be missing: some."""

    def read(text: str) -> tuple[str, tuple[int, int] | str]:
        kind, stated, amount = text.partition("=")
        if not stated and word:
            return kind, "some"
        try:
            return kind, span(expected, word)(amount)
        except ValueError:
            raise ValueError(f"{text!r}: {expected}") from None

    return read


def read_levels(text: str) -> tuple[str, str]:
    """Read a range of levels; the maker of puzzles checks them."""
    low, _, high = text.partition("-")
    return low, high or low


def read_rating(text: str) -> tuple[float, float] | float:
    """Read a range of SE-like ratings, or the smallest one."""
    low, dash, high = text.partition("-")
    try:
        return (float(low), float(high)) if dash else float(low)
    except ValueError:
        raise ValueError(f"{text!r}: a number such as 8.3, or a range such as 8-8.9, is expected") from None


def read_rule(kind: str) -> Rule:
    """Return a rule about the whole grid, by the name of its class."""
    known = known_rules()
    rule = _whole(known[kind]) if kind in known else None
    if rule is None:
        others = (name for name, rule in known.items() if kind not in known and _whole(rule))
        raise ValueError(f"{kind!r}: a rule about the whole grid, such as AntiKnight, is expected{meant(kind, others)}")
    return rule


def _whole(rule: type[Rule]) -> Rule | None:
    try:
        return rule()
    except TypeError:
        return None


Span = Annotated[tuple[int, int], span("a number, or a range such as 22-25, is expected")]
Cover = Annotated[tuple[int, int], span("a number, or a range such as 2-4, is expected")]
Sizes = Annotated[tuple[str, Any], by_kind("a kind and a number of cells are expected, such as Thermo=4-7")]
Placed = Annotated[
    tuple[str, Any],
    by_kind("a kind and a number are expected, such as KillerCage=12, Thermo=1-3 or Kropki=all", "all"),
]
Levels = Annotated[tuple[str, str], read_levels]
Rating = Annotated[Any, read_rating]
WholeRule = Annotated[Rule, read_rule]
Port = Annotated[int, whole(0, 65535)]


@dataclass(frozen=True)
class GivenOptions:
    """The requirements for givens.

    Wishes:
    --clues N|LEAST-MOST  The number of givens, or a range.
    --minimal/--no-minimal  Remove givens until every remaining one is needed.
    --symmetry TEXT  The symmetry of the positions of givens and placed rules: none, half-turn, quarter-turn,
        horizontal, vertical, diagonal, antidiagonal, both, diagonals or full.
    """

    clues: Span | None = None
    minimal: bool = True
    symmetry: str = "none"


@dataclass(frozen=True)
class Wishes:
    """The requirements for generated puzzles.

    Wishes:
    --pattern SIGNS  Where givens may be: one character for each cell, with . for cells without a given.
    --from PUZZLE  Begin with a solution, or with a puzzle, which may have rules. A puzzle with several solutions gets
        as few further clues as possible; in a puzzle with one solution, one clue is changed.
    --level LOW-HIGH  The level on the ladder, for all boards, as a range such as 1.2-2.3.
    --rating LEAST[-MOST]  The SE-like rating, on classic boards: 8 for at least 8, or a range such as 8-8.9.
    --technique NAME  A technique that the path must contain, such as X-wing (classic boards); may be repeated.
    --rule KIND  A rule about the whole grid, such as AntiKnight; may be repeated.
    --place KIND[=N|=LEAST-MOST|=all]  Place rules of a kind, such as KillerCage=12, Thermo=1-3 or Kropki=all; without a
        number, as many as suit the board; may be repeated.
    --size KIND=N|KIND=LEAST-MOST  The number of cells of placed rules of a kind, such as Thermo=4-7; may be repeated.
    --cover N|LEAST-MOST  Put every cell into a killer cage of this number of cells.
    --overlap  Placed lines and cages may share cells and cross.
    --drop KIND  Leave out unneeded clues of this kind: given, rule (all placed rules) or a kind such as KillerCage; may
        be repeated, in the order in which they are removed. [default: given]
    --uniform  Draw solution grids uniformly at random; this is slower.
    Limits:
    --tries NUMBER  Stop after trying this number of candidates.
    """

    pattern: str | None = None
    from_: str | None = None
    level: Levels | None = None
    rating: Rating | None = None
    technique: list[str] | None = None
    rule: list[WholeRule] | None = None
    place: list[Placed] | None = None
    size: list[Sizes] | None = None
    cover: Cover | None = None
    overlap: bool = False
    drop: list[str] | None = None
    uniform: bool = False
    tries: Positive | None = None
    time_limit: Seconds | None = None


SAME = ("pattern", "level", "rating", "cover", "overlap", "uniform", "tries", "time_limit")
"""Wishes that have the same name here as in ``make.generate``."""


@command("Make", "generate --number 10 --seed 7")
def generate(
    board: BoardOptions,
    givens: GivenOptions,
    wish: Wishes,
    *,
    number: Number = 1,
    like: str | None = None,
    seed: int = 0,
    workers: Threads = 1,
    made: Made,
) -> Code:
    """Make puzzles, each proved to have exactly one solution, of any size, with the givens and rules you choose.

    Input:
    --like PUZZLE  Use the board and rules of this puzzle, or of the puzzle in this file.
    """
    empty, as_boards = _empty(board, like, wish), wants_boards(made)
    start = None if wish.from_ is None else used(lambda: parse(str(wish.from_), shape=empty.shape))
    form = ""
    if as_boards:
        board_like = empty if start is None else start.with_rules(*empty.rules)
        form = _format_of(board_like, wish, stated_format(made.to, made.out))
    choices: dict[str, Any] = {
        "shape": empty.shape, "rules": empty.rules, "start": start, "seed": seed, "workers": workers,
        **vars(givens), **{name: getattr(wish, name) for name in SAME}, "techniques": tuple(wish.technique or ()),
        "place": dict(wish.place or ()), "sizes": dict(wish.size or ()), "drop": tuple(wish.drop or ("given",)),
    }  # fmt: skip
    _note_search(wish, givens.minimal)
    found = used(lambda: make.generate(number, **choices, progress=sys.stderr.isatty()))
    code = Code.SOLVED if found.complete else Code.LIMIT
    if as_boards:
        write_boards(found.puzzles, form, made.out)
    else:
        rows = [_row(puzzle, seed) for puzzle in found.puzzles]
        rows += [] if found.nearest is None else [_row(found.nearest.puzzle, seed, found.nearest.missed)]
        records("generate", PUZZLES, rows, made, code)
    say(f"made {len(found)}, tried {found.tried}" + (f": {found.reason}" if found.reason else ""))
    if found.nearest is not None:
        from ..make.rows import text_of

        say(f"not quite as requested, but the nearest found: {text_of(found.nearest.puzzle)}: {found.nearest.missed}")
    return code


def _note_search(wish: Wishes, minimal: bool) -> None:
    """Say at once how very hard puzzles are found, as the first may take long, and what leaves little choice."""
    from ..make.neighbours import STEEP  # which loads numpy
    from ..make.wishes import level_of

    if minimal and wish.place and wish.level and used(partial(max, map(level_of, wish.level))) < (2, 0):
        say("minimal puzzles are seldom that easy: --no-minimal leaves more choice")

    low = wish.rating[0] if isinstance(wish.rating, tuple) else wish.rating or 0.0
    if low >= STEEP / 10:
        end = "" if wish.tries or wish.time_limit else "; --time-limit or --tries ends it with the nearest puzzle found"
        say(
            f"looking for a rating of {low:g} by a climb to ever harder neighbours of random puzzles: the higher, the "
            f"longer, and from 11 on it may not end{end}"
        )


def _format_of(board: Puzzle, wish: Wishes, stated: str | None) -> str:
    """Return the format in which boards are written: the stated one, or the first usual one that holds the rules.

    One that cannot hold them is refused before anything is made.
    """
    from ..make.laying import some_rule

    kinds = [*dict(wish.place or ()), *(["KillerCage"] if wish.cover else [])]
    rules = [some_rule(kind, board.shape) for kind in kinds if kind in make.PLACES]
    board = board.with_rules(*(rule for rule in rules if rule is not None))
    try:
        return format_for(board, stated)
    except FormatError as error:
        others = [name for name in ("sudokupad", "f-puzzles", "iss", "json") if refusal(board, name) is None]
        reason = str(error).removesuffix(": json can hold them")
        raise UsageError(
            f"{reason}; formats that can hold it: {', '.join(f'--to {name}' for name in others)}"
        ) from None


def _row(puzzle: Puzzle, seed: int, missed: str | None = None) -> dict[str, Any]:
    from ..make.rows import text_of  # which loads numpy

    assert puzzle.stated is not None
    known = {"puzzle": text_of(puzzle), "solution": Puzzle(puzzle.shape, puzzle.stated).to_line()}
    return {**known, "clues": puzzle.clues, "seed": seed, "missed": missed}


@command("Make", "grids --number 100 --out grids.parquet")
def grids(
    board: BoardOptions, *, number: Number = 1, fast: bool = False, seed: int = 0, workers: Threads = 1, made: Made
) -> Code:
    """Make random solution grids. For 4 x 4, 6 x 6 and 9 x 9, every grid is equally likely.

    --fast  Faster, but not quite uniformly distributed.
    """
    shape = board.shape()
    rows = used(lambda: make.grids(number, shape, seed=seed, fast=fast, workers=workers))
    boards = (Puzzle(shape, tuple(row)) for row in rows.tolist())
    if wants_boards(made):
        write_boards(boards, stated_format(made.to, made.out), made.out)
    else:
        records("grids", GRIDS, ({"solution": board.to_line(), "seed": seed} for board in boards), made)
    return Code.SOLVED


@command("Make", "statistics --population 1000 --runs 3")
def statistics(
    *,
    population: Annotated[int, whole(100)] = 4000,
    runs: Annotated[int, whole(2)] = 8,
    by: Literal["clues", "rating", "level"] = "clues",
    seed: int = 0,
    workers: Threads = 1,
    written: Written,
) -> Code:
    """Estimate how many clues minimal 9 x 9 puzzles have, or how hard they are, with confidence intervals.

    The estimate corrects for the fact that some puzzles are found more easily than others.

    --population NUMBER  The number of clue sets that are thinned together in each run.
    --runs NUMBER  The number of independent runs, from which the intervals are computed.
    --by  Group by the number of clues, or by difficulty.
    """
    found = used(lambda: make.minimal_statistics(population, runs, seed=seed, workers=workers))
    mean = found.mean
    of: Mapping[Any, make.Share] = found.shares if by == "clues" else found.ratings("se" if by == "rating" else by)
    rows = [
        {by: key, "share": share.value, "low": max(share.low, 0.0), "high": share.high,
         "text": f"{_named(by, key)}: {share.value:.2%} ({max(share.low, 0):.2%} to {share.high:.2%})"}
        for key, share in of.items()
    ]  # fmt: skip
    kinds = {by: INTEGER if by == "clues" else TEXT, "share": NUMBER, "low": NUMBER, "high": NUMBER}
    records("statistics", kinds, rows, written)
    say(f"mean {mean.value:.2f} clues ({mean.low:.2f} to {mean.high:.2f}), from {len(found.puzzles)} minimal puzzles")
    return Code.SOLVED


def _named(by: str, key: object) -> str:
    """Name a row of the statistics: 25 clues, level 2.3, rating 7.0 to 7.9."""
    texts = {"clues": f"{key} clues", "rating": f"rating {key}.0 to {key}.9"}
    return texts.get(by, f"{by} {key}")


@command("Make", "dataset data --train 10000")
def dataset(
    folder: str,
    board: BoardOptions,
    givens: GivenOptions,
    *,
    train: Number = 1000,
    validation: Number = 0,
    test: Number = 0,
    level: list[Levels] | None = None,
    rated: bool = False,
    rating: list[Rating] | None = None,
    mix: str | None = None,
    traces: str | None = None,
    seed: int = 0,
    workers: Threads = 1,
) -> Code:
    """Write a data set: Parquet files for training, validation and testing, and a data card.

    No two puzzles in it are the same up to symmetry, and neither are any two solutions.

    <folder> FOLDER  A new folder.
    Wishes:
    --train NUMBER  The number of puzzles for training.
    --validation NUMBER  The number of puzzles for validation.
    --test NUMBER  The number of puzzles for testing.
    --level LOW-HIGH  A range of levels on the ladder, such as 1.1-1.2; repeat it to get equally many puzzles of each.
    --rated  Rate each puzzle, and give all parts the same mix of levels.
    --rating LOW-HIGH  A range of SE-like ratings, such as 1-2.5; repeat it to get equally many puzzles of each.
    --mix FILE  The kinds of puzzles, in a JSON file: [{"share": 2, "side": 6, "place": {"Thermo": 3}}, {"side": 9}].
    --traces FORM  Add the solving path of each puzzle: tokens, ids or text.
    """
    refuse(not (level and rating), "--level and --rating cannot be combined: choose one of them")
    strata = [*(level or ()), *((band, 100.0) if isinstance(band, float) else band for band in rating or ())]
    wishes: dict[str, Any] = {"strata": strata, "traces": traces, "rated": rated, "seed": seed, "workers": workers}
    wishes |= {"mix": _mix(mix)} if mix else vars(givens)
    made = used(lambda: make.dataset(folder, train, validation, test, shape=board.shape(), **wishes))
    sizes = ", ".join(f"{part} {size}" for part, size in made.sizes.items())
    say(f"wrote {made.folder}: {sizes}; tried {made.tried}")
    return Code.SOLVED


@command("Make", "jigsaw --side 9 --number 3 --seed 1")
def jigsaw(
    side: Positive = 9,
    number: Number = 1,
    exchanges: Positive | None = None,
    seed: int = 0,
    to: str | None = None,
    out: str | None = None,
) -> Code:
    """Make empty boards with random regions, for use with `generate --like`.

    Output:
    --to -t FORMAT  The output format of boards. [default: that of the file's ending, or jigsaw]
    Options:
    --exchanges NUMBER  The number of times that two cells swap regions: more swaps make wilder regions.
        [default: three times the side]
    """
    form = stated_format(to, out) or "jigsaw"
    shapes = used(lambda: [make.jigsaw(side, seed + place, exchanges) for place in range(number)])
    write_boards(map(Puzzle.empty, shapes), form, out)
    return Code.SOLVED


@command("Make", "set puzzle.txt")
def set_(
    board: BoardOptions,
    *,
    puzzle: str | None = None,
    port: Port = 0,
    browser: bool = True,
    time_limit: Seconds | None = None,
) -> Code:
    """Open a page on which to set a puzzle: select cells, draw rules, and see how many solutions are left.

    The page shows the values that are left to each cell, the reason of a contradiction, what could be left out, and
    links for the sites of players. Only this machine reaches it. Ctrl-C, or the time limit, ends the program, which
    then writes the puzzle.

    <puzzle> [PUZZLE]  A puzzle to go on with: a file, a link or text. [default: an empty board]
    --port NUMBER  The port of the page; 0 takes a free one.
    --browser/--no-browser  Open the page in the browser.
    Limits:
    --time-limit SECONDS  End after this number of seconds.
    """
    from ..page.setting import SettingPage, whole_text

    start = Puzzle.empty(board.shape()) if puzzle is None else _puzzle_in(puzzle)
    try:
        page = SettingPage(start, port)
    except OSError as error:
        raise UsageError(f"--port {port}: {error.strerror or error}") from None
    try:
        say(f"set a puzzle at {page.url} (Ctrl-C ends)")
        if browser:
            webbrowser.open(page.url)
        page.serve(time_limit)
    finally:
        signals.heard()  # Ctrl-C is answered by what follows, however long it takes
        page.close()
        text = whole_text(page.board.puzzle)
        with output(None) as write:
            write(text + "\n")
    return Code.SOLVED


def _puzzle_in(stated: str, option: str = "") -> Puzzle:
    """Return the puzzle in a file, or stated itself; UsageError if there is none."""
    path = Path(stated)
    try:
        return parse(path.read_text(encoding="utf-8") if path.is_file() else stated)
    except (FormatError, OSError, UnicodeDecodeError) as error:
        missing = "" if path.is_file() else "; there is no such file"
        raise UsageError(f"{option}{stated[:200]}: {error}{missing}") from None


def _mix(path: str) -> list[dict[str, Any]]:
    """Read kinds of puzzles from a file; raise UsageError if they are invalid."""
    try:
        stated = json.loads(Path(path).read_text(encoding="utf-8"))
    except ValueError as error:
        raise UsageError(f"--mix {path}: not JSON: {said(error)}") from None
    if not isinstance(stated, list) or not stated or not all(isinstance(sort, dict) for sort in stated):
        raise UsageError(f"--mix {path}: a list of objects is expected")
    try:
        return [_sort(sort) for sort in stated]
    except (TypeError, ValueError) as error:
        raise UsageError(f"--mix {path}: {error}") from None


def _sort(stated: dict[str, Any]) -> dict[str, Any]:
    found = {name: value for name, value in stated.items() if name not in ("side", "boxes", "rules")}
    if "side" in stated or "boxes" in stated:
        text = stated.get("boxes")
        boxes = read_boxes(text if isinstance(text, str) else json.dumps(text)) if "boxes" in stated else None
        found["shape"] = BoardOptions(stated.get("side", 9), boxes).shape()
    if "rules" in stated:
        if not isinstance(stated["rules"], list) or not all(isinstance(rule, str) for rule in stated["rules"]):
            raise ValueError("rules: a list of names is expected")
        found["rules"] = tuple(map(read_rule, stated["rules"]))
    if not isinstance(stated.get("backend", "auto"), str):
        raise ValueError("backend: a name is expected")
    bands = {name: tuple(found[name]) for name in ("clues", "level", "rating") if isinstance(found.get(name), list)}
    return found | bands


def _empty(board: BoardOptions, like: str | None, wish: Wishes) -> Puzzle:
    if like is None:
        return Puzzle.empty(board.shape()).with_rules(*(wish.rule or ()))
    model = _puzzle_in(like, "--like ")
    return Puzzle.empty(model.shape).with_rules(*model.rules, *(wish.rule or ()))
