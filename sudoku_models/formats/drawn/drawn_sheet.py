"""A drawn board during interpretation: its shapes by place, the text of the rules, and what was found so far."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ...puzzle.drawn import Drawn, Mark, Point, Stroke
from ...puzzle.rules import ExtraRegion, KillerCage, Renban, Thermo
from ...puzzle.rules.board import Board
from ...puzzle.rules.rule_base import Rule
from ...puzzle.shape import Shape
from .colours import name_of
from .places import Cell, DrawnPlaces, cell_of
from .spoken_rules import Words, spoken

MOST = 2_000
"""The largest number of shapes of a document that are examined."""
ENOUGH = 1
"""The least evidence for a rule: one sure sign, or the text."""

_DISTINCT = (Thermo, Renban, KillerCage, ExtraRegion)


class Idea(NamedTuple):
    """A kind of rule that shapes may stand for: the score, the reasons, and a function that makes the rule."""

    kind: str
    score: int
    reasons: tuple[str, ...]
    make: Callable[[], Rule]


@dataclass
class DrawnSheet:
    """The shapes of a document. ``used`` holds the marks that belong to something found."""

    shape: Shape
    marks: Sequence[Mark]
    words: Words
    used: set[int] = field(default_factory=set)
    by_cell: dict[Cell, list[Mark]] = field(default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        self.places = DrawnPlaces(self.shape)
        for mark in self.marks:
            self.by_cell[cell_of(mark.centre)].append(mark)

    def use(self, marks: Iterable[Mark]) -> None:
        """Record marks that belong to something found."""
        self.used.update(map(id, marks))

    def around(self, point: Point) -> Iterator[Mark]:
        """Yield the marks whose centres lie in the cell of a point or next to it."""
        row, column = cell_of(point)
        for r in (row - 1, row, row + 1):
            for c in (column - 1, column, column + 1):
                yield from self.by_cell.get((r, c), ())

    def idea(self, kind: str, score: int, sign: str, colour: str, make: Callable[[], Rule]) -> Idea:
        """Combine the evidence for a kind of rule: its appearance (``score``, ``sign``) and the text."""
        said, words = self.words.speaks(kind, colour)
        return Idea(kind, score + said, tuple(filter(None, (sign, words))), make)

    def settled(self, shapes: Sequence[Stroke | Mark], look: str, ideas: Iterable[Idea]) -> Drawn:
        """Choose the idea with the highest score; propose nothing if two are equal or the score is too low."""
        found = sorted((idea for idea in ideas if idea.score >= ENOUGH), key=lambda idea: -idea.score)
        if not found:
            return Drawn(tuple(shapes), look)
        if len(found) > 1 and found[0].score == found[1].score:
            alike = " and ".join(spoken(idea.kind) for idea in found if idea.score == found[0].score)
            return Drawn(tuple(shapes), look, None, (f"{alike} are equally likely",))
        best = found[0]
        try:
            rule = best.make()
            self._check(rule)
        except ValueError as error:
            return Drawn(tuple(shapes), look, None, (f"it looks like {spoken(best.kind)}, but {error}",))
        return Drawn(tuple(shapes), look, rule, best.reasons)

    def _check(self, rule: Rule) -> None:
        """Raise ValueError for a rule that no filled board can satisfy, or that does not fit this board."""
        values = len(self.shape.values)
        if isinstance(rule, _DISTINCT) and len(set(rule.cells)) > values:
            raise ValueError(f"its {len(set(rule.cells))} cells cannot differ with {values} values")
        Board(self.shape, (rule,)).check()


def described(colour: str, what: str) -> str:
    """Return a description with the colour: "a green line"."""
    named = f"{name_of(colour)} {what}".strip()
    return f"{'an' if named[0] in 'aeiou' else 'a'} {named}"
