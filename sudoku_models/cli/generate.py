"""``sudoku-models generate``, ``grids``, ``statistics``, ``dataset``, ``jigsaw`` and ``set``.

There is one record of the schema ``sudoku-models/generate/1`` for each puzzle: ``number``, ``puzzle`` (a line, or a
constraint string if there are rules), ``solution``, ``clues``, ``seed``, ``missed`` (null; if a limit was reached
first, the last record is the nearest puzzle, and this field says which wish it misses). A record of
``sudoku-models/grids/1`` has ``number``, ``solution``, ``seed``. A table has the same columns. A record of
``sudoku-models/statistics/1``, one for each number of clues (or rating, level: ``--by``), has ``clues``,
``share``, ``low`` and ``high`` (the interval that holds the true share in 95 of 100 cases).
"""

from __future__ import annotations

import json
import re
import sys
import webbrowser
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from .. import make
from ..bulk.columns import INTEGER, NUMBER, TEXT
from ..errors import FormatError, meant
from ..formats import parse
from ..puzzle import Puzzle, Shape
from ..puzzle.rules import Rule, known_rules
from .answers import check, records, used, wants_boards, writable, write_boards
from .codes import Code, UsageError
from .options import Boxes, BoxSize, Made, Number, Positive, Seconds, Threads, Written
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
        return shape_of(self.side, self.boxes)


@dataclass(frozen=True)
class GivenOptions:
    """The requirements for givens.

    Wishes:
    --clues N|LEAST-MOST  The number of givens, or a range.
    --minimal/--no-minimal  Remove givens until every remaining one is needed.
    --symmetry TEXT  The symmetry of the positions of givens and placed rules: none, half-turn, quarter-turn,
        horizontal, vertical, diagonal, antidiagonal, both, diagonals or full.
    """

    clues: str | None = None
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
    --place KIND=N|KIND=LEAST-MOST|KIND=all  Place rules of a kind, such as KillerCage=12, Thermo=1-3 or Kropki=all; may
        be repeated.
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
    level: str | None = None
    rating: str | None = None
    technique: list[str] | None = None
    rule: list[str] | None = None
    place: list[str] | None = None
    size: list[str] | None = None
    cover: str | None = None
    overlap: bool = False
    drop: list[str] | None = None
    uniform: bool = False
    tries: Positive | None = None
    time_limit: Seconds | None = None


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
    if as_boards:
        _refuse_early(empty if start is None else start.with_rules(*empty.rules), wish, made.to)
    choices: dict[str, Any] = {
        "shape": empty.shape, "rules": empty.rules, "start": start, "seed": seed, "workers": workers,
        "clues": span_of(givens.clues), "minimal": givens.minimal, "symmetry": givens.symmetry,
        "pattern": wish.pattern, "level": levels_of(wish.level), "rating": rating_of(wish.rating),
        "techniques": tuple(wish.technique or ()), "place": placed(wish.place), "sizes": sizes_of(wish.size),
        "cover": span_of(wish.cover, "--cover", "2-4"), "overlap": wish.overlap, "drop": tuple(wish.drop or ("given",)),
        "uniform": wish.uniform, "tries": wish.tries, "time_limit": wish.time_limit,
    }  # fmt: skip
    _note_climb(choices["rating"], wish)
    found = used(lambda: make.generate(number, **choices, progress=sys.stderr.isatty()))
    code = Code.SOLVED if found.complete else Code.LIMIT
    if as_boards:
        write_boards(iter(found.puzzles), made.to, made.out)
    else:
        rows = [_row(puzzle, seed) for puzzle in found.puzzles]
        rows += [] if found.nearest is None else [_row(found.nearest.puzzle, seed, found.nearest.missed)]
        records("generate", PUZZLES, rows, made, code)
    say(f"made {len(found)}, tried {found.tried}" + (f": {found.reason}" if found.reason else ""))
    if found.nearest is not None:
        from ..make.rows import text_of

        say(f"not quite as requested, but the nearest found: {text_of(found.nearest.puzzle)}: {found.nearest.missed}")
    return code


def _note_climb(rating: tuple[float, float] | float | None, wish: Wishes) -> None:
    """Say at once how very hard puzzles are found, as the first may take long."""
    from ..make.neighbours import STEEP  # which loads numpy

    low = rating[0] if isinstance(rating, tuple) else rating or 0.0
    if low >= STEEP / 10:
        end = "" if wish.tries or wish.time_limit else "; --time-limit or --tries ends it with the nearest puzzle found"
        say(
            f"looking for a rating of {low:g} by a climb to ever harder neighbours of random puzzles: the higher, the "
            f"longer, and from 11 on it may not end{end}"
        )


def _refuse_early(board: Puzzle, wish: Wishes, to: str) -> None:
    """Refuse a format that cannot hold the rules, before anything is made, and name those that can."""
    from ..make.laying import some_rule

    writable(to)
    kinds = [*placed(wish.place), *(["KillerCage"] if wish.cover else [])]
    rules = [some_rule(kind, board.shape) for kind in kinds if kind in make.PLACES]
    board = board.with_rules(*(rule for rule in rules if rule is not None))
    if (refusal := _refused(board, to)) is not None:
        others = [name for name in ("sudokupad", "f-puzzles", "iss", "json") if _refused(board, name) is None]
        reason = str(refusal).removesuffix(": json can hold them")
        raise UsageError(f"{reason}; formats that can hold it: {', '.join(f'--to {name}' for name in others)}")


def _refused(puzzle: Puzzle, to: str) -> FormatError | None:
    """Return the error of a format that cannot hold the puzzle; None if it can."""
    try:
        check(puzzle, to)
    except FormatError as error:
        return error
    return None


def _row(puzzle: Puzzle, seed: int, missed: str | None = None) -> dict[str, Any]:
    from ..make.rows import text_of  # which loads numpy

    assert puzzle.stated is not None
    solution = Puzzle(puzzle.shape, puzzle.stated).to_line()
    known = {"puzzle": text_of(puzzle), "solution": solution}
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
        write_boards(boards, made.to, made.out)
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
    level: list[str] | None = None,
    rated: bool = False,
    rating: list[str] | None = None,
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
    wishes: dict[str, Any] = {
        "mix": mix_of(mix), "strata": strata_of(level, rating), "traces": traces, "rated": rated, "seed": seed,
        "workers": workers,
    }  # fmt: skip
    clues = span_of(givens.clues)
    if not mix:
        wishes |= {"clues": clues, "minimal": givens.minimal, "symmetry": givens.symmetry}
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
    to: str = "jigsaw",
    out: str | None = None,
) -> Code:
    """Make empty boards with random regions, for use with `generate --like`.

    --exchanges NUMBER  The number of times that two cells swap regions: more swaps make wilder regions.
        [default: three times the side]
    """
    shapes = used(lambda: [make.jigsaw(side, seed + place, exchanges) for place in range(number)])
    write_boards(map(Puzzle.empty, shapes), to, out)
    return Code.SOLVED


Port = Annotated[int, whole(0, 65535)]


@command("Make", "set puzzle.txt")
def set(
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
    from ..page.setting import SettingPage

    start = Puzzle.empty(board.shape()) if puzzle is None else _read(puzzle)
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
        page.close()
        texts = page.board.texts()
        with output(None) as write:
            write(next(texts[name]["text"] for name in ("iss", "json") if "text" in texts[name]) + "\n")
    return Code.SOLVED


def _read(text: str) -> Puzzle:
    try:
        return parse(_text(text))
    except (FormatError, OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{text[:200]}: {error}") from None


def _text(stated: str) -> str:
    """Return the text of the puzzle in a file, or what is no file as it is."""
    path = Path(stated)
    return path.read_text(encoding="utf-8") if path.is_file() else stated


# requirements, parsed from the command line

_SPAN = re.compile(r"(\d+)(?:-(\d+))?\Z")


def span_of(text: str | None, option: str = "--clues", example: str = "22-25") -> tuple[int, int] | None:
    """Parse the smallest and largest number, of givens for example; ``option`` and ``example`` are for messages."""
    expected = f"a number, or a range such as {example}, is expected"
    return None if text is None else _span(f"{option} {text}", text, expected)


def _span(option: str, text: str, expected: str) -> tuple[int, int]:
    if not (match := _SPAN.match(text)):
        raise UsageError(f"{option}: {expected}")
    return int(match[1]), int(match[2] or match[1])


def levels_of(level: str | None) -> tuple[str, str] | None:
    """Parse a range of levels."""
    if level is None:
        return None
    low, _, high = level.partition("-")
    return low, high or low


def rating_of(rating: str | None) -> tuple[float, float] | float | None:
    """Parse a range of SE-like ratings, or the smallest one."""
    if rating is None:
        return None
    low, dash, high = rating.partition("-")
    try:
        return (float(low), float(high)) if dash else float(low)
    except ValueError:
        raise UsageError(f"--rating {rating}: a number such as 8.3, or a range such as 8-8.9, is expected") from None


def strata_of(levels: Sequence[str] | None, ratings: Sequence[str] | None) -> list[Any]:
    """Parse the ranges of levels or ratings of a data set."""
    if levels and ratings:
        raise UsageError("--level and --rating cannot be combined: choose one of them")
    found = [(band, 100.0) if isinstance(band, float) else band for band in map(rating_of, ratings or ())]
    return [*map(levels_of, levels or ()), *found]


def mix_of(path: str | None) -> list[dict[str, Any]]:
    """Read kinds of puzzles from a file; raise UsageError if they are invalid."""
    if path is None:
        return []
    try:
        stated = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"--mix {path}: {error.strerror}") from None
    except ValueError as error:
        raise UsageError(f"--mix {path}: not JSON: {error}") from None
    if not isinstance(stated, list) or not stated or not all(isinstance(sort, dict) for sort in stated):
        raise UsageError(f"--mix {path}: a list of objects is expected")
    return [_sort(path, sort) for sort in stated]


def _sort(path: str, stated: dict[str, Any]) -> dict[str, Any]:
    found = {name: value for name, value in stated.items() if name not in ("side", "boxes", "rules")}
    try:
        if "side" in stated or "boxes" in stated:
            boxes = BoxSize.parse(stated["boxes"]) if "boxes" in stated else None
            found["shape"] = shape_of(stated.get("side", 9), boxes)
        if "rules" in stated:
            found["rules"] = rules_of(stated["rules"])
        bands = {name: tuple(found[name]) for name in ("clues", "level", "rating") if isinstance(found.get(name), list)}
    except (TypeError, ValueError) as error:
        raise UsageError(f"--mix {path}: {error}") from None
    return found | bands


def rules_of(kinds: Sequence[str]) -> tuple[Rule, ...]:
    """Return rules about the whole grid, by the names of their classes."""
    known, found = known_rules(), []
    for kind in kinds:
        try:
            found.append(known[kind]())
        except (KeyError, TypeError):
            whole = (name for name, rule in known.items() if kind not in known and _is_whole(rule))
            raise UsageError(
                f"--rule {kind}: a rule about the whole grid, such as AntiKnight, is expected{meant(kind, whole)}"
            ) from None
    return tuple(found)


def _is_whole(rule: type[Rule]) -> bool:
    try:
        rule()
    except TypeError:
        return False
    return True


def placed(wishes: Sequence[str] | None) -> dict[str, tuple[int, int] | str]:
    """Return the smallest and largest number of rules of each kind to place, or "all"."""
    expected = "a kind and a number are expected, such as KillerCage=12, Thermo=1-3 or Kropki=all"
    return _by_kind("--place", wishes, expected, "all")


def sizes_of(wishes: Sequence[str] | None) -> dict[str, Any]:
    """Return the smallest and largest number of cells of placed rules, by kind."""
    return _by_kind("--size", wishes, "a kind and a number of cells are expected, such as Thermo=4-7")


def _by_kind(option: str, wishes: Sequence[str] | None, expected: str, word: str = "") -> dict[str, Any]:
    """Return a span, or the ``word``, for each kind."""
    parts = {text: text.partition("=") for text in wishes or ()}
    return {
        kind: word if word and amount == word else _span(f"{option} {text}", amount, expected)
        for text, (kind, _, amount) in parts.items()
    }


def _empty(board: BoardOptions, like: str | None, wish: Wishes) -> Puzzle:
    """Return an empty board: its shape and its rules."""
    rules = rules_of(wish.rule or ())
    if like is None:
        return Puzzle.empty(board.shape()).with_rules(*rules)
    try:
        model = parse(_text(like))
    except FormatError as error:
        raise UsageError(f"--like {like}: {error}{'' if Path(like).is_file() else '; there is no such file'}") from None
    return Puzzle.empty(model.shape).with_rules(*model.rules, *rules)


def shape_of(side: int, boxes: BoxSize | None) -> Shape:
    """Return the shape of a board; raise UsageError for boxes that do not tile it."""
    try:
        if boxes is not None and not boxes.height:
            return Shape.latin(side)
        return Shape.square(side, (boxes.height, boxes.width) if boxes else None)
    except ValueError as error:
        plain = " (--boxes none)" if "Latin" in str(error) else ""
        raise UsageError(f"{error}{plain}") from None
