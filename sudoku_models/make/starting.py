"""Puzzles made from a puzzle: one with too few clues is completed, one with one solution is varied."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from random import Random

import numpy as np

from ..engine.budget import Budget
from ..engine.registry import BackendLike
from ..errors import LimitReached, NotOneSolution
from ..puzzle import Puzzle
from ..verbs.results import Status
from ..verbs.solving import is_unique, solutions, solve
from ..verbs.task import Problem, as_puzzle
from .bands import Array
from .filling import settled
from .hitting import SmallestHitting
from .neighbourhood import near
from .rule_places import PLACES, placed

OTHERS = 20
"""Other solutions that are examined together."""

ROUNDS = 300
"""The number of rounds that search for the fewest clues, before needless clues are simply left out."""


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

    The existing givens, and all rules, are kept. If this takes more than 300 rounds, there may be more added clues than
    needed, none of which could be left out singly. ``time_limit`` is in seconds, ``budget`` that of a larger job; half
    of the time is for finding the fewest, the rest for leaving out needless clues, of which some stay if it is not
    enough. LimitReached if not even a random solution was found by then; NotOneSolution if there is none.
    """
    puzzle = replace(as_puzzle(problem), stated=None)
    with Budget(time_limit, None, budget) as clock:
        return _completed(puzzle, Random(f"complete/{seed}"), backend, clock)


def _completed(puzzle: Puzzle, rng: Random, backend: BackendLike, clock: Budget) -> Completed:
    first = solve(puzzle, backend, budget=clock)
    if first.status is Status.UNKNOWN:
        raise LimitReached(f"it is not known whether there is a solution: {first.reason}", first)
    if first.values is None:
        raise NotOneSolution("the puzzle has no solution, and adding clues cannot give it one")
    whole = settled(puzzle, rng, clock)
    free = [cell for cell, given in enumerate(puzzle.givens) if given is None]
    share = clock.part(None if clock.left is None else clock.left / 2).start()
    hitting = SmallestHitting(len(free), (), share)
    try:
        for _ in range(ROUNDS):
            chosen = {free[i] for i in hitting.next()}
            differ = list(_differing(_with(puzzle, whole, chosen), whole, backend, share))
            if not differ:
                break
            hitting.sets += [frozenset(free.index(cell) for cell in cells) for cells in differ]
        else:
            raise LimitReached(f"the fewest clues were not found in {ROUNDS} rounds")
    except LimitReached:
        chosen = _needed(puzzle, whole, rng.sample(free, len(free)), backend, clock)
    share.stop()
    names = puzzle.shape.names
    found = replace(_with(puzzle, whole, chosen), stated=tuple(whole))
    return Completed(found, tuple(names[cell] for cell in sorted(chosen)), hitting.bound)


def _with(puzzle: Puzzle, whole: list[int], cells: set[int]) -> Puzzle:
    givens = tuple(whole[cell] if cell in cells else given for cell, given in enumerate(puzzle.givens))
    return replace(puzzle, givens=givens)


def _differing(puzzle: Puzzle, whole: list[int], backend: BackendLike, budget: Budget) -> Iterator[set[int]]:
    """Yield the cells in which other solutions differ from the wanted one; LimitReached if none was found in time."""
    known = False
    with solutions(puzzle, backend, limit=OTHERS, budget=budget) as found:
        for grid in found:
            cells = {cell for cell, value in enumerate(grid.values) if value != whole[cell]}
            if cells:
                known = True
                yield cells
        if not known and not found.outcome.complete:
            raise LimitReached(f"the fewest clues are not known: {found.outcome.reason}")


def _needed(puzzle: Puzzle, whole: list[int], order: list[int], backend: BackendLike, budget: Budget) -> set[int]:
    """Leave out added clues in a random order as long as one solution is left, and there is time."""
    kept = set(order)
    with suppress(LimitReached):
        for cell in order:
            if is_unique(_with(puzzle, whole, kept - {cell}), backend, budget=budget):
                kept.discard(cell)
    return kept


def varied(puzzle: Puzzle, rng: Random, backend: BackendLike = "auto") -> Puzzle | None:
    """Replace a given or a rule by one of the same kind that leaves one solution; None if that fails.

    The new clue agrees with one of the solutions without the old clue, some of which are tried. Of rules, only the
    kinds in ``PLACES`` may change.
    """
    cells = [cell for cell, given in enumerate(puzzle.givens) if given is not None]
    rules = [number for number, rule in enumerate(puzzle.rules) if type(rule).__name__ in PLACES]
    chosen = rng.randrange(max(len(cells) + len(rules), 1))
    if not cells and not rules:
        return None
    base = _without_given(puzzle, cells[chosen]) if chosen < len(cells) else puzzle
    kind, taken = "", None
    if chosen >= len(cells):
        taken = puzzle.rules[rules[chosen - len(cells)]]
        kind = type(taken).__name__
        base = replace(puzzle, rules=tuple(rule for rule in puzzle.rules if rule != taken), stated=None)
    with solutions(base, backend, limit=OTHERS) as found:
        whole = rng.choice(sorted([value or 0 for value in grid.values] for grid in found))
    if taken is not None:
        put = placed({kind: 1}, puzzle.shape, whole, rng, base.rules)
        trial = replace(base, rules=(*base.rules, *put), stated=tuple(whole))
    else:
        cell = rng.choice([cell for cell, given in enumerate(base.givens) if given is None])
        trial = replace(_with(base, whole, {cell}), stated=tuple(whole))
    same = trial.givens == puzzle.givens and set(trial.rules) == set(puzzle.rules)
    return None if same or not is_unique(trial, backend) else trial


def _without_given(puzzle: Puzzle, cell: int) -> Puzzle:
    givens = (*puzzle.givens[:cell], None, *puzzle.givens[cell + 1 :])
    return replace(puzzle, givens=givens, stated=None)


def from_puzzle(puzzle: Puzzle, seed: int, backend: BackendLike = "auto") -> Iterator[tuple[Array, Array]]:
    """Yield boards with one solution, and their solutions, that are made from a puzzle (uint8, n x cells each).

    From a puzzle with several solutions: the puzzle with the fewest further clues, for one random solution after
    another, endlessly. From one with one solution: all that differ in one clue, in random order. The puzzle has no
    rules.
    """
    if is_unique(puzzle, backend):
        boards = np.concatenate(list(near(puzzle, 1, backend)))
        order = Random(f"vary/{seed}").sample(range(len(boards)), len(boards))
        for row in boards[order]:
            grid = solve(Puzzle(puzzle.shape, tuple(value or None for value in row.tolist())), backend).grid
            assert grid is not None
            yield row[None], np.array([grid.values], np.uint8)
        return
    number = 0
    while True:
        found = complete(puzzle, seed=seed + 1_000_003 * number, backend=backend).puzzle
        board, whole = ([value or 0 for value in values] for values in (found.givens, found.stated or ()))
        yield np.array([board], np.uint8), np.array([whole], np.uint8)
        number += 1
