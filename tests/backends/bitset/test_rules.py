"""The rules are one text: on ints, on numpy arrays and on vectors of every width they say the same."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import numpy as np
import pytest

pytest.importorskip("llvmlite", reason="not applicable (feature): llvmlite is not installed")

from sudoku_backends.bitset import rules, solver
from sudoku_backends.bitset.words import NUMBER, WORDS

from .reference import masks_of, random_masks, random_values, some

WIDTHS = (4, 8, 16)
INTS = rules.BlockLanes(81, 16)
State = list[Any]


def state_of(masks: list[int]) -> State:
    """The state of 81 masks, on ints."""
    row = b"".join(mask.to_bytes(2, "little") for mask in masks)
    packing, x = rules.BlockLanes(162, 16), [0] * WORDS
    rules.parse_masks(words_of(row, packing), x, packing)
    return x


def words_of(row: bytes, packing: rules.BlockLanes) -> dict[int, int]:
    found = {}
    for block, offset in enumerate(packing.offsets):
        for k in range(packing.lanes):
            found[block * packing.lanes + k] = int.from_bytes(row[offset + 4 * k : offset + 4 * k + 4], "little")
    return found


def random_state(rng: random.Random) -> State:
    x = state_of(random_masks(rng) if rng.random() < 0.5 else masks_of(random_values(rng)))
    for _ in range(rng.randrange(4)):
        rules.propagate(x)
    x[NUMBER] = rng.getrandbits(20)
    return x


ENTRIES = (
    ("propagate", "i"),
    ("split", "iii"),
    ("fetch", "ii"),
    ("parse", "ii"),
    ("parse_masks", "ii"),
    ("render", "ii"),
)


@cache
def kernels(lanes: int) -> Any:
    """The kernels of a width as functions that Python can call."""
    return solver.library(lanes, ENTRIES).load()


class Memory:
    """Aligned words, and what kernels are given: rows of a block or a store, and rows of bytes with their table."""

    def __init__(self, lanes: int) -> None:
        sizes = solver.sizes_of(lanes)
        self.lanes = lanes
        self.block = self._words(sizes["BLOCK"]).reshape(WORDS, lanes)
        self.store, self.other = (self._words(WORDS * sizes["SHORT"]).reshape(WORDS, -1) for _ in range(2))
        self.rows = np.zeros((lanes, 192), np.uint8)
        self.table = np.array([row.ctypes.data for row in self.rows])

    @staticmethod
    def _words(size: int) -> Any:
        raw = np.zeros(size + 64, np.uint8)
        start = -raw.ctypes.data % 64
        return raw[start : start + size].view(np.uint32)

    def states(self) -> Any:
        """The rows of bytes as states."""
        return self.rows[:, : 4 * WORDS].copy().view(np.uint32)


def flags_of(result: int, lanes: int) -> list[tuple[bool, ...]]:
    return [tuple(bool(result >> 16 * i + lane & 1) for i in range(3)) for lane in range(lanes)]


@pytest.mark.parametrize("lanes", WIDTHS)
def test_a_pass_is_the_same_on_ints_arrays_and_lanes(lanes: int) -> None:
    rng, memory = random.Random(lanes), Memory(lanes)
    for _ in range(40):
        states = [random_state(rng) for _ in range(lanes)]
        arrays: State = [np.array([x[k] for x in states], np.uint32) for k in range(WORDS)]
        memory.block[:] = arrays
        flags = flags_of(kernels(lanes).propagate(memory.block.ctypes.data), lanes)
        with np.errstate(over="ignore"):
            results = rules.propagate(arrays)
        assert (memory.block == np.array(arrays)).all()
        for lane, x in enumerate(states):
            expected = tuple(word != 0 for word in rules.propagate(x))
            assert flags[lane] == expected == tuple(bool(word[lane]) for word in results)
            assert x == memory.block[:, lane].tolist()


@pytest.mark.parametrize("lanes", WIDTHS)
def test_a_split_is_the_same_on_ints_arrays_and_lanes(lanes: int) -> None:
    rng, memory = random.Random(lanes), Memory(lanes)
    for _ in range(40):
        states = [random_state(rng) for _ in range(lanes)]
        arrays = [np.array([x[k] for x in states], np.uint32) for k in range(WORDS)]
        memory.store[:, :lanes] = arrays
        kernels(lanes).split(memory.store.ctypes.data, memory.table.ctypes.data, memory.other.ctypes.data)
        later, first = ([None] * WORDS for _ in range(2))
        with np.errstate(over="ignore"):
            rules.split(arrays, later, first)
        assert (memory.states() == np.array(later).T).all()
        assert (memory.other[:, :lanes] == np.array(first)).all()
        for lane, x in enumerate(states):
            halves = [0] * WORDS, [0] * WORDS
            rules.split(x, *halves)
            assert [memory.states()[lane].tolist(), memory.other[:, lane].tolist()] == [*halves]


@pytest.mark.parametrize("lanes", WIDTHS)
def test_reading_and_writing_are_the_same_on_ints_and_lanes(lanes: int) -> None:
    rng, memory = random.Random(lanes), Memory(lanes)
    for _ in range(5):
        puzzles = [random_values(rng) for _ in range(lanes)]
        for row, values in zip(memory.rows, puzzles, strict=True):
            row[:81] = [rng.choice(b".0") if not v else 48 + v for v in values]
        assert kernels(lanes).parse(memory.table.ctypes.data, memory.store.ctypes.data) == 0
        for lane, values in enumerate(puzzles):
            assert memory.store[:NUMBER, lane].tolist() == state_of(masks_of(values))[:NUMBER]
        grids = [some(masks_of([0] * 9 + values[9:]), 1) or [(1,) * 81] for values in puzzles]
        memory.store[:, :lanes] = np.array([state_of([1 << v - 1 for v in grid]) for grid, *_ in grids]).T
        kernels(lanes).render(memory.store.ctypes.data, memory.table.ctypes.data)
        assert memory.rows[:, :81].tolist() == [list(grid) for grid, *_ in grids]


@pytest.mark.parametrize("lanes", WIDTHS)
def test_reading_marks_every_character_that_is_no_digit_and_no_dot(lanes: int) -> None:
    memory = Memory(lanes)
    memory.rows[:] = ord(".")
    for code in range(256):
        for cell in (0, 1, 40, 62, 63, 64, 79, 80):
            memory.rows[:, :81] = ord("7")
            memory.rows[1, cell] = code
            wrong = kernels(lanes).parse(memory.table.ctypes.data, memory.store.ctypes.data)
            assert wrong == (0 if code in b".0123456789" else 2), (code, cell)


@pytest.mark.parametrize("lanes", WIDTHS)
def test_states_come_back_from_rows_as_they_went(lanes: int) -> None:
    rng, memory = random.Random(lanes), Memory(lanes)
    states = np.array([[rng.getrandbits(32) for _ in range(WORDS)] for _ in range(lanes)], np.uint32)
    memory.rows[:, : 4 * WORDS] = states.view(np.uint8)
    kernels(lanes).fetch(memory.table.ctypes.data, memory.store.ctypes.data)
    assert (memory.store[:, :lanes] == states.T).all()


def test_a_pass_loses_no_solution_and_a_split_parts_them() -> None:
    rng = random.Random("sound")
    parted = 0
    for _ in range(60):
        masks = random_masks(rng) if rng.random() < 0.5 else masks_of(random_values(rng, 0.4))
        before = some(masks, 20)
        x = state_of(masks)
        while True:
            dead, open_, moved = rules.propagate(x)
            if dead or not moved:
                break
        assert not dead or not before
        if dead:
            continue
        assert all(_contains(x, grid) for grid in before)
        assert open_ or len(before) == 1
        if open_ and len(before) < 20:
            later, first = [0] * WORDS, [0] * WORDS
            rules.split(x, later, first)
            assert all(_contains(later, grid) != _contains(first, grid) for grid in before)
            assert later[:NUMBER] != x[:NUMBER] != first[:NUMBER]
            parted += 1
    assert parted > 8


def _contains(x: State, grid: tuple[int, ...]) -> bool:
    return all(word & have == word for word, have in zip(state_of([1 << v - 1 for v in grid]), x, strict=True))
