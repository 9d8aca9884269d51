"""``sudoku-models canonical``, ``automorphisms``, ``same`` and ``morph``.

The columns of ``canonical`` and ``automorphisms`` are ``form``, ``automorphisms``, ``status`` and ``reason``; a record
of ``canonical`` also has the transformation that leads to the form: ``cells`` (for each cell, the number, from 0, of
the cell that moves there) and ``values`` (what each value becomes). A record of ``sudoku-models/same/1`` has
``same_as``, the place of the first earlier board that is the same (null if there is none), and the ``cells`` and
``values`` that lead from that board to this one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .. import make
from ..bulk.question import RowAnswer
from ..formats import Entry
from ..make.many_made import Canonising
from ..make.symmetry import Canonical
from ..make.transformation import Transformation
from ..puzzle import Puzzle
from .answers import ShownByText, answer, wants_table
from .board_answers import Answer, BoardVerb, each_board
from .codes import Code
from .inputs import Input
from .options import Records
from .terminal import Tally
from .why import Reported

BY = "symmetries"


def canonical(source: Input, to: str, format: Records | None, out: str | None) -> Code:
    """Write the canonical form of each board; formats with records also hold the transformation."""
    if format is None and not wants_table(format, out):
        return each_board(source, lambda puzzle: [make.canonical(puzzle).board], to, out)
    shown = ShownByText(Canonising(), "canonical", _form_text, _moved)
    return answer(source, shown, format, out, Tally(), singly=format in (Records.JSON, Records.JSONL))


def _form_text(found: RowAnswer) -> str | None:
    form: str | None = found.values["form"]
    return form


def _moved(found: Any) -> dict[str, Any]:
    """Return the transformation that leads to a canonical form."""
    way = found.transformation if isinstance(found, Canonical) else None
    return {"cells": way and list(way.cells), "values": way and list(way.values)}


def automorphisms(source: Input, format: Records | None, out: str | None) -> Code:
    """Write the number of symmetries that leave each board unchanged."""
    return answer(source, ShownByText(Canonising(), "automorphisms", _number_text), format, out, Tally())


def _number_text(found: RowAnswer) -> str | None:
    number = found.values["automorphisms"]
    return None if number is None else str(number)


def same(source: Input, format: Records | None, out: str | None) -> Code:
    """Report for each board whether an earlier one is the same."""
    asked = BoardVerb("same", BY, _form_of, ("same_as", "cells", "values"), tell=_SeenForms().tell)
    return asked.each(source, format, out)


def _form_of(puzzle: Puzzle) -> Answer:
    return {"form": make.canonical(puzzle)}, "", Code.SOLVED


@dataclass
class _SeenForms:
    """The boards so far, by canonical form: the place of the first board with that form, and its transformation."""

    forms: dict[tuple[object, ...], tuple[str, Transformation]] = field(default_factory=dict)

    def tell(self, entry: Entry, found: Reported) -> Answer:
        """Return whether an earlier board is the same, and the transformation from it to this one."""
        form: Canonical = found.fields["form"]
        board: Puzzle = form.board
        key = board.shape, board.givens, board.rules
        if key not in self.forms:
            self.forms[key] = entry.place, form.transformation
            return {"same_as": None, "cells": None, "values": None}, f"{entry.place}: new", Code.SOLVED
        first, there = self.forms[key]
        way = there.then(form.transformation.inverse(board.shape), board.shape)
        fields = {"same_as": first, "cells": list(way.cells), "values": list(way.values)}
        return fields, f"{entry.place}: the same as {first}", Code.SOLVED


def morph(source: Input, number: int, seed: int, to: str, out: str | None) -> Code:
    """Write ``number`` equivalent boards for each board."""
    return each_board(source, lambda puzzle: (make.morph(puzzle, seed + i) for i in range(number)), to, out)
