"""``sudoku-models canonical``, ``automorphisms``, ``same`` and ``morph``.

The columns of ``canonical`` and ``automorphisms`` are ``form``, ``automorphisms``, ``status`` and ``reason``; a record
of ``canonical`` also has the transformation that leads to the form: ``cells`` (for each cell, the number, from 0, of
the cell that moves there) and ``values`` (what each value becomes). The columns of ``same`` are ``same_as``, the place
of the first earlier board that is the same (null if there is none), ``status`` and ``reason``; a record also has the
``cells`` and ``values`` that lead from that board to this one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from .. import make
from ..bulk.question import RowAnswer
from ..formats import Entry
from ..puzzle import Puzzle
from .answers import answer, as_boards, by_text, each_board
from .codes import Code
from .needed import settled
from .options import Made, Positive, Sharded, SourceOptions, Tabular, Written
from .parser import command

if TYPE_CHECKING:
    from ..make.symmetry import Canonical, Transformation


@command("Make", "canonical puzzles.txt")
def canonical(source: Sharded, made: Made) -> Code:
    """Write the canonical form of boards: boards that are the same up to symmetry have the same form."""
    rows = source.input()
    if as_boards(rows, made):
        return each_board(rows, lambda _, puzzle: [make.canonical(puzzle).board], made)
    from ..make.rows import Canonising  # which loads numpy

    def way(found: Any) -> dict[str, Any]:
        """Return the transformation that leads to a canonical form."""
        return _moved(found and found.transformation)

    shown = by_text(Canonising(), "canonical", "form", way)
    return answer(rows, shown, made, singly=made.format in ("json", "jsonl"))


def _moved(way: Transformation | None) -> dict[str, Any]:
    return {"cells": way and list(way.cells), "values": way and list(way.values)}


@command("Make", "automorphisms grids.txt")
def automorphisms(source: Sharded, written: Written) -> Code:
    """Count the symmetries of the cells that leave a board unchanged, up to renaming its values."""
    from ..make.rows import Canonising  # which loads numpy

    return answer(source.input(), by_text(Canonising(), "automorphisms", "automorphisms"), written)


@command("Make", "same puzzles.txt")
def same(source: Tabular, written: Written) -> Code:
    """Report for each board whether an earlier one is the same up to symmetry, and the transformation between them."""

    def text(found: RowAnswer) -> str | None:
        """Return the answer in words."""
        return None if found.found is None else str(found.found.text)

    def way(found: _Compared | None) -> dict[str, Any]:
        """Return the transformation."""
        return _moved(None if found is None else found.way)

    earlier: dict[bytes, tuple[str, Transformation]] = {}

    def compared(entry: Entry, answer: RowAnswer) -> RowAnswer:
        """Return whether an earlier board is the same, and the transformation from it to this one."""
        form: Canonical | None = answer.found
        if form is None:
            return answer
        key = _digest(form.board)
        if key not in earlier:
            earlier[key] = entry.place, form.transformation
            return replace(answer, found=_Compared(f"{entry.place}: new"))
        first, there = earlier[key]
        way = there.then(form.transformation.inverse(form.board.shape), form.board.shape)
        found = _Compared(f"{entry.place}: the same as {first}", way)
        return RowAnswer({**answer.values, "same_as": first}, found)

    return answer(source.input(), settled("same", {}, text, way, "comparing"), written, completed=compared)


@dataclass(frozen=True)
class _Compared:
    """The answer of ``same`` for a board, and the transformation from the first equivalent board to it."""

    text: str
    way: Transformation | None = None


def _digest(board: Puzzle) -> bytes:
    """Return 16 bytes that identify the shape, the givens and the rules of a canonical form."""
    shape = board.shape
    cells = shape.height, shape.width, shape.values, shape.regions, shape.box, shape.lines
    return blake2b(repr((cells, board.givens, board.rules)).encode(), digest_size=16).digest()


@command("Make", "morph puzzles.txt --seed 3")
def morph(source: SourceOptions, number: Positive = 1, seed: int = 0, to: str = "line", out: str | None = None) -> Code:
    """Write equivalent boards: random symmetries are applied, to all rules as well.

    --number -n NUMBER  The number of boards to make from each board.
    """
    made = Made(to, None, out)
    return each_board(source.input(), lambda _, puzzle: (make.morph(puzzle, seed + i) for i in range(number)), made)
