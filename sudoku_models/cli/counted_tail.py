"""The answers of ``count`` to the long tail of a file of classic lines."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..engine.contract import BatchStatus
from ..verbs.results import Count
from .batch import log_record
from .behind import Tail, columns, how, in_order, share, tallied
from .codes import Code

if TYPE_CHECKING:
    from ..bulk.takeover import Behind
    from .behind import Fields

SCHEMA = "sudoku-models/count/1"

MOST = 100_000
"""The largest limit for which puzzles are counted in batches."""


@dataclass(frozen=True)
class CountedTail(Tail):
    """Counts the solutions of such rows, up to ``limit``."""

    limit: int | None

    @property
    def possible(self) -> bool:
        """Tell whether the limit is one for batches."""
        return self.limit is not None and self.limit <= MOST and super().possible

    def pieces(self, behind: Behind) -> Iterator[bytes | memoryview]:
        """Yield the text of all rows, in order."""
        from ..bulk.joined import joined

        assert self.engine
        assert self.limit
        batch = self.where.batch(self.engine, behind.block.values, self.limit + 1)
        record = share(batch.record, len(behind))
        fields = self._fields(batch, self.limit)
        if self.format != "line":
            parts = columns(behind, self.format, SCHEMA, fields + how(len(behind), record, self.format, record.backend))
        else:
            parts = fields[0][1]
        specials = sorted(behind.others)
        self._tallied(behind, batch, specials)
        log_record(behind.entry(0), record)
        yield from in_order(*joined(parts), specials, lambda row: self.alone(behind, row))

    def _fields(self, batch: Any, limit: int) -> Fields:
        from ..bulk.joined import chosen, same

        n, exact = len(batch.count), batch.status == BatchStatus.EXHAUSTED
        counts = batch.count.clip(max=limit)
        if self.format == "line":
            texts = [str(Count(value, exactly)) + "\n" for value in range(int(counts.max(initial=0)) + 1)
                     for exactly in (False, True)]  # fmt: skip
            return [("text", [chosen(texts, 2 * counts + exact)])]
        texts = [str(value) for value in range(int(counts.max(initial=0)) + 1)]
        reason = "" if self.format == "csv" else json.dumps("")
        return [
            ("count", [chosen(texts, counts)]),
            ("exact", [chosen(["false", "true"], exact.astype("u1"))]),
            ("reason", [same(n, reason)]),
        ]

    def _tallied(self, behind: Behind, batch: Any, specials: list[int]) -> None:
        n, none = len(behind) - len(specials), int((batch.count == 0).sum() - (batch.count[specials] == 0).sum())
        tallied(self.tally, none, Code.NO_SOLUTION)
        tallied(self.tally, n - none, Code.SOLVED)
