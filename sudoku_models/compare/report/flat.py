"""A run as one flat line of plain values, for CSV and Parquet, and the data frame of a comparison."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from ..run_rows import Row
from .extras import needed

if TYPE_CHECKING:
    import pandas

_CATEGORIES = ("backend", "status", "asked", "source")
_INTEGERS = ("line", "count", "memory", "memory_limit")
_NESTED = ("phases", "sizes")
_PLAIN = tuple(entry.name for entry in fields(Row) if entry.name not in _NESTED)


def flat(rows: Iterable[Row]) -> tuple[list[str], list[dict[str, Any]]]:
    """Return the columns, and one mapping for each run.

    After the fields of a row come ``solved``, ``density`` (the share of given cells), ``wall_PHASE`` and ``cpu_PHASE``
    for every phase and ``size_NAME`` for every size that occurs. Unknown values are None.
    """
    lines = [_line(row) for row in rows]
    extra = sorted({name for line in lines for name in line} - set(_PLAIN) - {"solved", "density"})
    columns = [*_PLAIN, "solved", "density", *extra]
    return columns, [{name: line.get(name) for name in columns} for line in lines]


def _line(row: Row) -> dict[str, Any]:
    line = {name: getattr(row, name) for name in _PLAIN}
    line |= {"solved": row.verdict.settled, "density": density(row)}
    line |= {f"{clock}_{phase}": value for phase, times in row.phases.items() for clock, value in times.items()}
    return line | {f"size_{name}": size for name, size in row.sizes.items()}


def density(row: Row) -> float | None:
    """Return the share of given cells."""
    return row.clues / row.cells if row.cells else None


def columns_of(rows: Iterable[Row]) -> dict[str, Sequence[Any]]:
    """Return the same by columns."""
    columns, lines = flat(rows)
    found: Mapping[str, list[Any]] = {name: [line[name] for line in lines] for name in columns}
    return dict(found)


def frame(rows: Iterable[Row]) -> pandas.DataFrame:
    """Return one row for each run; columns as in ``flat``, in seconds and bytes.

    Unknown values are missing (NaN, or NA in columns of integers and of truth values). ImportError names the command
    that installs pandas if it is missing.
    """
    pandas: Any = needed("pandas", "data")
    table = pandas.DataFrame(columns_of(rows))
    kinds = dict.fromkeys(_CATEGORIES, "category") | dict.fromkeys(_INTEGERS, "Int64") | {"unique": "boolean"}
    kinds |= {name: "float64" for name in table.columns if name.startswith(("wall", "cpu", "time_", "density"))}
    kinds |= {name: "Int64" for name in table.columns if name.startswith("size_")}
    found: pandas.DataFrame = table.astype({name: kind for name, kind in kinds.items() if name in table.columns})
    return found
