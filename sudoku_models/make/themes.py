"""Puzzles with rules: rules are placed on a solution grid, then givens, and rules if requested, are removed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Integral
from random import Random
from typing import Any

import numpy as np

from ..engine.budget import Budget
from ..engine.switches import Switches
from ..errors import meant
from ..puzzle import Puzzle
from ..puzzle.rules import Rule
from ..verbs.solving import is_unique
from .demands import Wanted
from .filling import settled
from .keywords import band
from .levels import LevelBand, seconds_to
from .made_blocks import MadeBlock, with_clues
from .minimising import Clues
from .rule_places import PLACES, kinds_of, placed
from .solution_grids import block_size, grid_block
from .starting import complete, varied

Members = frozenset[int]
Place = Mapping[str, int | tuple[int, int]]
GIVEN, RULE = "given", "rule"

OTHERS, MORE = 9, 20
"""If a level is wanted: how many further minimal puzzles with the same rules are tried, each made from the previous one
with this number of further givens.
"""


@dataclass(frozen=True)
class Theme:
    """What puzzles with rules are made of: ``rules`` that are added as they are, and ``place``: how many of which
    kinds.

    ``drop`` lists the kinds of clues that are removed as long as one solution is left, in this order: "given", "rule"
    (all that were placed), or one kind. ``begin`` is a starting puzzle. ``levels`` are the wanted ones, which reduces
    useless candidates. ValueError for an unknown kind and for incompatible options.
    """

    wanted: Wanted
    rules: tuple[Rule, ...] = ()
    place: Place = field(default_factory=dict)
    drop: tuple[str, ...] = (GIVEN,)
    begin: Puzzle | None = None
    levels: LevelBand | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.place, Mapping):
            raise TypeError(f"place={self.place!r}: kinds and numbers such as {{'Thermo': 3}} are expected")
        unknown = next((kind for kind in self.place if kind not in PLACES), None)
        if unknown is not None:
            one = f"one of {', '.join(PLACES)} is expected{meant(unknown, PLACES)}"
            raise ValueError(f"{unknown!r} cannot be put on a board: {one}")
        for kind, amount in self.place.items():
            _check_amount(kind, amount)
        self._check_drop()
        if self.begin is not None and (self.place or self.drop != (GIVEN,)):
            raise ValueError("the starting puzzle has its own rules: leave out place and drop")
        if self.begin is None and self.wanted.grid is not None:
            self._check_grid(self.wanted.grid.values)
        if self.wanted.uniform and self._lasting:
            raise ValueError("uniform=True: grids that keep rules of the whole board cannot be drawn evenly")

    @property
    def _lasting(self) -> tuple[Rule, ...]:
        """The rules that grids must satisfy before anything is placed on them."""
        return tuple(rule for rule in self.rules if not _is_about_marks(rule))

    def _check_drop(self) -> None:
        known = [GIVEN, RULE, *PLACES, *(type(rule).__name__ for rule in self.rules)]
        unknown = next((kind for kind in self.drop if kind not in known), None)
        if unknown is not None:
            one = f"one of {', '.join(dict.fromkeys(known))} is expected{meant(unknown, known)}"
            raise ValueError(f"{unknown!r} is not a kind of clues: {one}")
        if GIVEN not in self.drop and self.wanted.pattern is None and self.begin is None:
            more = ", ".join(map(repr, (GIVEN, *self.drop)))
            raise ValueError(f"drop={self.drop}: givens stay, so that the board stays full; drop=({more}) removes some")

    def _check_grid(self, values: Sequence[Any]) -> None:
        broken = Puzzle.empty(self.wanted.shape).with_rules(*self._lasting).violated(values)
        if broken:
            raise ValueError(f"the starting grid breaks a rule: {broken[0]}")

    def block(self, number: int) -> MadeBlock:
        """Make the candidate with a number, which depends only on the options, the seed and the number.

        LimitReached if the deadline is reached first.
        """
        puzzle = self.made(number) if self.begin is None else self._begun(self.begin, number)
        none = np.zeros((0, self.wanted.shape.cells), np.uint8)
        if puzzle is None:
            return MadeBlock(none, none, 1)
        assert puzzle.stated is not None
        values, solution = ([v or 0 for v in row] for row in (puzzle.givens, puzzle.stated))
        block = MadeBlock(np.array([values], np.uint8), np.array([solution], np.uint8), 1, (puzzle.rules,))
        return with_clues(self.wanted, block)

    def _begun(self, puzzle: Puzzle, number: int) -> Puzzle | None:
        """Complete a starting puzzle with several solutions, or change a clue of one with one solution."""
        backend, seed = self.wanted.backend, self.wanted.seed
        if is_unique(puzzle, backend):
            return varied(puzzle, Random(f"vary/{seed}/{number}"), backend)
        left = seconds_to(self.wanted.deadline)
        return complete(puzzle, seed=seed + 1_000_003 * number, backend=backend, time_limit=left).puzzle

    def made(self, number: int) -> Puzzle | None:
        """Make a puzzle from a grid, with its solution ``stated``; None if the pattern leaves several solutions."""
        wanted = self.wanted
        rng = Random(f"variant/{wanted.seed}/{number}")
        values = self._grid(number, rng)
        amounts = {kind: _amount(n, rng) for kind, n in self.place.items()}
        easy = self.levels is not None and self.levels.is_easy
        rules = placed(amounts, wanted.shape, values, rng, easy=easy)
        puzzle: Puzzle | None = Puzzle(wanted.shape, tuple(values), rules=(*self.rules, *rules), stated=tuple(values))
        if len(wanted.open):
            puzzle = self._within_pattern(values, (*self.rules, *rules))
        for kind in self.drop if puzzle is not None else ():
            assert puzzle is not None
            puzzle = self._givens_left(puzzle, rng) if kind == GIVEN else self._rules_left(puzzle, kind, rules, rng)
        return puzzle

    def _grid(self, number: int, rng: Random) -> list[int]:
        wanted = self.wanted
        if wanted.grid is not None:
            return [value or 0 for value in wanted.grid.values]
        if kept := self._lasting:
            empty = (None,) * wanted.shape.cells
            return settled(Puzzle(wanted.shape, empty, rules=kept), rng, Budget(seconds_to(wanted.deadline)).start())
        block, row = divmod(number, block_size(wanted.shape))
        found: list[int] = grid_block(wanted.shape, wanted.seed, block, fast=not wanted.uniform)[row].tolist()
        return found

    def _within_pattern(self, values: list[int], rules: tuple[Rule, ...]) -> Puzzle | None:
        opened = set(self.wanted.open.tolist())
        givens = tuple(None if cell in opened else value for cell, value in enumerate(values))
        puzzle = Puzzle(self.wanted.shape, givens, rules=rules, stated=tuple(values))
        return puzzle if is_unique(puzzle, self.wanted.backend) else None

    def _givens_left(self, puzzle: Puzzle, rng: Random) -> Puzzle:
        """Remove givens in random order until each is needed, or until the wanted number is left."""
        wanted = self.wanted
        if not wanted.minimal and wanted.pattern is not None:
            return puzzle
        clues = self._clues(puzzle, GIVEN, puzzle.rules)
        number = len(clues.free)
        if wanted.minimal and wanted.groups.shape[1] == 1:
            kept = clues.search().shrunk(tuple(rng.sample(range(number), number)))
            return clues.with_only(kept if self.levels is None else self._of_level(self.levels, clues, kept, rng))
        groups = self._groups(clues)
        least = 0 if wanted.minimal else rng.randint(*wanted.span)
        return clues.with_only(thinned(clues.switches, rng.sample(groups, len(groups)), least))

    def _of_level(self, levels: LevelBand, clues: Clues, kept: Members, rng: Random) -> Members:
        """Search for a wanted level among minimal puzzles with the same rules; return the last one if none has it.

        Further ones take a fifth of the time of the first one, for which the rules had to be stated.
        """
        search = clues.search()
        for _ in range(OTHERS):
            if levels.miss(clues.with_only(kept)) is None:
                break
            rest = sorted(clues.every - kept)
            order = [*sorted(kept), *rng.sample(rest, min(MORE, len(rest)))]
            kept = search.shrunk(tuple(rng.sample(order, len(order))))
        return kept

    def _groups(self, clues: Clues) -> list[Members]:
        """Return the groups of givens that are removed together, by their numbers."""
        numbers = {clues.taken.stated[part].what: number for number, part in enumerate(clues.free)}
        names = self.wanted.shape.names
        found = [{numbers.get(names[cell]) for cell in row if cell >= 0} for row in self.wanted.groups.tolist()]
        return [group for cells in found if (group := frozenset(i for i in cells if i is not None))]

    def _rules_left(self, puzzle: Puzzle, kind: str, put: tuple[Rule, ...], rng: Random) -> Puzzle:
        """Remove rules of a kind in random order until each is needed."""
        free = put if kind == RULE else tuple(rule for rule in puzzle.rules if kind in kinds_of(rule))
        clues = self._clues(puzzle, RULE, tuple(rule for rule in puzzle.rules if rule not in free))
        return clues.with_only(clues.search().shrunk(tuple(rng.sample(range(len(clues.free)), len(clues.free)))))

    def _clues(self, puzzle: Puzzle, kind: str, fixed: tuple[Rule, ...]) -> Clues:
        left = seconds_to(self.wanted.deadline)
        return Clues.of(puzzle, self.wanted.backend, (kind,), False, Budget(left).start(), frozenset(fixed))


def thinned(switches: Switches, groups: list[Members], least: int) -> Members:
    """Leave out each group of parts if what is left has no solution; keep at least ``least`` parts."""
    kept: Members = frozenset().union(*groups)
    for group in groups:
        if not group <= kept or len(kept) - len(group) < least:
            continue
        answer = switches.ask(sorted(kept - group))
        if answer.values is None:
            kept -= group
            if not least:  # only the contradiction is needed
                kept = frozenset().union(*(other for other in groups if other <= kept and other & set(answer.core)))
    return kept


def _check_amount(kind: str, amount: Any) -> None:
    """Raise ValueError for an invalid number of rules, or an invalid pair of least and greatest number."""
    ends = amount if isinstance(amount, tuple | list) else (amount, amount)
    if len(ends) != 2 or not all(isinstance(end, Integral) for end in ends) or not 0 <= ends[0] <= ends[1]:
        wanted = "a number of 0 or more is expected, or two of them, the lower one first"
        raise ValueError(f"{amount!r} rules of the kind {kind!r}: {wanted}")


def _amount(amount: int | tuple[int, int], rng: Random) -> int:
    low, high = band("place", amount)
    return int(low) if low == high else rng.randint(low, high)


def _is_about_marks(rule: Rule) -> bool:
    """Return whether a rule states that all marks are given: it holds if marks are placed wherever possible."""
    return type(rule).__name__.startswith("Strict")
