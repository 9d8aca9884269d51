"""The verb ``generate``: puzzles with exactly one solution, proved, with the givens and rules that you ask for."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, count
from random import Random
from typing import Any

import numpy as np

from ..display.progress import progress_bar
from ..engine.budget import Budget
from ..engine.registry import BackendLike
from ..errors import LimitReached
from ..puzzle import Puzzle, Shape
from ..puzzle.rules import Rule
from ..verbs.solving import is_unique
from ..verbs.task import Problem
from .boards import made
from .chance import Array, Stream, in_blocks
from .neighbours import STEEP, climb, near
from .solution_grids import block_size, grid_rows, parts_of
from .thinning import Uniqueness, thinned
from .wishes import GIVEN, PLACED, Accept, Clues, Miss, Options, Place, Sizes, Wishes, check_forms

PATIENCE, FEWER, FEWEST, NO_ROOM = 1_000_000, 10_000, 1_000, 30
"""The number of consecutive unsuitable candidates after which a search without a limit gives up: for boards made
together, for others, which take longer, for boards with rules, and for grids without room for all rules.
"""

SOME, TOGETHER, ALONE = 512, 4096, 16
"""Candidates that are made together at first, and at most; and at most if an engine does not test many in a call."""

CHUNK = 128
"""Puzzles that are rated between two checks of the limits."""

NEVER = "no other candidate is better"
"""How the reason begins if a wish can never be met."""

FIRST = 1024
"""Random puzzles, the hardest of which start a climb."""


@dataclass(frozen=True)
class Nearest:
    """A puzzle with one solution that is *not* as wanted, the nearest of those tried; ``missed`` says why.

    A puzzle is nearer than another if it meets more of the options in this order: number of placed rules, number of
    clues, SE-like rating, techniques, ``accept``, level; if they are equal, if it misses the next
    one by less.
    """

    puzzle: Puzzle
    missed: str


@dataclass(frozen=True)
class Generated:
    """What ``generate`` made: ``values`` and ``solutions`` (uint8, a row for each puzzle, 0 in open cells).

    ``tried`` counts the candidates, including unsuitable ones. If ``complete`` is False, a limit was reached first,
    and ``reason`` says which; ``nearest`` is then the best of the unsuitable candidates, if there was any.
    ``rules`` has the rules of each puzzle, if there are any.
    """

    wanted: Wishes
    values: Array
    solutions: Array
    tried: int
    complete: bool
    reason: str = ""
    nearest: Nearest | None = None
    rules: tuple[tuple[Rule, ...], ...] = ()

    def __repr__(self) -> str:
        ended = "" if self.complete else f"; ended by: {self.reason}"
        return f"<Generated: {len(self):,} puzzles of {self.wanted.shape}, {self.tried:,} candidates tried{ended}>"

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator[Puzzle]:
        return iter(self.puzzles)

    @cached_property
    def puzzles(self) -> tuple[Puzzle, ...]:
        """The puzzles; each has its solution in ``stated``."""
        block = Block(self.values, self.solutions, 0, self.rules)
        return tuple(block.puzzle(self.wanted.shape, row) for row in range(len(self)))


def generate(
    n: int = 1,
    *,
    shape: Shape | None = None,
    rules: Iterable[Rule] = (),
    place: Place | None = None,
    sizes: Sizes | None = None,
    cover: int | tuple[int, int] | None = None,
    overlap: bool = False,
    drop: str | Iterable[str] = GIVEN,
    clues: Clues = None,
    minimal: bool = True,
    symmetry: str = "none",
    pattern: str | Iterable[int] | None = None,
    start: Problem | None = None,
    level: str | tuple[str, str] | None = None,
    rating: float | tuple[float, float] | None = None,
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
    how many rules of which kinds are laid, ``{"KillerCage": 12, "Thermo": (1, 3), "Kropki": "all"}`` ("some": as many
    as suit the board); the kinds are in ``PLACES``. ``sizes`` says how many cells they have, ``{"Thermo": (4, 7)}``.
    ``cover`` puts every cell into a killer cage of so many cells, a number or (least, most). Lines and cages do not
    meet unless they may ``overlap``. ``drop`` lists the kinds of clues that may be removed, in this order: "given",
    "rule" (all that were placed), or one kind such as "KillerCage".

    Givens are removed until each is needed (``minimal``), or until ``clues`` are left, a number or (least, most). If
    rules are placed, further ones are laid, as far as ``place`` allows, until so few givens are enough.
    ``symmetry`` is one of ``SYMMETRIES``: cells that it exchanges keep or lose their givens together, and placed rules
    lie in its images too; minimal then means that no such group can be removed. ``pattern`` says which cells may have a
    given: a character for each cell, or their numbers; with ``minimal=False`` all of them do. ``level`` is a band of
    levels of ``rate``, ("1.1", "2.3"). For classic 9 x 9 puzzles, ``rating`` is a band of SE-like ratings, (8.0, 8.9),
    or the lowest one, and each of ``techniques`` ("X-wing") must occur on the path. From a rating of 9.3 on they are
    found by a climb among neighbours, by one worker. ``accept`` is called with each puzzle and says whether to keep it.
    ``uniform`` draws all grids with the same probability, which is slower.

    ``start`` is a grid; or a puzzle with several solutions, which gets the fewest further givens for one
    random solution after another; or one with one solution, of which one clue is changed. Its rules are kept.

    The same seed gives the same puzzles with any number of ``workers`` (threads), and in every process. After ``tries``
    candidates, or ``time_limit`` seconds, the puzzles found so far are returned with the ``nearest`` of the others;
    without both, after a million unsuitable candidates in a row (10,000 for boards that are made one by one, 1,000 with
    rules, 30 boards without room for the rules to place). On boards with rules, a given also stays if little work does
    not show that it is not needed. ``progress`` shows a bar. ValueError for incompatible options, and for options that
    no puzzle meets; the errors of ``solve`` for a backend.
    """
    limits = {name: value for name, value in (("tries", tries), ("time_limit", time_limit)) if value is not None}
    check_forms({"n": n, "seed": seed, "workers": workers, **limits})
    if workers < 1:
        raise ValueError(f"workers={workers}: 1 or more is expected")
    for name, value in {"n": n, **limits}.items():
        if value < 0:
            raise ValueError(f"{name}={value}: 0 or more is expected")
    options = Options(
        rules=rules, place=place, sizes=sizes, cover=cover, overlap=overlap, drop=drop, clues=clues, minimal=minimal,
        symmetry=symmetry, pattern=pattern, start=start, level=level, rating=rating, techniques=techniques,
        accept=accept, uniform=uniform, backend=backend,
    )  # fmt: skip
    with Budget(time_limit) as budget, progress_bar("making puzzles", n, progress) as show:
        wishes = Wishes(shape, seed, options, budget)
        unique = Uniqueness(wishes.shape, backend, budget=budget)
        patience = FEWEST if wishes.has_rules else PATIENCE if unique.together else FEWER
        with closing(_blocks(wishes, unique, n, workers, tries)) as blocks:
            return _Gathering(wishes, n, tries, patience, show).of(blocks)


# ---- candidates, in blocks


@dataclass(frozen=True)
class Block:
    """Puzzles with one solution (uint8, n x cells), their solutions, and the number of candidates.

    ``rules`` has the rules of each puzzle, if there are any. ``miss`` is what the one candidate with a ``number`` was
    seen to miss while it was made.
    """

    puzzles: Array
    solutions: Array
    tried: int
    rules: tuple[tuple[Rule, ...], ...] = ()
    miss: Miss | None = None
    number: int = 0

    def puzzle(self, shape: Shape, row: int) -> Puzzle:
        """Return one of the puzzles, with its solution stated."""
        values, solution = self.puzzles[row].tolist(), self.solutions[row].tolist()
        rules = self.rules[row] if self.rules else ()
        return Puzzle(shape, tuple(value or None for value in values), rules=rules, stated=tuple(solution))


def _blocks(
    wishes: Wishes, unique: Uniqueness, n: int, workers: int, tries: int | None
) -> Generator[Block, None, None]:
    """Yield the candidates: from a starting puzzle, by a climb to hard ones, or from random grids."""
    free = wishes.symmetry == "none" and wishes.pattern is None and wishes.grid is None
    most = tries if not wishes.is_plain else n if tries is None else min(n, tries)  # no worker starts unneeded work
    some, many = (SOME, TOGETHER) if unique.together else (1, ALONE)
    if wishes.has_rules:
        yield from _once(in_blocks(lambda numbers: _variant(wishes, numbers.start), workers, _units(1, 1, most)))
    elif wishes.starts:
        yield from _started(wishes, unique)
    elif wishes.rating and wishes.rating[0] >= STEEP and free:
        yield from _climbed(wishes, unique, wishes.rating[0])
    else:
        units = _units(many if wishes.is_plain else some, many, most)
        yield from in_blocks(lambda numbers: _plain(wishes, unique, numbers, wishes.minimal), workers, units)


def _units(first: int, largest: int, most: int | None) -> Iterator[range]:
    """Yield the numbers of candidates that are made together: few at first, since these may be enough."""
    start, size = 0, first
    while most is None or start < most:
        stop = start + size if most is None else min(start + size, most)
        yield range(start, stop)
        start, size = stop, min(2 * size, largest)


def _plain(wishes: Wishes, unique: Uniqueness, numbers: range, minimal: bool) -> Block:
    """Make puzzles without rules from random grids; a number of a seed always gives the same one."""
    if wishes.grid is not None:
        whole: Any = wishes.grid.values
        solutions = np.tile(np.array(whole, np.uint8), (len(numbers), 1))
    else:
        solutions = grid_rows(wishes.shape, wishes.seed, not wishes.uniform, numbers)
    boards, kept = solutions.copy(), np.arange(len(numbers))
    if wishes.open:
        boards[:, wishes.open] = 0
        kept = np.flatnonzero(unique(boards))
    puzzles = boards[kept]
    if minimal or wishes.pattern is None:
        orders, shares = _drawn(wishes, numbers)
        low, high = wishes.span
        least = 0 if minimal else (low + (shares * (high - low + 1)).astype(np.int64))[kept]
        puzzles = thinned(puzzles, wishes.groups[orders[kept]], unique, least)
    return Block(puzzles, solutions[kept], len(numbers))


def _drawn(wishes: Wishes, numbers: range) -> tuple[Array, Array]:
    """Return for each number a random order of the groups of cells, and a share from 0 to 1."""
    size, groups, orders, shares = block_size(wishes.shape), len(wishes.groups), [], []
    for block, start, stop in parts_of(wishes.shape, numbers):
        stream = Stream("generate", wishes.seed, block)
        orders.append(stream.orders(stop, groups)[start:])
        stream.skip((size - stop) * groups)
        shares.append(stream.numbers(stop)[start:])
    return np.concatenate(orders), np.concatenate(shares)


def _climbed(wishes: Wishes, unique: Uniqueness, low: int) -> Iterator[Block]:
    """Yield puzzles that may have a high rating, from one climb after another, each begun at random puzzles."""
    for number in count():
        first = _plain(wishes, unique, range(number * FIRST, (number + 1) * FIRST), True).puzzles
        for boards, tried in climb(first, Stream("climb", wishes.seed, number), unique, low):
            yield Block(boards, unique.solved(boards), tried)


def _started(wishes: Wishes, unique: Uniqueness) -> Iterator[Block]:
    """Yield puzzles made from one without rules: all that differ in one clue, or completed ones, endlessly."""
    if is_unique(wishes.board, wishes.backend, budget=wishes.budget):
        boards = near(np.array([value or 0 for value in wishes.board.givens], np.uint8), unique)
        boards = boards[Random(f"vary/{wishes.seed}").sample(range(len(boards)), len(boards))]
        yield Block(boards, unique.solved(boards), len(boards))
    else:
        yield from (_variant(wishes, number) for number in count())


def _once(blocks: Iterator[Block]) -> Iterator[Block]:
    """Leave out puzzles that occurred before."""
    seen = set()
    for block in blocks:
        key = block.puzzles.tobytes(), block.rules
        again = key in seen and block.miss is None
        yield Block(block.puzzles[:0], block.solutions[:0], block.tried) if again else block
        seen.add(key)


def _variant(wishes: Wishes, number: int, anyway: bool = False) -> Block:
    """Make the candidate with a number; see ``boards.made``."""
    puzzle, miss = made(wishes, number, anyway)
    boards = [] if puzzle is None else [[v or 0 for v in row] for row in (puzzle.givens, puzzle.stated or ())]
    values, solutions = np.array(boards, np.uint8).reshape(2, -1, wishes.shape.cells)
    return Block(values, solutions, 1, (puzzle.rules,) if puzzle and wishes.has_rules else (), miss, number)


# ---- choosing among the candidates


class _Gathering:
    """Examines candidates, block after block, until there are enough puzzles or a limit is reached."""

    def __init__(self, wishes: Wishes, n: int, tries: int | None, patience: int, show: Callable[[int], None]) -> None:
        self.wishes, self.n, self.tries, self.patience, self.show = wishes, n, tries, patience, show
        self.found: list[Block] = []  # the suitable rows alone: a long search looks at millions of others
        self.near: tuple[Miss, Block, int] | None = None
        self.count = self.tried = self.last = self.without_room = 0

    def of(self, blocks: Iterator[Block]) -> Generated:
        """Examine block after block."""
        wishes, n, reason = self.wishes, self.n, ""
        while self.count < n and not reason:
            try:
                block = next(blocks, None)
                reason = self._exhausted() if block is None else self._look(block)
            except LimitReached as error:
                reason = str(error) if wishes.budget.seconds is None else "time limit"
        seldom = "have that number" if wishes.clues else "are that easy" if wishes.is_easy and wishes.place else ""
        if not self.count and wishes.minimal and seldom and not reason.startswith(NEVER):
            reason += f"; minimal puzzles seldom {seldom}: leave out minimal for more choice"
        none, complete = np.zeros((0, wishes.shape.cells), np.uint8), self.count == n
        values = np.concatenate([none, *(block.puzzles for block in self.found)])
        solutions = np.concatenate([none, *(block.solutions for block in self.found)])
        rules = tuple(chain.from_iterable(block.rules for block in self.found))
        nearest = None if complete else self._nearest()
        return Generated(wishes, values, solutions, self.tried, complete, "" if complete else reason, nearest, rules)

    def _exhausted(self) -> str:
        others = "" if self.tries is not None and self.tried >= self.tries else "there are no others: "
        return f"{others}{self.tried} candidates were tried"

    def _look(self, block: Block) -> str:
        """Examine the candidates of a block until the search is over; return why it is, an empty text if it goes on."""
        suitable, reason = list[int](), ""
        self.tried += block.tried - len(block.puzzles)
        try:
            for row, miss in self._judged(block):
                self.tried += 1
                if miss is None:
                    suitable.append(row)
                    self.count, self.last = self.count + 1, self.tried
                    self.show(self.count)
                elif self.near is None or miss.is_nearer(self.near[0]):
                    self.near = miss, block, row
                if self.count == self.n or (reason := self._reached()):
                    break
        finally:
            rules = tuple(block.rules[row] for row in suitable if block.rules)
            self.found += [Block(block.puzzles[suitable], block.solutions[suitable], 0, rules)] if suitable else []
        if block.miss is not None and block.miss.always:
            return f"{NEVER}: {block.miss.text}"
        self.without_room = self.without_room + 1 if block.miss is not None and block.miss.wish == PLACED else 0
        return reason or self._reached()

    def _judged(self, block: Block) -> Iterator[tuple[int, Miss | None]]:
        """Yield the rows of a block and how each misses the wishes; what counts and ratings miss for some at a time."""
        if block.miss is not None:
            yield 0, block.miss
            return
        wishes = self.wishes
        for start in range(0, len(block.puzzles), CHUNK):
            for row, missed in enumerate(wishes.numbers_missed(block.puzzles[start : start + CHUNK]), start):
                one_by_one = missed is None and wishes.one_by_one
                yield row, wishes.miss(block.puzzle(wishes.shape, row)) if one_by_one else missed

    def _reached(self) -> str:
        """Return which limit was reached; an empty text for none."""
        if self.tries is not None and self.tried >= self.tries:
            return f"{self.tried} candidates were tried"
        if self.wishes.budget.expired:
            return "time limit"
        if self.tries is not None or self.wishes.budget.seconds is not None:
            return ""
        longer = "set tries or time_limit to search longer"
        if self.without_room >= NO_ROOM:
            return f"{NO_ROOM} boards in a row had no room for all rules: ask for fewer or smaller ones, or {longer}"
        if self.tried - self.last < self.patience:
            return ""
        return f"{self.patience:,} candidates in a row were unsuitable; {longer}"

    def _nearest(self) -> Nearest | None:
        """Return the nearest of the unsuitable candidates; from one without room clues are removed only now."""
        if self.near is None:
            return None
        miss, block, row = self.near
        if block.miss is not None and miss.wish == PLACED:
            with suppress(LimitReached):
                made = _variant(self.wishes, block.number, anyway=True)
                block = made if len(made.puzzles) else block
        return Nearest(block.puzzle(self.wishes.shape, row), miss.text)
