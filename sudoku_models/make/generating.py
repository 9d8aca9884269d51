"""The verb ``generate``: puzzles with exactly one solution, proved, with the givens and rules that you ask for."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import count, islice, takewhile

from ..display.progress import progress_bar
from ..engine.registry import BackendLike
from ..puzzle import Grid, Puzzle, Shape
from ..puzzle.rules import Rule
from ..verbs.task import Problem, as_puzzle
from .chance import in_blocks
from .demands import Clues, Wanted
from .gathering import FEWER, FEWEST, PATIENCE, Gathering, GivingUp, Wish, gathered
from .generated import Generated
from .keywords import names, refuse_negative, shape_or_nine
from .levels import Accept, LevelBand
from .made_blocks import MadeBlock, climbed, from_one, make_block, parts
from .ratings import Band
from .themes import GIVEN, Place, Theme


def generate(
    n: int = 1,
    *,
    shape: Shape | None = None,
    rules: Iterable[Rule] = (),
    place: Place | None = None,
    drop: str | Iterable[str] = GIVEN,
    clues: Clues = None,
    minimal: bool = True,
    symmetry: str = "none",
    pattern: str | Iterable[int] | None = None,
    start: Problem | None = None,
    level: str | tuple[str, str] | None = None,
    rating: float | tuple[float, float] | None = None,
    size: int | tuple[int, int] | None = None,
    techniques: str | tuple[str, ...] = (),
    accept: Accept | None = None,
    seed: int = 0,
    uniform: bool = False,
    workers: int = 1,
    tries: int | None = None,
    time_limit: float | None = None,
    backend: BackendLike = "auto",
    progress: bool = False,
) -> Generated:
    """Make ``n`` puzzles with exactly one solution each, proved.

    ``shape`` is any square board (9 x 9 by default). ``rules`` are added as they are (``AntiKnight()``); ``place`` says
    how many rules of which kinds are placed where they hold on a random grid, ``{"KillerCage": 12, "Thermo": (1, 3)}``;
    the kinds are in ``PLACES``. Then clues are removed in random order as long as one solution is left. ``drop`` lists
    the kinds that may be removed, in this order: "given", "rule" (all that were placed), or one kind such as
    "KillerCage".

    Givens are removed until each is needed (``minimal``), or until ``clues`` are left, a number or (least, most).
    ``symmetry`` is one of ``SYMMETRIES``: cells that it exchanges keep or lose their givens together; minimal then
    means that no such group can be removed. ``pattern`` says which cells may have a given: a character for each cell,
    or their numbers; with ``minimal=False`` all of them do. ``level`` is a band of levels of ``rate``, ("1.1", "2.3").
    For classic 9 x 9 puzzles, ``rating`` is a band of SE-like ratings, (8.0, 8.9), or the lowest one, ``size`` a band
    of the sizes of refutations, and each of ``techniques`` ("X-wing") must occur on the path. From a rating of 9.3 on
    they are found by a climb among neighbours, by one worker; from 10.0 on each second climb begins near a known
    puzzle, so that different seeds may give the same puzzle up to symmetry. ``accept`` is called with each puzzle and
    says whether to keep it. ``uniform`` draws all grids with the same probability, which is slower.

    ``start`` is a grid; or a puzzle with several solutions, which gets the fewest further givens for one
    random solution after another; or one with one solution, of which one clue is changed. Its rules are kept.

    The same seed gives the same puzzles with any number of ``workers`` (threads), and in every process. After ``tries``
    candidates, or ``time_limit`` seconds, the puzzles found so far are returned with the ``nearest`` of the others;
    without both, after a million unsuitable candidates in a row (10,000 for boards that are made one by one, 1,000 with
    rules). ``progress`` shows a bar. ValueError for incompatible options, and for options that no puzzle meets; the
    errors of ``minimise`` if there are rules.
    """
    refuse_negative(n, tries, time_limit, workers)
    begin, rules = _beginning(start), tuple(rules)
    shape = shape_or_nine(shape if begin is None or shape else begin.shape)
    grid = begin if isinstance(begin, Grid) else None
    deadline = None if time_limit is None else time.monotonic() + time_limit
    wanted = Wanted(shape, clues, minimal, symmetry, pattern, grid, seed, uniform, backend, deadline)
    levels = LevelBand.of(level, deadline)
    theme = _theme(wanted, rules, place or {}, names(drop), begin, levels)
    band = Band.of(rating, names(techniques), shape, size, theme is not None)
    if not isinstance(begin, Puzzle):
        wanted.refuse_what_is_never_met(theme is not None)
    wish = Wish(n, accept, band, levels)
    patience = FEWEST if theme is not None else PATIENCE if wanted.size > 1 else FEWER
    blocks = _blocks(wanted, wish, begin, workers, tries) if theme is None else _themed(theme, wish, workers)
    with progress_bar("making puzzles", n, progress) as show:
        return gathered(Gathering(wanted, wish, show), blocks, GivingUp(tries, deadline, patience))


def _beginning(start: Problem | None) -> Puzzle | Grid | None:
    """Return the starting point; a puzzle without rules or open cells as a grid."""
    if start is None or isinstance(start, Grid):
        return start
    puzzle = as_puzzle(start)
    if puzzle.candidates:
        raise ValueError("the starting puzzle has candidates: one with givens, and rules, is expected")
    return puzzle.grid if puzzle.grid.complete and not puzzle.rules else puzzle


def _theme(
    wanted: Wanted,
    rules: tuple[Rule, ...],
    place: Place,
    drop: tuple[str, ...],
    begin: Puzzle | Grid | None,
    levels: LevelBand | None,
) -> Theme | None:
    """Return what puzzles with rules are made of; None if there are none. ValueError for incompatible options."""
    if isinstance(begin, Puzzle):
        if wanted.symmetry != "none" or wanted.pattern is not None or begin.shape != wanted.shape:
            raise ValueError(
                "the starting puzzle sets the shape and the pattern: leave shape, pattern and symmetry out"
            )
        if begin.rules and begin.grid.complete:
            rules, wanted, begin = (*begin.rules, *rules), replace(wanted, grid=begin.grid), None
    puzzle = begin.with_rules(*rules) if isinstance(begin, Puzzle) else None
    if rules or place or (puzzle is not None and puzzle.rules):
        return Theme(wanted, rules, place, drop, puzzle, levels)
    if drop != (GIVEN,):
        raise ValueError(f"drop={drop}: there are no rules to leave out; state rules or place")
    return None


def _themed(theme: Theme, wish: Wish, workers: int) -> Iterator[MadeBlock]:
    """Make candidates with rules one after another; no worker starts unneeded work."""
    needed = wish.plain and theme.wanted.clues is None and theme.wanted.pattern is None and theme.begin is None
    numbers = islice(count(), wish.number) if needed else count()
    blocks = in_blocks(theme.block, workers, numbers)
    return blocks if theme.begin is None else _once(blocks)


def _once(blocks: Iterator[MadeBlock]) -> Iterator[MadeBlock]:
    """Leave out puzzles that occurred before."""
    seen = set()
    for block in blocks:
        key = block.puzzles.tobytes(), block.rules
        yield block if key not in seen else MadeBlock(block.puzzles[:0], block.solutions[:0], block.tried)
        seen.add(key)


def _blocks(
    wanted: Wanted, wish: Wish, begin: Puzzle | Grid | None, workers: int, tries: int | None
) -> Iterator[MadeBlock]:
    """Choose how puzzles are found: from a starting puzzle, by a climb to hard ones, or from random grids."""
    if isinstance(begin, Puzzle):
        return from_one(begin, wanted)
    if wish.band and wish.is_steep and wanted.is_free:
        return climbed(wanted, wish.band)
    size = _size(wanted, wish, tries)
    numbers = parts(wanted, size)
    if _is_plain(wanted, wish):  # no worker starts unneeded work
        numbers = takewhile(lambda part: part[0] * size + part[1].start < wish.number, numbers)
    return in_blocks(lambda part: make_block(wanted, *part), workers, numbers)


def _size(wanted: Wanted, wish: Wish, tries: int | None) -> int:
    """Return how many puzzles of a block are made: all if several blocks may be wanted."""
    number = wish.number if _is_plain(wanted, wish) else wanted.size
    return min(number, wanted.size, wanted.size if tries is None else tries)


def _is_plain(wanted: Wanted, wish: Wish) -> bool:
    """Return whether every candidate is suitable."""
    return wish.plain and wanted.clues is None and wanted.pattern is None
