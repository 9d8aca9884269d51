"""The text under the board: a sentence for each kind of rule, and the rules that the picture does not show."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import wrap

from ...puzzle.rules import Rule
from ..words import by_kind, place_of, sentence_of
from .canvas import Canvas

SIZE = 12.0
LEADING = 16.0
LETTER = 0.53
"""The mean width of a letter, relative to its height."""
MOST = 8
"""The largest number of rules of one kind that are listed individually."""


@dataclass(frozen=True)
class DrawnRule:
    """A rule and the colour in which it was drawn; "" if the picture does not show it."""

    rule: Rule
    colour: str


def draw_legend(canvas: Canvas, drawn: list[DrawnRule], left: float, top: float, width: float) -> float:
    """Write the legend, and return the position of its end."""
    y = top
    for line, colour, indent in _lines(drawn, int(width / (SIZE * LETTER)) - 3):
        y += LEADING
        if colour:
            canvas.add("digit", "rect", x=left, y=y - 5, width=10, height=10, rx=2, fill=colour, stroke="#777")
        canvas.text("digit", (left + 16 + indent, y), line, SIZE, text_anchor="start")
    return y


def _lines(drawn: list[DrawnRule], letters: int) -> Iterator[tuple[str, str, int]]:
    """Yield lines with a colour ("" for none) and an indentation."""
    colours = {id(item.rule): item.colour for item in drawn}
    for title, kind in by_kind(item.rule for item in drawn).items():
        sentence = sentence_of(kind[0])
        distinct = {colours[id(rule)] for rule in kind}
        colour = distinct.pop() if len(distinct) == 1 else ""
        for i, line in enumerate(wrap(f"{title}: {sentence}" if sentence else title, letters)):
            yield line, "" if i else colour, 0
        places = [where for rule in kind if not colours[id(rule)] and (where := place_of(rule))]
        for place in places[:MOST]:
            yield from ((line, "", 12) for line in wrap(place, letters - 3))
        if len(places) > MOST:
            yield f"... and {len(places) - MOST} more", "", 12
