"""Signals: none is lost where nothing can be raised, and a second one ends the program whatever it is doing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from .conftest import hear_signals

pytestmark = pytest.mark.skipif(os.name != "posix", reason="only on POSIX: signals")

SIGNALS = [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]

LOST = """
import sys, time
from sudoku_models.cli import main
class Finalized:
    def __del__(self):
        print("ready", flush=True)
        while True:
            time.sleep(0.001)
def work():
    Finalized()
    while True:
        time.sleep(0.001)
main._run = work
main.main()
"""

DROPPED = """
import os, signal, threading
from sudoku_models.cli import signals
class Finalized:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
        len("here the interruption is raised, and dropped")
signals.PATIENCE = 1e9
signals.listen()
lock = threading.Lock()
lock.acquire()
print("ready", flush=True)
try:
    Finalized()
    lock.acquire()
except KeyboardInterrupt:
    print("heard")
"""

RENAMED = """
import os, signal
from sudoku_models.cli import main
class Named:
    def __set_name__(self, owner, name):
        print("ready", flush=True)
        os.kill(os.getpid(), signal.SIGTERM)
def work():
    class Owner:
        named = Named()
main._run = work
main.main()
"""

HELD = """
import os, signal, sys, time
from sudoku_models.cli import signals
from sudoku_models.formats.target import replaced
signals.PATIENCE = 0.1
signals.listen()
with replaced(sys.argv[1]) as file:
    print("ready", flush=True)
    try:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(600)
    except KeyboardInterrupt:
        time.sleep(600)
"""

DEAF = """
import sys, time
from sudoku_models.cli import main
def work():
    lines = iter(["ready"])
    while True:
        try:
            for line in lines:
                print(line, flush=True)
            time.sleep(0.001)
        except KeyboardInterrupt:
            print("heard", flush=True)
main._run = work
main.main()
"""

WAITS = """
import signal, threading
from sudoku_models.cli import main
def work():
    print("ready", flush=True)
    threading.Thread(target=lambda: signal.pthread_kill(threading.get_ident(), signal.SIGTERM), daemon=True).start()
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()
main._run = work
main.main()
"""

OVER = """
import sys, time
from sudoku_models.cli import main
main._run = lambda: 0
def flushed(code):
    print("ready", flush=True)
    time.sleep(60)
main._flushed = flushed
main.main()
"""


def _started(script: str, *arguments: str | Path) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", script, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=hear_signals,
    )
    assert process.stdout
    assert process.stdout.readline() == "ready\n"
    return process


def test_an_interruption_that_comes_in_a_finalizer_is_not_lost() -> None:
    process = _started(LOST)
    process.send_signal(signal.SIGHUP)
    _, errors = process.communicate(timeout=600)
    assert (process.returncode, errors) == (129, "")


def test_an_interruption_that_python_drops_is_sent_again() -> None:
    process = _started(DROPPED)
    assert process.communicate(timeout=600) == ("heard\n", "")


def test_an_interruption_that_python_makes_another_error_of_is_one_all_the_same() -> None:
    process = _started(RENAMED)
    _, errors = process.communicate(timeout=600)
    assert (process.returncode, errors) == (143, "")


def test_a_program_that_is_ended_since_it_does_not_end_leaves_no_part_of_a_file(tmp_path: Path) -> None:
    process = _started(HELD, tmp_path / "out.txt")
    process.communicate(timeout=600)
    assert (process.returncode, list(tmp_path.iterdir())) == (130, [])


def test_a_signal_that_another_thread_took_wakes_the_main_thread_from_its_lock() -> None:
    process = _started(WAITS)
    process.communicate(timeout=600)
    assert process.returncode == 143


@pytest.mark.parametrize(("number", "code"), SIGNALS)
def test_a_second_signal_ends_what_heeds_none(number: signal.Signals, code: int) -> None:
    process = _started(DEAF)
    assert process.stdout
    process.send_signal(number)
    assert process.stdout.readline() == "heard\n"
    while process.poll() is None:  # one that comes at once is the same that was sent to a group
        process.send_signal(number)
        with suppress(subprocess.TimeoutExpired):
            process.wait(0.1)
    assert process.returncode == code
    process.communicate()


def test_a_signal_when_the_work_is_over_ends_a_program_that_cannot_write_its_last() -> None:
    process = _started(OVER)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=600)
    assert process.returncode == 143
