"""Finds the rules that dots, circles, texts, shades and cages look like."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from ...puzzle import rules as r
from ...puzzle.drawn import Drawn, Mark
from ...puzzle.rules.rule_base import Rule
from .colours import name_of
from .drawn_sheet import DrawnSheet, Idea, described
from .places import Cell, cell_of, covered, together

_SIGNS = {"<": "<", ">": ">", "^": "<", "∧": "<", "˄": "<", "⌃": "<", "∨": ">", "˅": ">", "⌄": ">", "v": ">"}
"""Signs between two cells, with the left (upper) cell before the right (lower) one."""
_DIGITS = re.compile(r"\s*\d{1,2}(?:[\s,]*\d{1,2}){0,3}\s*\Z")
_BESIDE: Mapping[str, Callable[[tuple[str, ...], int], Rule]] = {
    "Sandwich": r.Sandwich,
    "XSum": r.XSum,
    "Skyscraper": r.Skyscraper,
    "NumberedRoom": r.NumberedRoom,
}
_SMALL, _WHOLE = 0.6, 0.96
"""The sizes, in cells, of the largest dot and of the largest mark that does not fill its cell."""


def marks_found(sheet: DrawnSheet) -> Iterator[Drawn]:
    """Yield the meaning of each mark that belongs to no line, then of shaded areas and cages."""
    left = [mark for mark in sheet.marks if id(mark) not in sheet.used and not mark.cells]
    shades = [mark for mark in left if _is_shade(mark)]
    for mark in left:
        if not _is_shade(mark):
            yield _mark(sheet, mark)
    yield from _areas(sheet, shades)
    yield from (_cage(sheet, mark) for mark in sheet.marks if mark.cells)


def _is_shade(mark: Mark) -> bool:
    return not mark.round and not mark.text and min(mark.height, mark.width) > _WHOLE and bool(covered(mark))


def _mark(sheet: DrawnSheet, mark: Mark) -> Drawn:
    cells = sheet.places.around(mark.centre)
    names = sheet.places.named(cells)
    if len(cells) == 2:
        ideas, where = _pair(sheet, mark, names), f"between {' and '.join(names)}"
    elif len(cells) == 4:
        ideas, where = _corner(sheet, mark, names), f"at the corner of {' '.join(names)}"
    elif len(cells) == 1:
        ideas, where = _single(sheet, mark, names[0]), f"in {names[0]}"
    else:
        ideas, where = _outside(sheet, mark), "beside the board"
    return sheet.settled([mark], f"{_look(mark)} {where}", ideas)


def _look(mark: Mark) -> str:
    if mark.text and not (mark.fill or mark.border):
        return f"the text {mark.text[:20]!r}"
    what = described(mark.fill or mark.border, "circle" if mark.round else "diamond" if mark.turned else "rectangle")
    return f"{what} with {mark.text[:20]!r}" if mark.text else what


def _pair(sheet: DrawnSheet, mark: Mark, names: tuple[str, ...]) -> Iterator[Idea]:
    text = mark.text.strip()
    if text in ("X", "V", "x", "v"):
        total = 10 if text in "Xx" else 5
        yield sheet.idea("XV", 2 - (text == "v"), f"{text.upper()} between two cells", "", lambda: r.XV(names, total))
    if text in _SIGNS:
        ordered = names if _SIGNS[text] == ">" else names[::-1]
        sure = 2 if text != "v" else 0
        yield sheet.idea("Greater", sure, "a sign between two cells", "", lambda: r.Greater(ordered))
    if mark.round and max(mark.height, mark.width) <= _SMALL and (not text or text.isdecimal()):
        yield from _dot(sheet, mark, names, int(text[:4]) if text else None)


def _dot(sheet: DrawnSheet, mark: Mark, names: tuple[str, ...], value: int | None) -> Iterator[Idea]:
    fill = name_of(mark.fill)
    if fill == "black":
        ratio = 2 if value is None else value
        yield sheet.idea("Ratio", 2, "a black dot between two cells", "", lambda: r.Ratio(names, ratio))
    elif fill in ("white", ""):
        step = 1 if value is None else value
        yield sheet.idea("Difference", 2, "a white dot between two cells", "", lambda: r.Difference(names, step))


def _corner(sheet: DrawnSheet, mark: Mark, names: tuple[str, ...]) -> Iterator[Idea]:
    if _DIGITS.match(mark.text):
        text = mark.text.strip()
        parts = re.split(r"[\s,]+", text) if re.search(r"[\s,]", text) or len(sheet.shape.values) > 9 else list(text)
        values = tuple(map(int, parts))
        sign = "digits in a circle at a corner" if mark.round else "digits at a corner"
        yield sheet.idea("Quadruple", 1 + mark.round, sign, "", lambda: r.Quadruple(names, values))


def _single(sheet: DrawnSheet, mark: Mark, name: str) -> Iterator[Idea]:
    """Interpret a grey circle as odd and a grey square as even, unless something says otherwise."""
    if not mark.text and name_of(mark.fill) == "grey" and not mark.turned:
        odd = mark.round
        sign = f"a grey {'circle' if odd else 'square'} in a cell"
        yield sheet.idea("Odd" if odd else "Even", 1, sign, "", lambda: r.Parity(name, odd))


def _outside(sheet: DrawnSheet, mark: Mark) -> Iterator[Idea]:
    names = sheet.places.named(sheet.places.along(cell_of(mark.centre)))
    text = mark.text.strip()
    if names and text.isdecimal():
        for kind, make in _BESIDE.items():
            yield sheet.idea(kind, 0, "a number beside a row or column", "", partial(make, names, int(text[:6])))


def _areas(sheet: DrawnSheet, shades: Sequence[Mark]) -> Iterator[Drawn]:
    """Yield shaded areas: connected cells of one colour."""
    colours: dict[str, dict[Cell, Mark]] = {}
    for mark in shades:
        for cell in covered(mark):
            if sheet.places.inside(cell):
                colours.setdefault(mark.fill or mark.border, {}).setdefault(cell, mark)
    for colour, cells in colours.items():
        for group in together(list(cells)):
            names = sheet.places.named(group)
            marks = list({id(cells[cell]): cells[cell] for cell in group}.values())
            whole = len(group) == len(sheet.shape.values)
            sign = "as many cells as there are values" if whole else ""
            idea = sheet.idea("ExtraRegion", 0, sign, name_of(colour), partial(r.ExtraRegion, names))
            ideas = [idea] if whole else []
            yield sheet.settled(marks, f"{described(colour, 'shade')} of {' '.join(names)}", ideas)
    seen = {id(mark) for cells in colours.values() for mark in cells.values()}
    yield from (Drawn((mark,), f"{_look(mark)} beside the board") for mark in shades if id(mark) not in seen)


def _cage(sheet: DrawnSheet, mark: Mark) -> Drawn:
    text = mark.text.strip()
    total = int(text[:6]) if text.isdecimal() else None
    look = f"a cage {' '.join(mark.cells)}" + (f" with {text[:20]!r}" if text else "")
    ideas = []
    if total or not text:
        sign = "a cage that shows a number" if total else ""
        ideas = [sheet.idea("KillerCage", int(bool(total)), sign, "", lambda: r.KillerCage(mark.cells, total))]
    return sheet.settled([mark], look, ideas)
