"""Writes a puzzle as the JSON of f-puzzles, or as a link that holds it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...errors import FormatError
from ...puzzle import rules as r
from ...puzzle.puzzle import Puzzle
from ...puzzle.rules.rule_base import Rule
from ...puzzle.shape import Shape
from ..link_texts import f_puzzles_link, sudokupad_link
from ..lzstring import packed
from ..regions import box_number, default_box
from .context import LARGEST

Written = tuple[str, Any] | None
"""A key and an item under it, or True; None if the format cannot express the rule."""
RuleWriter = Callable[[Any, Shape], Written]


def json_of(puzzle: Puzzle) -> str:
    """Write the JSON on one line; raise a FormatError that names what the format cannot hold."""
    return json.dumps(_data(puzzle), ensure_ascii=False, separators=(",", ":"))


def link_of(puzzle: Puzzle) -> str:
    """Write a link to f-puzzles."""
    return f_puzzles_link(packed(json_of(puzzle)))


def sudokupad_link_of(puzzle: Puzzle) -> str:
    """Write a link to SudokuPad, which reads the JSON of f-puzzles."""
    return sudokupad_link(packed(json_of(puzzle)))


def _data(puzzle: Puzzle) -> dict[str, Any]:
    n = puzzle.shape.width
    cells = _cells(puzzle)
    data: dict[str, Any] = {"size": n}
    data |= {"title": puzzle.title} if puzzle.title else {}
    first, _, rest = puzzle.comment.partition("\n")
    author = first.removeprefix("author: ") if first.startswith("author: ") else ""
    data |= {"author": author} if author else {}
    ruleset = rest if author else puzzle.comment
    data |= {"ruleset": ruleset} if ruleset else {}
    data["grid"] = [cells[i : i + n] for i in range(0, n * n, n)]
    names = frozenset(puzzle.shape.names)
    for rule in puzzle.rules:
        _add(data, rule, puzzle, names)
    if puzzle.stated is not None:
        data["solution"] = list(puzzle.stated)
    return data


def _add(data: dict[str, Any], rule: Rule, puzzle: Puzzle, names: frozenset[str]) -> None:
    write = WRITERS.get(type(rule))
    written = write(rule, puzzle.shape) if write is not None else None
    if isinstance(rule, r.NonConsecutive):
        dotted = any(isinstance(other, r.Difference | r.Ratio) for other in puzzle.rules)
        written = ("nonconsecutive", True) if rule.spare_dots == dotted and not rule.wrap else None
    if written is None or not names.issuperset(rule.scope):
        raise FormatError(f"the rule {rule} cannot be written in f-puzzles")
    key, item = written
    if item is True:
        data[key] = True
    else:
        data.setdefault(key, []).append(item)


def _cells(puzzle: Puzzle) -> list[dict[str, Any]]:
    shape = puzzle.shape
    n, box = shape.width, default_box(shape.width)
    if not shape.is_square or not shape.lines or n > LARGEST:
        raise FormatError(f"{shape} with values {shape.values[0]} to {shape.values[-1]} cannot be written in f-puzzles")
    cells: list[dict[str, Any]] = [{} for _ in range(n * n)]
    for cell, given in zip(cells, puzzle.givens, strict=True):
        if given is not None:
            cell |= {"value": given, "given": True}
    for index, values in puzzle.candidates:
        if "givenPencilMarks" in cells[index]:
            raise FormatError(f"{shape.names[index]} has two lists of candidates, but only one can be written")
        if not values:
            raise FormatError(f"{shape.names[index]} has no candidates, which cannot be written in f-puzzles")
        cells[index]["givenPencilMarks"] = list(values)
    regions = shape.region_of
    if sum(map(len, shape.regions)) != sum(region is not None for region in regions) or len(shape.regions) > n:
        raise FormatError(f"regions that overlap, or more than {n}, cannot be written in f-puzzles")
    if any(region != box_number(i, n, box) for i, region in enumerate(regions)):
        for cell, region in zip(cells, regions, strict=True):
            cell["region"] = region
    return cells


def _line(key: str) -> RuleWriter:
    return lambda rule, _: (key, {"lines": [list(rule.cells)]})


def _cell(key: str) -> RuleWriter:
    return lambda rule, _: None if rule.wrap else (key, {"cell": rule.cell})


def _indexer(key: str) -> RuleWriter:
    return lambda rule, _: (key, {"cells": [rule.cell]})


def _flag(key: str, plain: Rule) -> RuleWriter:
    return lambda rule, _: (key, True) if rule == plain else None


def _clue(key: str, field: str) -> RuleWriter:
    def write(rule: Any, shape: Shape) -> Written:
        place = outside_place(rule.cells, shape)
        return (key, {"cell": place, "value": str(getattr(rule, field))}) if place else None

    return write


def _dot(key: str, default: int) -> RuleWriter:
    def write(rule: Any, _: Shape) -> Written:
        value = {} if rule.value == default else {"value": str(rule.value)}
        return key, {"cells": list(rule.cells), **value}

    return write


def _killer(rule: r.KillerCage, _: Shape) -> Written:
    if len(set(rule.cells)) < len(rule.cells) or rule.total == 0:
        return None
    value = {} if rule.total is None else {"value": str(rule.total)}
    return "killercage", {"cells": list(rule.cells), **value}


def _arrow(rule: r.Arrow, _: Shape) -> Written:
    return "arrow", {"lines": [list(rule.cells)], "cells": [rule.cells[0]]}


def _pill(rule: r.PillArrow, shape: Shape) -> Written:
    if list(rule.pill) != sorted(rule.pill, key=shape.cell):
        return None
    return "arrow", {"lines": [[rule.pill[-1], *rule.shaft]], "cells": list(rule.pill)}


def _whisper(rule: r.Whisper, _: Shape) -> Written:
    value = {} if rule.difference is None else {"value": str(rule.difference)}
    return "whispers", {"lines": [list(rule.cells)], **value}


def _xv(rule: r.XV, _: Shape) -> Written:
    sign = {10: "X", 5: "V", None: ""}.get(rule.total)
    return None if sign is None else ("xv", {"cells": list(rule.cells), "value": sign})


def _little_killer(rule: r.LittleKiller, shape: Shape) -> Written:
    place = diagonal_place(rule.cells, shape)
    if place is None or not rule.total:
        return None
    return "littlekillersum", {"cell": place[0], "direction": place[1], "value": str(rule.total)}


def _disjoint(rule: r.DisjointGroups, shape: Shape) -> Written:
    default = default_box(shape.width)
    stated = () if shape.box == default else default
    return ("disjointgroups", True) if rule.box == stated else None


WRITERS: Mapping[type[Rule], RuleWriter] = {
    r.Thermo: _line("thermometer"),
    r.SlowThermo: _line("slowthermometer"),
    r.Palindrome: _line("palindrome"),
    r.Renban: _line("renban"),
    r.RegionSumLine: _line("regionsumline"),
    r.Between: _line("betweenline"),
    r.Entropic: _line("entropicline"),
    r.Modular: lambda rule, _: ("modularline", {"lines": [list(rule.cells)]}) if rule.modulus == 3 else None,
    r.Nabner: _line("nabner"),
    r.DoubleArrow: _line("doublearrow"),
    r.Zipper: _line("zipperline"),
    r.Whisper: _whisper,
    r.Lockout: lambda rule, _: ("lockout", {"lines": [list(rule.cells)], "value": str(rule.difference)}),
    r.KillerCage: _killer,
    r.Arrow: _arrow,
    r.PillArrow: _pill,
    r.Difference: _dot("difference", 1),
    r.Ratio: _dot("ratio", 2),
    r.XV: _xv,
    r.Parity: lambda rule, _: ("odd" if rule.odd else "even", {"cell": rule.cell}),
    r.Minimum: _cell("minimum"),
    r.Maximum: _cell("maximum"),
    r.ExtraRegion: lambda rule, _: ("extraregion", {"cells": list(rule.cells)}),
    r.RowIndexer: _indexer("rowindexer"),
    r.ColumnIndexer: _indexer("columnindexer"),
    r.BoxIndexer: _indexer("boxindexer"),
    r.Clone: lambda rule, _: ("clone", {"cells": list(rule.cells), "cloneCells": list(rule.clones)}),
    r.Quadruple: lambda rule, _: ("quadruple", {"cells": list(rule.cells), "values": list(rule.values)}),
    r.LittleKiller: _little_killer,
    r.Sandwich: _clue("sandwichsum", "total"),
    r.XSum: _clue("xsum", "total"),
    r.Skyscraper: _clue("skyscraper", "count"),
    r.Diagonal: lambda rule, _: ("diagonal+" if rule.rising else "diagonal-", True),
    r.AntiKnight: _flag("antiknight", r.AntiKnight()),
    r.AntiKing: _flag("antiking", r.AntiKing()),
    r.DisjointGroups: _disjoint,
    r.StrictRatio: lambda rule, _: None if rule.wrap else ("negative", "ratio"),
    r.StrictXV: lambda rule, _: None if rule.wrap else ("negative", "xv"),
}
"""The writers of the rules for which the format has a key."""


_DIRECTIONS = {(-1, 1): "UR", (-1, -1): "UL", (1, 1): "DR", (1, -1): "DL"}


def outside_place(cells: Sequence[str], shape: Shape) -> str | None:
    """Return the place that looks along a whole row or column in this order; None for other cells."""
    n = shape.width
    for k in range(1, n + 1):
        row, column = [f"R{k}C{i}" for i in range(1, n + 1)], [f"R{i}C{k}" for i in range(1, n + 1)]
        seen = {f"R{k}C0": row, f"R{k}C{n + 1}": row[::-1], f"R0C{k}": column, f"R{n + 1}C{k}": column[::-1]}
        for place, line in seen.items():
            if line == list(cells):
                return place
    return None


def diagonal_place(cells: Sequence[str], shape: Shape) -> tuple[str, str] | None:
    """Return the place beside the grid and the direction that give a whole diagonal; None for other cells."""
    names = set(shape.names)
    numbers = [divmod(shape.cell(cell), shape.width) for cell in cells if cell in names]
    if len(numbers) < len(cells):
        return None
    for (down, right), direction in _DIRECTIONS.items():
        (row, column), n = numbers[0], shape.width
        before = row - down, column - right
        if 0 <= before[0] < n and 0 <= before[1] < n:
            continue
        found = []
        while 0 <= row < n and 0 <= column < n:
            found.append((row, column))
            row, column = row + down, column + right
        if found == numbers:
            return f"R{before[0] + 1}C{before[1] + 1}", direction
    return None
