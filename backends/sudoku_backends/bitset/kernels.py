"""The kernels over vectors, and what is needed to compile them with the driver for a width.

Each kernel takes addresses and calls ordinary Python (``propagation``, ``split``, ``chars``) on vectors while it is
compiled. A *store* has states side by side at any place, a block fills whole vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

from sudoku_models.engine.machine_code.compiler import Settings
from sudoku_models.engine.machine_code.language import Kernels, staged
from sudoku_models.engine.machine_code.library import Width
from sudoku_models.engine.machine_code.vectors import Columns, Rows

from . import driver
from . import rules as state_rules
from .rules import BlockLanes
from .rules import split as split_state
from .words import WORDS

KERNELS = Kernels()
LINE = SHORT = 0  # bytes from row to row of a block, and of a store: bound for a width
TEXT, MASKS = 81, 162  # bytes of a puzzle

lanes: Any = None  # the compiler knows it
rows: Any = staged(Rows)


@KERNELS.mark
def propagate(block: int) -> int:
    """Run the rules once; return the lanes that are dead, open and changed, 16 bits each."""
    dead, unsettled, changed = rules(rows(block, LINE))
    flags: int = lanes(dead) | lanes(unsettled) << 16 | lanes(changed) << 32
    return flags


@KERNELS.mark
def split(stuck: int, table: int, fresh: int) -> None:
    """Split stuck states: the first halves to a store, the later ones to the places in a table."""
    split_states(rows(stuck, SHORT, 4), table, rows(fresh, SHORT, 4))


@KERNELS.mark
def fetch(table: int, x: int) -> None:
    """Read states from the places in a table into a store."""
    fetch_states(table, rows(x, SHORT, 4))


@KERNELS.mark
def parse(table: int, x: int) -> None:
    """Read puzzles of 81 values."""
    read_values(table, rows(x, SHORT, 4))


@KERNELS.mark
def parse_masks(table: int, x: int) -> None:
    """Read puzzles of 81 masks."""
    read_masks(table, rows(x, SHORT, 4))


@KERNELS.mark
def render(x: int, table: int) -> None:
    """Write solved states as 81 values to the places in a table."""
    write_values(rows(x, SHORT, 4), table)


@staged
def rules(writer: Any, x: Any) -> Any:
    return state_rules.propagate(x)


@staged
def split_states(writer: Any, x: Any, table: Any, first: Any) -> None:
    later = _states(writer, table)
    split_state(x, later, first)
    later.write()


@staged
def fetch_states(writer: Any, table: Any, x: Any) -> None:
    source = _states(writer, table).read()
    for k in range(WORDS):
        x[k] = source[k]


@staged
def read_values(writer: Any, table: Any, x: Any) -> None:
    values = BlockLanes(TEXT, writer.width.lanes)
    state_rules.parse(_bytes(writer, table, values).read(), x, values)


@staged
def read_masks(writer: Any, table: Any, x: Any) -> None:
    masks = BlockLanes(MASKS, writer.width.lanes)
    state_rules.parse_masks(_bytes(writer, table, masks).read(), x, masks)


@staged
def write_values(writer: Any, x: Any, table: Any) -> None:
    text = BlockLanes(TEXT, writer.width.lanes)
    target = _bytes(writer, table, text)
    state_rules.render(x, target, text)
    target.write()


def _states(writer: Any, table: Any) -> Any:
    return Columns(writer, table, range(0, 4 * WORDS, writer.width.bytes))


def _bytes(writer: Any, table: Any, packing: BlockLanes) -> Any:
    """Return the rows of bytes at the places in a table."""
    return Columns(writer, table, packing.offsets)


def kernels() -> dict[str, Callable[..., Any]]:
    drivers = {n: f for n, f in vars(driver).items() if isinstance(f, FunctionType) and f.__module__ == driver.__name__}
    del drivers["_unbound"]
    return {**drivers, **KERNELS}


def settings(width: Width, sizes: Mapping[str, int]) -> Settings:
    """Return the compiler's settings for a width: the driver is one function, which calls the kernels over vectors."""
    return Settings(width, sizes, apart=frozenset(KERNELS), inline=True)
