"""SudokuPad's documents, which are drawings. Its links hold such a document or the JSON of f-puzzles.

The reader takes givens, regions, cages, antiknight, antiking and norowcol, the stated solution, title, author, and
rules in words (as the comment). Other drawings are described, with the rule that they look like; they become rules
only if ``guess`` is set. Other statements are noted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import Any, NamedTuple

from ..errors import FormatError
from ..model import domain
from ..puzzle.drawn import Mark, Point, Stroke
from ..puzzle.puzzle import Puzzle, comment_of
from ..puzzle.rules import AntiKing, AntiKnight, KillerCage, SubGrid, Unused, WeightedSum
from ..puzzle.rules.rule_base import Rule
from ..puzzle.shape import Shape, boxes_of
from .format import format_errors
from .json_text import ABSENT, inner, is_turned, listed, measure, number, objects, short, solution_of, text_of, word_of
from .meant import ZEROS, as_meant, with_zeros
from .regions import MOST_POINTS, cage_mark, default_box, shape_of_regions, walled
from .sketch import walls_of
from .words import words_of

LARGEST = 60
Place = tuple[int, int]
_SHORTENED = (
    "cells:ce regions:re cages:ca value:v lines:l arrows:a overlays:o underlays:u title:t cellSize:cs "
    "wayPoints:wp center:ct thickness:th color:c backgroundColor:c2 borderColor:c1 width:w height:h rounded:r "
    "fontSize:fs headLength:hl text:te"
)
SHORT = dict(pair.split(":") for pair in _SHORTENED.split())
"""Keys and their shortened forms."""


def get(data: Mapping[str, Any], key: str) -> Any:
    """Return the value of a key or of its shortened form; None if there is neither."""
    return data.get(key, data.get(SHORT.get(key, key)))


_SILENT = frozenset({"id", "settings", "metadata", "foglight", "fogofwar", "duration", "videos", "vd", "d"})
_MOST_NOTES = 100


@format_errors
def puzzle_of(data: Mapping[str, Any]) -> Puzzle:
    """Make a puzzle from a drawing."""
    whole, notes = rows_of(get(data, "cells")), list[str]()
    board = _board_in(data, len(whole), len(whole[0]))
    rows = [row[board.left : board.left + board.width] for row in whole[board.top : board.top + board.height]]
    named = named_in(data, notes)
    lines = truth(named.get(FREE_LINES)) is not True
    facts, strokes = facts_of(named), list(_strokes(data, board))
    regions: Sequence[object] = [board.moved(region) for region in listed(get(data, "regions"), "regions")]
    if not any(regions) and board.height == board.width:
        regions, strokes = _meant_regions(board.height, facts, strokes, notes)
    corners = _grids_in(regions)
    if corners:
        shape, separate = _shape_of_grids(regions, corners, board.height, board.width)
    else:
        shape, separate = shape_of(regions, board.height, board.width, lines, notes), ()
    givens = tuple(given(cell, i, shape, notes) for i, cell in enumerate(cell for row in rows for cell in row))
    cages = list(cages_of(data, shape, board, notes))
    flags = tuple(flags_of(named, notes))
    if separate and flags:  # they would hold in what lies between the grids, too
        notes += [f"{rule} is not understood where there are several grids" for rule in flags]
        flags = ()
    rules = (*separate, *flags, *(cage for cage in cages if isinstance(cage, Rule)))
    marks = [cage for cage in cages if isinstance(cage, Mark)]
    known = {*SHORT, *SHORT.values(), *_SILENT, *TEXTS}
    notes += [f"the key {key[:40]!r} is not understood" for key in data if key not in known and data[key]]
    solution = facts.get("solution", "")
    if board.clues and len(solution) == len(whole) * len(whole[0]):
        solution = "".join(solution[row * len(whole[0]) + column] for row, column in board.places)
    stated = solution_of(shape.cells, shape.values[-1], solution)
    comment, kept = comment_of(facts.get("author", ""), facts.get("rules", "")), tuple(dict.fromkeys(notes))
    puzzle = Puzzle(shape, givens, (), facts.get("title", ""), comment, stated, rules, kept[:_MOST_NOTES])
    found = as_meant(puzzle, facts.get("rules", ""), strokes, [*_marks(data, board), *_beside(whole, board), *marks])
    return with_zeros(found, [get(cell, "value") if isinstance(cell, dict) else None for row in rows for cell in row])


def _meant_regions(
    side: int, facts: Mapping[str, str], strokes: Sequence[Stroke], notes: list[str]
) -> tuple[Sequence[object], list[Stroke]]:
    """Return regions that lines on the grid draw, or that the words mean, and the lines that are not their borders."""
    groups = walled(side, side, {wall for stroke in strokes for wall in walls_of(stroke)})
    if all(len(group) == side for group in groups):
        others = [stroke for stroke in strokes if next(walls_of(stroke), None) is None]
        return [list(map(list, group)) for group in groups], others
    said = [one.words for one in words_of(facts.get("rules", "")).sentences if one.is_of_sudoku]
    usual = (words for words in said if words.isdisjoint(("irregular", "jigsaw", "chaos")))
    if any("box" in words or {"normal", "sudoku"} <= words for words in usual):
        notes.append("no regions are drawn: the words mean those of a usual Sudoku")
        boxes = boxes_of(side, side, default_box(side))
        return [[[*divmod(cell, side)] for cell in box] for box in boxes], list(strokes)
    return [], list(strokes)


TEXTS = ("title", "author", "rules", "solution")
FREE_LINES = "norowcol"
"""The flag that allows repeated values in rows and columns."""
_FLAGS: Mapping[str, Callable[[], Rule]] = {"antiknight": AntiKnight, "antiking": AntiKing}
"""True or false facts that are rules."""
_JOINED = {"rules": "\n", "solution": ","}
_DESCRIBING = frozenset(
    {"source", "id", "url", "date", "version", "difficulty", "tags", "created", "modified", "msgcorrect"}
)
"""Facts about the puzzle that do not constrain any cell."""


def named_in(data: Mapping[str, Any], notes: list[str]) -> dict[str, Any]:
    """Return the named statements: at the top level, in metadata, settings, and cages without cells ("title: ...")."""
    found: dict[str, Any] = {key: get(data, key) for key in TEXTS if get(data, key) not in ABSENT}
    for key in ("metadata", "settings"):
        value = data.get(key)
        if isinstance(value, dict):
            _put(found, value)
        elif value:
            notes.append(f"{key}: {short(value)} is not understood")
    for cage in listed(get(data, "cages"), "cages"):
        value = get(cage, "value") if isinstance(cage, dict) and not get(cage, "cells") else None
        if isinstance(value, str) and ":" in value:
            name, _, rest = value.partition(":")
            _put(found, {name.strip(): rest.strip()})
        elif value not in ABSENT:
            notes.append(f"a cage without cells: {short(value)} is not understood")
    return found


def _put(found: dict[str, Any], more: Mapping[str, Any]) -> None:
    """Add a meaningful statement to those found; the first one counts."""
    found.update({name: value for name, value in more.items() if truth(found.get(name)) is False})


def truth(value: object) -> bool | None:
    """Return the truth value of a flag; None if it has another value."""
    word = value.strip().lower() if isinstance(value, str) else value
    if word in (None, "", "false", "f", "0", 0, [], {}):
        return False
    return True if word in ("true", "t", "1", 1) else None


def flags_of(named: Mapping[str, Any], notes: list[str]) -> Iterator[Rule]:
    """Yield the rules that are stated by name, and note all other meaningful names."""
    known = {*TEXTS, *_DESCRIBING, *(SHORT.get(name, name) for name in TEXTS)}
    for name, value in named.items():
        said = truth(value)
        if name in _FLAGS and said:
            yield _FLAGS[name]()
        elif said is not False and name not in known and not (said and name == FREE_LINES):
            notes.append(f"{name[:40]}: {short(value)} is not understood")


def facts_of(named: Mapping[str, Any]) -> dict[str, str]:
    """Return title, author, rules in words and solution, those that are texts; parts of a list are joined."""
    found: dict[str, str] = {}
    for key in TEXTS:
        value = get(named, key)
        if isinstance(value, list) and key in _JOINED:
            value = _JOINED[key].join(map(str, value))
        if isinstance(value, str | int) and not isinstance(value, bool):
            found[key] = str(value)
    return found


# ---- the board


def rows_of(value: object) -> list[list[Any]]:
    """Return the cells, row by row; raise FormatError unless all rows have the same length."""
    rows = listed(value, "cells")
    lists = all(isinstance(row, list) for row in rows)
    if not 1 <= len(rows) <= LARGEST or not lists or not 1 <= len(rows[0]) <= LARGEST:
        raise FormatError(f"cells: 1 to {LARGEST} rows of 1 to {LARGEST} cells are expected")
    wrong = next((i for i, row in enumerate(rows, start=1) if len(row) != len(rows[0])), None)
    if wrong is not None:
        raise FormatError(f"row {wrong} has {len(rows[wrong - 1])} cells: {len(rows[0])} are expected, as in row 1")
    return rows


class Inner(NamedTuple):
    """The board in a document: its first row and column, its size, and whether cells with clues lie around it."""

    top: int
    left: int
    height: int
    width: int
    clues: bool

    @property
    def places(self) -> Iterator[Place]:
        """The places of its cells in the document."""
        return product(range(self.top, self.top + self.height), range(self.left, self.left + self.width))

    def moved(self, cells: object) -> Any:
        """Return cells as seen from the board; what is no cell stays as it is."""
        seen = [[cell[0] - self.top, cell[1] - self.left] if _is_place(cell) else cell for cell in inner(cells)]
        return seen if isinstance(cells, list) else cells


def _is_place(cell: object) -> bool:
    return isinstance(cell, list) and [type(part) for part in cell] == [int, int]


def _board_in(data: Mapping[str, Any], height: int, width: int) -> Inner:
    """Return the board: the square that the regions fill if further cells, for clues, lie around it; else all cells."""
    groups = [group for group in map(inner, inner(get(data, "regions"))) if group]
    places = {tuple(cell) for group in groups for cell in group if _is_place(cell)}
    (top, bottom), (left, right) = ((min(axis), max(axis)) for axis in zip(*(places or {(0, 0)}), strict=True))
    side = bottom - top + 1
    fills = right - left + 1 == side and len(places) == side * side and all(len(group) == side for group in groups)
    within = top >= 0 and left >= 0 and bottom < height and right < width
    clues = fills and within and (side, side) != (height, width)
    return Inner(top, left, side, side, True) if clues else Inner(0, 0, height, width, False)


def _beside(rows: list[list[Any]], board: Inner) -> Iterator[Mark]:
    """Yield what the cells around a board show."""
    for row, column in set(product(range(len(rows)), range(len(rows[0])))) - set(board.places):
        cell = rows[row][column]
        if isinstance(cell, dict) and (value := get(cell, "value")) not in ABSENT:
            yield Mark("cells", (row + 0.5 - board.top, column + 0.5 - board.left), text=str(value)[:20])


def place_of(value: object, height: int, width: int) -> Place:
    """Return the row and column of a cell, from 0; raise FormatError for a cell outside the board."""
    if isinstance(value, list) and len(value) == 2 and all(type(v) is int for v in value):
        row, column = value
        if 0 <= row < height and 0 <= column < width:
            return row, column
    plain = isinstance(value, list) and len(value) <= 2 and all(type(v) is int for v in value)
    board = f"side {width}" if height == width else f"{height} x {width} cells"
    raise FormatError(f"{value if plain else short(value)} is not a cell [row, column] of a board of {board}")


def numbers_of(value: object, height: int, width: int, what: str) -> list[int]:
    """Return the numbers of some cells; raise FormatError for a repeated cell (``what`` is for the message)."""
    places = [place_of(cell, height, width) for cell in listed(value, f"{what}s")]
    if len(set(places)) < len(places):
        row, column = next(place for i, place in enumerate(places) if place in places[:i])
        raise FormatError(f"a {what} names R{row + 1}C{column + 1} twice")
    return [row * width + column for row, column in places]


def shape_of(regions: Sequence[object], height: int, width: int, lines: bool, notes: list[str]) -> Shape:
    """Return the shape; a region with more cells than there are values is noted and left out."""
    groups = [found for region in regions if (found := numbers_of(region, height, width, "region"))]
    side = max(height, width)
    if not groups:
        notes.append("no regions are drawn, so the board has none")
    if len(groups) > 4 * side:
        raise FormatError(f"{len(groups)} regions on a board of side {side}: at most {4 * side} are possible")
    if height != width:
        notes.append(f"the values of a board of {height} x {width} cells are not stated: 1 to {side} are assumed")
    for cells in groups:
        if len(cells) > side:
            first = f"R{min(cells) // width + 1}C{min(cells) % width + 1}"
            notes.append(f"the region of {first} has {len(cells)} cells for {side} values: its cells may be equal")
    return shape_of_regions(width, [cells for cells in groups if len(cells) <= side], height=height, lines=lines)


def _grids_in(regions: Sequence[object]) -> list[Place]:
    """Return the corners of the grids if regions fill several squares, apart or with shared regions; else nothing."""
    groups = {frozenset(map(tuple, filter(_is_place, region))) for region in map(inner, regions) if region}
    side = max(map(len, groups), default=0)
    if side < 4 or not side < len(groups) <= 4 * LARGEST or any(len(group) < side for group in groups):
        return []
    places = frozenset[Place]().union(*groups)
    grids = dict[Place, frozenset[Place]]()
    for a, b in places:
        ends = product((a, a + side - 1), (b, b + side - 1))
        square = frozenset(product(range(a, a + side), range(b, b + side))) if places.issuperset(ends) else places
        if len(square) == side * side and sum(group <= square for group in groups) == side:
            grids[a, b] = square
    if any(2 * (abs(a - c) + abs(b - d)) <= side for (a, b), (c, d) in combinations(grids, 2)):
        top, left = min(places)  # grids that touch have others half in one of them and half in the next
        grids = {(a, b): square for (a, b), square in grids.items() if (a - top) % side == (b - left) % side == 0}
    return sorted(grids) if frozenset().union(*grids.values()) == places else []


def _shape_of_grids(
    regions: Sequence[object], corners: Sequence[Place], height: int, width: int
) -> tuple[Shape, tuple[Rule, ...]]:
    """Return the board with several grids, and the rules that tell them from what lies between them."""
    groups = [found for region in regions if (found := numbers_of(region, height, width, "region"))]
    side, unused = len(groups[0]), sorted({*range(height * width)}.difference(*groups))
    cells = tuple(dict.fromkeys(tuple(sorted(group)) for group in groups))
    shape = Shape(height, width, domain(range(1, side + 1)), cells, lines=False)
    grids = [SubGrid(f"R{row + 1}C{column + 1}", side, side, ()) for row, column in corners]
    return shape, (*grids, *([Unused(tuple(shape.names[cell] for cell in unused))] if unused else []))


def given(cell: object, index: int, shape: Shape, notes: list[str]) -> int | None:
    """Return the given of a cell; None for an open cell."""
    if cell is None or cell == {}:
        return None
    if not isinstance(cell, dict):
        raise FormatError(f"{short(cell)} is not a cell", cell=shape.names[index])
    value = get(cell, "value")
    marks = [key for key in cell if key not in ("value", "v", "c", "color")]
    if marks:
        notes.append(f"{shape.names[index]}: {', '.join(marks)[:60]} is not understood")
    if value in (None, "", *ZEROS):
        return None
    found = number(value)
    if found is None:
        notes.append(f"{shape.names[index]}: {short(value)} is not a number: the cell is left open")
    return found


# ---- cages

MOST_CAGES = 5_000
_KEYS = frozenset(
    {"cells", "ce", "value", "v", "sum", "unique", "hidden", "style", "type", "id"}
    | {"outlineC", "fontC", "fontColor", "borderColor", "c1", "backgroundColor", "c2", "color", "c", "fontSize", "fs"}
)


def cages_of(data: Mapping[str, Any], shape: Shape, board: Inner, notes: list[str]) -> Iterator[Rule | Mark]:
    """Yield the rules of the cages, and cages without a rule as drawings; cages that cannot be rules are noted."""
    houses = {frozenset(house.cells) for house in shape.houses}
    places = set(product(range(board.height), range(board.width)))
    moved = [(cage, board.moved(get(cage, "cells"))) for cage in objects(get(data, "cages"), "cages", MOST_CAGES)]
    found = [
        (cage, at)
        for cage, at in moved
        if not board.clues or places.issuperset(map(tuple, filter(_is_place, inner(at))))
    ]
    if len(found) < len(moved):
        notes.append(f"cages that are not wholly on the board are left out: {len(moved) - len(found)}")
    for cage, at in found:
        strange = [key for key in cage if key not in _KEYS and cage[key] not in ABSENT]
        if strange:
            notes.append(f"a cage: {', '.join(strange)[:60]} is not understood")
        cells = numbers_of(at, shape.height, shape.width, "cage")
        if cells and not (frozenset(cells) in houses and number(cage.get("sum")) is number(get(cage, "value")) is None):
            yield from _cage(cage, tuple(shape.names[cell] for cell in cells), shape, notes)


def _cage(cage: Mapping[str, Any], cells: tuple[str, ...], shape: Shape, notes: list[str]) -> Iterator[Rule | Mark]:
    value, name, different = get(cage, "value"), f"the cage of {cells[0]}", cage.get("unique")
    total = number(value) if (stated := number(cage.get("sum"))) is None else stated
    if number(value) not in (None, total):
        notes.append(f"{name} shows {short(value)} but has the sum {total}, which is used")
    places = [divmod(shape.cell(cell), shape.width) for cell in cells]
    if total is not None:
        yield _sum(cells, total, different is not False, shape, notes) or cage_mark(name, places, str(total))
    elif different is True and len(cells) > len(shape.values):
        notes.append(f"{name}: its {len(cells)} cells cannot all differ: it is read as a drawing")
    elif different is True:
        yield KillerCage(cells)
    else:
        yield cage_mark(name, places, "" if value in (None, {}) else str(value)[:100])


def _sum(cells: tuple[str, ...], total: int, different: bool, shape: Shape, notes: list[str]) -> Rule | None:
    """Return a cage with a total: a plain sum if its cells cannot differ, None if they cannot add up to it."""
    values, count, name = shape.values, len(cells), f"the cage of {cells[0]}"
    if not values[0] * count <= total <= values[-1] * count:
        notes.append(f"{name}: its {count} cells cannot add up to {total}: it is read as a drawing")
        return None
    if different and count <= len(values) and sum(values[:count]) <= total <= sum(values[-count:]):
        return KillerCage(cells, total)
    if different:
        notes.append(f"{name}: {count} cells that all differ cannot add up to {total}: they may be equal")
    return WeightedSum(cells, total)


# ---- drawings

LINES, MARKS = ("lines", "arrows"), ("underlays", "overlays")
_CELL = 64.0
"""The width of a cell in pixels, the unit of line thickness."""


def _strokes(data: Mapping[str, Any], board: Inner) -> Iterator[Stroke]:
    for key in LINES:
        for place, item in _items(data, key):
            places = (_point(place, board) for place in inner(get(item, "wayPoints"))[:MOST_POINTS])
            points = tuple(point for point in places if point is not None)
            thickness = (measure(get(item, "thickness")) or 0.0) / _CELL
            yield Stroke(f"{key} {place}", points, _colour(item, "color"), thickness, key == "arrows")


def _marks(data: Mapping[str, Any], board: Inner) -> Iterator[Mark]:
    for key in MARKS:
        for place, item in _items(data, key):
            centre = _point(get(item, "center"), board)
            yield Mark(
                f"{key} {place}",
                (-9.0, -9.0) if centre is None else centre,
                measure(get(item, "height")) or 0.0,
                measure(get(item, "width")) or 0.0,
                round=get(item, "rounded") in (True, 1, "true"),
                fill=_colour(item, "backgroundColor"),
                border=_colour(item, "borderColor"),
                text=text_of(get(item, "text"), item.get("angle")),
                turned=is_turned(item),
            )


def _items(data: Mapping[str, Any], key: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for place, item in enumerate(listed(get(data, key), key), start=1):
        yield place, item if isinstance(item, dict) else {}


def _point(value: object, board: Inner) -> Point | None:
    numbers = [measure(part) for part in inner(value)]
    if len(numbers) != 2 or numbers[0] is None or numbers[1] is None:
        return None
    return numbers[0] - board.top, numbers[1] - board.left


def _colour(item: Mapping[str, Any], key: str) -> str:
    value = get(item, key)
    if isinstance(value, int) and not isinstance(value, bool):
        return f"#{abs(value):0{3 if abs(value) < 1000 else 6}d}"[:7]
    return word_of(value)
