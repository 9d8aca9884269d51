"""The answers of ``validate`` to the long tail of a file of classic lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .behind import FORMATS, Tail, columns, in_order, tallied
from .codes import Code

if TYPE_CHECKING:
    from ..bulk.joined import TextPart
    from ..bulk.takeover import Behind

SCHEMA = "sudoku-models/validate/1"


class ValidatedTail(Tail):
    """Tells of such rows whether they are legal: no engine has to be loaded."""

    @property
    def possible(self) -> bool:
        """Tell whether the format is one for many rows."""
        return self.format in FORMATS

    def ready(self) -> bool:
        """Say that there is nothing to load."""
        return True

    def pieces(self, behind: Behind) -> Iterator[bytes | memoryview]:
        """Yield the text of all rows, in order."""
        from ..bulk.joined import joined
        from ..bulk.verbs import legal_rows

        special = ~legal_rows(behind.block.values)
        special[list(behind.others)] = True
        tallied(self.tally, int((~special).sum()), Code.SOLVED)
        data, starts = joined(self._parts(behind))
        yield from in_order(data, starts, special.nonzero()[0].tolist(), lambda row: self.alone(behind, row))

    def _parts(self, behind: Behind) -> list[TextPart]:
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
