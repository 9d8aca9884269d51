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
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import BackendCrashed, BackendFailed, Unsupported
from ..model import Model
from .contract import Capabilities, Ending, Feature, Reason, Request, Run, Search
from .record import Clock, Record
from .registry import Selection

if TYPE_CHECKING:
    from selectors import BaseSelector

MODELS = 8
"""How many models a child keeps."""

AHEAD = 64
"""How many solutions a child may have sent that nobody pulled yet."""

IDLE = 4
"""How many warm children wait for work."""

GRACE = 0.25
"""Seconds after the limit in which an engine that stops by itself may still report."""

LOOK = 0.05
"""Seconds between two looks at a child's memory."""

_HEADER = struct.Struct("<Q")
INSIDE = "SUDOKU_MODELS_CHILD"
"""The environment variable that tells a child that it is one; its value is the pipe that closes with its parent."""

_numbers = itertools.count()


def bare(model: Model) -> Model:
    """Return a model without its rules: they are annotations, and may be of classes that no other process knows."""
    return Model(model.variables, model.constraints, model.objective) if model.rules else model


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
        child.start(model, selection, request)
        return (yield from pulled(child, selection, request, clock, record))
    finally:
        child.release()


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
            last = receive([child], clock, request.memory_limit, GRACE)  # an engine may be slow to stop, or never
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
                    return frame
            left = None if deadline is None else deadline - time.monotonic()
            if left is not None and left <= 0 and not selector.select(0):
                return Ending(Reason.TIME)
            if memory_limit is not None and any(_memory(child.process.pid) > memory_limit for child in children):
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

        lifeline, self.lifeline = os.pipe()
        environment = {
            **os.environ,
            INSIDE: str(lifeline),
            "PYTHONPATH": os.pathsep.join(p or str(Path.cwd()) for p in sys.path),
        }
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
        self.buffer = bytearray()
        self.models: OrderedDict[int, None] = OrderedDict()
        self.requires, self.conflicts = set[str](), set[str]()
        self.ran = set[str]()
        assert self.process.stdout
        self.output = self.process.stdout.fileno()
        self.finished = True
        self.closed = False
        self.thread = threading.get_ident()

    def suits(self, capabilities: Capabilities) -> bool:
        """Tell whether a backend can be loaded beside those that ran here."""
        return self.conflicts.isdisjoint(capabilities.requires) and self.requires.isdisjoint(capabilities.conflicts)

    def start(self, model: Model, selection: Selection, request: Request) -> None:
        """Send a request, and the model when the child does not have it."""
        self.finished = False
        self.ran.add(str(selection))
        self.requires.update(selection.capabilities.requires)
        self.conflicts.update(selection.capabilities.conflicts)
        self.thread = threading.get_ident()
        number = model.memo.setdefault("isolation", next(_numbers))
        known = number in self.models
        self.models[number] = None
        self.models.move_to_end(number)
        if len(self.models) > MODELS:
            self.models.popitem(last=False)
        asked = time.monotonic()  # the clock of the whole machine: starting the child takes of the limit
        self.send(("run", number, None if known else bare(model), portable(selection), request, AHEAD, asked))

    def send(self, message: Any) -> None:
        """Write one frame; BackendFailed when the child is gone."""
        assert self.process.stdin
        try:
            data = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
        except Exception as error:
            raise BackendFailed(f"the request cannot be sent to a child process: {error}") from error
        view = memoryview(_HEADER.pack(len(data)) + data)
        try:
            while view:
                view = view[self.process.stdin.write(view) or 0 :]
        except OSError:
            raise BackendCrashed(f"the engine's process {self._death()}") from None

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
            return (
                Frame(self, "error", BackendCrashed(f"the engine's process {self._death()}")) if self.closed else None
            )
        kind, content = pickle.loads(bytes(self.buffer[size:end]))
        del self.buffer[:end]
        return Frame(self, kind, content)

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
        try:
            os.killpg(self.process.pid, 9)
        except (ProcessLookupError, PermissionError):
            self.process.kill()
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


def portable(selection: Selection) -> Any:
    """Return what names the backend in another process: its specification, or itself when it is not registered."""
    from .registry import names

    return str(selection) if selection.backend.name in names() and _is_registered(selection) else selection


def _is_registered(selection: Selection) -> bool:
    from .registry import load

    return load(selection.backend.name) is selection.backend


def _memory(pid: int) -> int:
    """Return the resident bytes of a process; where there is no /proc, as ``ps`` tells them; 0 when it has ended."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError, ValueError):
        return _memory_by_ps(pid)


def _memory_by_ps(pid: int) -> int:
    import subprocess

    told = subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True).stdout.strip()
    return int(told) * 1024 if told.isdigit() else 0
