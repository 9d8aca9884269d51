"""Code for processors with other vectors gives the same answers."""

from __future__ import annotations

import os
import platform
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("llvmlite", reason="not applicable (feature): llvmlite is not installed")

from sudoku_backends.bitset.solver import SolverPool

from sudoku_models.engine.machine_code import library

from .reference import random_values


def test_a_processor_without_avx_gives_the_same_answers(tmp_path: Path) -> None:
    processor, lanes = "x86-64-v2", 4
    if platform.machine().lower() not in ("x86_64", "amd64"):
        pytest.skip("not on this processor")
    rng = random.Random(processor)
    grids = np.array([random_values(rng, rng.uniform(0.2, 0.5)) for _ in range(300)], np.uint8)
    np.save(tmp_path / "grids.npy", grids)
    code = f"""
import numpy as np
from sudoku_backends.bitset.solver import SolverPool
solver, grids = SolverPool(), np.load({str(tmp_path / "grids.npy")!r})
with solver.borrowed() as one:
    assert one.lanes == {lanes}
answers = solver.solve(grids, 5)
np.save({str(tmp_path / "answers.npy")!r}, np.column_stack([answers.count, answers.status, answers.values]))
"""
    root = Path(__file__).parents[3]
    path = os.pathsep.join([str(root), str(root / "backends")])
    places = {"SUDOKU_MODELS_CACHE": str(tmp_path), "SUDOKU_MODELS_PROCESSOR": processor, "PYTHONPATH": path}
    done = subprocess.run([sys.executable, "-c", code], env={**os.environ, **places}, text=True, capture_output=True)
    assert done.returncode == 0, done.stderr
    here = SolverPool().solve(grids, 5)
    there = np.load(tmp_path / "answers.npy")
    assert (there == np.column_stack([here.count, here.status, here.values])).all()


def test_the_flags_of_a_processor_below_an_emulator_are_not_those_of_the_emulated_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("llvmlite.binding.get_host_cpu_features", lambda: {"neon": True})
    for kind, expected in (("aarch64", {"neon"}), ("x86_64", {"flags", ":", "avx2", "avx512vl"})):
        monkeypatch.setattr(library, "_processor", lambda kind=kind: f"{kind}\nflags : avx2 avx512vl".encode())
        assert library._features() == expected
