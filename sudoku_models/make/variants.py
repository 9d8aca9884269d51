"""Variants: rules are put on a solution grid, then givens, and rules where that is asked for, are left out."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from numbers import Integral
from random import Random

from ..engine.registry import BackendLike
from ..errors import LimitReached, meant
from ..puzzle import Puzzle, Shape
from ..puzzle.rules import Rule
from .filling import settled
from .generating import in_vain
from .keywords import band, refuse_negative, shape_or_nine
from .levels import Accept, in_band, seconds_to
from .minimising import Clues
from .places import PLACES, placed
from .solution_grids import block_size, grid_block

PATIENCE = 1_000
"""Variants in a row that are not as wanted before a search without a limit gives up."""


@dataclass(frozen=True)
class Theme:
    """What variants are made of: ``rules`` that hold as they are, and ``place``: how many rules of which kinds to put.

    With ``dropping`` rules that were put go too while one solution is left. ValueError for an unknown kind.
    """

    shape: Shape
    rules: tuple[Rule, ...] = ()
    place: Mapping[str, int] = field(default_factory=dict)
    dropping: bool = False
    seed: int = 0
    backend: BackendLike = "auto"

    def __post_init__(self) -> None:
        if not isinstance(self.place, Mapping):
            raise TypeError(f"place={self.place!r}: kinds and numbers such as {{'Thermo': 3}} are expected")
        wrong = next((k for k, amount in self.place.items() if not isinstance(amount, Integral) or amount < 0), None)
        if wrong is not None:
            raise ValueError(f"{self.place[wrong]!r} rules of the kind {wrong!r}: a number of 0 or more is expected")
        unknown = next((kind for kind in self.place if kind not in PLACES), None)
        if unknown is not None:
            one = f"one of {', '.join(PLACES)} is expected{meant(unknown, PLACES)}"
            raise ValueError(f"{unknown!r} cannot be put on a board: {one}")

    def made(self, number: int, deadline: float | None = None) -> Puzzle:
        """Make the puzzle of a number: each given is needed, and its solution is ``stated``.

        LimitReached where the ``deadline`` (of ``time.monotonic``) comes first.
        """
        rng = Random(f"variant/{self.seed}/{number}")
        values = self._grid(number, rng, deadline)
        rules = placed(self.place, self.shape, values, rng)
        puzzle = Puzzle(self.shape, tuple(values), rules=(*self.rules, *rules), stated=tuple(values))
        return self._thinned(puzzle, frozenset(rules), rng, deadline)

    def _grid(self, number: int, rng: Random, deadline: float | None) -> list[int]:
        if kept := tuple(rule for rule in self.rules if not _is_about_marks(rule)):
            return settled(Puzzle(self.shape, (None,) * self.shape.cells, rules=kept), rng, deadline)
        block, row = divmod(number, block_size(self.shape))
        found: list[int] = grid_block(self.shape, self.seed, block, fast=True)[row].tolist()
        return found

    def _thinned(self, puzzle: Puzzle, put: frozenset[Rule], rng: Random, deadline: float | None) -> Puzzle:
        """Leave out givens in random order, then rules that were put."""
        for kind in ("given", "rule") if self.dropping else ("given",):
            left = seconds_to(deadline)
            clues = Clues.of(puzzle, self.backend, (kind,), False, left, frozenset(puzzle.rules) - put)
            puzzle = clues.with_only(clues.search().shrunk(tuple(rng.sample(range(len(clues.free)), len(clues.free)))))
        return puzzle


def _is_about_marks(rule: Rule) -> bool:
    """Tell whether a rule says that all marks are given: it holds when marks are put wherever they can be."""
    return type(rule).__name__.startswith("Strict")


@dataclass(frozen=True)
class Variants:
    """Variants that were made, how many candidates were tried, and, unless ``complete``, the ``reason`` why so few."""

    puzzles: tuple[Puzzle, ...]
    tried: int
    complete: bool
    reason: str = ""

    def __len__(self) -> int:
        return len(self.puzzles)

    def __iter__(self) -> Iterator[Puzzle]:
        return iter(self.puzzles)


def generate_variants(
    n: int = 1,
    *,
    shape: Shape | None = None,
    rules: tuple[Rule, ...] = (),
    place: Mapping[str, int] | None = None,
    clues: int | tuple[int, int] | None = None,
    dropping: bool = False,
    level: str | tuple[str, str] | None = None,
    accept: Accept | None = None,
    seed: int = 0,
    tries: int | None = None,
    time_limit: float | None = None,
    backend: BackendLike = "auto",
) -> Variants:
    """Make ``n`` puzzles with rules, each with exactly one solution, proved; no given could be left out.

    ``rules`` hold as they are (``AntiKnight()``, a diagonal); ``place`` says how many rules of a kind are put where a
    random solution grid keeps them (``{"KillerCage": 12, "Thermo": 3}``; the kinds are in ``PLACES``). With
    ``dropping`` those that were put go as well while one solution is left, after the givens. ``clues`` is the least and
    the greatest number of givens, ``level`` a band of levels as ``rate`` has them, ("1.1", "2.3"); ``accept`` sees each
    puzzle and says whether to keep it. The same seed gives the same puzzles. After ``tries`` candidates or
    ``time_limit`` seconds, what is there so far is returned; without both, after 1,000 candidates in a row that are not
    as wanted.
    ValueError for options that do not go together; what ``minimise`` raises besides.
    """
    refuse_negative(n, tries, time_limit)
    few = None if clues is None else band("clues", clues)
    if few is not None and not 0 <= few[0] <= few[1]:
        raise ValueError(f"clues={clues}: numbers of 0 or more, the lower one first, are expected")
    theme = Theme(shape_or_nine(shape), rules, place or {}, dropping, seed, backend)
    deadline = None if time_limit is None else time.monotonic() + time_limit
    return _gathered(n, theme, few, in_band(level, accept, deadline), tries, deadline)


def _gathered(
    n: int,
    theme: Theme,
    clues: tuple[int, int] | None,
    accept: Accept | None,
    tries: int | None,
    deadline: float | None,
) -> Variants:
    """Make puzzles of a theme until there are n as wanted, or a limit comes."""
    found: list[Puzzle] = []
    tried, last, reason = 0, 0, ""
    numbers = count()
    while len(found) < n and not reason:
        try:
            puzzle = theme.made(next(numbers), deadline)
        except LimitReached as error:
            reason = "time limit" if deadline is not None else str(error)
            break
        tried += 1
        few = clues is None or clues[0] <= puzzle.clues <= clues[1]
        if few and (accept is None or accept(puzzle)):
            found.append(puzzle)
            last = tried
        if tried == tries:
            reason = f"{tried} candidates were tried"
        elif deadline is not None and time.monotonic() >= deadline:
            reason = "time limit"
        elif tries is None and deadline is None and tried - last >= PATIENCE:
            reason = in_vain(PATIENCE)
    complete = len(found) == n
    return Variants(tuple(found), tried, complete, "" if complete else reason)
