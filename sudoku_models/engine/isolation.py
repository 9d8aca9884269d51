"""Runs in a child process that can be killed: warm children, frames over pipes, limits enforced from outside.

The child is ``python -m sudoku_models.engine.child``, started by subprocess, so that it works from a script without a
guard, from a notebook, a thread or a pool worker. POSIX only: elsewhere a run that needs it raises Unsupported.
"""

from __future__ import annotations

import atexit
import itertools
import os
import pickle
import struct
import sys
import threading
import time
import weakref
from collections import OrderedDict
from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from ..errors import BackendCrashed, BackendFailed, Unsupported
from ..model import Model
from . import tree
from .contract import Capabilities, Ending, Feature, Reason, Request, Run, Search
from .portable import bare, portable
from .record import Clock, OutOfTime, Record
from .registry import Selection

if TYPE_CHECKING:
    from selectors import BaseSelector

MODELS = 8
"""How many models a child keeps."""

AHEAD = 64
"""How many solutions a child may have sent that nobody pulled yet."""

IDLE = max(4, os.cpu_count() or 1)
"""How many warm children wait for work at most: as many as were at work at once."""

GRACE = 0.25
"""Seconds after the limit in which an engine that stops by itself may still report."""

STOPPING = 5.0
"""Seconds that an engine may take to stop behind its last solution before that is yielded and the child killed."""

LOOK = 0.02
"""Seconds between two looks at the memory of a child and of what it started; the kernel looks all the time."""

PORTION = 1 << 16
"""Bytes that are written to a child at once."""

_HEADER = struct.Struct("<Q")
INSIDE = "SUDOKU_MODELS_CHILD"
"""The environment variable that tells a child that it is one; its value is the pipe that closes with its parent."""

must_hear_signals = False
"""Whether engines that hear no signals have to run in a child; the command line sets it."""

_numbers = itertools.count()


def inside_child() -> bool:
    """Tell whether this process is such a child."""
    return INSIDE in os.environ


def run(model: Model, selection: Selection, request: Request, clock: Clock) -> Run:
    """Start a request in a child; solutions arrive by a pipe. The child is killed when the run is closed early."""
    if os.name != "posix":
        raise Unsupported(f"{selection}: limits by a child process need Linux or macOS")
    record = Record()
    return Run(_search(model, selection, request, clock, record), Clock(None), record)


def _search(model: Model, selection: Selection, request: Request, clock: Clock, record: Record) -> Search:
    child = take(selection)
    try:
        child.start(model, selection, request, clock)
        return (yield from pulled(child, selection, request, clock, record))
    except OutOfTime:
        return Ending(Reason.TIME)
    finally:
        child.release()


def ask(question: Ask, selection: Selection, request: Request, clock: Clock) -> Any:
    """Return a child's answer to a question that is no run; an Ending when a limit came first."""
    child = take(selection)
    try:
        child.begin(selection)
        child.send(("ask", question, replace(request, time_limit=clock.left), time.monotonic()), clock)
        grace = GRACE if Feature.TIME_LIMIT in selection.capabilities.features else 0.0
        frame = receive([child], clock, request.memory_limit, grace)
        if isinstance(frame, Ending):
            return frame
        if frame.kind == "error":
            raise failure(selection, frame)
        child.finished = True
        return frame.content
    except OutOfTime:
        return Ending(Reason.TIME)
    finally:
        child.release()


class Ask(Protocol):
    """A question to a child: data that can be sent there, and answers itself."""

    def __call__(self, request: Request) -> Any:
        """Answer, within the limits of the request."""


def pulled(
    child: Child, selection: Selection, request: Request, clock: Clock, record: Record, first: Frame | None = None
) -> Search:
    """Yield a started child's solutions as they arrive; ``first`` is a frame of it that was read already."""
    grace = GRACE if Feature.TIME_LIMIT in selection.capabilities.features else 0.0
    count = 0
    while True:
        frame = first or receive([child], clock, request.memory_limit, grace)
        first = None
        if isinstance(frame, Ending):
            return frame
        if frame.kind == "end":
            return _ended(child, frame, record)
        if frame.kind == "error":
            raise failure(selection, frame)
        count += 1
        solution, record.bound = frame.content
        if count == request.limit:
            patience = Clock(STOPPING if clock.left is None else min(STOPPING, clock.left))
            last = receive([child], patience, request.memory_limit, GRACE)  # an engine may be slow to stop, or never
            if isinstance(last, Frame) and last.kind == "end":
                _ended(child, last, record)
        elif count % (AHEAD // 2) == 0 and not clock.expired:
            child.send(("more", AHEAD // 2))
        yield solution


def failure(selection: Selection, frame: Frame) -> Exception:
    """Return what an error frame tells as an exception to raise."""
    if isinstance(frame.content, Exception):
        return frame.content
    return BackendFailed(f"{selection} failed in its process: {frame.content}")


def _ended(child: Child, frame: Frame, record: Record) -> Ending:
    """Read the last frame of a run: how it ended, and what the child wrote down. The child is free again."""
    ending, told = frame.content
    record.phases.update(told.phases)
    record.sizes, record.plan, record.bound = told.sizes, told.plan, told.bound
    record.backend, record.options = told.backend, told.options
    record.notes += told.notes
    record.confirm(told.confirmed)
    child.finished = True
    assert isinstance(ending, Ending)
    return ending


@dataclass(frozen=True)
class Frame:
    """What a child sent: a ``solution`` with the bound, the ``end`` of its run, or an ``error`` (its death too)."""

    child: Child
    kind: str
    content: Any


def receive(children: Collection[Child], clock: Clock, memory_limit: int | None, grace: float = 0.0) -> Frame | Ending:
    """Wait for the next frame of any of the children; an Ending when a limit is reached and no frame is there."""
    deadline = None if clock.left is None else time.monotonic() + clock.left + grace
    with _watching(children) as selector:
        while True:
            for child in children:
                frame = child.frame()
                if frame is not None:
                    return Ending(Reason.MEMORY) if child.died_of(frame, memory_limit) else frame
            left = None if deadline is None else deadline - time.monotonic()
            if left is not None and left <= 0 and not selector.select(0):
                return Ending(Reason.TIME)
            if memory_limit is not None and any(child.exceeds(memory_limit) for child in children):
                return Ending(Reason.MEMORY)
            for key, _ in selector.select(left if memory_limit is None else LOOK if left is None else min(left, LOOK)):
                key.data.fill()


def _watching(children: Collection[Child]) -> BaseSelector:
    from selectors import EVENT_READ, DefaultSelector

    selector = DefaultSelector()
    for child in children:
        selector.register(child.output, EVENT_READ, child)
    return selector


class Child:
    """A warm child process: knows which models it has been sent; belongs to one run at a time."""

    def __init__(self) -> None:
        import subprocess

        self.memory, self.buffer = 0, bytearray()
        self.models: OrderedDict[int, None] = OrderedDict()
        self.requires, self.conflicts, self.ran = set[str](), set[str](), set[str]()
        self.finished, self.closed, self.thread = True, False, threading.get_ident()
        lifeline, self.lifeline = os.pipe()
        path = os.pathsep.join(p or str(Path.cwd()) for p in sys.path)
        environment = {**os.environ, INSIDE: str(lifeline), "PYTHONPATH": path}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "sudoku_models.engine.child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            pass_fds=(lifeline,),
            start_new_session=True,
            bufsize=0,
        )
        _living.add(self)
        os.close(lifeline)
        assert self.process.stdin and self.process.stdout
        os.set_blocking(self.process.stdin.fileno(), False)
        self.output = self.process.stdout.fileno()

    def suits(self, capabilities: Capabilities) -> bool:
        """Tell whether a backend can be loaded beside those that ran here."""
        return self.conflicts.isdisjoint(capabilities.requires) and self.requires.isdisjoint(capabilities.conflicts)

    def start(self, model: Model, selection: Selection, request: Request, clock: Clock) -> None:
        """Send a request, and the model when the child does not have it; OutOfTime when that takes too long."""
        self.begin(selection)
        number = model.memo.setdefault("isolation", next(_numbers))
        known = number in self.models
        self.models[number] = None
        self.models.move_to_end(number)
        if len(self.models) > MODELS:
            self.models.popitem(last=False)
        asked = time.monotonic()  # the clock of the whole machine: starting the child takes of the limit
        self.send(("run", number, None if known else bare(model), portable(selection), request, AHEAD, asked), clock)

    def begin(self, selection: Selection) -> None:
        """Be at work with a backend, for this thread."""
        self.finished = False
        self.ran.add(str(selection))
        self.requires.update(selection.capabilities.requires)
        self.conflicts.update(selection.capabilities.conflicts)
        self.thread = threading.get_ident()

    def send(self, message: Any, clock: Clock | None = None) -> None:
        """Write one frame; BackendCrashed when the child is gone, OutOfTime when it reads too slowly for the clock."""
        try:
            data = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
        except Exception as error:
            raise BackendFailed(f"the request cannot be sent to a child process: {error}") from error
        try:
            self._write(memoryview(_HEADER.pack(len(data)) + data), clock or Clock(None))
        except OSError:
            raise BackendCrashed(f"the engine's process {self._death()}") from None

    def _write(self, view: memoryview, clock: Clock) -> None:
        from select import POLLOUT, poll

        assert self.process.stdin
        ready, pipe = poll(), self.process.stdin.fileno()
        ready.register(pipe, POLLOUT)
        while view:
            if not ready.poll(None if clock.left is None else 1000 * clock.left):
                raise OutOfTime
            view = view[os.write(pipe, view[:PORTION]) :]

    def exceeds(self, memory_limit: int) -> bool:
        """Tell whether the child and whatever it started take more than so many bytes; remembered until its end."""
        self.memory = max(self.memory, tree.memory(self.process.pid) or tree.memory_by_ps(self.process.pid))
        return self.memory > memory_limit

    def fill(self) -> None:
        """Read what the child has written."""
        data = os.read(self.output, 1 << 16)
        self.closed = not data
        self.buffer += data

    def frame(self) -> Frame | None:
        """Return the next frame if it is there; the child's death is an error frame."""
        size = _HEADER.size
        end = size + _HEADER.unpack_from(self.buffer)[0] if len(self.buffer) >= size else size
        if len(self.buffer) < end or end == size:
            if not self.closed:
                return None
            return Frame(self, "error", BackendCrashed(f"the engine's process {self._death()}"))
        kind, content = pickle.loads(bytes(self.buffer[size:end]))
        del self.buffer[:end]
        return Frame(self, kind, content)

    def died_of(self, frame: Frame, memory_limit: int | None) -> bool:
        """Tell whether a frame tells of a death for want of memory: most engines abort when the kernel refuses more."""
        crashed = frame.kind == "error" and isinstance(frame.content, BackendCrashed)
        return memory_limit is not None and crashed and self.memory > memory_limit // 2

    def _death(self) -> str:
        from subprocess import TimeoutExpired

        try:
            code = self.process.wait(1)
        except TimeoutExpired:
            return "closed its pipe"
        return f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"

    def release(self) -> None:
        """Keep the child for the next run when it has finished this one, else kill it."""
        with _lock:
            if self.finished and self.process.poll() is None and len(_idle) < IDLE and _owner == os.getpid():
                _idle.append(self)
                return
        self.kill()

    def kill(self) -> None:
        """Kill the child and whatever it started."""
        tree.kill(self.process.pid)
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe:
                pipe.close()
        os.close(self.lifeline)


_idle: list[Child] = []
_living: weakref.WeakSet[Child] = weakref.WeakSet()
_lock = threading.Lock()
_owner = os.getpid()


def take(selection: Selection) -> Child:
    """Return a warm child that suits a backend, best one that has run it, or start one.

    A forked process does not use its parent's children.
    """
    global _owner
    with _lock:
        if _owner != os.getpid():
            _idle.clear()
            _owner = os.getpid()
        spec, latest = str(selection), list(reversed(_idle))
        for child in sorted(latest, key=lambda child: spec not in child.ran):
            alive = child.process.poll() is None
            if alive and not child.suits(selection.capabilities):
                continue
            _idle.remove(child)
            if alive:
                return child
            child.kill()
    return Child()


def is_warm(selection: Selection) -> bool:
    """Tell whether a child that has run a backend waits for work."""
    spec = str(selection)
    return _owner == os.getpid() and any(spec in child.ran for child in list(_idle))


def waiting() -> frozenset[int]:
    """Return the process identifiers of the warm children that wait for work."""
    return frozenset(child.process.pid for child in list(_idle)) if _owner == os.getpid() else frozenset()


def kill_all() -> None:
    """Kill every child, those at work too: their runs end with BackendCrashed. For a program that is about to end."""
    _kill(list(_living))


def kill_of(threads: Collection[int]) -> None:
    """Kill the children at work for threads of these identifiers: their runs end with BackendCrashed."""
    _kill([child for child in list(_living) if child.thread in threads and not child.finished])


def _kill(children: Iterable[Child]) -> None:
    for child in children:
        if child.process.poll() is None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(child.process.pid, 9)


def close_idle() -> None:
    """Kill the warm children that wait for work."""
    with _lock:
        if _owner != os.getpid():
            return
        children, _idle[:] = _idle[:], []
    for child in children:
        child.kill()


atexit.register(close_idle)
