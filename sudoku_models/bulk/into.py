"""From a source to a file: read, answer and write every row, in order and in constant memory.

Tables in memory (of pandas, polars and Arrow) get the answers as additional columns.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field, replace
from functools import partial
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, Unpack

from ..dataclass import dataclass
from ..engine.budget import Budget
from ..engine.registry import BackendLike
from ..errors import FormatError
from ..formats.arrow import library
from ..formats.cells import Options
from ..formats.table import arrow_reader, collected, exports_arrow, library_of, named_column
from ..verbs.task import LimitKeywords
from .blocks import PUZZLE, blocks_of
from .mapping import LARGEST, check_workers, mapped, pool
from .questions import (
    EVERY,
    Asking,
    BlockAnswers,
    Counting,
    Enumerating,
    Marking,
    Several,
    Solving,
    Validating,
    Verb,
)
from .rows import INTEGER, NUMBER, TEXT, TRUTH, Block, Kinds, Rows, as_arrow, counted
from .sinks import written

if TYPE_CHECKING:
    from concurrent.futures import Executor

PIECE = 512
"""The largest number of rows in a piece for an executor."""

AHEAD = 16
"""The number of blocks of work that threads or an executor may have waiting."""

GROUP = 256
"""The largest number of solutions of one puzzle that are written together."""

QUICK = 2e-4
"""Solutions are written together if each is found in this number of seconds."""

OWN = "input_"
"""The prefix for an input column that has the same name as a column of answers."""


@dataclass
class AnswerSummary:
    """A summary of the answers: the number of rows, and the number for each status."""

    rows: int = 0
    counts: Counter[str] = field(default_factory=Counter)

    def add(self, answers: BlockAnswers) -> None:
        self.rows += len(answers["status"])
        self.counts.update(counted(answers["status"]))


def solve_into(
    source: Any,
    target: str | Path,
    backend: BackendLike = "auto",
    *,
    unique: bool = False,
    limit: int = 1,
    jobs: int = 1,
    executor: Executor | None = None,
    column: str | None = None,
    **limits: Unpack[LimitKeywords],
) -> AnswerSummary:
    """Solve every row of a source, and write it with its answer to a file, which appears when it is complete.

    See ``blocks_of`` for sources. The target's suffix sets its format: ``.parquet``, ``.arrow``, ``.csv``, ``.jsonl``.
    The input's columns are kept (for text: ``number``, ``source``, ``line``, ``puzzle``) and followed by
    ``solution``, ``status`` (solved, unsatisfiable, unknown, "bad input", unsupported, WRONG, failed), ``unique`` (null
    unless requested), ``reason``, ``backend`` and ``seconds``; an input column with such a name is renamed to
    ``input_...``. A row that cannot be read or solved gets the reason, and the work continues. With a ``limit`` above 1
    there is a row for each solution, numbered by ``nth`` instead of ``unique``; ``unique``, ``jobs`` and ``executor``
    are then not allowed. ``jobs`` pieces are processed at the same time, or as many as the ``executor`` (from
    ``concurrent.futures`` or dask) runs. ``limits`` are those of ``solve``. Raises FormatError for a source that cannot
    be read at all.
    """
    if limit > 1:
        if unique or jobs > 1 or executor is not None:
            raise ValueError("limit: a limit above 1 cannot be combined with unique, jobs or executor")
        return answered_into(source, target, Enumerating(backend, limits, limit), None, column)
    return answered_into(source, target, Solving(backend, limits, unique, jobs=jobs), executor, column)


def count_into(
    source: Any,
    target: str | Path,
    backend: BackendLike = "auto",
    *,
    limit: int | None = None,
    executor: Executor | None = None,
    column: str | None = None,
    **limits: Unpack[LimitKeywords],
) -> AnswerSummary:
    """Count the solutions of every row, up to ``limit``.

    The columns are ``count``, ``exact``, ``status``, ``reason``, ``backend`` and ``seconds``. The status is counted,
    unsatisfiable, unknown, or a status of rows without an answer. Everything else is as in ``solve_into``.
    """
    return answered_into(source, target, Counting(backend, limits, limit), executor, column)


def candidates_into(
    source: Any,
    target: str | Path,
    backend: BackendLike = "auto",
    *,
    jobs: int = 1,
    executor: Executor | None = None,
    column: str | None = None,
    **limits: Unpack[LimitKeywords],
) -> AnswerSummary:
    """Find for every row the values that its cells take in some solution.

    The columns are ``candidates`` (one position for every value of every cell, as in the format ``pencilmarks``),
    ``status``, ``reason``, ``backend`` and ``seconds``. The status is settled, unsatisfiable, unknown, or a status of
    rows without an answer. Everything else is as in ``solve_into``.
    """
    return answered_into(source, target, Marking(backend, limits, jobs=jobs), executor, column)


def validate_into(source: Any, target: str | Path, *, column: str | None = None) -> AnswerSummary:
    """Check for every row whether it is legal: columns ``status``, ``clues``, ``complete``, ``reason``.

    The status is legal, illegal or "bad input". Everything else is as in ``solve_into``.
    """
    return answered_into(source, target, Validating(), None, column)


def answered_into(
    source: Any, target: str | Path, verb: Verb, executor: Executor | None = None, column: str | None = None
) -> AnswerSummary:
    """Write every row of a source with the answer of a verb to a file, which appears when it is complete."""
    check_workers(verb.jobs, executor)
    blocks, summary = blocks_of(source, Options(column=column)), AnswerSummary()
    with written(target, verb.kinds) as sink:
        for block, answers in answered(blocks, verb, verb.jobs, executor):
            sink.write(merged(block.columns, answers), block.schema, renamed(block.columns, answers))
            summary.add(answers)
    return summary


def answered(
    blocks: Iterable[Block], verb: Verb, jobs: int = 1, executor: Executor | None = None
) -> Iterator[tuple[Block, BlockAnswers]]:
    """Yield the rows of blocks with their answers, in order; large blocks may be split.

    ``jobs`` threads, or the executor, get several pieces together, according to the time that they take.
    """
    check_workers(jobs, executor)
    if isinstance(verb, Several):
        yield from _enumerated(blocks, verb)
        return
    waiting: deque[Block] = deque()
    job = Budget()
    if isinstance(verb, Asking) and executor is None:
        job, jobs = Budget(within=verb.limits.get("budget")), max(jobs, verb.workers)
        verb = replace(verb, limits={**verb.limits, "budget": job}, shared=True)

    def pieces() -> Iterator[Rows]:
        """Yield rows in pieces of a size that suits the work, each with the number of rows so far."""
        seen = 0
        for block in blocks:
            seen += len(block)
            for part in block.parts(min(PIECE if executor else EVERY, verb.most(seen))):
                waiting.append(part)
                yield replace(part.rows, seen=seen)

    with pool(jobs, executor, job) as workers:
        largest = 1 if workers is None else LARGEST
        for answers in mapped(partial(_each, verb), pieces(), workers, most=AHEAD, largest=largest):
            yield waiting.popleft(), answers


def _each(verb: Verb, pieces: list[Rows], _: int) -> Iterator[BlockAnswers]:
    for rows in pieces:
        yield verb(rows) if rows.values is not None else Verb.__call__(verb, rows)


def _enumerated(blocks: Iterable[Block], verb: Several) -> Iterator[tuple[Block, BlockAnswers]]:
    """Yield the solutions of each row: one by one, or in groups that are fast to write if they are found quickly."""
    for block in blocks:
        if not len(block):
            yield block, verb.nothing(0)
        for row, puzzle in block.rows.puzzles():
            found, size, since = verb.several(puzzle), 1, perf_counter()
            while some := list(islice(found, size)):
                yield block.repeated(row, len(some)), verb.nothing(len(some)).put(dict(enumerate(some)))
                size = min(2 * size, GROUP) if perf_counter() - since < QUICK * size else 1
                since = perf_counter()


def merged(columns: Mapping[str, Any], answers: Mapping[str, Any]) -> dict[str, Any]:
    """Join the columns of the input and of the answers, renaming input columns that have the name of an answer column.

    Raises FormatError if there is already a column with the new name.
    """
    names = renamed(columns, answers)
    kept = {names[name]: column for name, column in columns.items()}
    if len(kept) < len(columns):
        twice = next(name for name in columns if OWN + name in columns and name in answers)
        raise FormatError(
            f"the table has the columns {twice} and {OWN}{twice}, but the answers need one of these names: rename one"
        )
    return {**kept, **answers}


def renamed(columns: Iterable[str], answers: Iterable[str]) -> dict[str, str]:
    """Return the new name of each input column."""
    return {name: OWN + name if name in answers else name for name in columns}


# tables in memory, which get the answers as additional columns


def solve_frame(
    frame: Any,
    backend: BackendLike = "auto",
    *,
    unique: bool = False,
    jobs: int = 1,
    executor: Executor | None = None,
    column: str | None = None,
    **limits: Unpack[LimitKeywords],
) -> Any:
    """Return a table with the answers to its puzzles as additional columns; see ``solve_into``.

    The table is a DataFrame of pandas or polars, or anything that exports Arrow data (which becomes a
    ``pyarrow.Table``); a single column becomes a table. The result is a table of the same library. Raises TypeError for
    anything else.
    """
    return _framed(frame, Solving(backend, limits, unique, jobs=jobs), executor, column)


def count_frame(
    frame: Any,
    backend: BackendLike = "auto",
    *,
    limit: int | None = None,
    executor: Executor | None = None,
    column: str | None = None,
    **limits: Unpack[LimitKeywords],
) -> Any:
    """Return a table with the number of solutions of its puzzles as additional columns; see ``count_into``."""
    return _framed(frame, Counting(backend, limits, limit), executor, column)


def candidates_frame(
    frame: Any,
    backend: BackendLike = "auto",
    *,
    jobs: int = 1,
    executor: Executor | None = None,
    column: str | None = None,
    **limits: Unpack[LimitKeywords],
) -> Any:
    """Return a table with the candidates of its puzzles as additional columns; see ``candidates_into``."""
    return _framed(frame, Marking(backend, limits, jobs=jobs), executor, column)


def validate_frame(frame: Any, *, column: str | None = None) -> Any:
    """Return a table with additional columns that say whether its puzzles are legal; see ``validate_into``."""
    return _framed(frame, Validating(), None, column)


def _framed(frame: Any, verb: Verb, executor: Executor | None, column: str | None) -> Any:
    frame, column = _as_frame(frame, column)
    names = list(getattr(frame, "column_names", getattr(frame, "columns", ())))
    if not names or library_of(frame) not in _ADD:
        raise TypeError(f"{type(frame).__name__} is not a table: a table of pandas, polars or Arrow is expected")
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the column {twice!r} appears twice in the table: rename one")
    pyarrow, chosen = library(), [named_column(names, column)]
    cells = frame.select(chosen) if library_of(frame) == "pyarrow" else frame[chosen]
    pieces: dict[str, list[Any]] = {name: [as_arrow([], kind)] for name, kind in verb.kinds.items()}
    for _, found in answered(blocks_of(cells, Options(column=column)), verb, verb.jobs, executor):
        for name, values in found.items():
            pieces[name].append(as_arrow(values, verb.kinds[name]))
    answers = {name: pyarrow.chunked_array(some) for name, some in pieces.items()}
    renamed = dict(zip(names, list(merged(dict.fromkeys(names), answers)), strict=False))
    return _ADD[library_of(frame)](frame, renamed, answers, verb.kinds)


def _as_frame(data: Any, column: str | None) -> tuple[Any, str | None]:
    """Return a table and its column name for a table or column of any kind; return anything else unchanged."""
    if library_of(data) in ("pandas", "polars"):
        data = collected(data)
        name = PUZZLE if hasattr(data, "columns") else data.name or PUZZLE
        return (data, column) if hasattr(data, "columns") else (data.to_frame(name), column or name)
    if not exports_arrow(data) or type(data).__name__ == "Table":
        return data, column
    return arrow_reader(data).read_all(), column


def _add_pandas(frame: Any, names: Mapping[str, str], answers: Mapping[str, Any], kinds: Kinds) -> Any:
    import pandas

    frame = frame.rename(columns=names)
    for name, column in answers.items():
        kind = pandas.api.types.pandas_dtype(_PANDAS[kinds[name]])
        frame[name] = kind.__from_arrow__(column) if hasattr(kind, "__from_arrow__") else column.to_numpy()
    return frame


def _add_polars(frame: Any, names: Mapping[str, str], answers: Mapping[str, Any], kinds: Kinds) -> Any:
    import polars

    return frame.rename(names).with_columns([polars.Series(name, column) for name, column in answers.items()])


def _add_arrow(frame: Any, names: Mapping[str, str], answers: Mapping[str, Any], kinds: Kinds) -> Any:
    frame = frame.rename_columns(list(names.values()))
    for name, column in answers.items():
        frame = frame.append_column(name, column)
    return frame


_PANDAS = {TEXT: "string", TRUTH: "boolean", NUMBER: "float64", INTEGER: "Int64"}
_ADD: Mapping[str, Callable[..., Any]] = {"pandas": _add_pandas, "polars": _add_polars, "pyarrow": _add_arrow}
