"""Wishes: what the puzzles have to be like that ``generate`` makes, checked before anything is made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from numbers import Integral, Real
from typing import Any, NamedTuple, TypedDict

import numpy as np

from ..engine.budget import Budget
from ..engine.registry import BackendLike
from ..errors import meant
from ..explain.classic import rate_arrays, walked
from ..explain.classic.board import NAMES, NUMBERS
from ..explain.classic.chains import MOST_COST
from ..explain.classic.ratings import SE_INNER, added, masks_of_rows
from ..explain.ladder import ALL, RUNGS, Level, level_text
from ..explain.rating import Rating, rate
from ..puzzle import Grid, Puzzle, Shape
from ..puzzle.rules import Rule
from ..verbs.task import Problem, as_puzzle
from .chance import Array
from .kinds import BODIES, PLACES
from .laying import orbit_sizes
from .symmetry import SYMMETRIES, images, orbits

Accept = Callable[[Puzzle], bool]
Band = tuple[int, int]
Clues = int | tuple[int, int] | None
Place = Mapping[str, int | tuple[int, int] | str]
Sizes = Mapping[str, int | tuple[int, int]]

NINE = Shape.square(9)
FEWEST = 17
"""The fewest clues of a classic 9 x 9 puzzle with one solution (McGuire, Tugemann, Civario 2012)."""

GIVEN, RULE = "given", "rule"
"""What may be removed besides kinds of rules: givens, and all rules that were placed."""

SCALE_ENDS = NUMBERS[0], SE_INNER[-1][1] + added(SE_INNER[-1][0], MOST_COST)
"""The ends of the SE-like scale, in tenths: nothing is rated beyond them."""

PLACED, CLUES, RATING, TECHNIQUES, ACCEPT, LEVEL = range(6)
"""The wishes, in the order in which candidates are compared with them."""


class Options(TypedDict, total=False):
    """The options of ``generate`` about a sort of puzzles."""

    rules: Iterable[Rule]
    place: Place | None
    sizes: Sizes | None
    cover: int | tuple[int, int] | None
    overlap: bool
    drop: str | Iterable[str]
    clues: Clues
    minimal: bool
    symmetry: str
    pattern: str | Iterable[int] | None
    start: Problem | None
    level: str | tuple[str, str] | None
    rating: float | tuple[float, float] | None
    techniques: str | tuple[str, ...]
    accept: Accept | None
    uniform: bool
    backend: BackendLike
    workers: int
    tries: int | None
    time_limit: float | None


class Miss(NamedTuple):
    """The first wish that a candidate does not meet, by how much (above 0), and a text that says so.

    ``always`` says that no other candidate meets it either.
    """

    wish: int
    off: float
    text: str
    always: bool = False

    def is_nearer(self, other: Miss) -> bool:
        """Return whether it misses by less than another one."""
        return (-self.wish, self.off) < (-other.wish, other.off)


@dataclass(frozen=True)
class Wishes:
    """The options of ``generate`` about puzzles, parsed by ``wishes_of``.

    ``board`` has the shape, the rules that all puzzles have, and the givens of a starting puzzle (``starts``); ``grid``
    is a starting grid. ``place`` has the least and greatest number of rules of each kind (None: wherever one holds),
    ``clues`` and ``rating`` (in tenths) the lowest and the highest number. The ``budget`` also ends the making of a
    puzzle.
    """

    board: Puzzle
    starts: bool
    grid: Grid | None
    place: Mapping[str, Band | None]
    sizes: Mapping[str, Band]
    cover: Band | None
    overlap: bool
    drop: tuple[str, ...]
    minimal: bool
    symmetry: str
    pattern: frozenset[int] | None
    clues: Band | None
    rating: Band | None
    techniques: tuple[str, ...]
    accept: Accept | None
    levels: tuple[Level, Level] | None
    seed: int
    uniform: bool
    backend: BackendLike
    budget: Budget = field(repr=False, compare=False)

    @property
    def shape(self) -> Shape:
        """The shape of the puzzles."""
        return self.board.shape

    @property
    def span(self) -> Band:
        """The least and the greatest number of clues."""
        return self.clues or (0, self.shape.cells)

    @property
    def open(self) -> list[int]:
        """The cells outside the pattern."""
        return [] if self.pattern is None else sorted(set(range(self.shape.cells)) - self.pattern)

    @property
    def lasting(self) -> tuple[Rule, ...]:
        """The rules that grids must satisfy before anything is placed on them.

        Rules about all marks (StrictKropki) hold if these marks are placed wherever they are possible.
        """
        marked = {f"Strict{kind}" for kind in self.place}
        return tuple(rule for rule in self.board.rules if type(rule).__name__ not in marked)

    @property
    def has_rules(self) -> bool:
        """Return whether the puzzles have rules."""
        return bool(self.board.rules or self.place or self.cover)

    @property
    def is_rated(self) -> bool:
        """Return whether puzzles are rated on the scale of classic boards."""
        return self.rating is not None or bool(self.techniques)

    @property
    def is_plain(self) -> bool:
        """Return whether every puzzle that is made is suitable."""
        chosen = self.clues or self.is_rated or self.accept or self.levels
        return not (chosen or self.starts or self.has_rules or self.open)

    @property
    def is_easy(self) -> bool:
        """Return whether no trials are wanted on the path to the solution."""
        return self.levels is not None and self.levels[1] < (2, 0)

    @cached_property
    def maps(self) -> tuple[tuple[int, ...], ...]:
        """The symmetry, as the cells that other cells come from, without the identity."""
        return images(self.shape, self.symmetry)

    @cached_property
    def groups(self) -> Array:
        """The cells that are given or open together, a row each; the last one is repeated where there are fewer."""
        found = orbits(self.shape, self.symmetry)
        most = max(map(len, found))
        return np.array([[*cells, *[cells[-1]] * (most - len(cells))] for cells in found], np.int64)

    def sifted(self, puzzles: Array, rows: Array, wish: int) -> tuple[Array, tuple[Miss, int] | None]:
        """Return those of some rows that meet a wish about a number, and how the nearest other one misses it."""
        band = self.clues if wish == CLUES else self.rating
        if band is None or not len(rows):
            return rows, None
        low, high = band
        if wish == CLUES:
            values, exact = (puzzles[rows] > 0).sum(1), np.ones(len(rows), bool)
        else:
            rated = rate_arrays(puzzles[rows].astype(np.uint8), "se", highest=high)
            exact = rated.exact
            values = np.where(exact, rated.values, np.maximum(rated.values, high + 1))
        off = np.maximum(low - values, values - high).clip(0)
        good = off == 0
        if good.all():
            return rows, None
        at = int(np.where(good, off.max() + 1, off).argmin())
        text = self._missed(wish, int(values[at]), bool(exact[at]))
        return rows[good], (Miss(wish, int(off[at]) / (1 if wish == CLUES else 10), text), int(rows[at]))

    def _missed(self, wish: int, value: int, exact: bool) -> str:
        if wish == CLUES:
            return f"it has {value} clues instead of {between(*self.span)}"
        low, high = self.rating or (0, 0)
        wanted = f"{low / 10:g} or more" if high >= 1000 else between(f"{low / 10:g}", f"{high / 10:g}")
        return f"its SE-like rating is {'' if exact else 'at least '}{value / 10:g}, {wanted} is wanted"

    def miss(self, puzzle: Puzzle) -> Miss | None:
        """Return how a puzzle misses the wishes that are not about numbers; None if it meets them."""
        if lacking := self._lacking(puzzle):
            return Miss(TECHNIQUES, len(lacking), f"its path has no {', no '.join(lacking)}")
        if self.accept is not None and not self.accept(puzzle):
            return Miss(ACCEPT, 1, "accept rejects it")
        return self.level_miss(puzzle)

    def _lacking(self, puzzle: Puzzle) -> list[str]:
        if not self.techniques:
            return []
        values = np.array([[value or 0 for value in puzzle.givens]], np.uint8)
        highest = 1000 if self.rating is None else self.rating[1]
        stages = walked(masks_of_rows(values)[0].tolist(), highest=highest).stages
        return sorted(set(self.techniques) - {stage.technique for stage in stages})

    def rated(self, puzzle: Puzzle) -> Rating:
        """Rate a puzzle for the band of levels, as far as it reaches, within the budget."""
        assert self.levels is not None
        return rate(puzzle, highest=self.levels[1], time_limit=self.budget.left)

    def level_miss(self, puzzle: Puzzle, found: Rating | None = None) -> Miss | None:
        """Return how a puzzle, or its rating, misses the band of levels, if there is one, counted in levels."""
        if self.levels is None:
            return None
        low, high = self.levels
        found = found or self.rated(puzzle)
        if found.exact and low <= found.level <= high:
            return None
        reached = found.level if found.exact else max(found.level, high)
        steps = sum(reached <= level < low or high < level <= reached for level in RUNGS)
        wanted = between(level_text(low), level_text(high))
        return Miss(LEVEL, steps + (not found.exact), f"its rating is {found}, level {wanted} is wanted")


def between(low: object, high: object) -> str:
    """Format a band: "24", "20 to 24"."""
    return str(low) if low == high else f"{low} to {high}"


# ---- reading and checking the options

_FORMS: Mapping[str, tuple[Any, str]] = {
    **dict.fromkeys(("place", "sizes"), (Mapping, "a mapping such as {'Thermo': 3}")),
    **dict.fromkeys(("overlap", "minimal", "uniform"), (bool | np.bool_, "True or False")),
    **dict.fromkeys(("rules", "drop", "techniques", "level", "pattern"), (Iterable, "a text or a list")),
    **dict.fromkeys(("workers", "tries"), (Integral, "a whole number")),
    "time_limit": (Real, "a number of seconds"),
    "accept": (Callable, "a function of a puzzle"),
}
"""What options are, and what is expected if they are something else."""


def check_forms(options: Mapping[str, Any]) -> None:
    """Raise ValueError, with what is expected, for an option that is another kind of object than it can be."""
    for name, value in options.items():
        kind, wanted = _FORMS.get(name, (object, ""))
        if not isinstance(value, kind):
            raise ValueError(f"{name}={value!r:.80}: {wanted} is expected")


def wishes_of(shape: Shape | None, seed: int, options: Options, budget: Budget | None = None) -> Wishes:
    """Parse the options of ``generate``; ValueError for incompatible ones, and for those that no puzzle meets."""
    options = Options(**{name: value for name, value in options.items() if value is not None})  # type: ignore[typeddict-item]
    check_forms(options)
    board, begin = _board_of(shape, options)
    symmetry = options.get("symmetry", "none")
    one_of(symmetry, SYMMETRIES, f"the symmetry {symmetry!r}")
    place = _amounts(options.get("place") or {}, board, symmetry)
    techniques, cover, pattern = _names(options.get("techniques", ())), options.get("cover"), options.get("pattern")
    clues, has_rules = options.get("clues"), bool(board.rules or place or cover)
    wishes = Wishes(
        board=board,
        starts=isinstance(begin, Puzzle),
        grid=begin if isinstance(begin, Grid) else None,
        place=place,
        sizes=_sizes(options.get("sizes") or {}, place, board.shape),
        cover=None if cover is None else _number_of_cells("cover", cover, board.shape),
        overlap=options.get("overlap", False),
        drop=_names(options.get("drop", GIVEN)),
        minimal=options.get("minimal", True),
        symmetry=symmetry,
        pattern=None if pattern is None else _pattern_cells(pattern, board.shape),
        clues=None if clues is None else band("clues", clues),
        rating=_rating(options.get("rating"), techniques, board.shape, has_rules),
        techniques=techniques,
        accept=options.get("accept"),
        levels=_levels(options.get("level")),
        seed=seed,
        uniform=options.get("uniform", False),
        backend=options.get("backend", "auto"),
        budget=budget or Budget(),
    )
    (low, high), cells, grid = wishes.span, wishes.shape.cells, wishes.grid
    if not 0 <= low <= high <= cells:
        asked = between(low, high)
        raise ValueError(f"{asked} clues: numbers from 0 to {cells} are expected, the lower one first")
    if grid is not None and (grid.shape != wishes.shape or not grid.complete):
        raise ValueError("the starting grid must be complete, and of the same shape as the puzzles")
    _ = wishes.groups  # which refuses a symmetry that the board does not have
    _check_rules(wishes)
    if not wishes.starts:
        _refuse_what_is_never_met(wishes)
    return wishes


def _board_of(shape: Shape | None, options: Options) -> tuple[Puzzle, Puzzle | Grid | None]:
    """Return the board with the rules that stay, and the starting point; a full one without rules as a grid."""
    start, rules = options.get("start"), tuple(options.get("rules", ()))
    if start is None or isinstance(start, Grid):
        return Puzzle.empty(shape_or_nine(start.shape if start and not shape else shape)).with_rules(*rules), start
    try:
        puzzle = as_puzzle(start)
    except TypeError as error:
        raise ValueError(f"start: {error}") from None
    if puzzle.candidates:
        raise ValueError("the starting puzzle has candidates: one with givens, and rules, is expected")
    if puzzle.grid.complete:
        return Puzzle.empty(shape or puzzle.shape).with_rules(*puzzle.rules, *rules), puzzle.grid
    laid_out = options.get("symmetry", "none") != "none" or options.get("pattern") is not None
    if laid_out or (shape or puzzle.shape) != puzzle.shape:
        raise ValueError("the starting puzzle sets the shape and the pattern: leave shape, pattern and symmetry out")
    board = puzzle.with_rules(*rules)
    return board, board


def shape_or_nine(shape: Shape | None) -> Shape:
    """Return a shape, the classic one for None; TypeError for anything else."""
    if shape is not None and not isinstance(shape, Shape):
        raise TypeError(f"the shape {shape!r}: a Shape such as Shape.square(9) or Shape.latin(7) is expected")
    return shape or NINE


def band(name: str, value: Any, whole: bool = True) -> tuple[Any, Any]:
    """Return the two ends of a band, given as one number or two, the lower one first; ValueError for anything else."""
    ends = tuple(value) if isinstance(value, tuple | list) else (value, value)
    if len(ends) != 2 or not all(isinstance(end, Integral if whole else Real) for end in ends):
        wanted = "a whole number" if whole else "a number"
        raise ValueError(f"{name}={value!r}: {wanted} is expected, or two of them, the lower one first")
    return ends[0], ends[1]


def one_of(name: str, known: Iterable[str], problem: str) -> None:
    """Raise ValueError, which begins with the problem, unless a name is known."""
    choices = list(known)
    if name not in choices:
        raise ValueError(f"{problem}: one of {', '.join(choices)} is expected{meant(str(name), choices)}")


def _names(value: str | Iterable[str]) -> tuple[str, ...]:
    """Return a sequence of names; a text is a single name."""
    return (value,) if isinstance(value, str) else tuple(value)


def _refuse_what_is_never_met(wishes: Wishes) -> None:
    """Raise ValueError if no puzzle with one solution has such a number of givens."""
    (low, high), shape = wishes.span, wishes.shape
    asked = between(low, high)
    fewest = 0 if wishes.has_rules else FEWEST if shape == NINE else len(shape.values) - 1
    if high < fewest:
        raise ValueError(f"{asked} clues: a puzzle with one solution has at least {fewest}")
    room = shape.cells - len(wishes.open)
    if room < max(low, fewest):
        raise ValueError(f"the pattern has room for {room} clues: at least {max(low, fewest)} are needed")
    numbers = {0}  # of cells that some groups have together
    for cells in wishes.groups.tolist():
        numbers |= {number + len(set(cells)) for number in numbers}
    _refuse_between(wishes.span, numbers, f"{asked} clues", wishes.symmetry)


def _refuse_between(wanted: Band, possible: Iterable[int], what: str, symmetry: str) -> None:
    """Raise ValueError if no possible number lies in a band."""
    low, high = wanted
    numbers = sorted(possible)
    if not any(low <= number <= high for number in numbers):
        near = [max((n for n in numbers if n < low), default=0), *[n for n in numbers if n > high][:1]]
        among = " or ".join(map(str, near))
        raise ValueError(f"{what}: with the symmetry {symmetry!r} there can be {among}")


def _amounts(place: Place, board: Puzzle, symmetry: str) -> dict[str, Band | None]:
    """Return the least and the greatest number of rules of each kind; None for as many as the grid has.

    "some" is a number that there can be with the symmetry; ValueError if there is none in a band.
    """
    for kind in place:
        one_of(kind, PLACES, f"{kind!r} cannot be put on a board")
    found: dict[str, Band | None] = {}
    for kind, amount in place.items():
        ends = amount if isinstance(amount, tuple | list) else (amount, amount)
        whole = len(ends) == 2 and all(isinstance(end, Integral) for end in ends)
        if amount not in ("all", "some") and not (whole and 0 <= ends[0] <= ends[1]):  # type: ignore[operator]
            wanted = 'a number of 0 or more, two of them, the lower one first, "some" or "all" is expected'
            raise ValueError(f"{amount!r} rules of the kind {kind!r}: {wanted}")
        if amount == "all" or any(type(rule).__name__ == f"Strict{kind}" for rule in board.rules):
            found[kind] = None
            continue
        low, high = band("place", _some(kind, board.shape) if amount == "some" else amount)
        if low > MOST_A_CELL * board.shape.cells:
            raise ValueError(f"{low} rules of the kind {kind}: a board of {board.shape} has no room for so many")
        numbers = numbers_of(kind, board.shape, images(board.shape, symmetry), high)
        if amount == "some":
            low = high = next((number for number in numbers if number >= low), high)
        _refuse_between((low, high), numbers, f"{between(low, high)} rules of the kind {kind}", symmetry)
        found[kind] = low, high
    return found


MOST_A_CELL = 4
"""No board has room for more rules of a kind than this for each of its cells."""


@lru_cache(maxsize=64)
def numbers_of(kind: str, shape: Shape, maps: tuple[tuple[int, ...], ...], most: int) -> tuple[int, ...]:
    """Return how many rules of a kind there can be with a symmetry, up to the first number beyond ``most``."""
    sizes, numbers = orbit_sizes(shape, maps, PLACES[kind]), [0]
    most = min(most, MOST_A_CELL * shape.cells)  # each number takes a look at all before it
    while sizes and numbers[-1] <= most:
        numbers.append(min(n + size for n in numbers for size in sizes if n + size > numbers[-1]))
    return tuple(numbers)


def _some(kind: str, shape: Shape) -> int:
    """Return how many rules of a kind suit a board: lines and cages that fill about half of it, others one a row."""
    is_body = PLACES[kind].layer in BODIES
    return max(1, shape.cells // (2 * PLACES[kind].size[1])) if is_body else shape.height


def _sizes(sizes: Sizes, place: Mapping[str, object], shape: Shape) -> dict[str, Band]:
    """Return the least and the greatest number of cells of rules of some kinds."""
    for kind in sizes:
        if kind not in place:
            raise ValueError(f"sizes: no rules of the kind {kind!r} are placed{meant(kind, place)}")
        if PLACES[kind].placing.place not in ("line", "middle", "cage", "diagonal", "anywhere"):
            raise ValueError(f"sizes: all rules of the kind {kind!r} have the same number of cells")
    return {kind: _number_of_cells(f"sizes of {kind}", size, shape) for kind, size in sizes.items()}


def _number_of_cells(name: str, size: Any, shape: Shape) -> Band:
    low, high = band(name, size)
    if not 1 <= low <= high <= shape.cells:
        raise ValueError(f"{name}={size!r}: numbers of cells from 1 to {shape.cells} are expected, the lower one first")
    return low, high


def _check_rules(wishes: Wishes) -> None:
    drop, rules = wishes.drop, wishes.board.rules
    if wishes.starts and (wishes.place or wishes.cover or drop != (GIVEN,)):
        raise ValueError("the starting puzzle has its own rules: leave out place, cover and drop")
    if not wishes.has_rules and drop != (GIVEN,):
        raise ValueError(f"drop={drop}: there are no rules to leave out; state rules or place")
    _check_room(wishes)
    if wishes.cover and "KillerCage" in wishes.place:
        raise ValueError("cover puts every cell into a killer cage: leave KillerCage out of place")
    known = [GIVEN, RULE, *PLACES, *(type(rule).__name__ for rule in rules)]
    for kind in drop:
        one_of(kind, dict.fromkeys(known), f"{kind!r} is not a kind of clues")
    if GIVEN not in drop and wishes.pattern is None:
        more = ", ".join(map(repr, (GIVEN, *drop)))
        raise ValueError(f"drop={drop}: givens stay, so that the board stays full; drop=({more}) removes some")
    if wishes.grid is not None:
        broken = Puzzle.empty(wishes.shape).with_rules(*wishes.lasting).violated(wishes.grid.values)
        if broken:
            raise ValueError(f"the starting grid breaks a rule: {broken[0]}")
    if wishes.uniform and wishes.lasting:
        raise ValueError("uniform=True: grids that keep rules of the whole board cannot be drawn evenly")


def _check_room(wishes: Wishes) -> None:
    """Raise ValueError if lines and cages, which do not meet, need more cells than there are."""
    few = {kind: wishes.sizes.get(kind, PLACES[kind].size)[0] for kind in wishes.place if PLACES[kind].layer in BODIES}
    need = sum(size * (wishes.place[kind] or (0, 0))[0] for kind, size in few.items())
    if need > wishes.shape.cells and not wishes.overlap:
        raise ValueError(
            f"lines and cages with {need} cells or more on a board of {wishes.shape.cells}: ask for fewer or smaller "
            "ones (sizes), or let them meet (overlap)"
        )


def _rating(
    rating: float | tuple[float, float] | None, techniques: tuple[str, ...], shape: Shape, has_rules: bool
) -> Band | None:
    """Return the band of SE-like ratings, in tenths; ValueError for impossible values and techniques."""
    if rating is None and not techniques:
        return None
    if shape != NINE or has_rules:
        classic = "SE-like ratings and techniques are those of classic 9 x 9 boards"
        raise ValueError(f"{shape}{' with rules' if has_rules else ''}: {classic}; use level for other boards")
    for name in techniques:
        one_of(name, NAMES, f"{name!r} is not a technique")
    if rating is None:
        return None
    low, high = band("rating", rating, whole=False)
    high = high if isinstance(rating, tuple | list) else 100.0
    if not 0 <= low <= high:
        wanted = "two numbers of 0 or more, the lower one first, are expected"
        raise ValueError(f"the ratings {low} to {high}: {wanted}")
    if round(high * 10) < SCALE_ENDS[0] or round(low * 10) > SCALE_ENDS[1]:
        scale = f"the SE-like scale goes from {SCALE_ENDS[0] / 10} to {SCALE_ENDS[1] / 10}"
        raise ValueError(f"no puzzle has a rating from {low} to {high}: {scale}")
    return round(low * 10), round(high * 10)


def _levels(levels: str | tuple[str, ...] | None) -> tuple[Level, Level] | None:
    """Parse a band of levels, or one level; ValueError for anything else, and if no level lies in between."""
    if levels is None:
        return None
    levels = (levels, levels) if isinstance(levels, str) else levels
    if len(levels) != 2:
        raise ValueError(f"level={levels}: a level is expected, or two such as ('1.2', '2.3'), the lower one first")
    low, high = map(level_of, levels)
    if low > high:
        raise ValueError(f"the levels {levels[0]} to {levels[1]}: the lower one first is expected")
    if not any(low <= level <= high for level in RUNGS):
        raise ValueError(f"no puzzle has a level from {levels[0]} to {levels[1]}: {_known_levels()}")
    return low, high


def level_of(text: str) -> Level:
    """Parse a level: 1.2, 1.all, 2.4; ValueError for anything else."""
    kind, _, number = str(text).partition(".")
    names = {"all": ALL, "any": 1000}
    if not (kind.isdecimal() and 1 <= int(kind) <= 4 and (number.isdecimal() or number in names)):
        raise ValueError(f"the level {text!r}: one such as 1.0, 1.2, 1.all, 2.3 or 4.2 is expected; {_known_levels()}")
    return int(kind), names[number] if number in names else int(number)


def _known_levels() -> str:
    return f"the levels are {', '.join(map(level_text, RUNGS))}"


# ---- patterns


def _pattern_cells(pattern: str | Iterable[int], shape: Shape) -> frozenset[int]:
    """Return the cells of a pattern: their numbers, or a text with a character for each cell, ``.``, ``0`` or ``-`` if
    open.

    ValueError for a text of another length and for a cell that is not on the board.
    """
    if isinstance(pattern, str):
        signs = "".join(pattern.split())
        if len(signs) != shape.cells:
            raise ValueError(f"a pattern of {len(signs)} signs: {shape.cells} are expected, one for each cell")
        return frozenset(i for i, sign in enumerate(signs) if sign not in ".0-")
    cells = tuple(pattern)
    wrong = [cell for cell in cells if not (isinstance(cell, Integral) and 0 <= cell < shape.cells)]
    if wrong:
        raise ValueError(f"cell {wrong[0]} of the pattern: 0 to {shape.cells - 1} are possible")
    return frozenset(cells)
