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

from ..bulk import where
from ..bulk.where import Where
from ..engine.record import Record
from ..engine.registry import Selection
from ..formats import Entry
from .codes import Code
from .inputs import Input, mention
from .records import Csv
from .terminal import Tally, verbose

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..bulk.joined import TextPart
    from ..bulk.takeover import Behind

    Fields = list[tuple[str, list[TextPart]]]

FORMATS = ("line", "csv", "jsonl")


@dataclass(frozen=True)
class Tail:
    """Answers the long tail of a file; ``format`` is one of ``FORMATS``. ``one`` writes the answer to one puzzle."""

    where: Where
    format: str
    tally: Tally
    one: Callable[[Entry], str]

    @property
    def engine(self) -> Selection | None:
        """What answers the rows; None when it cannot be loaded, or no engine is needed."""
        return self.where.batches()

    @property
    def possible(self) -> bool:
        """Tell whether the tail may be answered at once, before anything is loaded for that."""
        return self.format in FORMATS and not verbose() and self.where.engine is not None

    def ready(self) -> bool:
        """Load what answers the rows; tell whether it can be loaded."""
        return self.engine is not None

    def pieces(self, behind: Behind) -> Iterator[bytes | memoryview]:
        """Yield the text of all rows, in order."""
        raise NotImplementedError

    def alone(self, behind: Behind, row: int) -> str:
        """Return the text of a row that is answered by itself."""
        return self.one(entry_of(behind, row, self.tally))


def share(record: Record, n: int) -> Record:
    """Return the share of a record that each of n rows has."""
    for phase in record.phases.values():
        phase.wall, phase.cpu = phase.wall / n, phase.cpu / n
    return record


def in_order(
    data: memoryview, starts: NDArray[Any], specials: list[int], write_one: Callable[[int], str]
) -> Iterator[bytes | memoryview]:
    """Yield rows of text, with the special ones written one by one in their places."""
    at = 0
    for row in specials:
        yield data[starts[at] : starts[row]]
        yield write_one(row).encode("utf-8", "surrogateescape")
        at = row + 1
    yield data[starts[at] :]


def columns(behind: Behind, format: str, schema: str, fields: Fields) -> list[TextPart]:
    """Return the parts of the rows in CSV or JSON lines: the place and the puzzle, then further fields.

    The texts of JSON are to be quoted, and those of CSV to need no quotes.
    """
    import numpy as np

    from ..bulk.joined import cells, numbers, same

    n, block = len(behind), behind.block
    number = numbers(count := np.arange(behind.first + 1, behind.first + n + 1))
    line = number if np.array_equal(count, block.numbers) else numbers(block.numbers)
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
    values: dict[str, Any] = {"backend": backend, "choice": record.choice}
    values |= {"confirmed": record.confirmed} if confirmed else {}
    values["seconds"] = seconds
    if format == "csv":
        return [(name, [same(n, str(values[name]))]) for name in ("backend", "seconds")]
    return [(name, [same(n, json.dumps(value))]) for name, value in values.items()]


def tallied(tally: Tally, n: int, code: Code) -> None:
    """Take in the same code for n puzzles."""
    if n:
        tally.add(code)
        tally.count += n - 1


def stream(source: Input, tally: Tally, tail: Tail | None) -> Iterator[tuple[type, Iterator[Any]]]:
    """Yield what a source holds in groups: entries (Entry), and the long tails of files (Behind).

    Without a ``tail`` all are entries, also when what answers it cannot be loaded.
    """
    if (tail is None or not tail.possible) and source.shard is None:
        yield Entry, source.entries(tally)
        return
    for kind, group in groupby(source.stream(tally, where.MANY), type):
        if kind is Entry or (tail is not None and tail.possible and tail.ready()):
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
