"""Of processes that need the same compiled code at the same time one compiles it."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from sudoku_models.engine.kept_kernel import alone

fcntl = pytest.importorskip("fcntl", reason="only on POSIX")

TRIES = """
import sys
from fcntl import LOCK_EX, LOCK_NB, flock
try:
    flock(open(sys.argv[1]), LOCK_EX | LOCK_NB)
    print("free")
except BlockingIOError:
    print("held")
"""


def tried(lock: Path) -> str:
    return subprocess.run([sys.executable, "-c", TRIES, lock], capture_output=True, text=True, check=True).stdout


def test_a_lock_is_held_against_other_processes_as_long_as_it_is_needed(tmp_path: Path) -> None:
    lock = tmp_path / "name.lock"
    with alone(lock):
        assert tried(lock) == "held\n"
    assert tried(lock) == "free\n"


def test_without_a_folder_for_it_nothing_is_locked(tmp_path: Path) -> None:
    entered = []
    for lock in (None, tmp_path / "absent" / "name.lock"):
        with alone(lock):
            entered.append(lock)
    assert len(entered) == 2


KERNEL = """
from sudoku_models.engine.kept_kernel import kept_kernel

@kept_kernel
def following(number):
    return number + 1
"""


def test_of_processes_that_need_a_kernel_at_once_one_compiles_it_and_a_third_loads_it(tmp_path: Path) -> None:
    pytest.importorskip("numba", reason="not applicable (feature): numba is not installed")
    (tmp_path / "kernel.py").write_text(KERNEL)
    program = "from kernel import following; print(following(1), len(following.stats.cache_misses), 'compiled')"
    path = os.pathsep.join([str(tmp_path), *(place or "." for place in sys.path)])
    environment = {**os.environ, "PYTHONPATH": path, "NUMBA_CACHE_DIR": str(tmp_path / "kept")}

    def started() -> subprocess.Popen[str]:
        return subprocess.Popen([sys.executable, "-c", program], env=environment, text=True, stdout=subprocess.PIPE)

    both = [started(), started()]
    said = [process.communicate(timeout=300)[0] for process in both]
    assert sorted(said) == ["2 0 compiled\n", "2 1 compiled\n"]
    assert started().communicate(timeout=300)[0] == "2 0 compiled\n"


def test_kept_code_that_cannot_be_read_is_compiled_anew(tmp_path: Path) -> None:
    pytest.importorskip("numba", reason="not applicable (feature): numba is not installed")
    (tmp_path / "kernel.py").write_text(KERNEL)
    path = os.pathsep.join([str(tmp_path), *(place or "." for place in sys.path)])
    environment = {**os.environ, "PYTHONPATH": path, "NUMBA_CACHE_DIR": str(tmp_path / "kept")}
    program = [sys.executable, "-c", "from kernel import following; print(following(1))"]
    ask = partial(subprocess.run, program, env=environment, text=True, capture_output=True, timeout=300, check=False)
    assert ask().stdout == "2\n"
    (index,) = (tmp_path / "kept").rglob("*.nbi")
    whole = index.read_bytes()
    renamed = whole.replace(b"int64", b"int46")  # a name that no module has
    assert renamed != whole
    for damaged in (renamed, whole[: len(whole) // 2]):
        index.write_bytes(damaged)
        done = ask()
        assert (done.stdout, done.stderr) == ("2\n", "")
    assert index.read_bytes() == whole
