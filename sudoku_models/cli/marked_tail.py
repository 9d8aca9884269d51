"""The answers of ``candidates`` to the long tail of a file of classic lines."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..engine.registry import Selection
from ..puzzle import Shape
from .batch import log_record
from .behind import Tail, columns, how, in_order, share, tallied
from .codes import Code

if TYPE_CHECKING:
    from ..bulk.takeover import Behind
    from .behind import Fields

SCHEMA = "sudoku-models/candidates/1"


class MarkedTail(Tail):
    """Tells the candidates of such rows."""

    @property
    def engine(self) -> Selection | None:
        """What finds the candidates of many rows."""
        return self.where.marking()

    def pieces(self, behind: Behind) -> Iterator[bytes | memoryview]:
        """Yield the text of all rows, in order."""
        from ..bulk.columns import marks
        from ..bulk.joined import joined, same

        assert self.engine
        masks, record = self.where.masks(self.engine, behind.block.values)
        record = share(record, n := len(behind))
        special = masks[:, 0] == 0
        special[list(behind.others)] = True
        tallied(self.tally, int((~special).sum()), Code.SOLVED)
        log_record(behind.entry(0), record)
        if self.format == "line":
            parts = [marks(masks).part("", ""), same(n, "\n")]
        else:
            found = self._fields(masks)
            parts = columns(behind, self.format, SCHEMA, found + how(n, record, self.format, record.backend))
        yield from in_order(*joined(parts), special.nonzero()[0].tolist(), lambda row: self.alone(behind, row))

    def _fields(self, masks: Any) -> Fields:
        from ..bulk.columns import marks
        from ..bulk.joined import ragged, same

        n = len(masks)
        ending = [("complete", [same(n, "true")]), ("reason", [same(n, "" if self.format == "csv" else '""')])]
        if self.format == "csv":
            return [("candidates", [marks(masks).part("", "")]), *ending]
        texts = [json.dumps([v for v in range(1, 10) if mask >> v - 1 & 1]) for mask in range(512)]
        names = [f"{json.dumps(name)}: " for name in Shape.square(9).names]
        rows = ["{" + ", ".join(map(str.__add__, names, map(texts.__getitem__, row))) + "}" for row in masks.tolist()]
        return [("candidates", [ragged(rows)]), *ending]
