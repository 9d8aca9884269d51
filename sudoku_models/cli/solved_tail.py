"""The answers of ``solve`` to the long tail of a file of classic lines."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..engine.record import Record
from ..formats import Entry
from ..puzzle import clashes
from ..verbs.results import Result, Status
from .batch import log_record
from .behind import Tail, columns, entry_of, how, in_order, share, tallied
from .codes import Code
from .finding import Finding, ended, of_result
from .solutions import SCHEMA, Findings

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..bulk.joined import TextPart
    from ..bulk.takeover import Behind
    from .behind import Fields


@dataclass(frozen=True)
class SolvedTail(Tail):
    """Solves such rows and writes them as ``written`` would, puzzle by puzzle."""

    unique: bool
    written: Findings

    def pieces(self, behind: Behind) -> Iterator[bytes | memoryview]:
        """Yield the text of all rows, in order."""
        from ..bulk.joined import joined

        assert self.engine
        batch = self.where.batch(self.engine, behind.block.values, 2 if self.unique else 1)
        record = share(batch.record, len(behind))
        special = batch.count == 0
        special[list(behind.others)] = True
        rows = special.nonzero()[0].tolist()
        data, starts = joined(self._parts(behind, batch, record))
        if len(rows) < len(behind):
            log_record(behind.entry(int((~special).argmax())), record)
        tallied(self.tally, len(behind) - len(rows), Code.SOLVED)
        yield from in_order(data, starts, rows, lambda row: self._special(behind, row, record))

    def _parts(self, behind: Behind, batch: Any, record: Record) -> list[TextPart]:
        from ..bulk.joined import cells, chosen, same

        n, one = len(behind), (batch.count == 1).astype("u1")
        if self.format == "line":
            remark = chosen([" # not unique\n", " # unique\n"], one) if self.unique else same(n, "\n")
            return [cells(batch.values), remark]
        fields = self._csv(n, batch, one) if self.format == "csv" else self._json(n, batch, one)
        name = f"{record.backend}:{_options(record)}" if record.options else record.backend
        fields += how(n, record, self.format, name, confirmed=True)
        if self.format == "jsonl":
            phases = {name: round(phase.wall, 9) for name, phase in record.phases.items()}
            fields.append(("phases", [same(n, json.dumps(phases))]))
        return columns(behind, self.format, SCHEMA, fields)

    def _csv(self, n: int, batch: Any, one: NDArray[Any]) -> Fields:
        from ..bulk.joined import cells, chosen, same

        unique = chosen(["false", "true"], one) if self.unique else same(n, "")
        return [
            ("solution", [cells(batch.values)]),
            ("status", [same(n, str(Status.SOLVED))]),
            ("unique", [unique]),
            ("reason", [same(n, "")]),
        ]

    def _json(self, n: int, batch: Any, one: NDArray[Any]) -> Fields:
        from ..bulk.joined import cells, chosen, same

        ending_of = '"unique": {}, "complete": {}, "reason": ""'
        ends = [ending_of.format("false", "false"), ending_of.format("true", "true")]
        ending = chosen(ends, one) if self.unique else same(n, ending_of.format("null", "false"))
        status = same(n, f"{json.dumps(str(Status.SOLVED))}, ")
        solution = [same(n, '["'), cells(batch.values), same(n, '"]')]
        return [("solutions", solution), ("count", [same(n, "1")]), ("status", [status, ending])]

    def _special(self, behind: Behind, row: int, record: Record) -> str:
        if row in behind.others:
            return self.alone(behind, row)
        finding = self._found(entry_of(behind, row, self.tally), record)
        text = "".join(self.written.pieces(finding))
        ended(finding, self.tally)
        return text

    def _found(self, entry: Entry, record: Record) -> Finding:
        """Return what is known of a puzzle that the batch found to have no solution."""
        assert entry.puzzle
        clash = clashes(entry.puzzle.shape, entry.puzzle.givens)
        unique = False if self.unique else None
        return of_result(entry, Result(None, Status.UNSATISFIABLE, unique, record, clashes=clash))


def _options(record: Record) -> str:
    return ",".join(f"{key}={value}" for key, value in record.options.items())
