"""The fewest clues: smallest sets that hit all of some sets, unavoidable sets, and the verbs that use them.

An unavoidable set of a grid is a set of cells that another grid fills differently: a puzzle has a clue in each of them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import combinations, count
from random import Random

from ..engine.budget import Budget
from ..engine.registry import BackendLike
from ..errors import LimitReached, NotOneSolution
from ..model import Linear, Model, Objective, Variable
from ..puzzle import Grid, Puzzle
from ..verbs.results import Status
from ..verbs.solving import is_unique, solutions, solve
from ..verbs.task import Problem, as_puzzle
from .solution_grids import settled
from .wishes import FEWEST, NINE

Members = frozenset[int]

ENGINE = "cp-sat:linearization=2"
"""An engine with a linear relaxation settles in hundredths of a second what takes minutes without it."""

MOST = 2000
"""The most grids that are examined for a choice of values, unless all unavoidable sets are requested."""

OTHERS = 20
"""Other solutions that are examined together."""

ROUNDS = 60
"""The rounds (some ten seconds) that search for the fewest clues, before needless clues are simply left out."""


class Hitting:
    """Sets of numbers from 0 to ``size`` - 1 that are to be hit; ``bound`` is the least number of members needed.

    The ``budget`` covers all questions together.
    """

    def __init__(self, size: int, sets: Iterable[Members], budget: Budget) -> None:
        self.sets, self.bound, self.budget = list(sets), 0, budget
        self._names = tuple(f"x{i}" for i in range(size))

    def smallest(
        self, missed: Callable[[Members], Iterable[Members]], known: int | None = None, rounds: int | None = None
    ) -> Members | None:
        """Return a smallest choice of members that misses no set: ``missed`` returns sets that a choice misses.

        None if a limit is reached first, the time or the number of ``rounds``, and if a ``known`` size is the smallest.
        """
        with suppress(LimitReached):
            for _ in count() if rounds is None else range(rounds):
                if known is not None and self.bound >= known:
                    return None
                chosen = self._next()
                if not (further := list(missed(chosen))):
                    return chosen
                self.sets += further
        return None

    def _next(self) -> Members:
        """Return a smallest choice that hits all known sets; LimitReached if time is up."""
        if self.budget.expired:
            raise LimitReached("the fewest clues are not known: time limit")
        hit = [Linear([1] * len(found), [self._names[i] for i in sorted(found)], ">=", 1) for found in self.sets]
        variables = [Variable(name, (0, 1)) for name in self._names]
        model = Model(variables, hit, Objective("minimize", [1] * len(self._names), self._names))
        result = solve(model, ENGINE, budget=self.budget)
        if result.bound is not None:
            self.bound = max(self.bound, int(result.bound))
        if result.status is not Status.SOLVED or result.values is None or result.objective != result.bound:
            raise LimitReached("the fewest clues are not known: time limit")
        values = result.values
        return frozenset(i for i, name in enumerate(self._names) if values[name])


@dataclass(frozen=True)
class Completed:
    """A puzzle with one solution that was made by adding clues; ``added`` are their cells.

    At least ``bound`` further clues are needed for this solution; ``proved`` says whether there are just that many.
    """

    puzzle: Puzzle
    added: tuple[str, ...]
    bound: int

    @property
    def proved(self) -> bool:
        """Return whether no fewer further clues are enough for this solution."""
        return len(self.added) == self.bound


def complete(
    problem: Problem,
    *,
    seed: int = 0,
    backend: BackendLike = "auto",
    time_limit: float | None = None,
    budget: Budget | None = None,
) -> Completed:
    """Add the fewest clues to a puzzle with several solutions that leave one: a random one, chosen by ``seed``.

    The existing givens, and all rules, are kept. If this takes more than 60 rounds (on a 9 x 9 board with few givens),
    there may be more added clues than needed, none of which could be left out singly. ``time_limit`` is in seconds,
    ``budget`` that of a larger job; half of the time is for finding the fewest, the rest for leaving out needless
    clues, of which some stay if it is not enough. LimitReached if not even a random solution was found by then;
    NotOneSolution if there is none.
    """
    puzzle, rng = replace(as_puzzle(problem), stated=None), Random(f"complete/{seed}")
    with Budget(time_limit, None, budget) as clock:
        first = solve(puzzle, backend, budget=clock)
        if first.status is Status.UNKNOWN:
            raise LimitReached(f"it is not known whether there is a solution: {first.reason}", first)
        if first.values is None:
            raise NotOneSolution("the puzzle has no solution, and adding clues cannot give it one")
        whole = settled(puzzle, rng, clock)
        with clock.part(None if clock.left is None else clock.left / 2) as share:
            plain = not puzzle.rules and not puzzle.candidates
            given = {cell for cell, value in enumerate(puzzle.givens) if value is not None}
            known = _least_sets(Grid(puzzle.shape, tuple(whole)), 12, 2, share) if plain else []
            hitting = Hitting(puzzle.shape.cells, (cells for cells in known if cells.isdisjoint(given)), share)
            if puzzle.shape == NINE and plain:
                hitting.bound = max(0, FEWEST - puzzle.clues)
            chosen = _fewest(puzzle, whole, hitting, backend, ROUNDS)
        if chosen is None:
            chosen = _needed(puzzle, whole, rng, backend, clock)
    found = replace(with_values(puzzle, whole, chosen), stated=tuple(whole))
    return Completed(found, tuple(puzzle.shape.names[cell] for cell in sorted(chosen)), hitting.bound)


def _needed(puzzle: Puzzle, whole: Sequence[int], rng: Random, backend: BackendLike, clock: Budget) -> Members:
    """Add all clues, and leave them out again in random order as long as one solution is left, and there is time."""
    free = [cell for cell, given in enumerate(puzzle.givens) if given is None]
    kept = frozenset(free)
    with suppress(LimitReached):
        for cell in rng.sample(free, len(free)):
            if is_unique(with_values(puzzle, whole, kept - {cell}), backend, budget=clock):
                kept -= {cell}
    return kept


def with_values(puzzle: Puzzle, whole: Sequence[int], cells: Collection[int]) -> Puzzle:
    """Return a puzzle with further givens: the values of a solution in some cells."""
    givens = tuple(whole[cell] if cell in cells else given for cell, given in enumerate(puzzle.givens))
    return replace(puzzle, givens=givens)


def _fewest(
    puzzle: Puzzle, whole: Sequence[int], hitting: Hitting, backend: BackendLike, rounds: int | None = None
) -> Members | None:
    """Return the fewest cells whose values leave one solution; None if a limit is reached first."""

    def missed(chosen: Members) -> list[Members]:
        """Return the cells in which other solutions differ."""
        trial = with_values(puzzle, whole, chosen)
        with solutions(trial, backend, limit=OTHERS, budget=hitting.budget) as found:
            differ = [frozenset(i for i, v in enumerate(grid.values) if v != whole[i]) for grid in found]
            if not any(differ) and not found.outcome.complete:
                raise LimitReached(f"the fewest clues are not known: {found.outcome.reason}")
        return [cells for cells in differ if cells]

    return hitting.smallest(missed, rounds=rounds)


@dataclass(frozen=True)
class CluesNeeded:
    """The fewest clues of a puzzle with this solution: ``bound`` is proved, ``puzzle`` has the fewest that were found.

    ``sets`` are the unavoidable sets that prove the bound: fewer clues do not hit them all.
    """

    bound: int
    puzzle: Puzzle | None
    sets: tuple[tuple[str, ...], ...]


def clues_needed(problem: Problem, *, time_limit: float | None = 60.0, budget: Budget | None = None) -> CluesNeeded:
    """Find how few clues a puzzle with a given grid as its solution can have (for a puzzle: within its rules).

    Sets of clues that hit all known unavoidable sets are tried, the smallest first; another solution gives a new set. A
    9 x 9 grid takes far longer than any practical limit, and its bound grows; small grids are settled. ``time_limit``
    is in seconds, None for no limit; ``budget`` is that of a larger job. ValueError for a board with open cells.
    """
    puzzle = problem if isinstance(problem, Puzzle) else Puzzle.of(_complete(problem))
    whole = [value or 0 for value in _complete(puzzle).values]
    bare = replace(puzzle, givens=(None,) * puzzle.shape.cells, stated=None)
    with Budget(time_limit, None, budget) as clock:
        known = [] if puzzle.rules else _least_sets(puzzle.grid, 12, 2, clock)
        hitting = Hitting(puzzle.shape.cells, known, clock)
        chosen = _fewest(bare, whole, hitting, "auto")
    sets = tuple(_named(puzzle, cells) for cells in hitting.sets)
    return CluesNeeded(hitting.bound, None if chosen is None else with_values(bare, whole, chosen), sets)


def _named(board: Puzzle | Grid, cells: Members) -> tuple[str, ...]:
    return tuple(board.shape.names[cell] for cell in sorted(cells))


def _complete(problem: Problem) -> Grid:
    grid = problem if isinstance(problem, Grid) else as_puzzle(problem).grid
    if not grid.complete:
        raise ValueError("a complete grid is expected, but there are open cells")
    return grid


def unavoidable(problem: Problem, size: int = 12, *, values: int | None = 2) -> tuple[tuple[str, ...], ...]:
    """Return minimal unavoidable sets of a grid with up to ``size`` cells, as names of cells, smallest first.

    All sets within any ``values`` values and within any two lines of a band or stack are found; others are not searched
    for. With ``values=None`` all sets of that size are found: each of their values is in at least two cells of a set,
    so half as many values as cells are enough. Up to 9 cells of a 9 x 9 grid this takes seconds, beyond that minutes.
    ValueError for a board with open cells.
    """
    grid = _complete(problem)
    return tuple(_named(grid, cells) for cells in _least_sets(grid, size, values, Budget()))


def _least_sets(grid: Grid, size: int, values: int | None, budget: Budget) -> list[Members]:
    """Return minimal unavoidable sets, smallest first: those that are found within a budget."""
    found: set[Members] = set()
    most = MOST if values is not None else None
    for region in _regions(grid, min(size // 2, len(grid.shape.values)) if values is None else values):
        if budget.expired:
            break
        found.update(cells for cells in _others(grid, region, most, budget) if len(cells) <= size)
    least = [cells for cells in found if not any(other < cells for other in found)]
    return sorted(least, key=lambda cells: (len(cells), sorted(cells)))


def _regions(grid: Grid, values: int) -> Iterator[Members]:
    """Yield sets of cells to empty: all cells of some values, and two lines of a band or stack."""
    for chosen in combinations(grid.shape.values, values):
        yield frozenset(cell for cell, value in enumerate(grid.values) if value in chosen)
    n, (height, width) = grid.shape.height, grid.shape.box or (1, 1)
    rows = [range(r * n, r * n + n) for r in range(n)]
    for lines, size in ((rows, height), ([*zip(*rows, strict=True)], width)):
        for start in range(0, n, size):
            yield from (frozenset([*one, *other]) for one, other in combinations(lines[start : start + size], 2))


def _others(grid: Grid, region: Members, most: int | None, budget: Budget) -> Iterator[Members]:
    """Yield the cells in which grids that agree outside a region differ from this one."""
    givens = tuple(None if cell in region else value for cell, value in enumerate(grid.values))
    with solutions(Puzzle(grid.shape, givens), limit=most, budget=budget) as found:
        for other in found:
            cells = frozenset(cell for cell in region if other.values[cell] != grid.values[cell])
            if cells:
                yield cells
