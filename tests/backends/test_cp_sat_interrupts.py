"""Ctrl-C while CP-SAT searches in the main thread: another thread stops the engine, and Python says what came."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("ortools", reason="not applicable (feature): ortools is not installed")

from sudoku_backends.cp_sat.interrupts import by_engine, stopped_by_ctrl_c

pytestmark = pytest.mark.skipif(not hasattr(select, "poll"), reason="not applicable (platform): no select.poll")


@pytest.fixture
def woken() -> Iterator[int]:
    """A pipe of someone who is woken by signals; its end to read from."""
    arrivals, wakeup = os.pipe()
    os.set_blocking(wakeup, False)
    before = signal.set_wakeup_fd(wakeup)
    yield arrivals
    assert signal.set_wakeup_fd(before) == wakeup
    os.close(wakeup)
    os.close(arrivals)


STRUCK = """
import os, signal, threading
from sudoku_backends.cp_sat.interrupts import stopped_by_ctrl_c
signal.signal(signal.SIGINT, signal.default_int_handler)
arrivals, wakeup = os.pipe()
os.set_blocking(wakeup, False)
signal.set_wakeup_fd(wakeup)
stops = threading.Semaphore(0)
try:
    with stopped_by_ctrl_c(stops.release):
        try:
            signal.raise_signal(signal.SIGINT)
        finally:
            print(stops.acquire(timeout=60), stops.acquire(timeout=60))
except KeyboardInterrupt:
    print("raised", list(os.read(arrivals, 64)), signal.set_wakeup_fd(-1) == wakeup)
"""


def test_ctrl_c_stops_the_engine_again_and_again_and_is_raised() -> None:
    done = subprocess.run([sys.executable, "-c", STRUCK], capture_output=True, text=True, timeout=600, check=False)
    assert (done.stdout, done.stderr) == ("True True\nraised [2] True\n", "")


def test_other_signals_stop_nothing_and_reach_who_waits_for_them(woken: int) -> None:
    stops: list[None] = []
    before = signal.signal(signal.SIGUSR1, lambda *_: None)
    with stopped_by_ctrl_c(lambda: stops.append(None)):
        signal.raise_signal(signal.SIGUSR1)
        assert os.read(woken, 64) == bytes([signal.SIGUSR1])
    signal.signal(signal.SIGUSR1, before)
    assert stops == []


def test_no_thread_and_no_file_is_left_and_other_threads_need_none() -> None:
    def counted() -> tuple[int, int]:
        return threading.active_count(), len([*Path("/dev/fd").iterdir()])

    before, inside = counted(), []
    with stopped_by_ctrl_c(lambda: None):
        assert counted() == (before[0] + 1, before[1] + 2)
    assert counted() == before

    def work() -> None:
        found = counted()
        with stopped_by_ctrl_c(lambda: None):
            inside.append(counted() == found)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert inside == [True]
    assert not by_engine()
