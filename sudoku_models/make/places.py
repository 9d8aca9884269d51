"""Where rules can be placed on a board, and what they state there: random places, and the first statement that
holds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, islice
from random import Random
from typing import Any

from ..puzzle import Shape
from ..puzzle import rules as r
from ..puzzle.rules import DIAGONAL, ORTHOGONAL, Board, Filled, Rule
from ..puzzle.rules.traits import Placing

Cells = tuple[str, ...]
Place = Callable[[Board, Random], Cells]
"""Chooses cells at random; none if the board has no room."""
Choices = Callable[[Cells, int], Iterator[Rule]]

TRIES = 2000
"""Random places that are tried for one kind of rule."""

CROWDED = 200
"""Rules in a row that overlap others, after which the board is taken to be full."""

STEPS, FIRST = 100, 10
"""Cells that are tried for one place; and places without room after which the board is taken to be too small."""

SAMPLE = 100
"""Rules of which the least vague ones are taken for easy puzzles."""


@dataclass(frozen=True)
class Placed:
    """A kind of rule: where it can be placed, and the rules that can be stated there; the first one that holds is
    taken.

    For easy puzzles ``small`` is the place, and the rules with the least ``vague`` value are taken, if these are given.
    """

    place: Place
    choices: Choices
    small: Place | None = None
    vague: Callable[[Any, int], int] | None = None


def line(least: int, most: int) -> Place:
    """Return a place: a walk over different cells, to side or corner neighbours."""
    return lambda board, rng: _grown(board, rng, rng.randint(least, most), (*ORTHOGONAL, *DIAGONAL), True)


def cage(least: int, most: int) -> Place:
    """Return a place: cells that are connected side by side."""
    return lambda board, rng: tuple(
        sorted(_grown(board, rng, rng.randint(least, most), ORTHOGONAL, False), key=board.cells.index)
    )


def _grown(board: Board, rng: Random, size: int, steps: Sequence[tuple[int, int]], walk: bool) -> Cells:
    cells = [rng.choice(board.cells)]
    for _ in range(STEPS if size <= len(board.cells) else 0):
        if len(cells) == size:
            return tuple(cells)
        near = board.around(cells[-1] if walk else rng.choice(cells), steps)
        free = [name for name in near if name not in cells]
        cells = [*cells, rng.choice(free)] if free else [rng.choice(board.cells)]
    return ()


def couple(board: Board, rng: Random) -> Cells:
    """Choose two neighbours."""
    return rng.choice(list(board.pairs()) or [()])


def single(board: Board, rng: Random) -> Cells:
    """Choose one cell."""
    return (rng.choice(board.cells),)


def some(amount: int) -> Place:
    """Return a place: a number of cells anywhere."""
    return lambda board, rng: tuple(
        sorted(rng.sample(board.cells, amount) if len(board.cells) >= amount else (), key=board.cells.index)
    )


def square(board: Board, rng: Random) -> Cells:
    """Choose 2 x 2 cells."""
    if min(board.shape.height, board.shape.width) < 2:
        return ()
    y, x = rng.randrange(1, board.shape.height), rng.randrange(1, board.shape.width)
    return f"R{y}C{x}", f"R{y}C{x + 1}", f"R{y + 1}C{x}", f"R{y + 1}C{x + 1}"


def row_or_column(board: Board, rng: Random) -> Cells:
    """Choose a row from the left or a column from the top."""
    return board.line(f"{rng.choice('RC')}{rng.randint(1, board.shape.height)}")


def outside(board: Board, rng: Random) -> Cells:
    """Choose a row or column, seen from one of its ends."""
    cells = row_or_column(board, rng)
    return cells if rng.random() < 0.5 else cells[::-1]


def diagonal(board: Board, rng: Random) -> Cells:
    """Choose a diagonal of two cells or more, seen from one of its ends."""
    return rng.choice([cells for cells in _diagonals(board.shape) if len(cells) > 1] or [()])


def _diagonals(shape: Shape) -> list[Cells]:
    n = shape.height
    falling = [[(y, y + k) for y in range(n) if 0 <= y + k < n] for k in range(1 - n, n)]
    rising = [[(y, n - 1 - x) for y, x in cells] for cells in falling]
    found = [tuple(f"R{y + 1}C{x + 1}" for y, x in cells) for cells in (*falling, *rising)]
    return [*found, *(cells[::-1] for cells in found)]


_PLACES: Mapping[str, Callable[[int, int], Place]] = {
    "line": line,
    "cage": cage,
    "anywhere": lambda amount, _: some(amount),
    "couple": lambda *_: couple,
    "single": lambda *_: single,
    "row or column": lambda *_: row_or_column,
    "outside": lambda *_: outside,
    "diagonal": lambda *_: diagonal,
}
"""The places that kinds of rules name (see ``Placing``)."""


def _placed(kind: Any, placing: Placing) -> Placed:
    """Return a kind of rule, stated by its cells and perhaps a number, as it says that it can be placed."""

    def choices(cells: Cells, side: int) -> Iterator[Rule]:
        """Yield the rule with each number that it may have."""
        if not placing.number:
            return iter([kind(cells[0] if placing.place == "single" else cells)])
        numbers = placing.values or range(side * (side + 1) // 2 + 1)
        return (kind(cells, **{placing.number: k}) for k in numbers)

    where = _PLACES[placing.place]
    easy = where(*placing.easy) if placing.easy else None
    return Placed(where(placing.least, placing.most), choices, easy)


def _fillings(rule: r.Sandwich, side: int) -> int:
    """Return the number of sets of values with the sum of a sandwich."""
    return _sums(side)[rule.total]


@lru_cache(maxsize=32)
def _sums(side: int) -> Counter[int]:
    inner = range(2, side)
    return Counter(sum(chosen) for size in range(len(inner) + 1) for chosen in combinations(inner, size))


def _circle(size: int) -> Placed:
    """Return circles with ``size`` values."""

    def choices(cells: Cells, side: int) -> Iterator[Rule]:
        """Yield the rule with each choice of values."""
        return (r.Quadruple(cells, values) for values in combinations_with_replacement(range(side, 0, -1), size))

    return Placed(square, choices)


def _marks(cells: Cells, side: int) -> Iterator[Rule]:
    yield from (r.Difference(cells), r.Ratio(cells))


_KINDS = {
    name: _placed(kind, vars(kind)["placing"]) for name, kind in r.known_rules().items() if "placing" in vars(kind)
}
PLACES: Mapping[str, Placed] = {
    **_KINDS,
    "Sandwich": replace(_KINDS["Sandwich"], vague=_fillings),
    "Kropki": Placed(couple, _marks),
    "Quadruple": _circle(4),
    "Quadruple3": _circle(3),
    "Quadruple2": _circle(2),
}
"""The kinds of rules that can be placed on a board, by name; Kropki are white and black dots."""


def kinds_of(rule: Rule) -> frozenset[str]:
    """Return the names of the kinds that a rule belongs to: its class, and others under which it is placed."""
    kinds = {type(rule).__name__}
    if isinstance(rule, r.Difference | r.Ratio):
        kinds.add("Kropki")
    if isinstance(rule, r.Quadruple):
        kinds.add(f"Quadruple{len(rule.values)}")
    return frozenset(kinds)


def some_rule(kind: str, shape: Shape) -> Rule | None:
    """Return a rule of a kind somewhere on a board, which need not hold on any grid; None if there is no room."""
    board, rng, placed = Board(shape), Random(0), PLACES[kind]
    places = _places(placed.place, board, rng)
    cells = next(places, None)
    return None if cells is None else [*placed.choices(cells, shape.height)][-1]  # the first one may have a sum of 0


def placed(
    wanted: Mapping[str, int],
    shape: Shape,
    values: Sequence[int],
    rng: Random,
    beside: tuple[Rule, ...] = (),
    easy: bool = False,
) -> dict[str, list[Rule]]:
    """Place rules that hold on a grid, a number of each kind; fewer if random places run out.

    They do not overlap those in ``beside``. For ``easy`` puzzles cages have two cells each, and sandwiches with few
    fillings are chosen: of such puzzles every seventh and every eleventh need no trial, of others hardly any.

    Cages, extra regions and clues outside do not overlap others of their kind; lines share at most single cells.
    """
    board = Board(shape)
    filled = Filled(board, dict(zip(shape.names, values, strict=True)))
    found: dict[str, list[Rule]] = {kind: [] for kind in wanted}
    every = list(beside)
    for kind, amount in wanted.items():
        collided = 0
        for rule in _stated(PLACES[kind], board, filled, rng, easy) if amount else ():
            if any(_collide(rule, other) for other in every):
                collided += 1
            else:
                found[kind].append(rule)
                every.append(rule)
                collided = 0
            if len(found[kind]) == amount or collided == CROWDED:
                break
    return found


def _places(place: Place, board: Board, rng: Random) -> Iterator[Cells]:
    """Yield random places, each once; none if the board is too small for one."""
    seen: set[Cells] = {()}
    for number in range(TRIES):
        cells = place(board, rng)
        if cells not in seen:
            seen.add(cells)
            yield cells
        if number == FIRST and len(seen) == 1:
            return


def _stated(kind: Placed, board: Board, filled: Filled, rng: Random, easy: bool) -> Iterator[Rule]:
    """Yield rules of a kind at random places that hold on a grid; those that suit easy puzzles come first."""
    place, side = (easy and kind.small) or kind.place, board.shape.height
    places = _places(place, board, rng)
    choices = (next((rule for rule in kind.choices(cells, side) if rule.judge(filled)), None) for cells in places)
    rules = (rule for rule in choices if rule is not None)
    if easy and kind.vague is not None:
        vague = kind.vague
        yield from sorted(islice(rules, SAMPLE), key=lambda rule: vague(rule, side))
    yield from rules


def _collide(one: Rule, other: Rule) -> bool:
    """Return whether two rules would overlap."""
    mine, theirs = frozenset(one.scope), frozenset(other.scope)
    if type(one) is type(other) and isinstance(one, r.KillerCage | r.ExtraRegion):
        return bool(mine & theirs)
    if type(one) is not type(other) or len(mine) == 2 or isinstance(one, r.Quadruple):
        return mine == theirs
    return len(mine & theirs) > 1 and not _crossing(one.scope, other.scope)


def _crossing(one: Cells, other: Cells) -> bool:
    """Return whether two whole rows, columns or diagonals meet in few cells, or are one line seen from its two ends."""
    return len(set(one) & set(other)) < len(one) / 2 or one == other[::-1]
