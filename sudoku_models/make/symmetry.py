"""The verbs ``canonical``, ``automorphisms``, ``same`` and ``morph``: boards up to symmetry.

Two boards are the same when a symmetry leads from one to the other. On a board with boxes, and on a Latin square, the
symmetries are all renamings of the values, all orders of bands, of rows in a band, of stacks and of columns in a
stack, and rows exchanged with columns where the boxes allow it. A jigsaw or a variant has its turns and reflections,
which carry regions and rules along; if it only states that cells differ (diagonals, windoku, anti-knight),
it has all orders of lines that preserve this, and all renamings of the values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from random import Random
from typing import Any, TypeVar

import numpy as np

from ..errors import NoLeastForm
from ..puzzle import Grid, Puzzle, Shape, clashes
from ..puzzle.grid import Cell
from ..puzzle.rules import Diagonal, Rule
from ..puzzle.rules.words import own
from ..verbs.results import shortened
from ..verbs.task import Problem, as_puzzle
from .arrays import TOGETHER, blocks, blocks_or_error, canonical_arrays
from .chance import Array

Board = TypeVar("Board", bound=Grid | Puzzle)


@dataclass(frozen=True)
class Transformation:
    """A symmetry of a board: ``cells[i]`` is the cell that moves to cell i, ``values[k]`` the new name of the k-th
    value.

    Cells and values are counted from 0; values are in the order of the shape's domain.
    """

    cells: tuple[int, ...]
    values: tuple[int, ...]

    def __call__(self, board: Board) -> Board:
        """Return the board transformed: its values, candidates and stated solution. Its rules must not change
        under it.
        """
        if isinstance(board, Grid):
            return replace(board, values=self.moved(board.values, board.shape))
        shape, target = board.shape, {source: cell for cell, source in enumerate(self.cells)}
        names = dict(zip(shape.values, self.values, strict=True))
        candidates = [(target[cell], tuple(sorted(names[v] for v in values))) for cell, values in board.candidates]
        stated = None if board.stated is None else self.moved(board.stated, shape)
        return replace(
            board, givens=self.moved(board.givens, shape), candidates=tuple(sorted(candidates)), stated=stated
        )

    def moved(self, values: Sequence[Cell], shape: Shape) -> tuple[Cell, ...]:
        """Return a board's values transformed; None in open cells."""
        names: dict[Cell, Cell] = {None: None, **dict(zip(shape.values, self.values, strict=True))}
        return tuple(names[values[source]] for source in self.cells)

    def inverse(self, shape: Shape) -> Transformation:
        """Return the transformation that undoes this one."""
        back = {name: value for value, name in zip(shape.values, self.values, strict=True)}
        cells = sorted(range(len(self.cells)), key=self.cells.__getitem__)
        return Transformation(tuple(cells), tuple(back[value] for value in shape.values))

    def then(self, other: Transformation, shape: Shape) -> Transformation:
        """Return the transformation that does this one first and ``other`` after it."""
        after = dict(zip(shape.values, other.values, strict=True))
        cells = tuple(self.cells[source] for source in other.cells)
        return Transformation(cells, tuple(after[value] for value in self.values))


def random_cells(shape: Shape, rng: Random) -> tuple[int, ...]:
    """Draw one of the symmetries of the cells uniformly. ValueError for a board without blocks."""
    (height, width), n, lines = blocks_or_error(shape), shape.height, list[list[int]]()
    for size in (height, width):
        groups = [rng.sample(range(start, start + size), size) for start in range(0, n, size)]
        rng.shuffle(groups)
        lines.append([line for group in groups for line in group])
    rows, columns = lines
    if height == width and rng.random() < 0.5:
        return tuple(c * n + r for r in rows for c in columns)
    return tuple(r * n + c for r in rows for c in columns)


# ---- symmetries of layouts

Move = Callable[[int, int, int, int], tuple[int, int]]

_MOVES: dict[str, Move] = {
    "half-turn": lambda r, c, h, w: (h - 1 - r, w - 1 - c),
    "quarter-turn": lambda r, c, h, w: (c, h - 1 - r),
    "horizontal": lambda r, c, h, w: (h - 1 - r, c),
    "vertical": lambda r, c, h, w: (r, w - 1 - c),
    "diagonal": lambda r, c, h, w: (c, r),
    "antidiagonal": lambda r, c, h, w: (h - 1 - c, w - 1 - r),
}
SYMMETRIES: dict[str, tuple[str, ...]] = {
    "none": (),
    **{name: (name,) for name in _MOVES},
    "both": ("horizontal", "vertical"),
    "diagonals": ("diagonal", "antidiagonal"),
    "full": ("horizontal", "vertical", "diagonal"),
}
"""The symmetries of clues by name: ``half-turn`` is the usual one; ``horizontal`` reflects top to bottom,

``vertical`` left to right, ``diagonal`` at the main diagonal; ``both`` and ``diagonals`` are two reflections each, and
``full`` all eight turns and reflections.
"""


def images(shape: Shape, symmetry: str) -> tuple[tuple[int, ...], ...]:
    """Return the image of every cell under each move of a symmetry; ValueError for one that this board lacks."""
    h, w = shape.height, shape.width
    if h != w and {"quarter-turn", "diagonal", "antidiagonal"} & set(SYMMETRIES[symmetry]):
        raise ValueError(f"the symmetry {symmetry!r} needs a square board: this one has {h} rows and {w} columns")
    places = [_MOVES[name] for name in SYMMETRIES[symmetry]]
    steps = [tuple(r * w + c for r, c in (move(*divmod(cell, w), h, w) for cell in range(h * w))) for move in places]
    found = [tuple(range(h * w))]
    for image in found:  # which grows
        for step in steps:
            more = tuple(step[cell] for cell in image)
            found += [] if more in found else [more]
    return tuple(found[1:])


def orbits(shape: Shape, symmetry: str) -> list[tuple[int, ...]]:
    """Return the cells that have clues together; errors as for ``images``."""
    maps = images(shape, symmetry)
    every = (tuple(sorted({cell, *(image[cell] for image in maps)})) for cell in range(shape.cells))
    return list(dict.fromkeys(every))


# ---- least forms


@dataclass(frozen=True)
class Canonical:
    """The least form of a board: ``board``, and the ``transformation`` from the original board to it.

    ``automorphisms`` is the number of symmetries of the cells that keep the board up to the names of its values.
    """

    board: Any
    transformation: Transformation
    automorphisms: int

    def __repr__(self) -> str:
        return f"<Canonical: {shortened(self.to_line())}, automorphisms: {self.automorphisms}>"

    def to_line(self) -> str:
        """Return the least form in one line."""
        line: str = self.board.to_line()
        return line


def canonical(problem: Problem) -> Canonical:
    """Return the least form of a grid or a puzzle under all its symmetries, compared as lines with 0 for open cells.

    Two boards that are the same have the same form, others have different ones. The form of a Grid is a Grid, that of
    anything else a Puzzle. NoLeastForm (a ValueError) for a board with clashing values or with candidates;
    LimitReached for a large board that is nearly full.
    """
    board = problem if isinstance(problem, Grid) else as_puzzle(problem)
    puzzle = as_puzzle(board)
    if puzzle.candidates:
        raise NoLeastForm("a board with candidates has no canonical form: only values and open cells are allowed")
    if wrong := clashes(puzzle.shape, puzzle.givens):
        raise NoLeastForm(f"the board has no solution, so it has no canonical form: {wrong[0]}")
    found = _of_blocks(puzzle) if not puzzle.rules and blocks(puzzle.shape) else _of_variant(puzzle)
    if isinstance(board, Grid):
        return replace(found, board=found.board.grid)
    return found


def automorphisms(problem: Problem) -> int:
    """Return how many symmetries of the cells keep a board up to the names of its values; errors as for
    ``canonical``.
    """
    return canonical(problem).automorphisms


def same(a: Problem, b: Problem) -> Transformation | None:
    """Return a transformation from one board to the other; None if they are not the same.

    For variants it moves the cells; the rules move along. Errors as for ``canonical``.
    """
    first, second = canonical(a), canonical(b)
    one, two = as_puzzle(first.board), as_puzzle(second.board)
    if (one.shape, one.givens, one.rules) != (two.shape, two.givens, two.rules):
        return None
    return first.transformation.then(second.transformation.inverse(two.shape), one.shape)


def morph(problem: Problem, seed: int) -> Any:
    """Return another board that is the same up to symmetry: a random symmetry, determined by the seed, is applied.

    A Grid gives a Grid, anything else a Puzzle; with its candidates, its stated solution, and its rules carried along.
    """
    board = problem if isinstance(problem, Grid) else as_puzzle(problem)
    puzzle, rng = as_puzzle(board), Random(f"morph/{seed}")
    if not puzzle.rules and blocks(puzzle.shape):
        names = rng.sample(puzzle.shape.values, len(puzzle.shape.values))
        found = Transformation(random_cells(puzzle.shape, rng), tuple(names))(puzzle)
    else:
        found = _morphed_variant(puzzle, rng)
    return found.grid if isinstance(board, Grid) else found


def _of_blocks(puzzle: Puzzle) -> Canonical:
    values = np.array([[value or 0 for value in puzzle.givens]], np.uint8)
    found = canonical_arrays(values, puzzle.shape)
    way = Transformation(tuple(found.cells[0].tolist()), tuple(found.values[0].tolist()))
    return Canonical(way(Puzzle(puzzle.shape, puzzle.givens)), way, int(found.automorphisms[0]))


def _of_variant(puzzle: Puzzle) -> Canonical:
    """Try all symmetries; keep the least shape and rules, then the least givens."""
    best: tuple[Any, ...] = ()
    for transformation, shape, rules in _symmetries(puzzle):
        givens = transformation.moved(puzzle.givens, puzzle.shape)
        key = shape.regions, repr(rules), tuple(value or 0 for value in givens)
        if not best or key < best[0]:
            best, count = (key, transformation, shape, givens, rules), 0
        count += key == best[0]
    _, transformation, shape, givens, rules = best
    return Canonical(Puzzle(shape, givens, rules=rules), transformation, count)


def _symmetries(puzzle: Puzzle) -> Iterator[tuple[Transformation, Shape, tuple[Any, ...]]]:
    if not _is_about_difference(puzzle):
        for cells, shape, rules in _images(puzzle):
            yield Transformation(cells, shape.values), shape, rules
        return
    # one of the turns that make shape and rules least: the others differ from it by a symmetry of these
    cells, shape, rules = min(_images(puzzle), key=lambda image: (image[1].regions, repr(image[2])))
    for line in _line_symmetries(shape, rules).tolist():
        both = tuple(cells[source] for source in line)
        met = [value for value in dict.fromkeys(puzzle.givens[cell] for cell in both) if value is not None]
        order = [*met, *(value for value in shape.values if value not in met)]  # of the first occurrences
        names = dict(zip(order, shape.values, strict=True))
        yield Transformation(both, tuple(names[value] for value in shape.values)), shape, rules


def _morphed_variant(puzzle: Puzzle, rng: Random) -> Puzzle:
    cells, shape, rules = rng.choice(list(_images(puzzle)))
    values = shape.values
    if _is_about_difference(puzzle):
        line = rng.choice(_line_symmetries(shape, rules).tolist())
        cells, values = tuple(cells[source] for source in line), tuple(rng.sample(values, len(values)))
    return replace(Transformation(cells, values)(puzzle), shape=shape, rules=rules)


# ---- turns and reflections that carry rules along


def _moved(rule: Rule, names: Mapping[str, str], shape: Shape) -> Rule | None:
    """Return a rule for cells of other names; None if it cannot be turned."""
    turning = own(rule, "turning")
    if turning == "whole grid":
        return rule
    if isinstance(rule, Diagonal):
        falls = shape.cell(names[shape.names[0]]) in (0, shape.cells - 1)
        return rule if falls else replace(rule, rising=not rule.rising)
    if turning != "cells":
        return None
    parts = {f.name: _renamed(getattr(rule, f.name), names) for f in fields(rule) if f.init}
    order = own(rule, "order")  # which is fixed where it, or the direction, does not matter
    if order == "any":
        parts["cells"] = tuple(sorted(parts["cells"], key=shape.cell))
    elif order == "both ways":
        parts["cells"] = min(parts["cells"], parts["cells"][::-1])
    return replace(rule, **parts)


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return names.get(value, value)
    return tuple(_renamed(item, names) for item in value) if isinstance(value, tuple) else value


def _images(puzzle: Puzzle) -> Iterator[tuple[tuple[int, ...], Shape, tuple[Rule, ...]]]:
    """Yield the turns and reflections that keep the kind of board, each with the resulting shape and rules.

    If a rule has a direction, or has extra cells, only the board itself.
    """
    shape = puzzle.shape
    for cells in (tuple(range(shape.cells)), *images(shape, "full" if shape.height == shape.width else "both")):
        target = {source: cell for cell, source in enumerate(cells)}
        names = {shape.names[source]: shape.names[cell] for source, cell in target.items()}
        rules = [_moved(rule, names, shape) for rule in puzzle.rules]
        regions = tuple(sorted(tuple(sorted(target[cell] for cell in region)) for region in shape.regions))
        fits = None not in rules and (not shape.box or regions == tuple(sorted(shape.regions)))
        if fits or cells == tuple(range(shape.cells)):
            moved = shape if shape.box or not fits else replace(shape, regions=regions)
            kept = [rule for rule in rules if rule] if fits else puzzle.rules
            yield cells, moved, tuple(sorted(kept, key=repr))


def _is_about_difference(puzzle: Puzzle) -> bool:
    """Return whether the puzzle only states that cells differ: then values may be renamed."""
    return puzzle.shape.is_square and all(own(rule, "only_differ") for rule in puzzle.rules)


@lru_cache(maxsize=16)
def _line_symmetries(shape: Shape, rules: tuple[Rule, ...]) -> Array:
    """Return the orders of rows and columns (and transposed ones) that preserve which cells must differ.

    Each row of the array lists, for every cell, the cell that moves there. The puzzle must only state that cells
    differ.
    """
    n, cells = shape.height, shape.cells
    model = Puzzle(shape, (None,) * cells, rules=rules).structure
    unlike = np.zeros((cells, cells), bool)
    for constraint in model.constraints:
        scope = [model.index[name] for name in constraint.scope]
        unlike[np.ix_(scope, scope)] = True
    target, found = unlike.reshape(n, n, n, n), []
    for turned in (False, True):
        rows, columns = _line_orders(target, target.transpose(1, 0, 3, 2) if turned else target)
        down, across = rows[:, :, None], columns[:, None, :]
        found.append((across * n + down if turned else down * n + across).reshape(-1, cells))
    return np.concatenate(found)


def _line_orders(target: Array, source: Array) -> tuple[Array, Array]:
    """Return all sources of the rows, and of the columns, with which cells differ where they must (m x n each).

    Row 0, column 0, row 1, ... get all possible sources in turn, and what contradicts the target is left out at once.
    """
    n = len(target)
    lines = [np.zeros((1, 0), np.int64), np.zeros((1, 0), np.int64)]
    for turn in range(2 * n):
        which, new = turn % 2, np.tile(np.arange(n), len(lines[0]))[:, None]
        lines = [np.repeat(some, n, 0) for some in lines]
        free = (lines[which] != new).all(1)
        lines[which] = np.append(lines[which], new, 1)
        parts = np.array_split(np.flatnonzero(free), 1 + free.sum() // TOGETHER)
        rows, columns = lines
        fits = np.concatenate([part[_fit(target, source, rows[part], columns[part], which)] for part in parts])
        lines = [rows[fits], columns[fits]]
    return lines[0], lines[1]


def _fit(target: Array, source: Array, rows: Array, columns: Array, which: int) -> Array:
    """Return where the cells of the last row (or column) differ from as many, and the same, cells as they must."""
    r, c = rows.shape[1], columns.shape[1]
    last = np.s_[:r, c - 1 : c] if which else np.s_[r - 1 : r, :c]
    down, across = rows[:, last[0], None], columns[:, None, last[1]]
    good: Array = (source.sum((2, 3))[down, across] == target.sum((2, 3))[last]).all((1, 2))
    left = np.flatnonzero(good)
    here = down[left, :, :, None, None], across[left, :, :, None, None]
    others = rows[left, None, None, :, None], columns[left, None, None, None, :]
    good[left] = (source[*here, *others] == target[last][..., :r, :c]).all((1, 2, 3, 4))
    return good
