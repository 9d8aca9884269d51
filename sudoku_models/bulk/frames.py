"""Tables in memory: pandas, polars and Arrow tables get the answers as additional columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from typing import Any, Unpack

from ..engine.registry import BackendLike
from ..formats.arrow import library
from ..formats.options import Options
from ..formats.table import named_column
from ..verbs.task import LimitKeywords
from .blocks import PUZZLE, blocks_of
from .columns import INTEGER, NUMBER, TEXT, TRUTH, Kinds, as_arrow
from .into import answered, merged
from .question import Verb
from .questions import Counting, Marking, Solving, Validating


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
    return _framed(frame, Counting.up_to(limit, backend, limits), executor, column)


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
    if not names or _library(frame) not in _ADD:
        raise TypeError(f"{type(frame).__name__} is not a table: a table of pandas, polars or Arrow is expected")
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the column {twice!r} appears twice in the table: rename one")
    pyarrow, chosen = library(), [named_column(names, column)]
    cells = frame.select(chosen) if _library(frame) == "pyarrow" else frame[chosen]
    pieces: dict[str, list[Any]] = {name: [as_arrow([], kind)] for name, kind in verb.kinds.items()}
    for _, found in answered(blocks_of(cells, Options(column=column)), verb, verb.jobs, executor):
        for name, values in found.items():
            pieces[name].append(as_arrow(values, verb.kinds[name]))
    answers = {name: pyarrow.chunked_array(some) for name, some in pieces.items()}
    renamed = dict(zip(names, list(merged(dict.fromkeys(names), answers)), strict=False))
    return _ADD[_library(frame)](frame, renamed, answers, verb.kinds)


def _library(frame: Any) -> str:
    return type(frame).__module__.partition(".")[0]


def _as_frame(data: Any, column: str | None) -> tuple[Any, str | None]:
    """Return a table and its column name for a table or column of any kind; return anything else unchanged."""
    kind = _library(data)
    if kind in ("pandas", "polars"):
        data = data.collect() if kind == "polars" and hasattr(data, "collect") else data
        name = PUZZLE if hasattr(data, "columns") else data.name or PUZZLE
        return (data, column) if hasattr(data, "columns") else (data.to_frame(name), column or name)
    if not (hasattr(data, "__arrow_c_stream__") or hasattr(data, "__arrow_c_array__")):
        return data, column
    import pyarrow

    if isinstance(data, (pyarrow.Array, pyarrow.ChunkedArray)):
        return pyarrow.table({PUZZLE: data}), column
    if isinstance(data, pyarrow.RecordBatch):
        return pyarrow.Table.from_batches([data]), column
    is_table = isinstance(data, pyarrow.Table)
    return data if is_table else pyarrow.RecordBatchReader.from_stream(data).read_all(), column


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
