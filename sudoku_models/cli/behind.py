"""The long tail of a file of classic lines: answered in batches, and written as text by whole columns.

What is written is what the writers of single answers would write, byte for byte but for the measured times. Rows that
are no classic board, or have no solution, go through those writers themselves.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from ..engine.place import takes_batches
from ..engine.record import Record
from ..engine.registry import Selection, select
from ..formats import Entry
from .batch import Choice
from .codes import Code
from .reading import Input, mention
from .records import Csv
from .terminal import Tally, verbose

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..bulk.joined import Part
    from ..bulk.takeover import Behind

    Fields = list[tuple[str, list[Part]]]

MANY = 1_000
"""From more puzzles than this on, a batch is worth the loading of a compiled engine."""
CHOSEN = "many classic boards, which it solves in batches"
FORMATS = ("line", "csv", "jsonl")


@dataclass(frozen=True)
class Batches:
    """Which backend takes the rows, with how many threads, and whether it was chosen rather than named."""

    selection: Selection
    workers: int
    chosen: bool

    @classmethod
    def of(cls, choice: Choice, format: str) -> Batches | None:
        """Return what answers the tail of a file; None when its puzzles are to be answered one by one."""
        if choice.jobs > 1 or choice.time_limit or choice.memory_limit or format not in FORMATS or verbose():
            return None
        from ..engine.auto import batch_backend
        from ..puzzle import Shape

        selection = batch_backend(Shape.square(9).model) if choice.backend == "auto" else select(choice.backend)
        if selection is None or not takes_batches(selection):
            return None
        return cls(selection, choice.workers, choice.backend == "auto")

    def loads(self) -> bool:
        """Tell whether the engine can be loaded at all."""
        from ..engine.auto import loads
        from ..puzzle import Shape

        return loads(Shape.square(9).model, self.selection)

    def answer(self, values: Any, limit: int) -> tuple[Any, Record]:
        """Return the answers to some boards, and the share of the record that each of them has."""
        from ..engine.batch import run_batch
        from ..engine.contract import Request
        from ..puzzle import Shape

        request = Request(limit=limit, workers=self.workers)
        record = Record(choice=CHOSEN if self.chosen else "")
        batch = run_batch(Shape.square(9).model, self.selection, values, request, record)
        for phase in record.phases.values():
            phase.wall, phase.cpu = phase.wall / len(values), phase.cpu / len(values)
        return batch, batch.record


def in_order(
    data: bytes, starts: NDArray[Any], specials: list[int], write_one: Callable[[int], str]
) -> Iterator[bytes]:
    """Yield rows of text, with the special ones written one by one in their places."""
    at = 0
    for row in specials:
        yield data[starts[at] : starts[row]]
        yield write_one(row).encode("utf-8", "surrogateescape")
        at = row + 1
    yield data[starts[at] :]


def columns(behind: Behind, format: str, schema: str, fields: Fields) -> list[Part]:
    """Return the parts of the rows in CSV or JSON lines: the place and the puzzle, then further fields.

    The texts of JSON are to be quoted, and those of CSV to need no quotes.
    """
    import numpy as np

    from ..bulk.joined import cells, numbers, same

    n, block = len(behind), behind.block
    number, line = numbers(np.arange(behind.first + 1, behind.first + n + 1)), numbers(block.numbers)
    if format == "csv":
        source = Csv.line([behind.source])[:-1]
        start = [number, same(n, f",{source},"), line, same(n, ","), cells(block.values)]
        return [*start, *(part for _, found in fields for part in (same(n, ","), *found)), same(n, "\n")]
    source = json.dumps(behind.source)
    start = [
        same(n, f'{{"schema": {json.dumps(schema)}, "number": '), number, same(n, f', "source": {source}, "line": '),
        line, same(n, ', "title": "", "puzzle": "'), cells(block.values), same(n, '"'),
    ]  # fmt: skip
    return [*start, *(part for name, found in fields for part in (same(n, f', "{name}": '), *found)), same(n, "}\n")]


def how(n: int, record: Record, format: str, backend: str, confirmed: bool = False) -> Fields:
    """Return the fields that say how an answer came about; ``confirmed`` (by what) is one of those of ``solve``."""
    from ..bulk.joined import same

    seconds = round(sum(phase.wall for phase in record.phases.values()), 9)
    told: dict[str, Any] = {"backend": backend, "choice": record.choice}
    told |= {"confirmed": record.confirmed} if confirmed else {}
    told["seconds"] = seconds
    if format == "csv":
        return [(name, [same(n, str(told[name]))]) for name in ("backend", "seconds")]
    return [(name, [same(n, json.dumps(value))]) for name, value in told.items()]


def tallied(tally: Tally, n: int, code: Code) -> None:
    """Take in the same code for n puzzles."""
    if n:
        tally.add(code)
        tally.count += n - 1


def stream(source: Input, tally: Tally, loads: Callable[[], bool] | None) -> Iterator[tuple[type, Iterator[Any]]]:
    """Yield what a source holds in groups: entries (Entry), and the long tails of files (Behind).

    Without ``loads`` all are entries, also when it says that the engine for the tails cannot be loaded.
    """
    if loads is None:
        yield Entry, source.entries(tally)
        return
    for kind, group in groupby(source.stream(tally, MANY), type):
        if kind is Entry or loads():
            yield kind, group
        else:
            yield Entry, _entries(group, tally)


def _entries(group: Iterator[Any], tally: Tally) -> Iterator[Entry]:
    for behind in group:
        yield from (entry_of(behind, row, tally) for row in range(len(behind)))


def entry_of(behind: Behind, row: int, tally: Tally) -> Entry:
    """Return the entry of a row; say what is wrong with it."""
    entry = behind.entry(row)
    mention(entry, tally)
    return entry
