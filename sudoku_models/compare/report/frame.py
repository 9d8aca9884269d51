"""The tidy table of a comparison."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ..run_rows import Row
from .extras import needed
from .flat import columns_of

if TYPE_CHECKING:
    import pandas

_CATEGORIES = ("backend", "status", "asked", "source")
_INTEGERS = ("line", "count", "memory", "memory_limit")


def frame(rows: Iterable[Row]) -> pandas.DataFrame:
    """Return one row for each run; columns as in ``flat.flat``, in seconds and bytes.

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
