"""The symmetries of a variant: turns and reflections that carry its rules along, and renamings of the values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from functools import lru_cache
from typing import Any

import numpy as np

from ..puzzle import Puzzle, Shape
from ..puzzle.rules import Rule
from .bands import Array
from .transformation import turns


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


LISTED = _names(
    "KillerCage WeightedSum SumOneOf DigitalRoot CompareSums RellikCage EqualityCage ExtraRegion Thermo Arrow "
    "DoubleArrow Palindrome Whisper Renban Between Lockout Zipper Entropic Modular SumLine RegionSumLine "
    "Difference Ratio XV Greater Quadruple ContainAtLeast ContainExact CountingCircles CountDistinct "
    "SameValues Clone Lunchbox LittleKiller XSum Skyscraper HiddenSkyscraper NumberedRoom Sandwich OneOf "
    "OnlyValues Parity Half"
)
"""Rules about the cells that they list, and about their houses: they turn with the board."""

EVERYWHERE = _names(
    "AntiKnight AntiKing Leaper Taxicab NonConsecutive DiagonalNonConsecutive StrictKropki StrictXV "
    "StrictRatio GlobalEntropy GlobalMod DisjointGroups Windoku"
)
"""Rules about the whole grid that do not change under turns and reflections."""

DIFFERENT = _names("AntiKnight AntiKing Diagonal DisjointGroups ExtraRegion Windoku")
"""Rules that only state that cells differ."""

UNORDERED = _names(
    "KillerCage SumOneOf RellikCage EqualityCage ExtraRegion Renban Difference Ratio XV Quadruple "
    "ContainAtLeast ContainExact CountingCircles LittleKiller"
)
"""Rules for which the order of their cells does not matter."""

REVERSIBLE = _names("Palindrome Whisper Between Lockout Lunchbox Entropic Modular RegionSumLine Zipper")
"""Lines with the same meaning from both ends."""


def moved_rules(puzzle: Puzzle, cells: Sequence[int]) -> tuple[Rule, ...] | None:
    """Return the rules after a turn of the cells, in a fixed order; None for rules that have a direction."""
    names = {puzzle.shape.names[source]: puzzle.shape.names[cell] for cell, source in enumerate(cells)}
    found = [_moved(rule, names, puzzle.shape) for rule in puzzle.rules]
    return None if None in found else tuple(sorted((rule for rule in found if rule), key=repr))


def _moved(rule: Rule, names: Mapping[str, str], shape: Shape) -> Rule | None:
    kind = type(rule).__name__
    if kind in EVERYWHERE:
        return rule
    if kind == "Diagonal":
        falls = shape.cell(names[shape.names[0]]) in (0, shape.cells - 1)
        return rule if falls else replace(rule, rising=not rule.rising)  # type: ignore[call-arg, attr-defined]
    if kind not in LISTED:
        return None
    made = replace(rule, **{f.name: _renamed(getattr(rule, f.name), names) for f in fields(rule) if f.init})
    return _normal(made, shape)


def _normal(rule: Rule, shape: Shape) -> Rule:
    """Put the cells of a rule into a fixed order if their order, or their direction, does not matter."""
    kind, cells = type(rule).__name__, getattr(rule, "cells", ())
    if kind in UNORDERED:
        return replace(rule, cells=tuple(sorted(cells, key=shape.cell)))  # type: ignore[call-arg]
    if kind in REVERSIBLE:
        return replace(rule, cells=min(cells, cells[::-1]))  # type: ignore[call-arg]
    return rule


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return names.get(value, value)
    return tuple(_renamed(item, names) for item in value) if isinstance(value, tuple) else value


def moved_shape(shape: Shape, cells: Sequence[int]) -> Shape | None:
    """Return a shape after a turn; None if boxes would no longer be boxes of the same form."""
    target = {source: cell for cell, source in enumerate(cells)}
    regions = sorted(tuple(sorted(target[cell] for cell in region)) for region in shape.regions)
    if shape.box:
        return shape if regions == sorted(shape.regions) else None
    return replace(shape, regions=tuple(regions))


def images(puzzle: Puzzle) -> Iterator[tuple[tuple[int, ...], Shape, tuple[Rule, ...]]]:
    """Yield the turns and reflections that keep the kind of board, each with the resulting shape and rules.

    If a rule has a direction, or has extra cells, only the board itself.
    """
    for cells in turns(puzzle.shape):
        shape, rules = moved_shape(puzzle.shape, cells), moved_rules(puzzle, cells)
        if shape is not None and rules is not None:
            yield cells, shape, rules
        elif cells == tuple(range(puzzle.shape.cells)):
            yield cells, puzzle.shape, tuple(sorted(puzzle.rules, key=repr))


def is_about_difference(puzzle: Puzzle) -> bool:
    """Return whether the puzzle only states that cells differ: then values may be renamed."""
    return puzzle.shape.is_square and all(type(rule).__name__ in DIFFERENT for rule in puzzle.rules)


@lru_cache(maxsize=16)
def line_symmetries(shape: Shape, rules: tuple[Rule, ...]) -> Array:
    """Return the orders of rows and columns (and transposed ones) that preserve which cells must differ.

    Each row of the array lists, for every cell, the cell that moves there. The puzzle must only state that cells
    differ.
    """
    n = shape.height
    unlike = _unlike(shape, rules).reshape(n, n, n, n)
    found: list[Array] = []
    for turned in (False, True):
        source = unlike.transpose(1, 0, 3, 2) if turned else unlike
        for rows, columns in _line_orders(unlike, source, n):
            grid = np.array(rows)[:, None] * n + np.array(columns)[None]
            if turned:
                grid = np.array(columns)[None] * n + np.array(rows)[:, None]
            found.append(grid.reshape(-1))
    return np.array(found)


def _unlike(shape: Shape, rules: tuple[Rule, ...]) -> Array:
    model = Puzzle(shape, (None,) * shape.cells, rules=rules).structure
    found = np.zeros((shape.cells, shape.cells), bool)
    for constraint in model.constraints:
        cells = [model.index[name] for name in constraint.scope]
        found[np.ix_(cells, cells)] = True
    return found


def _line_orders(unlike: Array, source: Array, n: int) -> Iterator[tuple[list[int], list[int]]]:
    """Choose the source of row 0, column 0, row 1, ... while the settled cells differ as they must.

    First, the number of cells from which each cell differs is compared.
    """
    rows: list[int] = []
    columns: list[int] = []
    degree, degree_there = unlike.sum((2, 3)), source.sum((2, 3))

    def fits() -> bool:
        """Return whether the last settled cells differ from as many, and the same, cells as they must."""
        r, c = len(rows), len(columns)
        if not (np.sort(degree_there[rows[-1:]]) == np.sort(degree[r - 1 : r])).all():
            return False
        if not (degree_there[np.ix_(rows, columns)] == degree[:r, :c]).all():
            return False
        kept = source[np.ix_(rows, columns, rows, columns)]
        return bool((kept == unlike[:r, :c, :r, :c]).all())

    def choose() -> Iterator[tuple[list[int], list[int]]]:
        """Yield all ways to continue."""
        if len(rows) == len(columns) == n:
            yield list(rows), list(columns)
            return
        lines = rows if len(rows) == len(columns) else columns
        for line in range(n):
            if line not in lines:
                lines.append(line)
                if fits():
                    yield from choose()
                lines.pop()

    return choose()
