"""Symmetries of puzzles with rules: other places for the cells, other names for the values, another order of all parts.

Rules are taken to be about the cells that they name and their houses, so that they follow every exchange of rows and
columns that keeps the houses, unless one of the lists below says otherwise: a new kind of rule that looks
at neighbours or directions is noticed by stages that differ.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from sudoku_models import Puzzle, Shape
from sudoku_models.make.symmetry import turns
from sudoku_models.puzzle import rules as r
from sudoku_models.puzzle.rules import Rule
from sudoku_models.puzzle.rules.words import own
from tests.explain.relabelling import kinds, relabelled_rules

BESIDE = kinds(
    "AntiKing AntiKnight AntiTaxicab Balance ConnectedValues Diagonal DiagonalNonConsecutive DisjointGroups FullRank "
    "GlobalEntropy GlobalMod Knightmare Leaper Maximum Minimum NoRankTies NonConsecutive NumberPath Singles "
    "StrictKropki StrictRatio StrictXV SubGrid Taxicab Windoku"
)
"""Kinds that look at neighbours, or at places on the board: they follow turns and reflections."""

LEVEL = kinds("DutchFlatmates")
"""Kinds that know above from below: they follow exchanges of columns."""

ACROSS: dict[str, Any] = {"ColumnIndexer": r.RowIndexer, "RowIndexer": r.ColumnIndexer}
"""Kinds that look numbers of rows and columns up: they follow the exchange of rows and columns."""

FIXED = kinds("ChaosArrow ChaosConstruction ChaosCount")
"""Kinds that number regions in the order of reading."""


@dataclass(frozen=True)
class Move:
    """Where each cell goes, by name; ``turn``: whether neighbours stay neighbours."""

    names: Mapping[str, str]
    turn: bool

    def keeps_rows(self) -> bool:
        return all(_place(a)[0] == _place(b)[0] for a, b in self.names.items() if a[0] == "R")

    def transposes(self) -> bool:
        return all(_place(a) == _place(b)[::-1] for a, b in self.names.items() if a[0] == "R")

    def stays(self) -> bool:
        return all(a == b for a, b in self.names.items())


@dataclass(frozen=True)
class Image:
    """A puzzle changed by a symmetry, and what cells and values of the puzzle itself are called there."""

    puzzle: Puzzle
    names: Mapping[str, str]
    labels: Mapping[str, Mapping[int, int]]

    def back(self, facts: Iterable[tuple[str, int]]) -> set[tuple[str, int]]:
        """Return facts about the image as facts about the puzzle itself."""
        names = {new: old for old, new in self.names.items()}
        values = {name: {new: old for old, new in labels.items()} for name, labels in self.labels.items()}
        return {(names[x], values[names[x]].get(v, v)) for x, v in facts}

    @property
    def how(self) -> str:
        """What has changed beside the order of parts: moved, relabelled, both or nothing ("")."""
        moved = any(a != b for a, b in self.names.items())
        relabelled = any(a != b for labels in self.labels.values() for a, b in labels.items())
        return " and ".join(word for word, holds in (("moved", moved), ("relabelled", relabelled)) if holds)


def image(puzzle: Puzzle, rng: random.Random, moving: bool = True, relabelling: bool = True) -> Image:
    """Return a puzzle with its cells moved and its values relabelled, as far as its rules follow, rules reordered."""
    labels, rules = {x: dict[int, int]() for x in puzzle.names}, puzzle.rules
    if relabelling:
        labels, rules = relabelled_rules(puzzle, rng)
    names = {x: x for x in puzzle.names}
    for _ in range(100 if moving else 0):
        move = _move(puzzle, rng)
        tried = [_moved(rule, move, puzzle.shape) for rule in rules]
        if None not in tried and not move.stays():
            names, rules = dict(move.names), tuple(rule for rule in tried if rule)
            break
    cells = zip(puzzle.shape.names, puzzle.givens, strict=True)
    given = {names[x]: labels[x].get(v, v) for x, v in cells if v is not None}
    rules = tuple(_shuffled(rule, rng) for rule in rng.sample(rules, len(rules)))
    made = replace(puzzle, givens=tuple(map(given.get, puzzle.shape.names)), rules=rules)
    return Image(made, names, labels)


def _move(puzzle: Puzzle, rng: random.Random) -> Move:
    """Return a turn, or an exchange of rows and columns that keeps the houses, by chance."""
    shape = puzzle.shape
    turn = rng.random() < 0.5
    cells = rng.choice(list(turns(shape))) if turn else _exchanged(shape, rng)
    target = {source: cell for cell, source in enumerate(cells)}
    if {frozenset(map(target.get, region)) for region in shape.regions} != set(map(frozenset, shape.regions)):
        return Move({x: x for x in puzzle.names}, True)
    names = {shape.names[source]: shape.names[cell] for source, cell in target.items()}
    return Move({x: _extra(x, names, shape) for x in puzzle.names}, turn)


def _exchanged(shape: Shape, rng: random.Random) -> tuple[int, ...]:
    height, width = shape.box or (1, 1)
    rows, columns = _order(shape.height, height, rng), _order(shape.width, width, rng)
    if shape.height == shape.width and height == width and rng.random() < 0.5:
        return tuple(c * shape.width + row for row in rows for c in columns)
    return tuple(row * shape.width + c for row in rows for c in columns)


def _order(lines: int, band: int, rng: random.Random) -> list[int]:
    """Return lines in an order that keeps bands together."""
    bands = [rng.sample(range(i, i + band), band) for i in range(0, lines, band)]
    return [line for found in rng.sample(bands, len(bands)) for line in found]


def _extra(name: str, names: Mapping[str, str], shape: Shape) -> str:
    """Return where a cell goes; an extra cell of a Doppelganger goes with its row, column or box."""
    if name in names:
        return names[name]
    if name[:2] != "DG" or name == "DGZ":
        return name
    index, n = int(name[3:]), shape.width
    house = {"C": range((index - 1) * n, index * n), "R": range(index - 1, n * n, n)}.get(name[2])
    cells = {names[shape.names[c]] for c in house or shape.regions[index - 1]}
    rows, columns = {_place(x)[0] for x in cells}, {_place(x)[1] for x in cells}
    if house is None:
        return f"DGB{1 + next(i for i, region in enumerate(shape.regions) if shape.names[region[0]] in cells)}"
    return f"DGC{min(rows)}" if len(rows) == 1 else f"DGR{min(columns)}"


def _place(name: str) -> tuple[int, int]:
    _, row, column = re.split("[RC]", name)
    return int(row), int(column)


def _moved(rule: Rule, move: Move, shape: Shape) -> Rule | None:
    """Return a rule where a move carries it; None where it does not follow."""
    kind = type(rule).__name__
    if kind in FIXED and not move.stays():
        return None
    if kind in BESIDE and not move.turn:
        return None
    if kind in LEVEL:
        return rule if move.keeps_rows() else None
    if kind in ACROSS:
        return ACROSS[kind](move.names[rule.scope[0]]) if move.transposes() else None
    if kind in PLACED:
        return PLACED[kind](rule, move, shape)
    made = {f.name: _renamed(getattr(rule, f.name), move, shape) for f in fields(rule) if f.init}
    return None if any(isinstance(x, tuple) and None in x for x in made.values()) else replace(rule, **made)


def _renamed(value: Any, move: Move, shape: Shape) -> Any:
    if isinstance(value, Rule):
        return _moved(value, move, shape)
    if isinstance(value, str):
        return re.sub(r"\w+", lambda found: move.names.get(found[0], found[0]), value)
    return tuple(_renamed(item, move, shape) for item in value) if isinstance(value, tuple) else value


def _diagonal(rule: Any, move: Move, shape: Shape) -> Rule:
    row, column = _place(move.names[shape.names[0]])
    return replace(rule, rising=rule.rising != ((row == 1) != (column == 1)))


def _sub_grid(rule: Any, move: Move, _: Shape) -> Rule:
    row, column = _place(rule.corner)
    ends = (f"R{row}C{column}", f"R{row + rule.height - 1}C{column + rule.width - 1}")
    rows, columns = zip(*(_place(move.names[x]) for x in ends), strict=True)
    size = (max(rows) - min(rows) + 1, max(columns) - min(columns) + 1)
    box = rule.box if size == (rule.height, rule.width) else rule.box[::-1]
    return r.SubGrid(f"R{min(rows)}C{min(columns)}", *size, box)


def _singles(rule: Any, move: Move, shape: Shape) -> Rule:
    printed = {move.names[x]: number for x, number in zip(shape.names, rule.numbers, strict=True)}
    return r.Singles([printed[x] for x in shape.names])


def _pill_arrow(rule: Any, move: Move, shape: Shape) -> Rule | None:
    """A pill is read by rows, then by columns: it follows where that order stays."""
    pill = [move.names[x] for x in sorted(rule.pill, key=shape.cell)]
    in_order = pill == sorted(pill, key=shape.cell)
    return r.PillArrow(pill, [move.names[x] for x in rule.shaft]) if in_order else None


def _box_indexer(rule: Any, move: Move, shape: Shape) -> Rule | None:
    """A box is counted row by row: its indexers follow where that order stays."""
    (box,) = (region for region in shape.regions if shape.cell(rule.cell) in region)
    cells = [shape.cell(move.names[shape.names[c]]) for c in sorted(box)]
    return r.BoxIndexer(move.names[rule.cell]) if cells == sorted(cells) else None


PLACED = {
    "BoxIndexer": _box_indexer,
    "PillArrow": _pill_arrow,
    "Diagonal": _diagonal,
    "SubGrid": _sub_grid,
    "Singles": _singles,
}
"""How rules about places on the board follow turns and reflections."""


def _shuffled(rule: Rule, rng: random.Random) -> Rule:
    """Return a rule with its cells in another order, where the order means nothing."""
    cells = getattr(rule, "cells", ())
    if own(rule, "order") == "any":
        return replace(rule, cells=tuple(rng.sample(cells, len(cells))))  # type: ignore[call-arg]
    if own(rule, "order") == "both ways" and rng.random() < 0.5:
        return replace(rule, cells=cells[::-1])  # type: ignore[call-arg]
    return rule
