"""Finds the rules that lines and arrows, with the marks at their ends, look like."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from ...puzzle import rules as r
from ...puzzle.drawn import Drawn, Mark, Point, Stroke
from ...puzzle.rules.rule_base import Rule
from .colours import name_of
from .drawn_sheet import DrawnSheet, Idea, described
from .places import Cell, cell_of, covered, holds, middle, near

_BULB = 0.4
"""The smallest size of a mark at a line's end, in cells."""
Names = tuple[str, ...]
_PLAIN: Mapping[str, tuple[str, Callable[[Names], Rule]]] = {
    "Renban": ("purple", r.Renban),
    "RegionSumLine": ("blue", r.RegionSumLine),
    "Palindrome": ("grey", r.Palindrome),
    "Entropic": ("peach", r.Entropic),
    "Modular": ("teal", r.Modular),
    "Zipper": ("", r.Zipper),
    "Nabner": ("", r.Nabner),
}
"""Lines that are recognised by the colour that most setters use, or by the text."""
_ENDED = (r.Thermo, r.SlowThermo, r.Between, r.Lockout, r.DoubleArrow)
"""Lines that include the marks at their ends."""
_USUAL = "the usual colour of such lines"


def strokes_found(sheet: DrawnSheet, strokes: Sequence[Stroke]) -> Iterator[Drawn]:
    """Yield the meaning of each line; lines on top of each other count as one."""
    groups: dict[tuple[object, ...], list[Stroke]] = {}
    for stroke in strokes:
        ends = sorted((stroke.points, stroke.points[::-1]))[0]
        groups.setdefault((stroke.arrow, ends), []).append(stroke)
    for group in groups.values():
        strong = next((s for s in group if name_of(s.colour) not in ("", "white", "black")), group[-1])
        yield _arrow(sheet, strong, group) if strong.arrow else _line(sheet, strong, group)


def _line(sheet: DrawnSheet, stroke: Stroke, group: Sequence[Stroke]) -> Drawn:
    path, look = sheet.places.path(stroke), described(stroke.colour, "line")
    rising = _diagonal(sheet, stroke)
    if rising is not None:
        idea = sheet.idea("Diagonal", 2, "it goes from corner to corner", "", lambda: r.Diagonal(rising))
        return sheet.settled(group, f"{look} along a diagonal", [idea])
    if path is None or len(path) < 2:
        return Drawn(tuple(group), f"{look} that does not go from cell to cell")
    ends = [_at_end(sheet, middle(cell)) for cell in (path[0], path[-1])]
    if len(ends[1]) and not len(ends[0]):
        path, ends = path[::-1], ends[::-1]
    names = sheet.places.named(path)
    found = sheet.settled(group, f"{look} {' '.join(names)}", _ideas(sheet, stroke, names, ends))
    if not isinstance(found.rule, _ENDED):
        return found
    sheet.use([*ends[0], *ends[1]])
    return replace(found, shapes=(*found.shapes, *ends[0], *ends[1]))


def _ideas(sheet: DrawnSheet, stroke: Stroke, names: Names, ends: Sequence[Sequence[Mark]]) -> Iterator[Idea]:
    colour = name_of(stroke.colour)
    if ends[0] and ends[1]:
        turned = all(any(mark.turned for mark in end) for end in ends)
        sign = "a diamond at both ends" if turned else "a circle at both ends"
        yield sheet.idea("Lockout", 2 if turned else 0, sign, colour, lambda: r.Lockout(names))
        yield sheet.idea("Between", 0 if turned else 2, sign, colour, lambda: r.Between(names))
        yield sheet.idea("DoubleArrow", 0, sign, colour, lambda: r.DoubleArrow(names))
    elif ends[0]:
        yield sheet.idea("Thermo", 2, "a bulb at one end", colour, lambda: r.Thermo(names))
        yield sheet.idea("SlowThermo", 1, "a bulb at one end", colour, lambda: r.SlowThermo(names))
    yield from _plain(sheet, colour, names)


def _plain(sheet: DrawnSheet, colour: str, names: Names) -> Iterator[Idea]:
    for kind, (usual, make) in _PLAIN.items():
        alike = usual != "" and colour == usual
        yield sheet.idea(kind, int(alike), _USUAL * alike, colour, partial(make, names))
    dutch = colour == "orange" or (colour != "green" and sheet.words.dutch)
    common = colour in ("green", "orange")
    least = 4 if dutch and len(sheet.shape.values) == 9 else None
    yield sheet.idea("Whisper", int(common), _USUAL * common, colour, lambda: r.Whisper(names, least))


def _diagonal(sheet: DrawnSheet, stroke: Stroke) -> bool | None:
    """Return whether a line is the rising diagonal (True) or the other one (False); None if neither."""
    height, width = sheet.shape.height, sheet.shape.width
    if len(stroke.points) != 2 or height != width:
        return None
    (r1, c1), (r2, c2) = sorted(stroke.points, key=lambda point: point[1])
    if abs(c1) > 0.3 or abs(c2 - width) > 0.3:
        return None
    falls = abs(r1) <= 0.3 and abs(r2 - height) <= 0.3
    return False if falls else True if abs(r2) <= 0.3 and abs(r1 - height) <= 0.3 else None


def _at_end(sheet: DrawnSheet, point: Point) -> list[Mark]:
    """Return the round or rotated marks without text at the end of a line."""
    return [m for m in sheet.around(point) if _is_bulb(m) and near(m, point)]


def _is_bulb(mark: Mark) -> bool:
    size = min(mark.height, mark.width)
    return (mark.round or mark.turned) and not mark.text and size >= _BULB and max(mark.height, mark.width) <= 1.2


def _arrow(sheet: DrawnSheet, stroke: Stroke, group: Sequence[Stroke]) -> Drawn:
    look = described(stroke.colour, "arrow")
    if len(stroke.points) < 2:
        return Drawn(tuple(group), f"{look} without a direction")
    start = cell_of(stroke.points[0])
    if not sheet.places.inside(start):
        return _beside(sheet, stroke, group, look)
    path = sheet.places.path(stroke)
    circles = [m for m in sheet.around(stroke.points[0]) if m.round and not m.text and holds(m, stroke.points[0])]
    circles = [m for m in circles if min(m.height, m.width) >= _BULB] or _touching(sheet, stroke.points[0])
    if path is None or (len(path) < 2 and not circles):
        return Drawn(tuple(group), f"{look} that does not go from cell to cell")
    cells = [cell for cell in covered(circles[0]) if sheet.places.inside(cell)] if circles else list(path[:1])
    shaft = [cell for cell in path if cell not in cells]
    rule = partial(_arrow_rule, sheet, cells or [cell_of(circles[0].centre)], shaft)
    sign = "an arrow that begins at a circle" if circles else ""
    idea = sheet.idea("Arrow", 2 if circles else 0, sign, name_of(stroke.colour), rule)
    sheet.use(circles)
    return sheet.settled([*group, *circles], f"{look} {' '.join(sheet.places.named(path))}", [idea])


def _touching(sheet: DrawnSheet, point: Point) -> list[Mark]:
    """Return the circle whose border is close to a point."""
    found = [m for m in sheet.around(point) if _is_bulb(m) and near(m, point, 0.75)]
    return found[:1]


def _arrow_rule(sheet: DrawnSheet, circle: Sequence[Cell], shaft: Sequence[Cell]) -> Rule:
    if not shaft:
        raise ValueError("its shaft crosses no cell")
    if len(circle) == 1:
        return r.Arrow(sheet.places.named([*circle, *shaft]))
    return r.PillArrow(sheet.places.named(sorted(circle)), sheet.places.named(shaft))


def _beside(sheet: DrawnSheet, stroke: Stroke, group: Sequence[Stroke], look: str) -> Drawn:
    """Interpret an arrow outside the board: with a number in the same place it is a little killer clue."""
    cells = sheet.places.ray(stroke.points[0], stroke.points[-1])
    numbers = [m for m in sheet.by_cell.get(cell_of(stroke.points[0]), ()) if m.text.strip().isdecimal()]
    if not cells or not numbers:
        return Drawn(tuple(group), f"{look} beside the board")
    names, total = sheet.places.named(cells), int(numbers[0].text.strip()[:6])
    sign = "a number and an arrow along a diagonal"
    sheet.use(numbers[:1])
    idea = sheet.idea("LittleKiller", 2, sign, "", lambda: r.LittleKiller(names, total))
    return sheet.settled([*group, numbers[0]], f"{look} with {total} along {' '.join(names)}", [idea])
