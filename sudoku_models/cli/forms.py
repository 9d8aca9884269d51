"""``sudoku-models canonical``, ``automorphisms``, ``same`` and ``morph``.

The columns of ``canonical`` and ``automorphisms`` are ``form``, ``automorphisms``, ``status`` and ``reason``; a record
of ``canonical`` also has the transformation that leads to the form: ``cells`` (for each cell, the number, from 0, of
the cell that moves there) and ``values`` (what each value becomes). The columns of ``same`` are ``same_as``, the place
of the first earlier board that is the same (null if there is none), ``status`` and ``reason``; a record also has the
``cells`` and ``values`` that lead from that board to this one.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import TYPE_CHECKING, Annotated, Any

from .. import make
from ..bulk.question import RowAnswer
from ..formats import Entry
from ..puzzle import Puzzle
from .answers import answer, by_text
from .board_answers import as_boards, each_board
from .codes import Code
from .options import BoardsTo, Chance, MadeFormat, Out, RecordFormat, Records, Sharded, SourceOptions, Tabular
from .parser import Option, command
from .terminal import Tally

if TYPE_CHECKING:
    from ..make.symmetry import Canonical, Transformation


@command("Make", "canonical puzzles.txt")
def canonical(source: Sharded, to: BoardsTo = "line", format: MadeFormat = None, out: Out = None) -> Code:
    """Write the canonical form of boards: boards that are the same up to symmetry have the same form."""
    rows = source.input()
    if as_boards(rows, to, format, out):
        return each_board(rows, lambda _, puzzle: [make.canonical(puzzle).board], to, out)
    from ..make.rows import Canonising  # which loads numpy

    shown = by_text(Canonising(), "canonical", "form", _moved)
    return answer(rows, shown, format, out, Tally(), singly=format in (Records.JSON, Records.JSONL))


def _moved(found: Any) -> dict[str, Any]:
    """Return the transformation that leads to a canonical form."""
    way = None if found is None else found.transformation
    return {"cells": way and list(way.cells), "values": way and list(way.values)}


@command("Make", "automorphisms grids.txt")
def automorphisms(source: Sharded, format: RecordFormat = None, out: Out = None) -> Code:
    """Count the symmetries of the cells that leave a board unchanged, up to renaming its values."""
    from ..make.rows import Canonising  # which loads numpy

    return answer(source.input(), by_text(Canonising(), "automorphisms", "automorphisms"), format, out, Tally())


@command("Make", "same puzzles.txt")
def same(source: Tabular, format: RecordFormat = None, out: Out = None) -> Code:
    """Report for each board whether an earlier one is the same up to symmetry, and the transformation between them."""
    from ..make.rows import Settling  # which loads numpy

    shown = by_text(Settling("same"), "same", _same_text, _way, "comparing")
    return answer(source.input(), shown, format, out, Tally(), completed=_SeenForms().compared)


@dataclass(frozen=True)
class _Compared:
    """The answer of ``same`` for a board, and the transformation from the first equivalent board to it."""

    text: str
    way: Transformation | None = None


def _same_text(found: RowAnswer) -> str | None:
    return None if found.found is None else str(found.found.text)


def _way(found: _Compared | None) -> dict[str, Any]:
    way = found and found.way
    return {"cells": way and list(way.cells), "values": way and list(way.values)}


@dataclass
class _SeenForms:
    """The boards so far, by the digest of their form: the place of the first one, and its transformation."""

    forms: dict[bytes, tuple[str, Transformation]] = field(default_factory=dict)

    def compared(self, entry: Entry, answer: RowAnswer) -> RowAnswer:
        """Return whether an earlier board is the same, and the transformation from it to this one."""
        form: Canonical | None = answer.found
        if form is None:
            return answer
        key = _digest(form.board)
        if key not in self.forms:
            self.forms[key] = entry.place, form.transformation
            return replace(answer, found=_Compared(f"{entry.place}: new"))
        first, there = self.forms[key]
        way = there.then(form.transformation.inverse(form.board.shape), form.board.shape)
        found = _Compared(f"{entry.place}: the same as {first}", way)
        return RowAnswer({**answer.values, "same_as": first}, found)


def _digest(board: Puzzle) -> bytes:
    """Return 16 bytes that identify the shape, the givens and the rules of a canonical form."""
    shape = board.shape
    cells = shape.height, shape.width, shape.values, shape.regions, shape.box, shape.lines
    return blake2b(repr((cells, board.givens, board.rules)).encode(), digest_size=16).digest()


@command("Make", "morph puzzles.txt --seed 3")
def morph(
    source: SourceOptions,
    number: Annotated[int, Option("--number", "-n", min=1, help="The number of boards to make from each board.")] = 1,
    seed: Chance = 0,
    to: BoardsTo = "line",
    out: Out = None,
) -> Code:
    """Write equivalent boards: random symmetries are applied, to all rules as well."""
    return each_board(source.input(), lambda _, puzzle: (make.morph(puzzle, seed + i) for i in range(number)), to, out)
