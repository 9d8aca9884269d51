"""Make the collection: ``python -m benchmarks.collection.make --seed N --out FILE [--only NAME ...]``.

Every puzzle begins as a random full grid; givens are taken away while one solution is left, as engines prove it
(``dig``). Before a puzzle is written its solutions are counted by two backends that share no code, and both must have
searched to the end. The same seed gives the same file, and a puzzle is the same whether it is made alone (``--only``)
or among all the others.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from sudoku_models.collection.items import Item
from sudoku_models.collection.measure import Rating, rate
from sudoku_models.errors import WrongAnswer
from sudoku_models.make.jigsaws import exchanged
from sudoku_models.puzzle import Grid, Puzzle, Shape
from sudoku_models.verbs.solving import solve

from .dig import LARGE, MOST, dig, loosen, spoil
from .full import full_grid
from .program import prove, run, wanted

SEED = 2026
PROVERS = ("pycosat", "backtracking:strategy=fewest")
SLOW_PROVERS = ("pycosat", "cp-sat")
"""Where backtracking may take hours: large boards and irregular ones."""

ATTEMPTS = 500
"""How often a puzzle of the wanted kind is tried for."""


@dataclass(frozen=True)
class Group:
    """Puzzles of one kind: "9x9-hard-01" and so on, ``amount`` of them.

    ``aim`` is a difficulty, "several" (solutions) or "none". ``tries`` bounds what an engine is asked while a large
    hard puzzle is made.
    """

    board: str
    aim: str
    amount: int
    shape: Callable[[Random], Shape]
    tries: int | None = None

    def names(self) -> Iterator[str]:
        """Yield the names of the puzzles."""
        return (f"{self.board}-{self.aim}-{i:02}" for i in range(1, self.amount + 1))


def groups() -> Iterator[Group]:
    """Yield what the collection is made of."""
    for board, shape, amounts, tries in _boards():
        for aim, amount in zip(("easy", "medium", "hard", "several", "none"), amounts, strict=True):
            if amount:
                yield Group(board, aim, amount, shape, tries)


Amounts = tuple[int, int, int, int, int]


def _boards() -> Iterator[tuple[str, Callable[[Random], Shape], Amounts, int | None]]:
    boxes: dict[tuple[int, int], tuple[Amounts, int | None]] = {
        (2, 2): ((10, 0, 0, 3, 0), None),
        (2, 3): ((8, 6, 6, 3, 1), None),
        (2, 4): ((6, 4, 6, 2, 1), None),
        (3, 3): ((40, 32, 56, 12, 6), None),
        (2, 5): ((6, 4, 6, 2, 1), None),
        (3, 4): ((6, 4, 6, 2, 1), None),
        (4, 4): ((6, 4, 6, 2, 1), 60),
        (5, 5): ((4, 2, 2, 0, 0), 40),
        (6, 6): ((3, 1, 0, 0, 0), None),
    }
    for box, (amounts, tries) in boxes.items():
        n = box[0] * box[1]
        yield f"{n}x{n}", lambda _, n=n, box=box: Shape.square(n, box), amounts, tries  # type: ignore[misc]
    for n in (5, 7, 9):
        hard = 0 if n == 5 else 2
        yield f"latin-{n}", lambda _, n=n: Shape.latin(n), (3, 0, hard, 1, 0), None  # type: ignore[misc]
    yield "irregular-6", lambda rng: exchanged(6, rng), (4, 2, 2, 1, 0), None
    yield "irregular-9", lambda rng: exchanged(9, rng), (6, 4, 6, 2, 1), None


def make(seed: int, only: Sequence[str] = ()) -> Iterator[Item]:
    """Yield the puzzles of the collection, or those whose names begin with one of ``only``."""
    return (make_one(group, name, seed) for group, name in chosen(only))


def chosen(only: Sequence[str]) -> Iterator[tuple[Group, str]]:
    """Yield the names that begin with one of ``only`` (without any: all names), each with its group."""
    for group in groups():
        for name in group.names():
            if wanted(name, only):
                yield group, name


def make_one(group: Group, name: str, seed: int) -> Item:
    """Make the puzzle of a name: try after try, until one is as the group wants it; RuntimeError if none is."""
    rng = Random(f"{seed}/{name}")
    for _ in range(ATTEMPTS):
        item = _attempt(group, name, seed, rng)
        if item is not None:
            return item
    raise RuntimeError(f"{name}: none of {ATTEMPTS} attempts came out {group.aim}")


def _attempt(group: Group, name: str, seed: int, rng: Random) -> Item | None:
    shape = group.shape(rng)
    try:
        full = full_grid(shape, rng)
    except ValueError:
        return None
    difficulty = group.aim if group.aim in ("easy", "medium") else "hard"
    puzzle = dig(Puzzle.of(Grid(shape, tuple(full))), difficulty, rng, group.tries)
    if group.aim == "several":
        return _unrated(loosen(puzzle, rng, 1 + rng.randrange(4)), name, seed)
    if group.aim == "none":
        return _unrated(spoil(puzzle, full, rng), name, seed)
    rating = rate(puzzle, guesses=shape.height <= LARGE)
    return _rated(puzzle, rating, full, name, seed) if rating.difficulty == group.aim else None


def _rated(puzzle: Puzzle, rating: Rating, full: list[int], name: str, seed: int) -> Item:
    provers = provers_of(puzzle)
    proved, solution = prove(puzzle, provers, MOST, puzzle.to_line()), solve(puzzle, provers[0]).grid
    if proved != 1 or solution is None or list(solution.values) != full:
        raise WrongAnswer(f"{name}: {proved} solutions, and the full grid is expected as the only one")
    line = solution.to_line()
    return Item(name, puzzle, 1, rating.difficulty, rating.guesses, puzzle.clues, line, seed, provers)


def _unrated(puzzle: Puzzle | None, name: str, seed: int) -> Item | None:
    """Return the item of a puzzle with several solutions or none; None when there is no such puzzle."""
    if puzzle is None:
        return None
    provers = provers_of(puzzle)
    number = prove(puzzle, provers, MOST, puzzle.to_line())
    return Item(name, puzzle, number, None, None, puzzle.clues, None, seed, provers)


def provers_of(puzzle: Puzzle) -> tuple[str, ...]:
    """Return the two backends that count the solutions of a puzzle of this shape."""
    irregular = puzzle.shape.regions and not puzzle.shape.box
    return SLOW_PROVERS if irregular or puzzle.shape.height > LARGE else PROVERS


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line."""
    return run("benchmarks.collection.make", SEED, make, (name for _, name in chosen(())), arguments)


if __name__ == "__main__":
    sys.exit(main())
