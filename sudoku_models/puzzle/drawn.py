"""Drawings without a stated meaning: lines and marks, and the rule that each of them looks like."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..dataclass import dataclass

if TYPE_CHECKING:
    from .rules.rule_base import Rule

Point = tuple[float, float]
"""Row and column, in cells from the upper left corner of the board: the middle of R1C1 is (0.5, 0.5)."""


@dataclass(frozen=True)
class Stroke:
    """A line through points. ``thickness`` is in cells, ``colour`` is #rrggbb or empty; ``name`` is its place."""

    name: str
    points: tuple[Point, ...]
    colour: str = ""
    thickness: float = 0.0
    arrow: bool = False


@dataclass(frozen=True)
class Mark:
    """A circle, a rectangle or a text around a point, or a cage if ``cells`` are given. Sizes are in cells."""

    name: str
    centre: Point
    height: float = 0.0
    width: float = 0.0
    round: bool = False
    fill: str = ""
    border: str = ""
    text: str = ""
    turned: bool = False
    cells: tuple[str, ...] = ()


@dataclass(frozen=True)
class Drawn:
    """A drawing: its shapes, a description in words, and the rule proposed for it (or None).

    ``reasons`` gives the evidence for the rule, or against any rule. ``taken`` means that the rule was added to the
    puzzle as a guess, ``misread`` that the stated solution breaks the rule, which is then never taken. ``sentence`` is
    that of the rules in words, if this is no drawing but a sentence.
    """

    shapes: tuple[Stroke | Mark, ...]
    look: str
    rule: Rule | None = None
    reasons: tuple[str, ...] = ()
    taken: bool = False
    misread: bool = False
    sentence: str = ""

    @property
    def is_unread(self) -> bool:
        """Whether this is a sentence of which no rule is known."""
        return bool(self.sentence) and self.rule is None

    @property
    def place(self) -> str:
        """Its place in the document: "lines 3, underlays 1"."""
        return ", ".join(dict.fromkeys(shape.name for shape in self.shapes))

    def accepted(self) -> Drawn:
        """Return the drawing with its rule accepted, unless it was misread."""
        return replace(self, taken=self.rule is not None and not self.misread)

    def __str__(self) -> str:
        how = "taken as" if self.taken else "not" if self.misread else "perhaps"
        meaning = "" if self.rule is None else f": {how} {self.rule}"
        why = f" ({'; '.join(self.reasons)})" if self.reasons else ""
        return f"{self.look}{meaning}{why}"
