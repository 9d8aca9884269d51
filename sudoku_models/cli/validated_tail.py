"""The answers of ``validate`` to the long tail of a file of classic lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from ..formats import Entry
from .behind import columns, entry_of, in_order, tallied
from .codes import Code
from .terminal import Tally

if TYPE_CHECKING:
    from ..bulk.joined import Part
    from ..bulk.takeover import Behind

SCHEMA = "sudoku-models/validate/1"


class ValidatedTail:
    """Tells of such rows whether they are legal."""

    def __init__(self, format: str) -> None:
        self.format = format

    def loads(self) -> bool:
        """Say that no engine has to be loaded."""
        return True

    def pieces(self, behind: Behind, tally: Tally, one: Callable[[Entry], str]) -> Iterator[bytes]:
        """Yield the text of all rows, in order; ``one`` writes the answer to a single puzzle."""
        from ..bulk.joined import joined
        from ..bulk.verbs import legal_rows

        special = ~legal_rows(behind.block.values)
        special[list(behind.others)] = True
        tallied(tally, int((~special).sum()), Code.SOLVED)
        data, starts = joined(self._parts(behind))
        rows = special.nonzero()[0].tolist()
        yield from in_order(data, starts, rows, lambda row: one(entry_of(behind, row, tally)))

    def _parts(self, behind: Behind) -> list[Part]:
        import numpy as np

        from ..bulk.joined import chosen, numbers, same

        n = len(behind)
        clues: Any = np.count_nonzero(behind.block.values, axis=1)
        complete = (clues == behind.block.values.shape[1]).astype("u1")
        if self.format == "line":
            return [chosen(["legal\n", "legal and complete\n"], complete)]
        fields = [("legal", [same(n, "true")])]
        fields += [] if self.format == "csv" else [("clashes", [same(n, "[]")])]
        fields += [("clues", [numbers(clues)]), ("complete", [chosen(["false", "true"], complete)])]
        fields += [("reason", [same(n, "" if self.format == "csv" else '""')])]
        return columns(behind, self.format, SCHEMA, fields)
