"""One puzzle in plain Python (``lanes=1``): the solutions of a plain solver, and nothing that has to be loaded."""

from __future__ import annotations

import subprocess
import sys

import pytest
from sudoku_backends.bitset import BACKEND
from sudoku_backends.bitset.backend import BitsetOptions

from sudoku_models.engine.contract import Feature
from sudoku_models.errors import Unsupported
from sudoku_models.puzzle import Shape

CLASSIC = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def test_it_declares_neither_batches_nor_threads_and_requires_nothing() -> None:
    options = BitsetOptions(lanes="1")
    capabilities = BACKEND.capabilities_with(options)
    assert not capabilities.features & {Feature.BATCH, Feature.WORKERS}
    assert capabilities.requires == ()
    with pytest.raises(Unsupported, match="only 9 x 9 is supported"):
        BACKEND.compile(Shape.square(4).model, options)


def test_a_process_that_answers_one_classic_puzzle_loads_no_numpy_and_no_solver() -> None:
    script = f"""
import sys
from sudoku_models import solve
assert solve({CLASSIC!r}, unique=True).unique
print(sorted({{"numpy", "llvmlite", "pycosat", "ortools", "importlib.metadata"}} & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
