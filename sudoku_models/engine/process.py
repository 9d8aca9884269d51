"""Child processes that run engines: they are started, kept warm, sent messages in frames, and killed.

The child is ``python -m sudoku_models.engine.child``, started with subprocess, so that it works from a script without a
main guard, a notebook, a thread or a pool worker.
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
from typing import Any

from ..errors import BackendCrashed, BackendFailed
from ..model import Model
from . import tree
from .budget import Budget, OutOfTime
from .contract import Capabilities, Request
from .deferral import Undisturbed
from .portable import bare, portable
from .record import Phase
from .registry import Selection

MODELS = 8
"""The largest number of models that a child keeps."""

AHEAD = 64
"""The largest number of solutions that a child may send before they are pulled."""

IDLE = max(4, os.cpu_count() or 1)
"""The largest number of warm children waiting for work: as many as have worked at the same time."""

LOADING = 30.0
"""Seconds after its start during which a child may go on loading an engine although the time of its run is up."""

PORTION = 1 << 16
"""Bytes that are written to a child in one step."""

_HEADER = struct.Struct("<Q")
INSIDE = "SUDOKU_MODELS_CHILD"
"""The environment variable that marks a child process; its value is the pipe that closes with the parent."""

_INSIDE = INSIDE in os.environ

on_command_line = False
"""Whether this process is the command line, which must receive signals and owns its output and exit code."""

_numbers = itertools.count()


def inside_child() -> bool:
    """Return whether this process is a child in which engines run: they have no further children."""
    return _INSIDE


def allow_children() -> None:
    """Let the engines of this child run in children of this process, as they do in a process that is no child."""
    global _INSIDE
    _INSIDE = False


@dataclass(frozen=True)
class Message:
    """A message from a child: a ``solution`` with the bound, the ``end`` of its run, or an ``error`` (such as its
    death).
    """

    child: Child
    kind: str
    content: Any


class ModuleProcess:
    """A module of this package running in a process and a process group of its own, which end with this process.

    ``output`` is the descriptor of its output; its input is ``process.stdin``.
    """

    lifeline = -1

    def __init__(self, module: str) -> None:
        """Start a module; Ctrl-C during the start leaves no process behind."""
        try:
            with Undisturbed():
                self._start(module)
        except BaseException:
            if hasattr(self, "process"):
                self.kill()
            self._let_go()
            raise

    def _start(self, module: str) -> None:
        import subprocess

        self.owner = os.getpid()
        lifeline, self.lifeline = os.pipe()
        path = os.pathsep.join(p or str(Path.cwd()) for p in sys.path)
        self.process = subprocess.Popen(
            [sys.executable, "-m", module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, INSIDE: str(lifeline), "PYTHONPATH": path},
            pass_fds=(lifeline,),
            start_new_session=True,
            bufsize=0,
        )
        os.close(lifeline)
        assert self.process.stdin and self.process.stdout
        self.output = self.process.stdout.fileno()

    def death(self) -> str:
        """Return how the process ended, in words that follow its name."""
        from subprocess import TimeoutExpired

        try:
            code = self.process.wait(1)
        except TimeoutExpired:
            return "closed its pipe"
        return f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"

    def kill(self) -> None:
        """Kill the process and everything it started; in a fork of the process that started it, only forget it."""
        with Undisturbed():
            self._kill()

    def _kill(self) -> None:
        if self.owner == os.getpid():
            if self.process.returncode is None:
                tree.kill(self.process.pid)
            else:
                tree.kill_group(self.process.pid)
            self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe:
                pipe.close()
        self._let_go()

    def _let_go(self) -> None:
        if self.lifeline >= 0:
            os.close(self.lifeline)
            self.lifeline = -1

    def __del__(self) -> None:
        """Kill a process that nothing else has killed: Ctrl-C arrived just after it was started."""
        self._let_go()


class Child(ModuleProcess):
    """A warm child process: knows which models it has been sent; belongs to one run at a time.

    ``loaded`` are the backends whose modules it has loaded, ``ready`` means that those of the current one are among
    them, and ``stated`` is its report on stating the problem. A child that was not ready when the time was up goes on
    loading and is ready for the next run; its answers to abandoned requests are skipped. A ``doomed`` child has been
    sent a signal that kills it.
    """

    def __init__(self) -> None:
        self.memory, self.buffer = 0, bytearray()
        self.models: OrderedDict[int, None] = OrderedDict()
        self.requires, self.conflicts, self.ran = set[str](), set[str](), set[str]()
        self.finished, self.closed, self.thread = True, False, threading.get_ident()
        self.doomed = False
        self.loaded, self.ready, self.stale = set[str](), False, 0
        self.spec, self.begun = "", time.monotonic()
        self.unsent, self.stated = memoryview(b""), dict[str, Phase]()
        super().__init__("sudoku_models.engine.child")
        _living.add(self)
        assert self.process.stdin
        os.set_blocking(self.process.stdin.fileno(), False)

    def suits(self, capabilities: Capabilities) -> bool:
        """Return whether a backend can be loaded beside those that have run here."""
        return self.conflicts.isdisjoint(capabilities.requires) and self.requires.isdisjoint(capabilities.conflicts)

    def start(self, model: Model, selection: Selection, request: Request, clock: Budget) -> None:
        """Send a request, and the model if the child does not have it; OutOfTime if that takes too long."""
        self.begin(selection)
        number = model.memo.setdefault("isolation", next(_numbers))
        known = number in self.models
        self.models[number] = None
        self.models.move_to_end(number)
        if len(self.models) > MODELS:
            self.models.popitem(last=False)
        asked = time.monotonic()  # a system-wide clock: starting the child counts towards the limit
        content = number, None if known else bare(model), portable(selection), request, AHEAD, asked
        self.send(("run", *content, not self.ready), clock)

    def begin(self, selection: Selection) -> None:
        """Start working with a backend, for this thread."""
        self.engage()
        self.spec = str(selection)
        self.ready, self.stated = self.spec in self.loaded, {}
        self.ran.add(self.spec)
        self.requires.update(selection.capabilities.requires)
        self.conflicts.update(selection.capabilities.conflicts)

    def engage(self) -> None:
        """Start working for this thread."""
        self.finished, self.thread = False, threading.get_ident()

    def send(self, message: Any, clock: Budget | None = None) -> None:
        """Write one frame; BackendCrashed if the child is gone, OutOfTime if it reads too slowly.

        Anything that could not be written is sent before the next frame.
        """
        try:
            data = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
        except Exception as error:
            raise BackendFailed(f"the request cannot be sent to a child process: {error}") from error
        try:
            self._write(memoryview(bytes(self.unsent) + _HEADER.pack(len(data)) + data), clock or Budget())
        except OSError:
            raise BackendCrashed(f"the engine's process {self.death()}") from None

    def _write(self, view: memoryview, clock: Budget) -> None:
        from select import POLLOUT, poll

        assert self.process.stdin
        ready, pipe = poll(), self.process.stdin.fileno()
        ready.register(pipe, POLLOUT)
        while view:
            self.unsent = view
            if not ready.poll(None if clock.left is None else 1000 * clock.left):
                raise OutOfTime
            view = view[os.write(pipe, view[:PORTION]) :]
        self.unsent = view

    def exceeds(self, memory_limit: int) -> bool:
        """Return whether the child and everything it started use more than this number of bytes; remembered."""
        self.memory = max(self.memory, tree.memory(self.process.pid) or tree.memory_by_ps(self.process.pid))
        return self.memory > memory_limit

    def fill(self) -> None:
        """Read what the child has written."""
        data = os.read(self.output, 1 << 16)
        self.closed = not data
        self.buffer += data

    def frame(self) -> Message | None:
        """Return the next frame of the current request, if it has arrived; the child's death is an error frame."""
        while (frame := self._next()) is not None:
            if frame.kind == "ready":
                self.loaded.add(frame.content)
                self.ready = self.ready or frame.content == self.spec
            elif self.stale:
                self.stale -= frame.kind in ("end", "error")
            elif frame.kind == "stated":
                self.stated = frame.content
            else:
                return frame
        return Message(self, "error", BackendCrashed(f"the engine's process {self.death()}")) if self.closed else None

    def _next(self) -> Message | None:
        size = _HEADER.size
        end = size + _HEADER.unpack_from(self.buffer)[0] if len(self.buffer) >= size else size
        if len(self.buffer) < end or end == size:
            return None
        kind, content = pickle.loads(bytes(self.buffer[size:end]))
        del self.buffer[:end]
        return Message(self, kind, content)

    def died_of(self, frame: Message, memory_limit: int | None) -> bool:
        """Tell whether a frame reports a death from lack of memory: most engines abort when the kernel refuses more."""
        crashed = frame.kind == "error" and isinstance(frame.content, BackendCrashed)
        return memory_limit is not None and crashed and self.memory > memory_limit // 2

    def let_load(self) -> None:
        """Let a child that is not ready go on loading although the time of its run is up."""
        loading = not self.ready and time.monotonic() - self.begun < LOADING
        if loading and not self.finished and not self.closed:
            self.finished, self.stale = True, self.stale + 1

    def release(self) -> None:
        """Keep the child for the next run if it has finished this one, otherwise kill it."""
        with _lock:
            usable = self.finished and not self.doomed and self.process.poll() is None
            if usable and len(_idle) < IDLE and _owner == os.getpid():
                _idle.append(self)
                return
        self.kill()


_idle: list[Child] = []
_living: weakref.WeakSet[Child] = weakref.WeakSet()
_lock = threading.Lock()
_owner = os.getpid()


def _forked() -> None:
    """Start with a free lock: a thread that held the parent's lock does not exist in its fork."""
    global _lock
    _lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


def take(selection: Selection) -> Child:
    """Return a warm child that suits a backend, preferably one that has run it, or start one.

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
    """Return whether a child that has run a backend is waiting for work."""
    spec = str(selection)
    return _owner == os.getpid() and any(spec in child.ran for child in list(_idle))


def waiting() -> frozenset[int]:
    """Return the process identifiers of the warm children that are waiting for work."""
    return frozenset(child.process.pid for child in list(_idle)) if _owner == os.getpid() else frozenset()


def kill_all() -> None:
    """Kill every child, even those at work: their runs end with BackendCrashed. For a program that is about to exit."""
    _kill(list(_living))


def kill_of(threads: Collection[int]) -> None:
    """Kill the children working for threads with these identifiers: their runs end with BackendCrashed."""
    with _lock:  # a child that finishes meanwhile must not wait for another run
        children = [child for child in list(_living) if child.thread in threads and not child.finished]
        for child in children:
            child.doomed = True
        _kill(children)


def end_threads(threads: Collection[threading.Thread]) -> None:
    """Wait for threads to end, and kill the children that work for them."""
    while left := [thread for thread in threads if thread.is_alive()]:
        kill_of([thread.ident for thread in left if thread.ident])
        left[0].join(0.02)


def _kill(children: Iterable[Child]) -> None:
    for child in children:
        if child.owner == os.getpid() and child.process.poll() is None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(child.process.pid, 9)


def close_idle() -> None:
    """Kill the warm children that are waiting for work."""
    with _lock:
        if _owner != os.getpid():
            return
        children, _idle[:] = _idle[:], []
    for child in children:
        child.kill()


atexit.register(close_idle)
