"""Quick checks of a partly filled board: the values left to each cell, and the cells that contradict a rule."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from ..model import AllDifferent, Constraint, Domain
from ..puzzle import Puzzle

Board = Sequence[int | None]
"""A value for each cell of the grid, None if it is open."""


def house_candidates(puzzle: Puzzle, values: Board) -> dict[str, Domain]:
    """Return, for each open cell, the values of no cell from which it must differ: plain pencil marks.

    This includes houses and variant rules by which cells differ (diagonals, cages).
    """
    held = _held(puzzle, values)
    taken: dict[str, set[int]] = defaultdict(set)
    for constraint in puzzle.structure.constraints:
        if isinstance(constraint, AllDifferent):
            found = {held[name] for name in constraint.xs if name in held}
            for name in constraint.xs:
                taken[name] |= found
    narrow = {puzzle.shape.names[cell]: domain for cell, domain in puzzle.candidates}
    every = puzzle.shape.values
    return {
        name: tuple(value for value in narrow.get(name, every) if value not in taken[name])
        for name in puzzle.shape.names
        if name not in held
    }


def clashing(puzzle: Puzzle, values: Board) -> tuple[str, ...]:
    """Return the filled cells that contradict a constraint: equal cells that must differ, an exceeded sum, ..."""
    held = _held(puzzle, values)
    domains = {**puzzle.structure.domains, **{name: (value,) for name, value in held.items()}}
    found = {name for c in puzzle.structure.constraints for name in _at_fault(c, held, domains)}
    return tuple(name for name in puzzle.shape.names if name in found)


def _at_fault(constraint: Constraint, held: Mapping[str, int], domains: Mapping[str, Domain]) -> Iterator[str]:
    filled = [name for name in constraint.scope if name in held]
    if isinstance(constraint, AllDifferent):
        places: dict[int, list[str]] = defaultdict(list)
        for name in filled:
            places[held[name]].append(name)
        yield from (name for names in places.values() if len(names) > 1 for name in names)
    elif filled and not constraint.possible(domains):
        yield from filled


def _held(puzzle: Puzzle, values: Board) -> dict[str, int]:
    pairs = zip(puzzle.shape.names, values, strict=True)
    return {name: value for name, value in pairs if value is not None}
