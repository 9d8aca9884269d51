"""How a run is limited, rests, ends, is interrupted, and shares its compiled model with others."""

from __future__ import annotations

import gc
import hashlib
import os
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor

from ...engine import workers
from ...engine.budget import Budget
from ...engine.contract import Compiled, Feature, Reason, Request, Run, Solution
from ...engine.record import Record
from ...engine.road import prepare
from ...engine.workers import portable
from ...model import Model
from ..examples import parity, structure
from ..processes import children, cpu_time, left_behind, memory
from ..subject import Subject, check, require

TIME = 0.1
"""The time limit of a request, in seconds."""

LIMITS = (3 * TIME, 24 * TIME, 192 * TIME)
"""Limits tried in turn, in seconds, because a busy machine may need more for the first solution."""

FLAT = 32 << 20
"""The most bytes by which memory may grow while 1,000 solutions are pulled."""

STRUCK = 300.0
"""Seconds after which a run that Ctrl-C does not end is given up."""

LOOKS = 100
"""The number of looks at whether the engine rests."""


def _empty() -> list[Model]:
    return [structure(3, 3)]


def _hard() -> list[Model]:
    return [parity(200)]


_STRIKE = """
import os, pickle, signal, sys, threading, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it
model, spec, limit, most = pickle.load(sys.stdin.buffer)
from sudoku_models.engine import Request, prepare, run
from sudoku_models.engine.workers import close_idle
from sudoku_models.testing.processes import cpu_time, left_behind
prepare(model, spec)
def strike():
    began, end = cpu_time(), time.monotonic() + 2
    while cpu_time() - began < 0.1 and time.monotonic() < end:
        time.sleep(0.02)
    os.kill(os.getpid(), signal.SIGINT)
def end_with(parent):
    end = time.monotonic() + most
    while os.getppid() == parent and time.monotonic() < end:
        time.sleep(0.2)
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
    found.close()
    close_idle()
    striker.join()
    print("interrupted", *left_behind({threading.main_thread(), watcher}, set()).split())
"""


@check(Feature.ENUMERATE)
def limited_solutions(subject: Subject) -> None:
    """Exactly the requested number of solutions; a limit above their total number ends complete."""
    model, count = subject.small()
    for limit in (1, 2, 3, 7, 23, 24, 25, 70, 287, 288, 289):
        found, outcome = subject.all(model, limit=limit)
        require(len(found) == min(limit, count), f"limit {limit} of {count}: {len(found)} solutions came")
        require(len(set(found)) == len(found), f"limit {limit}: a solution came twice")
        require(outcome.count == len(found), f"limit {limit}: {outcome.count} are counted, {len(found)} came")
        if limit < count:
            require(outcome.reason is Reason.LIMIT, f"limit {limit} of {count}: it ended by {outcome.reason}")
        if limit > count and subject.has(Feature.PROVE):
            require(outcome.complete, f"limit {limit} of {count}: it ended by {outcome.reason}")
        require(limit >= count or not outcome.complete, f"limit {limit} of {count}: complete is claimed")
        subject.ran += 1


@check(Feature.ENUMERATE, on=_empty)
def time_limit_while_solutions_come(subject: Subject) -> None:
    """Counting an uncountable number ends by the time limit."""
    _ends_in_time(subject, structure(3, 3), limit=None)


@check(on=_hard)
def time_limit_while_none_comes(subject: Subject) -> None:
    """A search that finds nothing ends by the time limit too, or with its proof."""
    _ends_in_time(subject, parity(200), limit=1)


@check()
def no_time_at_all(subject: Subject) -> None:
    """A limit of nearly zero gives no wrong answer: a solution or unknown, never unsatisfiable."""
    model, _ = subject.small()
    for limit in (0.0, 1e-6, 1e-3):
        found, outcome = subject.first(model, time_limit=limit)
        unknown = outcome.count == 0 and outcome.reason is Reason.TIME
        require(found is not None or unknown, f"time limit {limit}: the outcome is {outcome}")


@check(Feature.ENUMERATE)
def consumer_time_is_free(subject: Subject) -> None:
    """Time that the consumer spends between two solutions does not count against the limit."""
    model, _ = subject.small()
    for limit in LIMITS:
        with subject.run(model, limit=None, time_limit=limit) as found:
            if next(found, None) is None:
                continue  # a busy machine: the engine was not even started
            time.sleep(1.5 * limit)
            if next(found, None) is not None:
                return
    raise AssertionError(f"a limit of {limit} s: nothing came after a pause of the consumer: {found.outcome}")


def _ends_in_time(subject: Subject, model: Model, limit: int | None) -> None:
    began = time.perf_counter()
    with subject.run(model, limit=limit, time_limit=TIME) as found:
        for _ in found:
            pass
        took = time.perf_counter() - began
        early = found.outcome.reason is Reason.TIME and took < 0.5 * TIME
        require(not early, f"a limit of {TIME} s: it gave up for want of time after {took:.2f} s")
        require(limit or found.outcome.reason is Reason.TIME, f"it ended by {found.outcome.reason}")
        ended = found.outcome.reason in (Reason.TIME, Reason.EXHAUSTED, Reason.GAVE_UP)
        require(ended, f"it ended by {found.outcome.reason}")


@check(Feature.ENUMERATE, on=_empty)
def first_solution_at_once(subject: Subject) -> None:
    """The empty 9x9 grid has 6.7e21 solutions; the first comes without waiting for others."""
    with subject.run(structure(3, 3), limit=None) as found:
        next(found)


@check(Feature.ENUMERATE, on=_empty)
def pulled_not_pushed(subject: Subject) -> None:
    """While nothing is pulled the engine rests: it is at most some solutions ahead."""
    with subject.run(structure(3, 3), limit=None) as found:
        next(found)
        rests = any(_beside(0.1) <= 0.1 for _ in range(LOOKS))
    require(rests, "the engine continues although no solutions are pulled")


def _beside(seconds: float) -> float:
    """Work for some seconds of CPU time; return the time that everything else took, as a share of it.

    A busy machine slows both equally, so the share does not depend on it. The work lets other threads run.
    """
    data, before, began = bytes(1 << 20), cpu_time(), time.thread_time()
    while (own := time.thread_time() - began) < seconds:
        hashlib.sha256(data)  # without the interpreter's lock
    return (cpu_time() - before - own) / own


@check(Feature.ENUMERATE, on=_empty)
def flat_memory(subject: Subject) -> None:
    """Solutions pulled one by one are not kept: a thousand, or as many as 1.5 seconds allow but at least 150.

    With a share below 1 they are that share of a thousand, and at least 100.
    """
    with subject.run(structure(3, 3), limit=None) as found:
        for _ in range(max(20, subject.some(200))):
            next(found)
        before, seen, most = memory(), 0, max(100, subject.some(1000))
        deadline = time.monotonic() + 1.5
        while seen < min(150, most) or (seen < most and time.monotonic() < deadline):
            next(found)
            seen += 1
        grown = memory() - before
    require(grown < FLAT, f"memory grew by {grown >> 20} MB over {seen} solutions")


@check(Feature.ENUMERATE, on=_empty)
def closing_leaves_nothing(subject: Subject) -> None:
    """A run that is closed early reports this, yields no more, and leaves no thread and no process."""

    def close(run: Run) -> None:
        run.close()
        require(run.outcome.reason is Reason.CLOSED, f"a closed run ended by {run.outcome.reason}")
        require(not run.outcome.complete, "a closed run claims to be complete")
        require(next(run, None) is None, "a closed run yields a solution")

    _leaves_nothing(subject, structure(3, 3), OPEN, close)


@check(Feature.ENUMERATE, on=_empty)
def dropping_leaves_nothing(subject: Subject) -> None:
    """A run that is dropped without closing leaves no thread and no process either."""

    def drop(run: Run) -> None:
        del run

    _leaves_nothing(subject, structure(3, 3), OPEN, drop)


@check()
def ending_leaves_nothing(subject: Subject) -> None:
    """A run that has ended leaves no thread and no process."""
    limits = (1, 2, 5) if subject.has(Feature.ENUMERATE) else (1,)
    _leaves_nothing(subject, subject.small()[0], [(limit, 0) for limit in limits], list)


OPEN = [(None, 0), (None, 1), (50, 1)]
"""Limits of runs that do not end, and how many solutions are pulled: a run that was not started reaches no limit."""


def _leaves_nothing(
    subject: Subject, model: Model, asked: Iterable[tuple[int | None, int]], end: Callable[[Run], object]
) -> None:
    next(subject.run(model))  # things that the engine starts once and keeps are started now
    workers.close_idle()
    threads, processes = set(threading.enumerate()), children()
    for limit, pulled in asked:
        runs = [subject.run(model, limit=limit)]
        for _ in range(pulled):
            next(runs[0])
        end(runs.pop())
        gc.collect()
        rest = left_behind(threads, processes)
        require(not rest, f"limit {limit}, {pulled} pulled: left behind: {rest}")


@check(Feature.ENUMERATE, on=_empty)
def ctrl_c_ends_an_enumeration(subject: Subject) -> None:
    """Ctrl-C during an enumeration raises KeyboardInterrupt, and leaves no thread and no process."""
    _strike(subject, structure(3, 3), None)


@check(on=_hard)
def ctrl_c_ends_a_search(subject: Subject) -> None:
    """Ctrl-C during a search without results raises KeyboardInterrupt."""
    _strike(subject, parity(200), 1)


def _strike(subject: Subject, model: Model, limit: int | None) -> None:
    payload = pickle.dumps((model, portable(subject.selection), limit, STRUCK))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p or "." for p in sys.path)}
    command = [sys.executable, "-c", _STRIKE]  # it ends with this process, even where that is killed
    done = subprocess.run(command, input=payload, capture_output=True, env=environment, check=False)
    words = done.stdout.decode().split()
    printed = done.stdout.decode() + done.stderr.decode()[-2000:]
    require(words[:1] == ["interrupted"], f"Ctrl-C does not end the run: {printed}")
    require(len(words) == 1, f"Ctrl-C left behind: {' '.join(words[1:])}")


@check()
def runs_leave_no_trace(subject: Subject) -> None:
    """Domains and limits of one request do not affect the next; two simultaneous runs do not disturb each other."""
    model, _ = subject.small()
    whole = _some(subject, model)
    name = model.names[0]
    for value in model.domains[name]:
        narrow, _ = subject.first(model, domains={name: (value,)})
        require(narrow and narrow[0] == value, f"{name} = {value}: {narrow} came")
        require(_some(subject, model) == whole, f"after a request with {name} = {value} the whole model answers anew")
    if subject.has(Feature.ENUMERATE):
        with subject.run(model, limit=None) as one, subject.run(model, limit=None, domains={name: (2,)}) as two:
            for _ in range(6):
                require(next(two)[0] == 2, "two runs at once disturb each other")
                next(one)


def _some(subject: Subject, model: Model) -> list[Solution]:
    limit = 24 if subject.has(Feature.ENUMERATE) else 1
    with subject.run(model, limit=limit) as found:
        return list(found)


@check()
def threads_share_a_model(subject: Subject) -> None:
    """Eight requests in four threads on one compiled model are all answered correctly."""
    model, _ = subject.small()
    name = model.names[0]
    values = [model.domains[name][i % 4] for i in range(8)]

    def ask(value: int) -> bool:
        found, _ = subject.first(model, domains={name: (value,)})
        return found is not None and found[0] == value

    with ThreadPoolExecutor(4) as threads:
        require(all(threads.map(ask, values)), "threads get each other's answers")


@check()
def native_is_fresh(subject: Subject) -> None:
    """Each ``native`` is another object (or one that cannot be changed); sizes in the record are whole numbers."""
    model, _ = subject.small()
    compiled = prepare(model, subject.selection).compiled
    one, two = compiled.native, compiled.native
    require(one is not None, "there is no native model")
    require(one is not two or one is model, "the native model is handed out twice")
    with subject.run(model) as found:
        next(found)
    sizes = found.outcome.record.sizes
    require(all(type(n) is int and n >= 0 for n in sizes.values()), f"sizes are whole numbers, at least 0: {sizes}")


@check()
def limits_on_the_compiled_model(subject: Subject) -> None:
    """The compiled model itself, without the road, stops at the limit, reports why it ended, and proves the rest."""
    model, count = subject.small()
    compiled = prepare(model, subject.selection).compiled
    for limit in (1, 2, 5) if subject.has(Feature.ENUMERATE) else (1,):
        with _searched(compiled, Request(limit=limit)) as run:
            found = list(run)
        require(len(set(found)) == len(found) == limit, f"limit {limit}: {found}")
        require(run.outcome.reason is Reason.LIMIT, f"limit {limit} of {count}: it ended by {run.outcome.reason}")
    with _searched(compiled, Request({model.names[0]: ()})) as run:
        require(not list(run), "a solution came although a domain is empty")
        proved = run.outcome.complete or not subject.has(Feature.PROVE)
        require(proved, f"with an empty domain it ended by {run.outcome.reason}")


def _searched(compiled: Compiled, request: Request) -> Run:
    return Run(compiled.search(request, Budget(), Record()))
