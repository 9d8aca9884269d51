"""One puzzle in plain Python (``lanes=1``): the solutions of a plain solver, and nothing that has to be loaded."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest
from sudoku_backends.bitset import BACKEND
from sudoku_backends.bitset.backend import BitsetOptions
from sudoku_backends.bitset.single import settled

from sudoku_models.engine.contract import Feature, Reason, Request
from sudoku_models.engine.road import run
from sudoku_models.errors import Unsupported
from sudoku_models.puzzle import Shape

from .reference import masks_of, random_masks, random_values, some

MODEL = Shape.square(9).model
CLASSIC = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def asked(masks: list[int]) -> dict[str, tuple[int, ...]]:
    return {
        name: tuple(value for value in range(1, 10) if mask >> value - 1 & 1)
        for name, mask in zip(MODEL.names, masks, strict=True)
    }


def test_its_solutions_are_those_of_a_plain_solver() -> None:
    rng = random.Random(1)
    boards = [masks_of(random_values(rng, 0.33)) for _ in range(12)] + [random_masks(rng, 0.25) for _ in range(12)]
    counts = set()
    for masks in boards:
        found = list(run(MODEL, "bitset:lanes=1", Request(asked(masks), limit=30)))
        truth = some(masks, 30)
        assert len(set(found)) == len(found) == len(truth)
        assert len(truth) == 30 or set(found) == set(truth)
        counts.add(min(len(truth), 2))
    assert counts == {0, 1, 2}


def test_solutions_are_told_apart_by_the_cells_that_are_kept() -> None:
    masks = asked(masks_of([0 if ch == "." else int(ch) for ch in CLASSIC.replace("5", ".").replace("8", ".")]))
    every = list(run(MODEL, "bitset:lanes=1", Request(masks, limit=None)))
    first = list(run(MODEL, "bitset:lanes=1", Request(masks, limit=None, keep=("R1C1",))))
    assert len(every) > len(first) == len({solution[0] for solution in every})


def test_a_limit_of_time_ends_it() -> None:
    with run(MODEL, "bitset:lanes=1", Request(limit=None, time_limit=0.0)) as found:
        assert (list(found), found.outcome.reason) == ([], Reason.TIME)


def test_it_declares_neither_batches_nor_threads_and_requires_nothing() -> None:
    options = BitsetOptions(lanes="1")
    capabilities = BACKEND.capabilities_with(options)
    assert not capabilities.features & {Feature.BATCH, Feature.WORKERS}
    assert capabilities.requires == ()
    with pytest.raises(Unsupported, match="only 9 x 9 is supported"):
        BACKEND.compile(Shape.square(4).model, options)


def test_the_native_integer_is_narrowed_by_its_literals_and_decoded() -> None:
    compiled = BACKEND.compile(MODEL, BitsetOptions(lanes="1"))
    state = compiled.native.bits
    for name, values in asked(masks_of([0 if ch == "." else int(ch) for ch in CLASSIC])).items():
        for value in {*range(1, 10)} - {*values}:
            state &= ~compiled.literal(name, value)
    left, open_candidates = settled(state) or (0, 1)
    assert not open_candidates
    assert "".join(map(str, compiled.decode(left).values())).startswith("534678912672195348")
    assert compiled.variable("R1C1").bit_count() == 9


def test_a_process_that_answers_one_classic_puzzle_loads_no_numpy_and_no_solver() -> None:
    script = f"""
import sys
from sudoku_models import solve
assert solve({CLASSIC!r}, unique=True).unique
print(sorted({{"numpy", "llvmlite", "pycosat", "ortools", "importlib.metadata"}} & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
