"""Wishes: what the puzzles have to be like that ``generate`` makes, checked before anything is made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
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

MOST_A_CELL = 4
"""No board has room for more rules of a kind than this for each of its cells."""

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


class Wishes:
    """The options of ``generate`` about puzzles, parsed; ValueError for incompatible ones, and for what is never met.

    ``board`` has the shape, the rules that all puzzles have, and the givens of a starting puzzle (``starts``); ``grid``
    is a starting grid. ``place`` has the least and greatest number of rules of each kind (None: wherever one holds),
    ``clues`` and ``rating`` (in tenths) the lowest and the highest number. ``maps`` is the symmetry, as the cells that
    other cells come from, without the identity. The ``budget`` also ends the making of a puzzle.
    """

    def __init__(
        self, shape: Shape | None, seed: int, options: Mapping[str, Any], budget: Budget | None = None
    ) -> None:
        asked = {name: value for name, value in options.items() if value is not None}
        check_forms(asked)
        self.seed, self.budget = seed, budget or Budget()
        self.overlap: bool = asked.get("overlap", False)
        self.minimal: bool = asked.get("minimal", True)
        self.uniform: bool = asked.get("uniform", False)
        self.backend: BackendLike = asked.get("backend", "auto")
        self.accept: Accept | None = asked.get("accept")
        self.drop = _names(asked.get("drop", GIVEN))
        self.techniques = _names(asked.get("techniques", ()))
        self.board, self.grid, self.starts = _board_of(shape, asked)
        self.shape: Shape = self.board.shape
        self.symmetry: str = asked.get("symmetry", "none")
        one_of(self.symmetry, SYMMETRIES, f"the symmetry {self.symmetry!r}")
        self.maps = images(self.shape, self.symmetry)
        self.place = self._amounts(asked.get("place", {}))
        self.sizes = self._sizes(asked.get("sizes", {}))
        self.cover = self._number_of_cells("cover", asked["cover"]) if "cover" in asked else None
        self.pattern = _pattern_cells(asked["pattern"], self.shape) if "pattern" in asked else None
        self.clues: Band | None = band("clues", asked["clues"]) if "clues" in asked else None
        self.rating = self._rating(asked.get("rating"))
        self.levels = _levels(asked["level"]) if "level" in asked else None
        self._check_givens()
        self._check_rules()

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
    def groups(self) -> Array:
        """The cells that are given or open together, a row each; the last one is repeated where there are fewer."""
        found = orbits(self.shape, self.symmetry)
        most = max(map(len, found))
        return np.array([[*cells, *[cells[-1]] * (most - len(cells))] for cells in found], np.int64)

    @property
    def one_by_one(self) -> bool:
        """Return whether there are wishes that only a single puzzle is asked about."""
        return bool(self.techniques or self.accept or self.levels)

    def numbers_missed(self, puzzles: Array) -> list[Miss | None]:
        """Return for each puzzle how its number of clues, or else its SE-like rating, misses what is wanted."""
        found = [self._clues_missed(number) for number in (puzzles > 0).sum(1).tolist()]
        left = [row for row, miss in enumerate(found) if miss is None]
        if self.rating and left:
            rated = rate_arrays(puzzles[left].astype(np.uint8), "se", highest=self.rating[1])
            for row, value, exact in zip(left, rated.values.tolist(), rated.exact.tolist(), strict=True):
                found[row] = self._rating_missed(self.rating, value, exact)
        return found

    def _clues_missed(self, number: int) -> Miss | None:
        off = max(self.span[0] - number, number - self.span[1])
        return Miss(CLUES, off, f"it has {number} clues instead of {between(*self.span)}") if off > 0 else None

    def _rating_missed(self, wanted: Band, value: int, exact: bool) -> Miss | None:
        (low, high), value = wanted, value if exact else max(value, wanted[1] + 1)
        ends = f"{low / 10:g} or more" if high >= 1000 else between(f"{low / 10:g}", f"{high / 10:g}")
        text = f"its SE-like rating is {'' if exact else 'at least '}{value / 10:g}, {ends} is wanted"
        off = max(low - value, value - high)
        return Miss(RATING, off / 10, text) if off > 0 else None

    def miss(self, puzzle: Puzzle) -> Miss | None:
        """Return how a puzzle misses the wishes that are not about numbers; None if it meets them."""
        if self.techniques:
            values = np.array([[value or 0 for value in puzzle.givens]], np.uint8)
            highest = 1000 if self.rating is None else self.rating[1]
            stages = walked(masks_of_rows(values)[0].tolist(), highest=highest).stages
            if lacking := sorted(set(self.techniques) - {stage.technique for stage in stages}):
                return Miss(TECHNIQUES, len(lacking), f"its path has no {', no '.join(lacking)}")
        if self.accept is not None and not self.accept(puzzle):
            return Miss(ACCEPT, 1, "accept rejects it")
        return self.level_miss(puzzle)

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

    # ---- checks

    def _amounts(self, place: Place) -> dict[str, Band | None]:
        """Return the least and the greatest number of rules of each kind; None for as many as the grid has.

        "some" is a number that there can be with the symmetry; ValueError if there is none in a band.
        """
        found: dict[str, Band | None] = {}
        for kind, amount in place.items():
            one_of(kind, PLACES, f"{kind!r} cannot be put on a board")
            ends: Any = amount if isinstance(amount, tuple | list) else (amount, amount)
            whole = len(ends) == 2 and all(isinstance(end, Integral) for end in ends)
            if amount not in ("all", "some") and not (whole and 0 <= ends[0] <= ends[1]):
                wanted = 'a number of 0 or more, two of them, the lower one first, "some" or "all" is expected'
                raise ValueError(f"{amount!r} rules of the kind {kind!r}: {wanted}")
            strict = any(type(rule).__name__ == f"Strict{kind}" for rule in self.board.rules)
            found[kind] = None if amount == "all" or strict else self._possible(kind, ends, amount == "some")
        return found

    def _possible(self, kind: str, ends: Band, some: bool) -> Band:
        """Return a band of numbers of rules; ValueError if the board cannot have any number in it."""
        shape, known = self.shape, PLACES[kind]
        if some:  # lines and cages fill about half of the board, of others there is one a row
            least = max(1, shape.cells // (2 * known.size[1])) if known.layer in BODIES else shape.height
            ends = least, least
        if ends[0] > MOST_A_CELL * shape.cells:
            raise ValueError(f"{ends[0]} rules of the kind {kind}: a board of {shape} has no room for so many")
        numbers = numbers_of(kind, shape, self.maps, ends[1])
        if some:
            ends = (next((number for number in numbers if number >= ends[0]), ends[1]),) * 2
        self._refuse_between(ends, numbers, f"{between(*ends)} rules of the kind {kind}")
        return ends

    def _sizes(self, sizes: Sizes) -> dict[str, Band]:
        """Return the least and the greatest number of cells of rules of some kinds."""
        for kind in sizes:
            if kind not in self.place:
                raise ValueError(f"sizes: no rules of the kind {kind!r} are placed{meant(kind, self.place)}")
            if PLACES[kind].placing.place not in ("line", "middle", "cage", "diagonal", "anywhere"):
                raise ValueError(f"sizes: all rules of the kind {kind!r} have the same number of cells")
        return {kind: self._number_of_cells(f"sizes of {kind}", size) for kind, size in sizes.items()}

    def _number_of_cells(self, name: str, size: Any) -> Band:
        (low, high), cells = band(name, size), self.shape.cells
        if not 1 <= low <= high <= cells:
            raise ValueError(f"{name}={size!r}: numbers of cells from 1 to {cells} are expected, the lower one first")
        return low, high

    def _rating(self, rating: Any) -> Band | None:
        """Return the band of SE-like ratings, in tenths; ValueError for impossible values and techniques."""
        if rating is None and not self.techniques:
            return None
        if self.shape != NINE or self.has_rules:
            classic = "SE-like ratings and techniques are those of classic 9 x 9 boards"
            rules = " with rules" if self.has_rules else ""
            raise ValueError(f"{self.shape}{rules}: {classic}; use level for other boards")
        for name in self.techniques:
            one_of(name, NAMES, f"{name!r} is not a technique")
        if rating is None:
            return None
        low, high = band("rating", rating, whole=False)
        high = high if isinstance(rating, tuple | list) else 100.0
        if not 0 <= low <= high:
            raise ValueError(
                f"the ratings {low} to {high}: two numbers of 0 or more, the lower one first, are expected"
            )
        if round(high * 10) < SCALE_ENDS[0] or round(low * 10) > SCALE_ENDS[1]:
            scale = f"the SE-like scale goes from {SCALE_ENDS[0] / 10} to {SCALE_ENDS[1] / 10}"
            raise ValueError(f"no puzzle has a rating from {low} to {high}: {scale}")
        return round(low * 10), round(high * 10)

    def _check_givens(self) -> None:
        """Raise ValueError if no puzzle with one solution has such a number of givens, or such a grid."""
        (low, high), shape, grid = self.span, self.shape, self.grid
        asked, room = f"{between(low, high)} clues", shape.cells - len(self.open)
        if not 0 <= low <= high <= shape.cells:
            raise ValueError(f"{asked}: numbers from 0 to {shape.cells} are expected, the lower one first")
        if grid is not None and (grid.shape != shape or not grid.complete):
            raise ValueError("the starting grid must be complete, and of the same shape as the puzzles")
        if self.starts:
            return
        fewest = 0 if self.has_rules else FEWEST if shape == NINE else len(shape.values) - 1
        if high < fewest:
            raise ValueError(f"{asked}: a puzzle with one solution has at least {fewest}")
        if room < max(low, fewest):
            raise ValueError(f"the pattern has room for {room} clues: at least {max(low, fewest)} are needed")
        numbers = {0}  # of cells that some groups have together
        for cells in self.groups.tolist():
            numbers |= {number + len(set(cells)) for number in numbers}
        self._refuse_between(self.span, sorted(numbers), asked)

    def _refuse_between(self, wanted: Band, possible: Iterable[int], what: str) -> None:
        """Raise ValueError if no possible number, of increasing ones, lies in a band."""
        low, high = wanted
        if not any(low <= number <= high for number in possible):
            near = [max((n for n in possible if n < low), default=0), *[n for n in possible if n > high][:1]]
            among = " or ".join(map(str, near))
            raise ValueError(f"{what}: with the symmetry {self.symmetry!r} there can be {among}")

    def _check_rules(self) -> None:
        drop, rules, grid = self.drop, self.board.rules, self.grid
        if self.starts and (self.place or self.cover or drop != (GIVEN,)):
            raise ValueError("the starting puzzle has its own rules: leave out place, cover and drop")
        if not self.has_rules and drop != (GIVEN,):
            raise ValueError(f"drop={drop}: there are no rules to leave out; state rules or place")
        least = {
            kind: self.sizes.get(kind, PLACES[kind].size)[0] * (ends or (0,))[0] for kind, ends in self.place.items()
        }
        need = sum(cells for kind, cells in least.items() if PLACES[kind].layer in BODIES)
        if need > self.shape.cells and not self.overlap:
            raise ValueError(
                f"lines and cages with {need} cells or more on a board of {self.shape.cells}: ask for fewer or smaller "
                "ones (sizes), or let them meet (overlap)"
            )
        if self.cover and "KillerCage" in self.place:
            raise ValueError("cover puts every cell into a killer cage: leave KillerCage out of place")
        known = dict.fromkeys([GIVEN, RULE, *PLACES, *(type(rule).__name__ for rule in rules)])
        for kind in drop:
            one_of(kind, known, f"{kind!r} is not a kind of clues")
        if GIVEN not in drop and self.pattern is None:
            more = ", ".join(map(repr, (GIVEN, *drop)))
            raise ValueError(f"drop={drop}: givens stay, so that the board stays full; drop=({more}) removes some")
        if grid is not None and (broken := Puzzle.empty(self.shape).with_rules(*self.lasting).violated(grid.values)):
            raise ValueError(f"the starting grid breaks a rule: {broken[0]}")
        if self.uniform and self.lasting:
            raise ValueError("uniform=True: grids that keep rules of the whole board cannot be drawn evenly")


@lru_cache(maxsize=64)
def numbers_of(kind: str, shape: Shape, maps: tuple[tuple[int, ...], ...], most: int) -> tuple[int, ...]:
    """Return how many rules of a kind there can be with a symmetry, up to the first number beyond ``most``."""
    sizes, numbers = orbit_sizes(shape, maps, PLACES[kind]), [0]
    most = min(most, MOST_A_CELL * shape.cells)  # each number takes a look at all before it
    while sizes and numbers[-1] <= most:
        numbers.append(min(n + size for n in numbers for size in sizes if n + size > numbers[-1]))
    return tuple(numbers)


def between(low: object, high: object) -> str:
    """Format a band: "24", "20 to 24"."""
    return str(low) if low == high else f"{low} to {high}"


# ---- reading the options

_FORMS: Mapping[str, tuple[Any, str]] = {
    **dict.fromkeys(("place", "sizes"), (Mapping, "a mapping such as {'Thermo': 3}")),
    **dict.fromkeys(("overlap", "minimal", "uniform"), (bool | np.bool_, "True or False")),
    **dict.fromkeys(("rules", "drop", "techniques", "level", "pattern"), (Iterable, "a text or a list")),
    **dict.fromkeys(("n", "seed", "workers", "tries"), (Integral, "a whole number")),
    "time_limit": (Real, "a number of seconds"),
    "accept": (Callable, "a function of a puzzle"),
}
"""What options are, and what is expected if they are something else."""


def check_forms(options: Mapping[str, Any]) -> None:
    """Raise ValueError for an option of another kind than expected."""
    for name, value in options.items():
        kind, wanted = _FORMS.get(name, (object, ""))
        if not isinstance(value, kind):
            raise ValueError(f"{name}={value!r:.80}: {wanted} is expected")


def _board_of(shape: Shape | None, asked: Mapping[str, Any]) -> tuple[Puzzle, Grid | None, bool]:
    """Return the board with the rules that stay, the starting grid, and whether the board is a starting puzzle.

    A full starting puzzle without rules is a grid.
    """
    start, rules = asked.get("start"), tuple(asked.get("rules", ()))
    if start is None or isinstance(start, Grid):
        board = Puzzle.empty(shape_or_nine(start.shape if start and not shape else shape))
        return board.with_rules(*rules), start, False
    try:
        puzzle = as_puzzle(start)
    except TypeError as error:
        raise ValueError(f"start: {error}") from None
    if puzzle.candidates:
        raise ValueError("the starting puzzle has candidates: one with givens, and rules, is expected")
    if puzzle.grid.complete:
        return Puzzle.empty(shape or puzzle.shape).with_rules(*puzzle.rules, *rules), puzzle.grid, False
    laid_out = asked.get("symmetry", "none") != "none" or "pattern" in asked
    if laid_out or (shape or puzzle.shape) != puzzle.shape:
        raise ValueError("the starting puzzle sets the shape and the pattern: leave shape, pattern and symmetry out")
    return puzzle.with_rules(*rules), None, True


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


def _levels(levels: str | tuple[str, ...]) -> tuple[Level, Level]:
    """Parse a band of levels, or one level; ValueError for anything else, and if no level lies in between."""
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
