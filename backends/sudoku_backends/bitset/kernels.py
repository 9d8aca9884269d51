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
from sudoku_models.engine.machine_code.vectors import Columns, Rows, lane_set

from . import driver
from . import rules as state_rules
from .rules import BlockLanes
from .rules import split as split_state
from .words import NUMBER, WORDS

KERNELS = Kernels()
LINE = SHORT = 0  # bytes from row to row of a block, and of a store: bound for a width
TEXT, MASKS = 81, 162  # bytes of a puzzle
MOVES = ("take", "give", "exchange", "note")

lanes: Any = None  # the compiler knows it
rows: Any = staged(Rows)
some: Any = staged(lane_set)


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
def parse(table: int, x: int) -> int:
    """Read puzzles of 81 characters or values; return the lanes with a character that is neither digit nor dot."""
    wrong: int = lanes(parse_text(table, rows(x, SHORT, 4)))
    return wrong


@KERNELS.mark
def parse_masks(table: int, x: int) -> None:
    """Read puzzles of 81 masks."""
    read_masks(table, rows(x, SHORT, 4))


@KERNELS.mark
def render(x: int, table: int) -> None:
    """Write solved states as 81 values to the places in a table."""
    write_values(rows(x, SHORT, 4), table)


@KERNELS.mark
def take(block: int, store: int, which: int) -> None:
    """Write the states of a set of lanes side by side."""
    take_states(rows(block, LINE), rows(store, SHORT, 4), some(which))


@KERNELS.mark
def give(store: int, block: int, which: int) -> None:
    """Read states that lie side by side into a set of lanes."""
    give_states(rows(store, SHORT, 4), rows(block, LINE), some(which))


@KERNELS.mark
def exchange(block: int, stuck: int, which: int, fresh: int, idle: int) -> None:
    """Write the states of some lanes side by side, and read others into idle lanes: ``take`` and ``give`` in one."""
    exchange_states(rows(block, LINE), rows(stuck, SHORT, 4), some(which), rows(fresh, SHORT, 4), some(idle))


@KERNELS.mark
def note(block: int, numbers: int, which: int) -> None:
    """Write the numbers of a set of lanes side by side."""
    note_numbers(rows(block, LINE), rows(numbers, SHORT, 4), some(which))


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
def parse_text(writer: Any, table: Any, x: Any) -> Any:
    text = BlockLanes(TEXT, writer.width.lanes)
    return state_rules.parse(_bytes(writer, table, text).read(), x, text)[0]


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


@staged
def take_states(writer: Any, block: Any, store: Any, which: Any) -> None:
    for k in range(WORDS):
        store[k] = block[k].compress(which)


@staged
def give_states(writer: Any, store: Any, block: Any, which: Any) -> None:
    for k in range(WORDS):
        block[k] = store[k].expand(block[k], which)


@staged
def exchange_states(writer: Any, block: Any, stuck: Any, which: Any, fresh: Any, idle: Any) -> None:
    for k in range(WORDS):
        old = block[k]
        stuck[k] = old.compress(which)
        block[k] = fresh[k].expand(old, idle)


@staged
def note_numbers(writer: Any, block: Any, numbers: Any, which: Any) -> None:
    numbers[0] = block[NUMBER].compress(which)


def _states(writer: Any, table: Any) -> Any:
    """Return the states at the places in a table."""
    return Columns(writer, table, range(0, 4 * WORDS, writer.width.bytes))


def _bytes(writer: Any, table: Any, packing: BlockLanes) -> Any:
    """Return the rows of bytes at the places in a table."""
    return Columns(writer, table, packing.offsets)


def kernels(width: Width) -> dict[str, Callable[..., Any]]:
    """Return the kernels of a width; where the machine cannot compress vectors, the driver moves states one by one."""
    drivers = {n: f for n, f in vars(driver).items() if isinstance(f, FunctionType) and f.__module__ == driver.__name__}
    del drivers["_unbound"]
    if width.avx512:
        return {**drivers, **KERNELS}
    return {**drivers, **KERNELS, **{name: drivers[f"{name}_each"] for name in MOVES}}


def settings(width: Width, sizes: Mapping[str, int]) -> Settings:
    """Return the compiler's settings for a width: the driver is one function, which calls the kernels over vectors."""
    apart = KERNELS.keys() if width.avx512 else KERNELS.keys() - set(MOVES)
    return Settings(width, sizes, apart=frozenset(apart), inline=True)
