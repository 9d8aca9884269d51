"""Compiled code is kept on disk: by processes at once, and never where it would fail or be unsafe."""

from __future__ import annotations

import os
import platform
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("numba", reason="not applicable (feature): numba is not installed")

import numba
from sudoku_backends.bitset import cache
from sudoku_backends.bitset.bulk import BulkSolver

from .reference import random_values

SMALL = """
import logging
logging.basicConfig(level="INFO", format="%(message)s")
from numba import int64, njit
from sudoku_backends.bitset.cache import CodeCache
entry = njit(lambda number: number + 1)
CodeCache("small").compile(entry, (int64,))
print([entry(1)])
"""
"""What compiles within a moment, kept as the bulk solver is."""


def start(folder: Path, work: str = SMALL, **places: str) -> subprocess.Popen[str]:
    places["SUDOKU_MODELS_CACHE"] = str(folder)
    root = Path(__file__).parents[3]
    path = os.pathsep.join([str(root), str(root / "backends")])
    return subprocess.Popen(
        [sys.executable, "-c", work],
        env={**os.environ, **places, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finished(process: subprocess.Popen[str]) -> str:
    out, err = process.communicate(timeout=600)
    assert process.returncode == 0, err
    assert out == "[2]\n"
    return err


def test_of_two_processes_that_start_at_once_one_compiles_and_a_third_loads(tmp_path: Path) -> None:
    said = [finished(process) for process in [start(tmp_path), start(tmp_path)]]
    assert sorted("compiling the bulk solver" in text and "compiled in" in text for text in said) == [False, True]
    assert sorted(file.suffix for file in tmp_path.glob("*")) == [".code", ".lock"], "nothing half written"
    assert "compiling" not in finished(start(tmp_path))


def test_kept_code_that_is_broken_or_has_no_folder_is_compiled_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Each time with a new dispatcher, which has no code yet, as a new process has none."""
    monkeypatch.setenv("SUDOKU_MODELS_CACHE", str(tmp_path))
    caplog.set_level("INFO")

    def log_of_compiling() -> str:
        caplog.clear()
        entry = numba.njit(lambda number: number + 1)
        cache.CodeCache("small").compile(entry, (numba.int64,))
        assert entry(1) == 2
        return caplog.text

    assert "compiling" in log_of_compiling()
    assert "compiling" not in log_of_compiling()
    (file,) = tmp_path.glob("*.code")
    file.write_bytes(file.read_bytes()[:1000])
    assert "compiling" in log_of_compiling(), "a broken file is no obstacle"
    assert "compiling" not in log_of_compiling()
    with monkeypatch.context() as nowhere:
        nowhere.setattr(cache, "folders", lambda: iter(()))
        assert "no folder for compiled code is writable" in log_of_compiling()
    tmp_path.chmod(0o500)
    try:
        assert "compiling" not in log_of_compiling(), "what was kept is read from a folder that cannot be written"
    finally:
        tmp_path.chmod(0o700)
    assert file.exists()


def test_a_folder_that_others_may_write_is_not_used(tmp_path: Path) -> None:
    assert cache.is_ours(tmp_path)
    tmp_path.chmod(0o777)
    assert cache.is_ours(tmp_path) == (os.name != "posix")
    assert not cache.is_ours(tmp_path / "absent")


@pytest.mark.parametrize(("processor", "lanes", "optimised"), [("x86-64-v3", 8, 3), ("x86-64-v2", 4, 0)])
def test_processors_without_avx_512_give_the_same_answers(
    tmp_path: Path, processor: str, lanes: int, optimised: int
) -> None:
    """The rarest processors get code that is not optimised, which compiles in half the time."""
    if platform.machine().lower() not in ("x86_64", "amd64"):
        pytest.skip("not on this processor")
    rng = random.Random(processor)
    grids = np.array([random_values(rng, rng.uniform(0.2, 0.5)) for _ in range(300)], np.uint8)
    np.save(tmp_path / "grids.npy", grids)
    code = f"""
import numpy as np
from sudoku_backends.bitset.bulk import BulkSolver
solver, grids = BulkSolver(), np.load({str(tmp_path / "grids.npy")!r})
with solver.pool.borrowed() as one:
    assert one.lanes == {lanes}
answers = solver.solve(grids, 5)
np.save({str(tmp_path / "answers.npy")!r}, np.column_stack([answers.count, answers.status, answers.values]))
print([2])
"""
    said = {"NUMBA_CPU_NAME": processor, "NUMBA_CPU_FEATURES": "", "NUMBA_OPT": str(optimised)}
    finished(start(tmp_path, work=code, **said))
    here = BulkSolver().solve(grids, 5)
    there = np.load(tmp_path / "answers.npy")
    assert (there == np.column_stack([here.count, here.status, here.values])).all()
