"""The verbs ``minimise`` and ``redundant``: which clues of a puzzle with one solution could be left out.

Clues are its givens, its candidates and its rules, all of these or some kinds. Besides the houses and the other
parts, the model states that the solution differs from the known one: clues are enough if they contradict that. So
minimal sets of clues are minimal reasons of a contradiction, and the methods of ``explain`` for these are used.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random

from ..engine.budget import Budget
from ..engine.registry import BackendLike
from ..engine.switches import Switches
from ..errors import LimitReached, NotOneSolution, NotUnique
from ..explain.duality import Duality, Members
from ..explain.explanation import Stated, TakenApart, apart
from ..puzzle import Puzzle
from ..puzzle.rules.composed import pieces
from ..verbs.solving import solve
from ..verbs.task import Problem, as_puzzle
from .fewest import Hitting

KINDS = ("given", "rule")
"""The kinds of clues: givens and candidates, and rules."""


@dataclass(frozen=True)
class Smallest:
    """The puzzle with the fewest clues that was found, and the ``bound``: no smaller set of clues is enough.

    It is proved to be a smallest one if its ``clues`` equal the ``bound``.
    """

    puzzle: Puzzle
    clues: int
    bound: int

    @property
    def proved(self) -> bool:
        """Return whether no smaller set of clues is enough."""
        return self.clues == self.bound


@dataclass(frozen=True, repr=False, eq=False)
class Minimised:
    """A puzzle whose clues are all needed, made by leaving clues out; it also leads to the other such puzzles.

    ``puzzle`` is the minimal one, ``dropped`` the clues left out and ``clues`` how many are left, of the kinds that
    were requested. ``subsets`` yields all minimal puzzles, ``smallest`` searches for one with the fewest clues.
    """

    _source: Puzzle
    _taken: TakenApart
    _free: tuple[int, ...]  # the numbers of the parts that may be left out, here numbered from 0
    _switches: Switches
    _kept: Members

    def __repr__(self) -> str:
        return f"<Minimised: {self.clues} clues are left, {len(self.dropped)} dropped>"

    @property
    def clues(self) -> int:
        """The number of clues that are left."""
        return len(self._kept)

    @cached_property
    def puzzle(self) -> Puzzle:
        """The puzzle with the clues that are left."""
        return self._with_only(self._kept)

    @cached_property
    def dropped(self) -> tuple[Stated, ...]:
        """The clues that were left out."""
        return self._taken.named(self._free[i] for i in self._every - self._kept)

    def subsets(self) -> Iterator[Puzzle]:
        """Yield every minimal puzzle among the clues, each once, as they are found: there may be very many."""
        for kind, members in Duality(self._switches, len(self._free)).found():
            if kind == "reason":
                yield self._with_only(members)

    def smallest(self, time_limit: float | None = 10.0) -> Smallest:
        """Search for the fewest clues that are enough, for some seconds (None: until it is proved).

        All sets of clues of which one is needed are hit with as few clues as possible, until these are enough.
        """
        self._switches.limit(time_limit)
        search = Duality(self._switches, len(self._free))
        hitting = Hitting(len(self._free), (), self._switches.clock)

        def missed(chosen: Members) -> list[Members]:
            """Return clues of which one is needed besides those chosen."""
            answer = self._switches.ask(chosen)
            return [] if answer.values is None else [self._every - search.grown(chosen, answer.values)[0]]

        with self._switches.clock:
            found = hitting.smallest(missed, len(self._kept)) or self._kept
        return Smallest(self._with_only(found), len(found), hitting.bound)

    @property
    def _every(self) -> Members:
        return frozenset(range(len(self._free)))

    def _with_only(self, kept: Members) -> Puzzle:
        """Return the puzzle with these clues and all other parts."""
        gone = {self._free[i] for i in self._every - kept}
        left = [part for i, part in enumerate(self._taken.stated) if i not in gone]
        cells = {part.what for part in left if part.kind == "given"}
        puzzle, names = self._source, self._source.shape.names
        givens = tuple(value if name in cells else None for name, value in zip(names, puzzle.givens, strict=True))
        candidates = tuple(pair for pair in puzzle.candidates if names[pair[0]] in cells)
        rules = tuple(part.what for part in left if part.kind == "rule")
        return replace(puzzle, givens=givens, candidates=candidates, rules=rules)


def minimise(
    problem: Problem,
    backend: BackendLike = "auto",
    *,
    kinds: Iterable[str] = KINDS,
    parted: bool = False,
    seed: int = 0,
    time_limit: float | None = None,
    budget: Budget | None = None,
) -> Minimised:
    """Leave clues out of a puzzle with one solution until each is needed, in an order chosen by ``seed``.

    ``kinds`` are the kinds of clues that may go: "given", "rule". With ``parted`` the parts of rules go one by one: the
    steps of a thermometer or a whisper, the pairs of a palindrome, the sum of a cage, the values of a circle.
    ``time_limit`` is in seconds, ``budget`` that of a larger job.
    NotOneSolution (a ValueError) if the puzzle has none or several, ValueError for an unknown kind; LimitReached if
    time is up; the errors of ``solve`` for a backend.
    """
    with Budget(time_limit, None, budget) as clock:
        whole = _whole(problem, backend, kinds, parted, clock)
        order = list(range(whole.clues))
        Random(f"minimise/{seed}").shuffle(order)
        return replace(whole, _kept=Duality(whole._switches, whole.clues).shrunk(tuple(order)))


def redundant(
    problem: Problem,
    backend: BackendLike = "auto",
    *,
    kinds: Iterable[str] = KINDS,
    time_limit: float | None = None,
    budget: Budget | None = None,
) -> tuple[Stated, ...]:
    """Return the clues of a puzzle with one solution that could each be left out singly; errors as for ``minimise``."""
    with Budget(time_limit, None, budget) as clock:
        whole = _whole(problem, backend, kinds, False, clock)
        every, ask = whole._kept, whole._switches.ask
        needed = {i for i in ask(every).core if ask(every - {i}).values is not None}
        return replace(whole, _kept=frozenset(needed)).dropped


def _whole(problem: Problem, backend: BackendLike, kinds: Iterable[str], parted: bool, budget: Budget) -> Minimised:
    """Solve a puzzle and split it into parts, all of which are kept. Errors as for ``minimise``."""
    wanted = frozenset([kinds] if isinstance(kinds, str) else kinds)
    if unknown := sorted(wanted - set(KINDS)):
        raise ValueError(f"unknown kind {unknown[0]!r}: {' and '.join(KINDS)} are the kinds of clues")
    puzzle = as_puzzle(problem)
    puzzle = replace(puzzle, rules=pieces(puzzle.rules)) if parted else puzzle
    result = solve(puzzle, backend, unique=True, budget=budget)
    if result.unique is None:
        raise LimitReached(f"it is not known whether there is one solution: {result.reason}", result)
    solution = result.values
    if not result.unique or solution is None:
        raise NotUnique() if solution else NotOneSolution()
    taken = apart(puzzle)
    free = tuple(i for i, part in enumerate(taken.stated) if part.kind in wanted)
    base = taken.another(free, {x: solution[x] for x in puzzle.names})
    switches = Switches(base, [taken.parts[i] for i in free], backend, budget=budget)
    return Minimised(puzzle, taken, free, switches, frozenset(range(len(free))))
