"""Boards with rules, made the way setters do: shapes first, then a solution, clues with numbers, and few givens.

Wrong solutions guide all of it: givens, cages and further rules are chosen so that they refuse most of them. Every
question has patience, a limit of its work and not of its time, so that the same seed gives the same board. What is not
known within it counts as several solutions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property, partial
from random import Random

from ..engine.budget import Budget
from ..engine.registry import BackendLike
from ..engine.switches import minimal
from ..errors import LimitReached, Unsupported
from ..explain.ladder import Level
from ..puzzle import Puzzle, clashes
from ..puzzle.grid import Cell
from ..puzzle.rules import Rule
from ..verbs.solving import is_unique, solutions
from .cages import Cover
from .fewest import complete, with_values
from .kinds import PLACES, Kind, kinds_of
from .laying import Ground, lay, lay_one
from .solution_grids import grid_rows
from .wishes import CLUES, GIVEN, PLACED, RULE, Miss, Wishes, between, numbers_of

Values = tuple[int, ...]

PATIENCE = 60_000
"""The constraints that an engine may look at for each solution before a question counts as "not known"."""

POOL = 24
"""Wrong solutions that are asked for at a time."""

BEGUN, FIXED = 6, 5
"""How often a few random givens are tried for a solution unlike the others, and how many."""

STEPS, OTHERS = 8, 9
"""Steps towards a wanted level; and if all givens must be needed, other choices of givens that are tried."""


class Guide:
    """Questions about puzzles to an engine, each with little work."""

    def __init__(self, backend: BackendLike, budget: Budget) -> None:
        self.backend, self.budget = backend, budget
        self._spec: BackendLike = f"native:patience={PATIENCE}"

    def others(
        self, puzzle: Puzzle, solution: Sequence[int] | None, most: int = POOL, seed: int = 0
    ) -> tuple[list[Values], bool]:
        """Return some solutions besides a known one, and whether it is proved that it is one and there are no more.

        LimitReached if the budget is spent.
        """
        if self.budget.expired:
            raise LimitReached("the board is not made: time limit")
        known = None if solution is None else tuple(solution)
        try:
            with solutions(puzzle, self._spec, limit=most + 1, seed=seed, budget=self.budget) as run:
                found = [tuple(value or 0 for value in grid.values) for grid in run]
        except Unsupported:
            if self._spec == self.backend:
                raise
            self._spec = self.backend
            return self.others(puzzle, solution, most, seed)
        wrong = [values for values in found if values != known]
        return wrong, bool(run.outcome.complete) and (known is None or known in found)

    def is_possible(self, puzzle: Puzzle) -> bool:
        """Return whether a solution was found."""
        return bool(self.others(puzzle, None, 0)[0])

    def is_unique(self, puzzle: Puzzle, solution: Sequence[int]) -> bool:
        """Return whether it is proved that there is no other solution than a known one."""
        wrong, proved = self.others(puzzle, solution, 1)
        return proved and not wrong


Made = tuple[Puzzle | None, Miss | None]
"""A candidate: a puzzle with one solution (stated), or None, and what it misses that could be seen on the way."""


def made(wishes: Wishes, number: int, anyway: bool = False) -> Made:
    """Make the candidate with a number, which depends only on the wishes and the number.

    A starting puzzle with several solutions is completed, in one with one solution a clue is changed. A board with
    fewer rules than wanted gets its givens only if it is to be made ``anyway``. LimitReached if the budget is spent
    first.
    """
    board, backend, budget = wishes.board, wishes.backend, wishes.budget
    if not wishes.starts:
        return _Draft(wishes, Random(f"variant/{wishes.seed}/{number}"), number).made(anyway)
    if is_unique(board, backend, budget=budget):
        return varied(board, Random(f"vary/{wishes.seed}/{number}"), backend, budget), None
    return complete(board, seed=wishes.seed + 1_000_003 * number, backend=backend, budget=budget).puzzle, None


class _Draft:
    """A board in the making: its ground, what was laid on it, cages that cover it, and its givens."""

    def __init__(self, wishes: Wishes, rng: Random, number: int) -> None:
        self.wishes, self.rng, self.number = wishes, rng, number
        self.guide = Guide(wishes.backend, wishes.budget)
        self.ground = Ground(wishes.shape, wishes.maps, rng, wishes.overlap, wishes.is_easy, possible=self._is_possible)
        self.amounts: dict[str, int | None] = dict.fromkeys(wishes.place)
        for kind, ends in wishes.place.items():
            if ends is not None:  # where few givens are wanted, further rules are laid later instead of givens
                numbers = numbers_of(kind, wishes.shape, wishes.maps, ends[1])
                possible = [number for number in numbers if ends[0] <= number <= ends[1]]
                self.amounts[kind] = possible[0] if wishes.clues else rng.choice(possible)
        self.cover: Cover | None = None
        self.dropped: tuple[Rule, ...] = ()

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules of the board so far."""
        every = (*self.wishes.board.rules, *self.ground.rules, *(self.cover.rules if self.cover else ()))
        return tuple(rule for rule in every if rule not in self.dropped)

    @cached_property
    def solution(self) -> Sequence[int]:
        assert self.ground.values is not None
        return self.ground.values

    def puzzle(self, cells: Iterable[int] = (), rules: Iterable[Rule] | None = None) -> Puzzle:
        """Return the board with some givens, and with its rules or others."""
        kept, values = set(cells), self.ground.values
        givens = tuple(values[c] if values and c in kept else None for c in range(self.wishes.shape.cells))
        stated = None if values is None else tuple(values)
        return Puzzle(self.wishes.shape, givens, rules=tuple(self.rules if rules is None else rules), stated=stated)

    def made(self, anyway: bool) -> Made:
        """Make the board."""
        if not self._has_solution():
            return None, None
        self._lay(kind for kind, number in self.amounts.items() if number is None or self.ground.number(kind) < number)
        miss = self._lacking()
        if miss is None and self.wishes.clues:
            self._save_givens()
        if self.wishes.cover:
            self.cover = Cover(self.ground, *self.wishes.cover)
            self.cover.settle(lambda seed: self._others(seed=seed))
            if miss is None and (sizes := self.cover.odd_sizes):
                odd = ", ".join(map(str, dict.fromkeys(sizes)))
                text = f"it has cages of {odd} cells, those of {between(*self.wishes.cover)} are wanted"
                miss = Miss(PLACED, len(sizes), text)
        if miss is not None and not anyway:
            return self.puzzle(range(self.wishes.shape.cells)), miss
        return self._with_clues(miss)

    # ---- rules and the solution

    @cached_property
    def _numbered(self) -> list[str]:
        """The kinds that are laid along the solution: those with numbers, and all if the grid is known before."""
        bare = [kind for kind in self.amounts if PLACES[kind].bare and self.amounts[kind] is not None]
        return list(self.amounts) if self.wishes.grid else [kind for kind in self.amounts if kind not in bare]

    def _has_solution(self) -> bool:
        """Lay kinds without numbers, and find a solution; return whether there is one."""
        wishes = self.wishes
        if wishes.grid is not None:
            self.ground.values = [value or 0 for value in wishes.grid.values]
            return True
        found, proved = self.guide.others(self.puzzle(rules=wishes.lasting), None, 0)
        if proved and not found:
            raise ValueError(f"{wishes.shape}: no grid keeps these regions, rules and givens")
        self._lay(kind for kind in self.amounts if kind not in self._numbered)
        rules = (*wishes.lasting, *self.ground.rules)
        if rules:
            self.ground.values = self._rare(self.puzzle(rules=rules))
        else:
            numbers = range(self.number, self.number + 1)
            self.ground.values = grid_rows(wishes.shape, wishes.seed, not wishes.uniform, numbers)[0].tolist()
        return self.ground.values is not None

    def _lay(self, kinds: Iterable[str]) -> None:
        for kind in kinds:
            lay(self.ground, kind, self.amounts[kind], self.wishes.sizes.get(kind) or self._varied_size(PLACES[kind]))

    def _is_possible(self, rules: tuple[Rule, ...]) -> bool:
        """Return whether there is a solution with further rules."""
        return self.guide.is_possible(self.puzzle(rules=(*self.wishes.lasting, *self.ground.rules, *rules)))

    def _varied_size(self, kind: Kind) -> tuple[int, int] | None:
        """Return a number of cells where a level is wanted: long lines make hard boards, small cages easy ones."""
        if self.wishes.is_easy and kind.placing.easy:
            return kind.placing.easy
        if self.wishes.levels is None or kind.layer != "line":
            return None
        low, high = kind.size
        least = max(2, low - 1)
        return least, self.rng.randint(least if self.wishes.is_easy else low, high)

    def _rare(self, puzzle: Puzzle) -> Values | None:
        """Return a solution that is unlike most others, so that few givens are enough.

        Random givens are tried; of all solutions found under them, the one with the rarest values is returned.
        """
        pool: list[Values] = []
        for _ in range(BEGUN):
            cells, values = dict[int, int](), range(puzzle.shape.cells)
            for cell in self.rng.sample(values, min(FIXED, len(values))):
                trial = {**cells, cell: self.rng.choice(puzzle.shape.values)}
                if self.guide.is_possible(_given(puzzle, trial)):
                    cells = trial
            pool += self.guide.others(_given(puzzle, cells), None, POOL, self.rng.randrange(1000))[0]
        often = [Counter(column) for column in zip(*pool, strict=True)]
        return min(pool, key=lambda t: sum(often[c][v] for c, v in enumerate(t)), default=None)

    def _others(self, cells: Iterable[int] = (), most: int = POOL, seed: int = 0) -> tuple[list[Values], bool]:
        return self.guide.others(self.puzzle(cells), self.solution, most, seed)

    def _lacking(self) -> Miss | None:
        """Return how many rules are missing in total, and of which kind the most."""
        done = {kind: self.ground.number(kind) for kind in self.amounts}
        few = {kind: number - done[kind] for kind, number in self.amounts.items() if number and done[kind] < number}
        if not few:
            return None
        worst = max(few, key=few.__getitem__)
        wanted = between(*self.wishes.place[worst] or (0, 0))
        symmetry = f" with the symmetry {self.wishes.symmetry}" if self.wishes.maps else ""
        text = f"{done[worst]} of {wanted} rules of the kind {worst} found room{symmetry}"
        return Miss(PLACED, sum(few.values()), text)

    # ---- further rules in place of givens

    def _save_givens(self) -> None:
        """Lay further rules, within their numbers, that refuse wrong solutions."""
        more = {kind: ends[1] for kind, ends in self.wishes.place.items() if ends and ends[1] > ends[0]}
        while more and (wrong := [self.ground.filled(values) for values in self._others()[0]]):
            before = len(self.ground.laid)
            for kind, most in more.items():
                room = most - self.ground.number(kind)
                lay_one(self.ground, kind, room, self.wishes.sizes.get(kind), wrong=wrong)
            if len(self.ground.laid) == before:
                break

    @property
    def twin(self) -> str:
        """Why there must be givens: a symmetry that makes another solution out of the solution ("": none is known)."""
        rules, values, shape = self.puzzle(), self.solution, self.wishes.shape
        ends = shape.values[0] + shape.values[-1]
        others: dict[str, list[Cell]] = {"counting the values from the other end": [ends - value for value in values]}
        for image in self.wishes.maps:
            others[f"the symmetry {self.wishes.symmetry}"] = [values[cell] for cell in image]
        for name, other in others.items():
            if other != [*values] and not clashes(shape, other) and not rules.violated(other):
                return name
        return ""

    # ---- givens

    def _with_clues(self, miss: Miss | None) -> Made:
        """Give the board its clues, and drop those that are not needed."""
        wishes = self.wishes
        allowed = set(range(wishes.shape.cells)) if wishes.pattern is None else set(wishes.pattern)
        cells = allowed
        if wishes.pattern is not None and not is_unique(self.puzzle(allowed), wishes.backend, budget=wishes.budget):
            return None, None
        for kind in wishes.drop:
            if kind != GIVEN:
                self._drop(kind, cells)
            elif wishes.minimal or wishes.pattern is None:
                cells = self._givens(allowed)
        found = self.puzzle(cells)
        if wishes.levels and miss is None:
            found = self._levelled(found, allowed)
        if not self.guide.is_unique(found, self.solution) or found.violated(self.solution):
            return None, None
        if wishes.backend != "auto" and not is_unique(found, wishes.backend, budget=wishes.budget):
            return None, None
        if found.clues and not wishes.span[1] and miss is None and (twin := self.twin):
            text = f"it has {found.clues} clues instead of 0: {twin} makes another solution out of its solution"
            miss = Miss(CLUES, found.clues, text, not self._numbered and not wishes.board.rules)
        return found, miss

    def _orbit(self, cell: int) -> frozenset[int]:
        return frozenset({cell, *(image[cell] for image in self.wishes.maps)})

    def _givens(self, allowed: set[int]) -> set[int]:
        """Return cells whose givens leave one solution, each needed; or as many as are wanted."""
        cells = self._needed(set(allowed) if self.wishes.is_easy else self._enough(allowed))
        if not self.wishes.minimal:
            wanted = self.rng.randint(*self.wishes.span) if self.wishes.clues else 0
            for cell in self.rng.sample(sorted(allowed - cells), len(allowed - cells)):
                if len(cells | self._orbit(cell)) <= wanted:
                    cells |= self._orbit(cell)
        return cells

    def _enough(self, allowed: set[int]) -> set[int]:
        """Add givens until there is one solution, always the cell in which most wrong solutions differ."""
        shape, cells, held = self.wishes.shape, set[int](), Counter[int]()
        houses = [shape.houses_of[name] for name in shape.names]
        lines = {cell for entry in self.ground.laid for place in entry.orbit for cell in place}
        lines = set() if len(lines) == shape.cells else lines
        while cells < allowed:
            wrong, proved = self._others(cells, seed=len(cells))
            if proved and not wrong:
                break
            differ = Counter(c for values in wrong for c in range(shape.cells) if values[c] != self.solution[c])
            use = {cell: differ[cell] / max(1, len(wrong)) - 0.3 * (cell in lines) for cell in sorted(allowed - cells)}
            for cell in use:  # givens beside lines, in empty houses, look best
                use[cell] += 0.3 * self.rng.random() - 0.15 * sum(held[house] for house in houses[cell])
            best = self._orbit(max(use, key=use.__getitem__))
            cells |= best
            held.update(house for cell in best for house in houses[cell])
        return cells

    def _needed(self, cells: set[int]) -> set[int]:
        """Leave out the givens, in random order, without which it is proved that one solution is left."""
        orbits = sorted({self._orbit(cell) for cell in cells}, key=sorted)

        def enough(some: list[frozenset[int]]) -> list[frozenset[int]] | None:
            return some if self.guide.is_unique(self.puzzle(set().union(*some)), self.solution) else None

        return set().union(*minimal(self.rng.sample(orbits, len(orbits)), enough))

    def _drop(self, kind: str, cells: set[int]) -> None:
        """Leave out rules of a kind, in random order, without which it is proved that one solution is left."""
        cages = self.cover.rules if self.cover else ()
        laid = [*(entry.rules for entry in self.ground.laid), *((cage,) for cage in cages)]
        stated = [] if kind == RULE else [(rule,) for rule in self.wishes.board.rules if kind in kinds_of(rule)]
        groups = stated + [rules for rules in laid if kind == RULE or kind in kinds_of(rules[0])]
        free, before = {rule for group in groups for rule in group}, self.dropped

        def enough(some: list[tuple[Rule, ...]]) -> list[tuple[Rule, ...]] | None:
            kept = {rule for group in some for rule in group}
            self.dropped = (*before, *(free - kept))
            return some if self.guide.is_unique(self.puzzle(cells), self.solution) else None

        enough(minimal(self.rng.sample(groups, len(groups)), enough))

    # ---- difficulty

    def _levelled(self, found: Puzzle, allowed: set[int]) -> Puzzle:
        """Make a board easier or harder until its level is as wanted; return the last one if none is.

        Cages are cut or joined; a given makes other boards easier; if each must be needed, other givens are tried.
        """
        assert self.wishes.levels is not None
        low: Level = self.wishes.levels[0]
        for _ in range(STEPS if self.cover or not self.wishes.minimal else OTHERS):
            rating = self.wishes.rated(found)
            if self.wishes.level_miss(found, rating) is None:
                break
            easy = rating.exact and rating.level < low
            cells = {cell for cell, value in enumerate(found.givens) if value is not None}
            if self.cover and not self.dropped:
                if not (self.cover.harden(partial(self._others, cells, 1)) if easy else self.cover.ease()):
                    break
            elif self.wishes.minimal:  # left over of all cells there are more givens than where few are looked for
                cells = self._givens(allowed) if easy else self._needed(set(allowed))
            elif easy or not (rest := sorted(allowed - cells)):
                break
            else:
                cells |= self._orbit(self.rng.choice(rest))
            trial = self.puzzle(cells)
            if not self.guide.is_unique(trial, self.solution):
                break
            found = trial
        return found


def _given(puzzle: Puzzle, cells: dict[int, int]) -> Puzzle:
    return replace(puzzle, givens=tuple(map(cells.get, range(puzzle.shape.cells))))


def varied(puzzle: Puzzle, rng: Random, backend: BackendLike, budget: Budget) -> Puzzle | None:
    """Replace a given or a rule by one of the same kind that leaves one solution; None if that fails.

    The new clue agrees with one of the solutions without the old clue, some of which are tried. Of rules, only the
    kinds in ``PLACES`` may change.
    """
    givens = [cell for cell, given in enumerate(puzzle.givens) if given is not None]
    rules = [rule for rule in puzzle.rules if kinds_of(rule) & PLACES.keys()]
    if not givens and not rules:
        return None
    every: list[int | Rule] = [*givens, *rules]
    gone = rng.choice(every)
    left = tuple(None if cell == gone else given for cell, given in enumerate(puzzle.givens))
    kept = tuple(rule for rule in puzzle.rules if rule != gone)
    base = replace(puzzle, givens=left if isinstance(gone, int) else puzzle.givens, rules=kept, stated=None)
    with solutions(base, backend, limit=POOL, budget=budget) as found:
        whole = rng.choice(sorted([value or 0 for value in grid.values] for grid in found))
    if isinstance(gone, int):
        cell = rng.choice([cell for cell, given in enumerate(base.givens) if given is None])
        trial = with_values(base, whole, {cell})
    else:
        ground = Ground(base.shape, (), rng, values=whole)
        ground.lay_given(base.rules)
        lay_one(ground, next(kind for kind in sorted(kinds_of(gone)) if kind in PLACES), 1)
        trial = replace(base, rules=(*base.rules, *(rule for rule in ground.rules if rule not in base.rules)))
    same = trial.givens == puzzle.givens and set(trial.rules) == set(puzzle.rules)
    return None if same or not is_unique(trial, backend, budget=budget) else replace(trial, stated=tuple(whole))
