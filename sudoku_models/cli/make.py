"""``sudoku-models generate``, ``grids``, ``minimise`` and ``canonical``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import make
from ..errors import FormatError, SudokuModelsError
from ..formats import FORMATS, Entry, parse, write
from ..puzzle import Grid, Puzzle, Shape
from ..puzzle.rules import Rule
from .codes import Code, UsageError, code_of
from .options import BoxSize
from .reading import Input
from .terminal import Tally, say
from .writing import output

_SPAN = re.compile(r"(\d+)(?:-(\d+))?\Z")


@dataclass(frozen=True)
class Wish:
    """The options of ``generate``."""

    number: int
    side: int
    boxes: BoxSize | None
    like: str | None
    clues: str | None
    minimal: bool
    symmetry: str
    pattern: str | None
    grid: str | None
    level: str | None
    rules: tuple[str, ...]
    place: tuple[str, ...]
    dropping: bool
    uniform: bool
    tries: int | None
    time_limit: float | None
    seed: int
    workers: int

    def span(self) -> tuple[int, int] | None:
        """Return the least and the greatest number of givens."""
        match = _SPAN.match(self.clues or "")
        if self.clues is not None and not match:
            raise UsageError(f"--clues {self.clues}: a number, or two such as 22-25, are expected")
        return (int(match[1]), int(match[2] or match[1])) if match else None

    def levels(self) -> tuple[str, str] | None:
        """Return the band of levels."""
        if self.level is None:
            return None
        low, _, high = self.level.partition("-")
        return low, high or low

    def placed(self) -> dict[str, int]:
        """Return how many rules of which kind are to be put."""
        found = {}
        for text in self.place:
            kind, _, amount = text.partition("=")
            if not amount.isdecimal():
                raise UsageError(f"--place {text}: a kind and a number, such as KillerCage=12, are expected")
            found[kind] = int(amount)
        return found

    def stated(self) -> tuple[Rule, ...]:
        """Return the rules about the whole grid."""
        found = []
        for kind in self.rules:
            try:
                found.append(Rule.kinds[kind]())
            except (KeyError, TypeError):
                raise UsageError(
                    f"--rule {kind}: a rule about the whole grid, such as AntiKnight, is expected"
                ) from None
        return tuple(found)

    def board(self) -> Puzzle:
        """Return an empty board: its shape and its rules."""
        if self.like is None:
            return Puzzle.empty(shape_of(self.side, self.boxes)).with_rules(*self.stated())
        path = Path(self.like)
        model = parse(path.read_text(encoding="utf-8") if path.is_file() else self.like)
        return Puzzle.empty(model.shape).with_rules(*model.rules, *self.stated())


def shape_of(side: int, boxes: BoxSize | None) -> Shape:
    """Return the shape of a board; UsageError for boxes that do not part it."""
    try:
        if boxes is not None and not boxes.height:
            return Shape.latin(side)
        return Shape.square(side, (boxes.height, boxes.width) if boxes else None)
    except ValueError as error:
        raise UsageError(str(error)) from None


def generate(wish: Wish, to: str, out: str | None) -> Code:
    """Make puzzles and write them; say how many candidates were tried."""
    made = _used(lambda: _generated(wish))
    _written(iter(made.puzzles), to, out)
    say(f"made {len(made)}, tried {made.tried}" + (f": {made.reason}" if made.reason else ""))
    return Code.SOLVED if made.complete else Code.LIMIT


def _generated(wish: Wish) -> make.Generated | make.Variants:
    board = wish.board()
    limits: dict[str, Any] = {
        "seed": wish.seed,
        "level": wish.levels(),
        "tries": wish.tries,
        "time_limit": wish.time_limit,
    }
    if board.rules or wish.place:
        if not (wish.minimal and wish.symmetry == "none" and wish.pattern is None and wish.grid is None):
            raise UsageError("--no-minimal, --symmetry, --pattern and --from are for puzzles without rules")
        return make.generate_variants(
            wish.number, shape=board.shape, rules=board.rules, place=wish.placed(), clues=wish.span(),
            dropping=wish.dropping, **limits,
        )  # fmt: skip
    grid = None if wish.grid is None else Grid(board.shape, parse(wish.grid, shape=board.shape).givens)
    return make.generate(
        wish.number, shape=board.shape, clues=wish.span(), minimal=wish.minimal, symmetry=wish.symmetry,
        pattern=wish.pattern, grid=grid, uniform=wish.uniform, workers=wish.workers, **limits,
    )  # fmt: skip


def grids(number: int, shape: Shape, seed: int, fast: bool, workers: int, to: str, out: str | None) -> Code:
    """Make grids and write them."""
    rows = _used(lambda: make.grids(number, shape, seed=seed, fast=fast, workers=workers))
    _written((Puzzle(shape, tuple(row)) for row in rows.tolist()), to, out)
    return Code.SOLVED


@dataclass(frozen=True)
class Asked:
    """The options of ``minimise``."""

    only: str | None
    parted: bool
    smallest: bool
    redundant: bool
    backend: str
    time_limit: float | None
    seed: int

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of clues that may go."""
        return ("given", "rule") if self.only is None else (self.only,)


def minimise(source: Input, asked: Asked, to: str, out: str | None) -> Code:
    """Minimise puzzle after puzzle; what is wrong with one is said, and the others go on."""
    tally = Tally()
    if asked.redundant:
        with output(out) as put:
            for clues in _each(source, tally, lambda puzzle: make.redundant(puzzle, asked.backend, kinds=asked.kinds)):
                put("; ".join(map(str, clues)) + "\n")
        return tally.code
    _written(_each(source, tally, lambda puzzle: _minimal(puzzle, asked)), to, out)
    return tally.code


def _minimal(puzzle: Puzzle, asked: Asked) -> Puzzle:
    limits: dict[str, Any] = {"kinds": asked.kinds, "parted": asked.parted, "seed": asked.seed}
    found = make.minimise(puzzle, asked.backend, time_limit=None if asked.smallest else asked.time_limit, **limits)
    if not asked.smallest:
        return found.puzzle
    best = found.smallest(asked.time_limit or 10.0)
    proof = "proved to be the fewest" if best.proved else f"at least {best.bound} are needed"
    say(f"{best.clues} clues: {proof}")
    return best.puzzle


def canonical(source: Input, to: str, out: str | None) -> Code:
    """Write the least form of board after board."""
    tally = Tally()
    _written(_each(source, tally, lambda puzzle: make.canonical(puzzle).board), to, out)
    return tally.code


def _each(source: Input, tally: Tally, work: Callable[[Puzzle], Any]) -> Iterator[Any]:
    for entry in source.entries(tally):
        if entry.puzzle is not None:
            yield from _one(entry, entry.puzzle, tally, work)


def _one(entry: Entry, puzzle: Puzzle, tally: Tally, work: Callable[[Puzzle], Any]) -> Iterator[Any]:
    try:
        found = work(puzzle)
    except (SudokuModelsError, ValueError) as error:
        tally.problem(f"{entry.place}: {error}", Code.NO_SOLUTION if type(error) is ValueError else code_of(error))
    else:
        yield found


def _written(puzzles: Iterator[Puzzle], to: str, out: str | None) -> None:
    writable = [name for name, format in FORMATS.items() if format.writes]
    if to not in writable:
        raise UsageError(f"--to {to}: one of {', '.join(writable)} is expected")
    with output(out) as put:
        for piece in write(puzzles, to):
            put(piece)


def _used(work: Callable[[], Any]) -> Any:
    """Do what wrong options make impossible."""
    try:
        return work()
    except FormatError:
        raise
    except ValueError as error:
        raise UsageError(str(error)) from None
