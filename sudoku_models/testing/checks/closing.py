"""(d) Laziness, closing, and Ctrl-C: a quick first solution, constant memory, nothing left behind."""

from __future__ import annotations

import gc
import hashlib
import os
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ...engine import workers
from ...engine.contract import Feature, Reason, Run
from ...engine.workers import portable
from ...model import Model
from ..examples import parity
from ..pace import PaceMeter, pace
from ..processes import children, cpu_time, left_behind, memory
from ..subject import Subject, require
from .conformance_check import checks
from .limits import classic, small

AT_ONCE = 10.0
"""The most CPU seconds, at the machine's pace, for a first solution out of an unbounded number."""

AHEAD = 6.0
"""The most CPU seconds, at the machine's pace, for which an engine may continue while nothing is pulled."""

FLAT = 32 << 20
"""The most bytes by which memory may grow while 1,000 solutions are pulled."""

STRUCK = 10.0
"""The most CPU seconds, at the machine's pace, within which Ctrl-C must end a run."""


def first_solution_at_once(subject: Subject) -> None:
    """The empty 9x9 grid has 6.7e21 solutions; the first comes without waiting for others."""
    subject.needs(Feature.ENUMERATE)
    model, meter = subject.takes(classic()), PaceMeter()
    with subject.run(model, limit=None) as found:
        next(found)
        spent = meter.spent()
    require(spent < AT_ONCE, f"the first solution of the empty grid came after {spent:.1f} s of CPU time")


def pulled_not_pushed(subject: Subject) -> None:
    """While nothing is pulled the engine rests: it is at most some solutions ahead."""
    subject.needs(Feature.ENUMERATE)
    with subject.run(subject.takes(classic()), limit=None) as found:
        next(found)
        meter = PaceMeter()
        while _beside(0.1) > 0.1:
            require(meter.spent() < AHEAD, "the engine continues although no solutions are pulled")


def _beside(seconds: float) -> float:
    """Work for some seconds of CPU time; return the time that everything else took, as a share of it.

    A busy machine slows both equally, so the share does not depend on it. The work lets other threads run.
    """
    data, before, began = bytes(1 << 20), cpu_time(), time.thread_time()
    while (own := time.thread_time() - began) < seconds:
        hashlib.sha256(data)  # without the interpreter's lock
    return (cpu_time() - before - own) / own


def flat_memory(subject: Subject) -> None:
    """Solutions pulled one by one are not kept: a thousand, or as many as 1.5 seconds allow but at least 150."""
    subject.needs(Feature.ENUMERATE)
    with subject.run(subject.takes(classic()), limit=None) as found:
        for _ in range(200):
            next(found)
        before, seen = memory(), 0
        deadline = time.monotonic() + 1.5
        while seen < 150 or (seen < 1000 and time.monotonic() < deadline):
            next(found)
            seen += 1
        grown = memory() - before
    require(grown < FLAT, f"memory grew by {grown >> 20} MB over {seen} solutions")


def closing_leaves_nothing(subject: Subject) -> None:
    """A run that is closed early reports this, yields no more, and leaves no thread and no process."""
    model = _many(subject)

    def close(run: Run) -> None:
        run.close()
        require(run.outcome.reason is Reason.CLOSED, f"a closed run ended by {run.outcome.reason}")
        require(not run.outcome.complete, "a closed run claims to be complete")
        require(next(run, None) is None, "a closed run yields a solution")

    _leaves_nothing(subject, model, close)


def dropping_leaves_nothing(subject: Subject) -> None:
    """A run that is dropped without closing leaves no thread and no process either."""

    def drop(run: Run) -> None:
        del run

    _leaves_nothing(subject, _many(subject), drop)


def _many(subject: Subject) -> Model:
    subject.needs(Feature.ENUMERATE)
    return subject.takes(classic())


def _leaves_nothing(subject: Subject, model: Model, end: Callable[[Run], None]) -> None:
    next(subject.run(model))  # things that the engine starts once and keeps are started now
    workers.close_idle()
    threads, processes = set(threading.enumerate()), children()
    with _younger_garbage():
        for limit, pulled in (
            (None, 0),
            (None, 1),
            (2, 1),
            (50, 1),
        ):  # a run that was not started cannot reach its limit
            runs = [subject.run(model, limit=limit)]
            for _ in range(pulled):
                next(runs[0])
            end(runs.pop())
            gc.collect()
            rest = left_behind(threads, processes)
            require(not rest, f"limit {limit}, {pulled} pulled: left behind: {rest}")


@contextmanager
def _younger_garbage() -> Iterator[None]:
    """Let the garbage collector look only at what is made from now on: a full collection may take half a second."""
    frozen = gc.get_freeze_count()
    if not frozen:
        gc.freeze()
    try:
        yield
    finally:
        if not frozen:
            gc.unfreeze()


def ending_leaves_nothing(subject: Subject) -> None:
    """A run that has ended leaves no thread and no process."""
    model, _ = small(subject)
    next(subject.run(model))
    workers.close_idle()
    threads, processes = set(threading.enumerate()), children()
    limits = (1, 2, 5) if subject.has(Feature.ENUMERATE) else (1,)
    for limit in limits:
        list(subject.run(model, limit=limit))
        rest = left_behind(threads, processes)
        require(not rest, f"limit {limit}: left behind: {rest}")


def ctrl_c_ends_an_enumeration(subject: Subject) -> None:
    """Ctrl-C during an enumeration raises KeyboardInterrupt, and leaves no thread and no process."""
    subject.needs(Feature.ENUMERATE)
    _strike(subject, subject.takes(classic()), None)


def ctrl_c_ends_a_search(subject: Subject) -> None:
    """Ctrl-C during a search without results raises KeyboardInterrupt soon."""
    _strike(subject, subject.takes(parity(200)), 1)


_STRIKE = """
import os, pickle, signal, sys, threading, time
model, spec, limit, pace = pickle.load(sys.stdin.buffer)
from sudoku_models.engine import Request, prepare, run
from sudoku_models.engine.workers import close_idle
from sudoku_models.testing.pace import PaceMeter
from sudoku_models.testing.processes import left_behind
prepare(model, spec)
struck = []
def strike():
    meter, end = PaceMeter(pace), time.monotonic() + 2
    while meter.spent() < 0.2 and time.monotonic() < end:
        time.sleep(0.02)
    struck.append(PaceMeter(pace))
    os.kill(os.getpid(), signal.SIGINT)
def end_with(parent):
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)
watcher = threading.Thread(target=end_with, args=(os.getppid(),), daemon=True)
watcher.start()
striker = threading.Thread(target=strike, daemon=True)
striker.start()
found = run(model, spec, Request(limit=limit))
try:
    for _ in found: pass
    print("it ended by", found.outcome.reason)
except KeyboardInterrupt:
    spent = struck[0].spent()
    found.close()
    close_idle()
    striker.join()
    print("interrupted", spent, *left_behind({threading.main_thread(), watcher}, set()).split())
"""


def _strike(subject: Subject, model: Model, limit: int | None) -> None:
    payload = pickle.dumps((model, portable(subject.selection), limit, pace()))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p or "." for p in sys.path)}
    command = [sys.executable, "-c", _STRIKE]  # it ends with this process, even where that is killed
    done = subprocess.run(command, input=payload, capture_output=True, env=environment, timeout=600, check=False)
    words = done.stdout.decode().split()
    printed = done.stdout.decode() + done.stderr.decode()[-2000:]
    require(words[:1] == ["interrupted"], f"Ctrl-C had no effect: {printed}")
    require(float(words[1]) < STRUCK, f"Ctrl-C took effect after {words[1]} s of CPU time")
    require(len(words) == 2, f"Ctrl-C left behind: {' '.join(words[2:])}")


CHECKS = checks(
    first_solution_at_once,
    pulled_not_pushed,
    flat_memory,
    closing_leaves_nothing,
    dropping_leaves_nothing,
    ending_leaves_nothing,
    ctrl_c_ends_an_enumeration,
    ctrl_c_ends_a_search,
)
