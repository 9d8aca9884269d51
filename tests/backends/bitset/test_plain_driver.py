"""The driver as plain Python, with the rules on numpy arrays in place of vectors, gives the same answers."""

from __future__ import annotations

import ctypes
import random
from types import FunctionType
from typing import Any

import numpy as np
import pytest

pytest.importorskip("llvmlite", reason="not applicable (feature): llvmlite is not installed")

from sudoku_backends.bitset import driver, rules, solver
from sudoku_backends.bitset.bulk import BulkSolver
from sudoku_backends.bitset.words import WORDS

from .reference import random_values

LANES = 4
SIZES = solver.sizes_of(LANES)


def words(address: int, n: int) -> Any:
    """Return words of memory as an array."""
    return np.ctypeslib.as_array((ctypes.c_uint32 * n).from_address(address))


def rows(address: int, stride: int) -> list[Any]:
    return [words(address + k * stride, LANES).copy() for k in range(WORDS)]


def write_rows(x: list[Any], address: int, stride: int) -> None:
    for k, row in enumerate(x):
        words(address + k * stride, LANES)[:] = row


def places(table: int) -> list[int]:
    return list((ctypes.c_int64 * LANES).from_address(table))


def columns(table: int, packing: rules.BlockLanes) -> dict[int, Any]:
    """Return the rows of bytes at the places in a table, word by word."""
    found = {}
    for block, offset in enumerate(packing.offsets):
        for k in range(LANES):
            found[block * LANES + k] = np.array([words(p + offset + 4 * k, 1)[0] for p in places(table)], np.uint32)
    return found


def lanes_of(x: Any) -> int:
    return sum(1 << k for k in range(LANES) if x[k])


def propagate(block: int) -> int:
    x = rows(block, SIZES["LINE"])
    flags = rules.propagate(x)
    write_rows(x, block, SIZES["LINE"])
    return sum(lanes_of(flag) << 16 * i for i, flag in enumerate(flags))


def split_states(stuck: int, table: int, fresh: int) -> None:
    later, first = [None] * WORDS, [None] * WORDS
    rules.split(rows(stuck, SIZES["SHORT"]), later, first)
    write_rows(first, fresh, SIZES["SHORT"])
    for lane, place in enumerate(places(table)):
        words(place, WORDS)[:] = [row[lane] for row in later]


def fetch(table: int, x: int) -> None:
    states = [words(place, WORDS) for place in places(table)]
    write_rows([np.array([state[k] for state in states], np.uint32) for k in range(WORDS)], x, SIZES["SHORT"])


def read(parse: Any, size: int) -> Any:
    def kernel(table: int, x: int) -> int:
        packing, state = rules.BlockLanes(size, LANES), rows(x, SIZES["SHORT"])
        wrong = parse(columns(table, packing), state, packing)
        write_rows(state, x, SIZES["SHORT"])
        return lanes_of(wrong[0]) if wrong else 0

    return kernel


def render(x: int, table: int) -> None:
    packing, text = rules.BlockLanes(81, LANES), dict[int, Any]()
    rules.render(rows(x, SIZES["SHORT"]), text, packing)
    for block, offset in reversed(list(enumerate(packing.offsets))):
        for k in range(LANES):
            for lane, place in enumerate(places(table)):
                words(place + offset + 4 * k, 1)[0] = text.get(block * LANES + k, [0] * LANES)[lane]


def plain_run() -> Any:
    """Return the driver with its names bound for four lanes."""
    names = {**vars(driver), **SIZES, "propagate": propagate, "split": split_states, "fetch": fetch, "render": render}
    names |= {"parse": read(rules.parse, 81), "parse_masks": read(rules.parse_masks, 162)}
    for name, f in vars(driver).items():
        if isinstance(f, FunctionType) and (f.__module__, f.__name__) == (driver.__name__, name):
            names[name] = FunctionType(f.__code__, names, name)
    return names["run"]


@pytest.mark.parametrize("limit", [1, 3])
def test_the_driver_is_the_same_as_plain_python(limit: int) -> None:
    rng = random.Random(limit)
    grids = np.array([random_values(rng, rng.uniform(0.3, 0.5)) for _ in range(9)], np.uint8)
    expected = BulkSolver(LANES).solve(grids, limit)
    plain = BulkSolver(LANES)
    with plain.pool.borrowed() as one:
        one._run = plain_run()
    with np.errstate(over="ignore"):
        found = plain.solve(grids, limit)
    for name in ("count", "status", "values"):
        assert (getattr(found, name) == getattr(expected, name)).all(), name
