"""The plain puzzles of the collection, made anew: boards of many sizes, easy to hard, and some with a flaw."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from random import Random
from typing import Any

from ..explain import rate as on_ladder
from ..make import generate, jigsaw
from ..puzzle import Puzzle, Shape
from .flawed import loosened, spoiled
from .items import Item
from .measure import DIFFICULTIES, rate
from .proofs import PROVERS, chance, form_of, proved

LARGE = 16
"""From this side on guesses are not counted, and the ladder is not climbed."""

SECONDS = 60.0
"""For a place on the ladder: no shipped puzzle takes more."""

Board = Callable[[int], Shape]
Aims = Mapping[str, int]


@dataclass(frozen=True)
class Group:
    """Puzzles of one kind: "9x9-hard-01" and so on, ``amount`` of them.

    ``aim`` is a difficulty, "several" (solutions) or "none"; ``wishes`` are those of ``generate``.
    """

    board: str
    aim: str
    amount: int
    shape: Board
    wishes: Mapping[str, Any] = field(default_factory=dict)

    def names(self) -> Iterator[str]:
        """Yield the names of the puzzles."""
        return (f"{self.board}-{self.aim}-{i:02}" for i in range(1, self.amount + 1))


def groups() -> Iterator[Group]:
    """Yield what the plain puzzles are."""
    for (height, width), amounts in _BOXES.items():
        n = height * width
        yield from _groups(f"{n}x{n}", lambda _, n=n, box=(height, width): Shape.square(n, box), amounts)  # type: ignore[misc]
    for n, amounts in _LATIN.items():
        yield from _groups(f"latin-{n}", lambda _, n=n: Shape.latin(n), amounts)  # type: ignore[misc]
    for n, amounts in _IRREGULAR.items():
        yield from _groups(f"irregular-{n}", lambda seed, n=n: jigsaw(n, seed), amounts)  # type: ignore[misc]


def _groups(board: str, shape: Board, amounts: Aims) -> Iterator[Group]:
    for aim, amount in amounts.items():
        yield Group(board, aim, amount, shape, _WISHES.get(board, {}))


_BOXES: Mapping[tuple[int, int], Aims] = {
    (2, 2): {"easy": 12, "several": 3},
    (2, 3): {"easy": 12, "medium": 8, "hard": 8, "several": 3, "none": 1},
    (2, 4): {"easy": 10, "medium": 8, "hard": 10, "several": 2, "none": 1},
    (3, 3): {"easy": 200, "medium": 160, "hard": 340, "several": 16, "none": 8},
    (2, 5): {"easy": 10, "medium": 8, "hard": 10, "several": 2, "none": 1},
    (3, 4): {"easy": 10, "medium": 8, "hard": 10, "several": 2, "none": 1},
    (4, 4): {"easy": 8, "medium": 6, "hard": 8, "several": 2, "none": 1},
    (5, 5): {"easy": 4, "medium": 2, "hard": 2},
    (6, 6): {"easy": 3, "medium": 1},
}
_LATIN: Mapping[int, Aims] = {
    5: {"easy": 8, "several": 1},
    7: {"easy": 8, "hard": 4, "several": 1},
    9: {"easy": 8, "hard": 4, "several": 1},
}
_IRREGULAR: Mapping[int, Aims] = {
    6: {"easy": 10, "medium": 6, "hard": 6, "several": 1},
    9: {"easy": 16, "medium": 10, "hard": 16, "several": 2, "none": 1},
}
_WISHES: Mapping[str, Mapping[str, Any]] = {
    "16x16": {"clues": (90, 100), "minimal": False},
    "25x25": {"clues": (296, 312), "minimal": False},
    "36x36": {"clues": (720, 760), "minimal": False},
}
"""What is wished of large boards: a minimal puzzle takes long there."""


def made(group: Group, name: str, seed: int) -> Item:
    """Make the puzzle of a name: try after try, until one is as the group wants it."""
    for attempt in count():
        number = chance(seed, name, attempt)
        try:
            item = _attempt(group, name, seed, number)
        except ValueError:  # no grid fits the regions
            item = None
        if item is not None:
            return item
    raise AssertionError


def _attempt(group: Group, name: str, seed: int, number: int) -> Item | None:
    flawed = group.aim in ("several", "none")
    (puzzle,) = generate(1, shape=group.shape(number), seed=number, **group.wishes)
    assert puzzle.stated is not None
    rng, solution = Random(number), [value or 0 for value in puzzle.stated]
    if not flawed:
        puzzle = eased(puzzle, group.aim, rng) if group.wishes else puzzle
        return rated(puzzle, name, seed) if _difficulty(puzzle) == group.aim else None
    several = group.aim == "several"
    found = loosened(puzzle, rng, 1 + rng.randrange(4)) if several else spoiled(puzzle, solution, rng)
    if found is None:
        return None
    solutions = proved(found, found.to_line())
    plain = Puzzle(found.shape, found.givens, title=name)
    return Item(name, plain, solutions, None, None, plain.clues, None, seed, PROVERS, None, form_of(plain))


def _difficulty(puzzle: Puzzle) -> str:
    return rate(puzzle, guesses=False).difficulty


def eased(puzzle: Puzzle, aim: str, rng: Random) -> Puzzle:
    """Add as few givens, in random order, as make the puzzle no harder than the aim."""
    assert puzzle.stated is not None
    order = [cell for cell, given in enumerate(puzzle.givens) if given is None]
    rng.shuffle(order)

    def with_more(number: int) -> Puzzle:
        added = {cell: puzzle.stated[cell] for cell in order[:number]} if puzzle.stated else {}
        return replace(puzzle, givens=tuple(added.get(cell, given) for cell, given in enumerate(puzzle.givens)))

    def is_easy_enough(number: int) -> bool:
        return DIFFICULTIES.index(_difficulty(with_more(number))) <= DIFFICULTIES.index(aim)

    return with_more(bisect_left(range(len(order) + 1), True, key=is_easy_enough))


def rated(puzzle: Puzzle, name: str, seed: int) -> Item:
    """Return the item of a puzzle with one solution: proved, measured, rated."""
    shape, stated = puzzle.shape, puzzle.stated
    assert stated is not None
    proved(puzzle, puzzle.to_line(), stated)
    small = shape.height < LARGE
    found = rate(puzzle, guesses=small)
    level = on_ladder(puzzle, time_limit=SECONDS).to_json()["level"] if small else None
    whole = Puzzle(shape, puzzle.givens, title=name, stated=stated)
    line = Puzzle(shape, stated).to_line()
    return Item(
        name, whole, 1, found.difficulty, found.guesses, whole.clues, line, seed, PROVERS, level, form_of(whole)
    )
