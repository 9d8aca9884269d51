"""The meaning of each key of f-puzzles, as rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ...errors import FormatError
from ...puzzle import rules as r
from ...puzzle.rules.rule_base import Rule
from ..json_text import short
from ..regions import default_box
from .context import FPuzzlesContext, Item, listed, number, value_or

ItemReader = Callable[[FPuzzlesContext, Item], Iterator[Rule]]
_XV = {"X": 10, "V": 5}


def _line(make: Callable[[list[str]], Rule], least: int = 1, name: str = "") -> ItemReader:
    def read(context: FPuzzlesContext, item: Item) -> Iterator[Rule]:
        return (make(line) for line in context.lines(item, least, name))

    return read


def _valued(make: Callable[[list[str], int | None], Rule], default: int | None) -> ItemReader:
    def read(context: FPuzzlesContext, item: Item) -> Iterator[Rule]:
        value = value_or(item, default)
        return (make(line, value) for line in context.lines(item))

    return read


def _dot(make: Callable[[list[str], int], Rule], default: int) -> ItemReader:
    def read(context: FPuzzlesContext, item: Item) -> Iterator[Rule]:
        value = value_or(item, default)
        yield make(context.cells(item.get("cells"), 2), default if value is None else value)

    return read


def _each_cell(make: Callable[[str], Rule]) -> ItemReader:
    def read(context: FPuzzlesContext, item: Item) -> Iterator[Rule]:
        return (make(cell) for cell in context.cells(item.get("cells")))

    return read


def _one_cell(make: Callable[[str], Rule]) -> ItemReader:
    def read(context: FPuzzlesContext, item: Item) -> Iterator[Rule]:
        yield make(context.cell(item.get("cell")))

    return read


def _clue(make: Callable[[tuple[str, ...], int], Rule]) -> ItemReader:
    def read(context: FPuzzlesContext, item: Item) -> Iterator[Rule]:
        value = number(item.get("value"))
        if value is None:
            _note_value(context, item)
        else:
            yield make(context.along(item.get("cell")), value)

    return read


def _note_value(context: FPuzzlesContext, item: Item) -> None:
    if item.get("value") not in (None, ""):
        context.notes.append(f"the value {short(item['value'])} is not a number: the clue is left out")


def _killer_cage(context: FPuzzlesContext, item: Item) -> Iterator[Rule]:
    cells, total = context.cells(item.get("cells")), number(item.get("value"))
    if len(set(cells)) < len(cells):
        raise FormatError("names a cell twice")
    if total is None and item.get("value") not in (None, ""):
        context.notes.append(f"killercage: the value {short(item['value'])} is not a number: the cage gets no sum")
    yield r.KillerCage(tuple(cells), total or None)


def _arrow(context: FPuzzlesContext, item: Item) -> Iterator[Rule]:
    """Read the arrows of one circle or pill; each line begins in one of its cells."""
    circle = context.cells(item.get("cells"))
    for line in context.lines(item, 2, "arrow"):
        if line[0] not in circle:
            raise FormatError(f"the line from {line[0]} does not begin in its circle {' '.join(circle)}")
        if len(circle) == 1:
            yield r.Arrow((circle[0], *line[1:]))
        else:
            yield r.PillArrow(tuple(sorted(circle, key=context.shape.cell)), tuple(line[1:]))


def _xv(context: FPuzzlesContext, item: Item) -> Iterator[Rule]:
    value = item.get("value")
    sign = value.strip().upper() if isinstance(value, str) else ""
    if value not in (None, "") and sign not in _XV:
        raise FormatError(f"the value {short(value)}: X or V is expected")
    yield r.XV(tuple(context.cells(item.get("cells"), 2)), _XV.get(sign))


def _clone(context: FPuzzlesContext, item: Item) -> Iterator[Rule]:
    yield r.Clone(tuple(context.cells(item.get("cells"))), tuple(context.cells(item.get("cloneCells"))))


def _extra_region(context: FPuzzlesContext, item: Item) -> Iterator[Rule]:
    yield r.ExtraRegion(tuple(context.cells(item.get("cells"))))


def _quadruple(context: FPuzzlesContext, item: Item) -> Iterator[Rule]:
    values = [number(value) for value in listed(item.get("values"), "values")]
    known = tuple(value for value in values if value is not None)
    if len(known) < len(values):
        raise FormatError("the values: numbers are expected")
    cells = tuple(context.cells(item.get("cells")))
    if known:
        yield r.Quadruple(cells, known)


def _little_killer(context: FPuzzlesContext, item: Item) -> Iterator[Rule]:
    total = number(item.get("value"))
    if not total:
        _note_value(context, item)
    else:
        yield r.LittleKiller(context.diagonal(item.get("cell"), item.get("direction")), total)


def _lockout(line: list[str], value: int | None) -> Rule:
    return r.Lockout(tuple(line), 4 if value is None else value)


ITEMS: Mapping[str, ItemReader] = {
    "killercage": _killer_cage,
    "arrow": _arrow,
    "thermometer": _line(lambda x: r.Thermo(tuple(x))),
    "slowthermometer": _line(lambda x: r.SlowThermo(tuple(x))),
    "palindrome": _line(lambda x: r.Palindrome(tuple(x))),
    "renban": _line(lambda x: r.Renban(tuple(x))),
    "regionsumline": _line(lambda x: r.RegionSumLine(tuple(x))),
    "betweenline": _line(lambda x: r.Between(tuple(x)), 2, "betweenline"),
    "entropicline": _line(lambda x: r.Entropic(tuple(x))),
    "modularline": _line(lambda x: r.Modular(tuple(x), 3)),
    "nabner": _line(lambda x: r.Nabner(tuple(x))),
    "doublearrow": _line(lambda x: r.DoubleArrow(tuple(x)), 2, "doublearrow"),
    "zipperline": _line(lambda x: r.Zipper(tuple(x))),
    "whispers": _valued(lambda x, value: r.Whisper(tuple(x), value), None),
    "lockout": _valued(_lockout, 4),
    "difference": _dot(lambda x, value: r.Difference(tuple(x), value), 1),
    "ratio": _dot(lambda x, value: r.Ratio(tuple(x), value), 2),
    "xv": _xv,
    "odd": _one_cell(lambda x: r.Parity(x, True)),
    "even": _one_cell(lambda x: r.Parity(x, False)),
    "minimum": _one_cell(r.Minimum),
    "maximum": _one_cell(r.Maximum),
    "extraregion": _extra_region,
    "rowindexer": _each_cell(r.RowIndexer),
    "columnindexer": _each_cell(r.ColumnIndexer),
    "boxindexer": _each_cell(r.BoxIndexer),
    "clone": _clone,
    "quadruple": _quadruple,
    "littlekillersum": _little_killer,
    "sandwichsum": _clue(r.Sandwich),
    "xsum": _clue(r.XSum),
    "skyscraper": _clue(r.Skyscraper),
}
"""Keys that hold a list of items."""

FLAGS: Mapping[str, Callable[[FPuzzlesContext], Rule]] = {
    "diagonal+": lambda _: r.Diagonal(True),
    "diagonal-": lambda _: r.Diagonal(False),
    "antiknight": lambda _: r.AntiKnight(),
    "antiking": lambda _: r.AntiKing(),
    "disjointgroups": lambda context: r.DisjointGroups(() if _has_default(context) else default_box(context.side)),
    "nonconsecutive": lambda context: r.NonConsecutive(context.dotted),
}
"""Keys that are true or false."""

NEGATIVE: Mapping[str, Callable[[], Rule]] = {"ratio": r.StrictRatio, "xv": r.StrictXV}
"""The names allowed in the list under ``negative``."""


def _has_default(context: FPuzzlesContext) -> bool:
    return context.shape.box == default_box(context.side)
