"""Unavoidable sets of a grid: cells that another grid fills differently, so that a puzzle has a clue in each
such set.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

from ..engine.budget import Budget
from ..engine.switches import Switches
from ..errors import LimitReached
from ..explain.named_parts import apart
from ..model import InDomain, Model, Or
from ..puzzle import Grid, Puzzle
from ..verbs.solving import Problem, as_puzzle, solutions
from .hitting import SmallestHitting

Cells = frozenset[int]

MOST = 2000
"""The most grids that are examined for a choice of values, unless all sets are requested."""


@dataclass(frozen=True)
class CluesNeeded:
    """The fewest clues of a puzzle with this solution: ``bound`` is proved, ``puzzle`` has the fewest that were found.

    ``sets`` are the unavoidable sets that prove the bound: fewer clues do not hit them all.
    """

    bound: int
    puzzle: Puzzle | None
    sets: tuple[tuple[str, ...], ...]


def unavoidable(problem: Problem, size: int = 12, *, values: int | None = 2) -> tuple[tuple[str, ...], ...]:
    """Return minimal unavoidable sets of a grid with up to ``size`` cells, as names of cells, smallest first.

    All sets within any ``values`` values and within any two lines of a band or stack are found; others are not searched
    for. With ``values=None`` all sets of that size are found: each of their values is in at least two cells of a set,
    so half as many values as cells are enough. Up to 9 cells of a 9 x 9 grid this takes seconds, beyond that minutes.
    ValueError for a board with open cells.
    """
    grid = _complete(problem)
    names = grid.shape.names
    return tuple(tuple(names[cell] for cell in sorted(cells)) for cells in _least(grid, size, values, Budget()))


def _least(grid: Grid, size: int, values: int | None, budget: Budget) -> list[Cells]:
    """Return minimal unavoidable sets, smallest first: those that are found within a budget."""
    found: set[Cells] = set()
    most = MOST if values is not None else None
    for region in _regions(grid, min(size // 2, len(grid.shape.values)) if values is None else values):
        if budget.expired:
            break
        found.update(cells for cells in _others(grid, region, most, budget) if len(cells) <= size)
    least = [cells for cells in found if not any(other < cells for other in found)]
    return sorted(least, key=lambda cells: (len(cells), sorted(cells)))


def _complete(problem: Problem) -> Grid:
    grid = problem if isinstance(problem, Grid) else as_puzzle(problem).grid
    if not grid.complete:
        raise ValueError("a complete grid is expected, but there are open cells")
    return grid


def _regions(grid: Grid, values: int) -> Iterator[Cells]:
    """Yield sets of cells to empty: all cells of some values, and two lines of a band or stack."""
    shape = grid.shape
    for chosen in combinations(shape.values, values):
        yield frozenset(cell for cell, value in enumerate(grid.values) if value in chosen)
    n, (height, width) = shape.height, shape.box or (1, 1)
    for start in range(0, n, height):
        for pair in combinations(range(start, start + height), 2):
            yield frozenset(r * n + c for r in pair for c in range(n))
    for start in range(0, n, width):
        for pair in combinations(range(start, start + width), 2):
            yield frozenset(r * n + c for c in pair for r in range(n))


def _others(grid: Grid, region: Cells, most: int | None, budget: Budget) -> Iterator[Cells]:
    """Yield the cells in which grids that agree outside a region differ from this one."""
    givens = tuple(None if cell in region else value for cell, value in enumerate(grid.values))
    with solutions(Puzzle(grid.shape, givens), limit=most, budget=budget) as found:
        for other in found:
            cells = frozenset(cell for cell in region if other.values[cell] != grid.values[cell])
            if cells:
                yield cells


def clues_needed(problem: Problem, *, time_limit: float | None = 60.0, budget: Budget | None = None) -> CluesNeeded:
    """Find how few clues a puzzle with a given grid as its solution can have (for a puzzle: within its rules).

    Sets of clues that hit all known unavoidable sets are tried, the smallest first; another solution gives a new set. A
    9 x 9 grid takes far longer than any practical limit, and its bound grows; small grids are settled. ``time_limit``
    is in seconds, None for no limit; ``budget`` is that of a larger job. ValueError for a board with open cells.
    """
    puzzle = problem if isinstance(problem, Puzzle) else Puzzle.of(_complete(problem))
    with Budget(time_limit, None, budget) as clock:
        return _bounded(puzzle, clock)


def _bounded(puzzle: Puzzle, clock: Budget) -> CluesNeeded:
    grid = _complete(puzzle)
    taken = apart(puzzle)
    free = [i for i, part in enumerate(taken.stated) if part.kind == "given"]
    whole = [c for i, part in enumerate(taken.parts) if i not in free for c in part.stated]
    names = puzzle.shape.names
    others = (
        (x, tuple(v for v in puzzle.shape.values if v != value)) for x, value in zip(names, grid.values, strict=True)
    )
    base = Model(taken.base.variables, (*taken.base.constraints, *whole, Or(*(InDomain(x, v) for x, v in others))))
    known = [] if puzzle.rules else [frozenset(cells) for cells in _least(grid, 12, 2, clock)]
    hitting = SmallestHitting(len(free), known, clock)
    try:
        with Switches(base, [taken.parts[i] for i in free], budget=clock) as switches:
            while (answer := switches.ask(sorted(chosen := hitting.next()))).values is not None:
                differ = frozenset(i for i, x in enumerate(names) if answer.values[x] != grid.values[i])
                hitting.sets.append(differ)
        return _needed(puzzle, hitting, chosen)
    except LimitReached:
        return _needed(puzzle, hitting, None)


def _needed(puzzle: Puzzle, hitting: SmallestHitting, chosen: Cells | None) -> CluesNeeded:
    names = puzzle.shape.names
    sets = tuple(tuple(names[cell] for cell in sorted(cells)) for cells in hitting.sets)
    if chosen is None:
        return CluesNeeded(hitting.bound, None, sets)
    givens = tuple(value if cell in chosen else None for cell, value in enumerate(puzzle.givens))
    return CluesNeeded(hitting.bound, replace(puzzle, givens=givens), sets)
