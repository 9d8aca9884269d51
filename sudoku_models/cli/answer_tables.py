"""Answers as tables: Parquet, Arrow, CSV, JSON lines; the input's columns, then those of the answers.

The columns are those of ``sudoku_models.bulk``: ``solve_into``, ``count_into``, ``candidates_into``,
``validate_into``.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import Executor
from typing import TYPE_CHECKING, Any

from ..errors import FormatError
from ..verbs.results import WITHOUT_DRAWN
from .codes import Code, UsageError
from .inputs import Input, source_of
from .terminal import Tally, progress

if TYPE_CHECKING:
    from ..bulk import Block
    from ..bulk.verbs import Verb

BINARY = ("parquet", "arrow")
_ENDINGS = (".parquet", ".pq", ".arrow", ".feather", ".csv", ".jsonl", ".ndjson")

_CODES = {
    **dict.fromkeys(("solved", "counted", "settled", "legal", "rated", "harder"), Code.SOLVED),
    **dict.fromkeys(
        (f"{word}{WITHOUT_DRAWN}" for word in ("solved", "counted", "settled", "rated")), Code.WITHOUT_DRAWN
    ),
    **dict.fromkeys(("unsatisfiable", "illegal"), Code.NO_SOLUTION),
    "unknown": Code.LIMIT,
    **dict.fromkeys(("bad input", "several solutions"), Code.USAGE),
}
"""Exit codes by status; that of any other (failed) is a fault."""


def wanted(format: str | None, out: str | None) -> bool:
    """Tell whether a table is to be written: by the format, or by how the file's name ends."""
    if format is not None and format not in BINARY:
        return False
    if format is not None and out in (None, "-") and sys.stdout.isatty():
        raise UsageError(f"--format {format} is not a text for a terminal: --out FILE or a pipe is expected")
    name = (out or "").lower().removesuffix(".gz").removesuffix(".zst")
    return format is not None or name.endswith(_ENDINGS)


def write_table(
    source: Input, verb: Verb, jobs: int, format: str | None, out: str | None, executor: Executor | None = None
) -> Code:
    """Answer every row of the input and write it to a table, also rows that cannot be read, which are reported."""
    from ..bulk import answered, written
    from ..bulk.into import put

    tally = Tally()
    total = source.count()
    with progress("working", total) as bar, written(out or "-", verb.kinds, format) as sink:
        for block, answers in answered(_blocks(source, tally), verb, jobs, executor):
            put(sink, block, answers)
            _report(block, answers, tally)
            bar.advance(len(block))
    return tally.code


def _blocks(source: Input, tally: Tally) -> Iterator[Block]:
    """Yield the rows of all files; a file that cannot be read is reported, unless it is the only one."""
    from ..bulk import blocks_of

    files = list(source.files or ("-",))
    for name in files:
        try:
            yield from blocks_of(source_of(name, source.options), source.options, source.shard)
        except FormatError as error:
            if len(files) == 1:
                raise
            tally.problem(str(error), Code.USAGE)


def _report(block: Block, answers: dict[str, Any], tally: Tally) -> None:
    """Say what is wrong with rows, and take in the codes."""
    from ..bulk.columns import as_list, counted

    codes = {status: _CODES.get(status, Code.FAULT) for status in counted(answers["status"])}
    for code in codes.values():
        tally.add(code)
    if not {Code.USAGE, Code.FAULT}.isdisjoint(codes.values()):
        for row, status in enumerate(as_list(answers["status"])):
            if codes[status] in (Code.USAGE, Code.FAULT):
                tally.problem(f"{block.place(row)}: {answers['error'][row] or status}", codes[status])
