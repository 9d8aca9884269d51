"""The plain puzzles of the collection, made anew: boards of many sizes, easy to hard, and some with a flaw.

A group is made from random puzzles in the order in which ``generate`` makes them, each taken that is as the group wants
it: a difficulty, and on classic boards a share of each band of SE-like ratings.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import count, islice
from random import Random
from typing import Any

from sudoku_models.collection import DIFFICULTIES
from sudoku_models.collection.items import Item
from sudoku_models.explain.classic import rate_arrays
from sudoku_models.make import generate, jigsaw
from sudoku_models.puzzle import Puzzle, Shape

from .flawed import loosened, spoiled
from .measure import rate
from .proofs import PROVERS, chance, form_of, level_of, proved

LARGE = 16
"""From this side on guesses are not counted, and the ladder is not climbed."""

BATCH = 512
"""Puzzles that are made together where that is quick."""

SCALE = ((0, 49), (50, 65), (66, 69), (70, 71), (72, 75), (76, 82), (83, 89))
"""Bands of SE-like ratings, in tenths: hard classic puzzles are as many of each."""

EXTREME = {(93, 95): 8, (96, 99): 3, (100, 1000): 1}
"""How many of the extreme puzzles lie above 9.2: each is looked for by itself."""

Board = Callable[[int], Shape]
Aims = Mapping[str, int]


@dataclass(frozen=True)
class Group:
    """Puzzles of one kind: "9x9-hard-01" and so on, ``amount`` of them.

    ``aim`` is a difficulty, "extreme" (hard, and 9.0 or above on the SE-like scale), "several" (solutions) or "none";
    ``wishes`` are those of ``generate``.
    """

    board: str
    aim: str
    amount: int
    shape: Board
    wishes: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The beginning of the names."""
        return f"{self.board}-{self.aim}"

    def names(self) -> Iterator[str]:
        """Yield the names of the puzzles."""
        return (f"{self.name}-{i:02}" for i in range(1, self.amount + 1))

    @property
    def flawed(self) -> bool:
        """Return whether the puzzles have several solutions, or none."""
        return self.aim in ("several", "none")

    @property
    def bands(self) -> list[tuple[int, int]]:
        """The ratings, one band for each puzzle; none where they do not matter."""
        if self.aim == "extreme":
            above = [band for band, amount in EXTREME.items() for _ in range(amount)]
            return [(90, 92)] * (self.amount - len(above)) + above
        return [SCALE[i * len(SCALE) // self.amount] for i in range(self.amount)] if self.name == "9x9-hard" else []


def groups() -> Iterator[Group]:
    """Yield the groups of plain puzzles."""
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
    (3, 3): {"easy": 260, "medium": 220, "hard": 434, "extreme": 64, "several": 16, "none": 8},
    (2, 5): {"easy": 10, "medium": 6, "hard": 8, "several": 2, "none": 1},
    (3, 4): {"easy": 10, "medium": 6, "hard": 8, "several": 2, "none": 1},
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
    6: {"easy": 8, "medium": 4, "hard": 4, "several": 1},
    9: {"easy": 12, "medium": 8, "hard": 12, "several": 2, "none": 1},
}
_WISHES: Mapping[str, Mapping[str, Any]] = {
    "12x12": {"clues": (46, 54), "minimal": False},
    "16x16": {"clues": (90, 100), "minimal": False},
    "25x25": {"clues": (296, 312), "minimal": False},
    "36x36": {"clues": (720, 760), "minimal": False},
    "irregular-9": {"clues": (22, 26), "minimal": False},
}
"""What is wished of large boards, and of jigsaws: a minimal puzzle takes long there, or is seldom easy."""


def made(group: Group, seed: int) -> Iterator[Item]:
    """Yield the puzzles of a group, in the order of their names."""
    names = group.names()
    if group.flawed:
        found = (_flawed(group, puzzle, seed) for puzzle in _candidates(group, seed))
        named = zip(names, _different(item for item in found if item is not None), strict=False)
        return (replace(item, name=name, puzzle=replace(item.puzzle, title=name)) for name, item in named)
    return (rated(puzzle, name, seed) for name, puzzle in zip(names, _chosen(group, seed), strict=False))


def _different(items: Iterable[Item]) -> Iterator[Item]:
    """Yield those whose form is new."""
    seen: set[str | None] = set()
    for item in items:
        if item.form is None or item.form not in seen:
            seen.add(item.form)
            yield item


def _candidates(group: Group, seed: int) -> Iterator[Puzzle]:
    """Yield random puzzles without end."""
    size = BATCH if group.board in ("4x4", "6x6", "9x9") else 1
    for turn in count():
        number = chance(seed, group.name, turn)
        try:
            yield from generate(size, shape=group.shape(number), seed=number, **group.wishes)
        except ValueError:  # no grid fits the regions
            continue


def _chosen(group: Group, seed: int) -> Iterator[Puzzle]:
    """Yield the puzzles that the group wants; each band of ratings has its share, the lowest first."""
    if not group.bands:
        eased = (_eased(puzzle, group, seed) for puzzle in _candidates(group, seed))
        yield from (puzzle for puzzle in eased if _difficulty(puzzle) == group.aim and _is_rated(puzzle))
        return
    waiting = [_climbed(group, seed, place) if band in EXTREME else [] for place, band in enumerate(group.bands)]
    candidates = _candidates(group, seed)
    while not all(waiting):
        some = list(islice(candidates, BATCH))
        for puzzle, value in zip(some, rate_arrays([p.to_line() for p in some], "se").values.tolist(), strict=True):
            fits = (
                place for place, (low, high) in enumerate(group.bands) if low <= value <= high and not waiting[place]
            )
            place = next(fits, None)
            if place is not None and _difficulty(puzzle) == "hard":
                waiting[place].append(puzzle)
    yield from (puzzle for (puzzle,) in waiting)


def _climbed(group: Group, seed: int, place: int) -> list[Puzzle]:
    """Look for a puzzle in a band that chance alone does not reach."""
    low, high = group.bands[place]
    return list(generate(1, rating=(low / 10, high / 10), seed=chance(seed, group.name, "climb", place)))


def _difficulty(puzzle: Puzzle) -> str:
    return rate(puzzle, guesses=False).difficulty


def _is_rated(puzzle: Puzzle) -> bool:
    """Return whether the level of a puzzle is known, if it is wanted."""
    return puzzle.shape.height >= LARGE or level_of(puzzle) is not None


def _eased(puzzle: Puzzle, group: Group, seed: int) -> Puzzle:
    """Add the fewest givens, in random order, that make a puzzle on a large board no harder than the aim."""
    solution = puzzle.stated
    if not group.wishes or solution is None:
        return puzzle
    order = [cell for cell, given in enumerate(puzzle.givens) if given is None]
    Random(f"{seed}/{group.name}/{puzzle.to_line()}").shuffle(order)

    def with_more(number: int) -> Puzzle:
        added = {cell: solution[cell] for cell in order[:number]}
        return replace(puzzle, givens=tuple(added.get(cell, given) for cell, given in enumerate(puzzle.givens)))

    def is_easy_enough(number: int) -> bool:
        return DIFFICULTIES.index(_difficulty(with_more(number))) <= DIFFICULTIES.index(group.aim)

    return with_more(bisect_left(range(len(order) + 1), True, key=is_easy_enough))


def rated(puzzle: Puzzle, name: str, seed: int) -> Item:
    """Return the item of a puzzle with one solution: proved, measured, rated."""
    shape, stated = puzzle.shape, puzzle.stated
    assert stated is not None
    proved(puzzle, puzzle.to_line(), stated)
    small = shape.height < LARGE
    found = rate(puzzle, guesses=small)
    return Item(
        name,
        Puzzle(shape, puzzle.givens, title=name, stated=stated),
        solutions=1,
        difficulty=found.difficulty,
        guesses=found.guesses,
        clues=puzzle.clues,
        solution=Puzzle(shape, stated).to_line(),
        seed=seed,
        proved_by=PROVERS,
        level=level_of(puzzle) if small else None,
        rating=_rating(puzzle) if shape.box == (3, 3) else None,
        form=form_of(puzzle),
    )


def _rating(puzzle: Puzzle) -> float:
    (text,) = rate_arrays([puzzle.to_line()], "se").texts()
    return float(text)


def _flawed(group: Group, puzzle: Puzzle, seed: int) -> Item | None:
    rng = Random(f"{seed}/{group.name}/{puzzle.to_line()}")
    solution = [value or 0 for value in puzzle.stated or ()]
    several = group.aim == "several"
    found = loosened(puzzle, rng, 1 + rng.randrange(4)) if several else spoiled(puzzle, solution, rng)
    if found is None:
        return None
    plain = Puzzle(found.shape, found.givens)
    solutions = proved(plain, plain.to_line())
    return Item("", plain, solutions, None, None, plain.clues, None, seed, PROVERS, form=form_of(plain))
