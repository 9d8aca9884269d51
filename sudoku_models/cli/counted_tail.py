"""The answers of ``count`` to the long tail of a file of classic lines."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from ..engine.contract import BatchStatus
from ..formats import Entry
from ..verbs.results import Count
from .batch import told
from .behind import Batches, columns, entry_of, how, in_order, tallied
from .codes import Code
from .terminal import Tally

if TYPE_CHECKING:
    from ..bulk.takeover import Behind
    from .behind import Fields

SCHEMA = "sudoku-models/count/1"

MOST = 100_000
"""The largest limit for which puzzles are counted in batches."""


class CountedTail:
    """Counts the solutions of such rows, up to ``limit``."""

    def __init__(self, batches: Batches, limit: int, format: str) -> None:
        self.batches, self.limit, self.format = batches, limit, format

    def loads(self) -> bool:
        """Tell whether the engine can be loaded."""
        return self.batches.loads()

    def pieces(self, behind: Behind, tally: Tally, one: Callable[[Entry], str]) -> Iterator[bytes]:
        """Yield the text of all rows, in order; ``one`` writes the answer to a single puzzle."""
        from ..bulk.joined import joined

        batch, record = self.batches.answer(behind.block.values, self.limit + 1)
        fields = self._fields(batch)
        if self.format != "line":
            parts = columns(behind, self.format, SCHEMA, fields + how(len(behind), record, self.format, record.backend))
        else:
            parts = fields[0][1]
        specials = sorted(behind.others)
        self._tallied(behind, batch, specials, tally)
        told(behind.entry(0), record)
        yield from in_order(*joined(parts), specials, lambda row: one(entry_of(behind, row, tally)))

    def _fields(self, batch: Any) -> Fields:
        from ..bulk.joined import chosen, same

        n, exact = len(batch.count), batch.status == BatchStatus.EXHAUSTED
        counts = batch.count.clip(max=self.limit)
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

    def _tallied(self, behind: Behind, batch: Any, specials: list[int], tally: Tally) -> None:
        n, none = len(behind) - len(specials), int((batch.count == 0).sum() - (batch.count[specials] == 0).sum())
        tallied(tally, none, Code.NO_SOLUTION)
        tallied(tally, n - none, Code.SOLVED)
