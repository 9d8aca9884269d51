"""Calls in child processes: results and errors come back, and no process outlives the executor or this process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from sudoku_models.engine import workers
from sudoku_models.engine.workers import ChildExecutor
from sudoku_models.errors import BackendFailed, FormatError
from sudoku_models.testing.processes import children, left_behind

from .test_isolation import gone, linux


@pytest.fixture(autouse=True)
def nothing_is_left_behind() -> Iterator[None]:
    threads, processes = set(threading.enumerate()), children()
    yield
    assert not left_behind(threads, processes)


def fail(error: Exception) -> None:
    raise error


def spin(started: Path) -> None:
    started.touch()
    while True:
        time.sleep(60)


def test_the_calls_are_made_in_other_processes_which_are_kept() -> None:
    with ChildExecutor(2) as executor:
        pids = {future.result() for future in [executor.submit(os.getpid) for _ in range(12)]}
        assert 1 <= len(pids) <= 2
        assert os.getpid() not in pids
        assert list(executor.map(pow, (2, 3), (5, 2))) == [32, 9]


def test_a_call_that_goes_on_after_the_executor_was_closed_leaves_no_process() -> None:
    before, executor = children(), ChildExecutor(1)
    late = executor.submit(pow, 2, 5)
    executor.shutdown(wait=False)
    assert late.result() == 32
    limit = time.monotonic() + 60
    workers.close_idle()
    while not children() <= before and time.monotonic() < limit:
        time.sleep(0.01)
    assert children() <= before


def test_an_error_of_a_call_comes_back_and_the_child_goes_on() -> None:
    with ChildExecutor(1) as executor:
        pid = executor.submit(os.getpid).result()
        with pytest.raises(FormatError, match="no grid"):
            executor.submit(fail, FormatError("no grid")).result()
        with pytest.raises(BackendFailed, match="ValueError: too small"):
            executor.submit(fail, ValueError("too small")).result()
        assert executor.submit(os.getpid).result() == pid
        with pytest.raises(BackendFailed, match="cannot be sent"):
            executor.submit(lambda: 1).result()
        assert executor.submit(abs, -4).result() == 4


def test_a_child_that_dies_fails_its_call_alone() -> None:
    with ChildExecutor(1) as executor:
        with pytest.raises(BackendFailed, match="exit code 3"):
            executor.submit(os._exit, 3).result()
        assert executor.submit(abs, -4).result() == 4


def test_an_exception_beside_the_calls_ends_them(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), ChildExecutor(1) as executor:
        calls = [executor.submit(spin, tmp_path / "started") for _ in range(3)]
        while not (tmp_path / "started").exists():
            time.sleep(0.02)
        raise KeyboardInterrupt
    assert all(call.done() for call in calls)


SCRIPT = """
import sys
from pathlib import Path
from sudoku_models.engine.workers import ChildExecutor
from sudoku_models.testing.processes import children
from tests.engine.test_child_executor import spin
executor, started = ChildExecutor(1), Path(sys.argv[1])
executor.submit(spin, started)
while not started.exists(): pass
print(*children(), flush=True)
"""


@linux
def test_the_children_die_with_their_parent(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", SCRIPT, str(tmp_path / "started")]
    parent = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env=environment, cwd=Path(__file__).parents[2]
    )
    try:
        assert parent.stdout
        child = int(parent.stdout.readline())
        parent.send_signal(signal.SIGKILL)
        assert gone(child)
    finally:
        parent.kill()
        parent.communicate()
