"""What is wished of puzzles that are made, as the command line states it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from ..errors import meant
from ..formats import parse
from ..puzzle import Puzzle, Shape
from ..puzzle.rules import Rule
from .codes import UsageError
from .options import BoxSize

_SPAN = re.compile(r"(\d+)(?:-(\d+))?\Z")


def span_of(clues: str | None) -> tuple[int, int] | None:
    """Read the least and the greatest number of givens."""
    match = _SPAN.match(clues or "")
    if clues is not None and not match:
        raise UsageError(f"--clues {clues}: a number, or two such as 22-25, are expected")
    return (int(match[1]), int(match[2] or match[1])) if match else None


def levels_of(level: str | None) -> tuple[str, str] | None:
    """Read a band of levels."""
    if level is None:
        return None
    low, _, high = level.partition("-")
    return low, high or low


def rating_of(rating: str | None) -> tuple[float, float] | float | None:
    """Read a band of SE-like ratings, or the least one."""
    try:
        numbers = None if rating is None else [float(number) for number in rating.split("-")]
    except ValueError:
        numbers = []
    if numbers is None:
        return None
    if len(numbers) == 1:
        return numbers[0]
    if len(numbers) != 2:
        raise UsageError(f"--rating {rating}: a number such as 8.3, or two such as 8-8.9, are expected")
    return numbers[0], numbers[1]


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
    start: str | None
    level: str | None
    rating: str | None
    techniques: tuple[str, ...]
    rules: tuple[str, ...]
    place: tuple[str, ...]
    dropping: bool
    uniform: bool
    tries: int | None
    time_limit: float | None
    seed: int
    workers: int

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
                    f"--rule {kind}: a rule about the whole grid, such as AntiKnight, is expected{_meant_rule(kind)}"
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


def _meant_rule(kind: str) -> str:
    """Return which rule about the whole grid is meant, where one looks like it."""
    return "" if kind in Rule.kinds else meant(kind, (name for name, rule in Rule.kinds.items() if _is_whole(rule)))


def _is_whole(rule: type[Rule]) -> bool:
    try:
        rule()
    except TypeError:
        return False
    return True
