"""Compiled code is kept on disk: by processes at once, and never where it would fail or be unsafe."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("numba", reason="not applicable (feature): numba is not installed")

from sudoku_backends.bitset import cache

WORK = """
import logging
logging.basicConfig(level="INFO", format="%(message)s")
from sudoku_backends.bitset.bulk import BulkSolver
print(BulkSolver(4).solve_text(b"." * 81).count)
"""


NOWHERE = """
from sudoku_backends.bitset import cache
cache.folders = lambda: iter(())
"""


def start(folder: Path, before: str = "") -> subprocess.Popen[str]:
    places = {"SUDOKU_MODELS_CACHE": str(folder)}
    root = Path(__file__).parents[3]
    path = os.pathsep.join([str(root), str(root / "backends")])
    return subprocess.Popen(
        [sys.executable, "-c", before + WORK],
        env={**os.environ, **places, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finished(process: subprocess.Popen[str]) -> str:
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    assert out == "[2]\n"
    return err


def test_two_processes_may_compile_at_once_and_a_third_loads(tmp_path: Path) -> None:
    told = [finished(process) for process in [start(tmp_path), start(tmp_path)]]
    assert any("compiling the bulk solver" in text and "compiled in" in text for text in told)
    assert len(list(tmp_path.glob("*"))) == 1, "one file, and nothing half written"
    assert "compiling" not in finished(start(tmp_path))
    (file,) = tmp_path.glob("*.code")
    file.write_bytes(file.read_bytes()[:1000])
    assert "compiling" in finished(start(tmp_path)), "a broken file is no obstacle"
    assert "compiling" not in finished(start(tmp_path))
    _without_a_folder(tmp_path, file)


def _without_a_folder(tmp_path: Path, file: Path) -> None:
    """Code that was kept is read from a folder that cannot be written; without one at all the code is compiled."""
    told = finished(start(tmp_path, NOWHERE))
    assert "no folder takes the compiled code" in told
    tmp_path.chmod(0o500)
    try:
        assert "compiling" not in finished(start(tmp_path))
    finally:
        tmp_path.chmod(0o700)
    assert file.exists()


def test_a_folder_that_others_may_write_is_not_used(tmp_path: Path) -> None:
    assert cache.is_ours(tmp_path)
    tmp_path.chmod(0o777)
    assert cache.is_ours(tmp_path) == (os.name != "posix")
    assert not cache.is_ours(tmp_path / "absent")
