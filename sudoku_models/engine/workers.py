"""Child processes: one protocol for runs that can be killed, for portfolios, and for calls in other processes.

A child is ``python -m sudoku_models.engine.child``, started with subprocess, so that it works from a script without a
main guard, a notebook, a thread or a pool worker. It is kept warm, gets a model once and then only requests, sends
blocks of solutions that nobody has checked, and dies with its parent. Frames are a length and a pickle, between
processes of one user only; POSIX only.

    to a child     ("run", number, model or None, backend, request, budget, time) | ("more", solutions)
                   ("call", function, memory)
    to the parent  ("ready", backend) | ("block", (block, bound)) | ("end", result) | ("error", exception or text)
                   ("unreadable", text): the request was not understood
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
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from ..errors import BackendCrashed, BackendFailed, Unsupported
from ..model import Model
from . import tree
from .budget import Budget, OutOfMemory, OutOfTime
from .contract import Block, Capabilities, Feature, Reason, Request, Search
from .record import Record
from .registry import Selection, load, names
from .tree import INSIDE, undisturbed

T = TypeVar("T")

MODELS = 8
"""The largest number of models that a child keeps."""

AHEAD = 64
"""The largest number of solutions that a child may send before they are pulled, or one block."""

IDLE = max(4, os.cpu_count() or 1)
"""The largest number of warm children waiting for work: as many as have worked at the same time."""

LOADING = 30.0
"""Seconds after its start during which a child may go on loading an engine although the time of its run is up."""

GRACE = 0.25
"""Seconds after the limit during which an engine that stops at the limit may still report."""

STOPPING = 5.0
"""Seconds that an engine may take to stop after its last solution; then the solution is yielded and the child killed.
"""

LOOK = 0.02
"""Seconds between two looks at what a child uses (the kernel looks all the time), and at whether its job was cancelled.
"""

PORTION = 1 << 16
"""Bytes that are written to a child in one step."""

MOST = 1 << 40
"""The most bytes of a frame: a longer one is something else that was written into the pipe."""

HEADER = struct.Struct("<Q")
_numbers = itertools.count()


class Child:
    """A warm child process, in a process group of its own: knows which models it has been sent; belongs to one run at a
    time, and ends with this process.

    ``ran`` are the backends that have run here, by their specifications, ``loaded`` those whose modules are loaded. A
    child that was not ready when the time was up goes on loading and is ready for the next run; its answers to
    abandoned requests are skipped. A ``doomed`` child is not to be used again.
    """

    lifeline = -1

    def __init__(self) -> None:
        """Start the process; Ctrl-C meanwhile leaves nothing behind."""
        self.memory, self.owed, self.abandoned, self.spec = 0, 0, 0, ""
        self.models: OrderedDict[int, None] = OrderedDict()
        self.ran, self.loaded = dict[str, Capabilities](), set[str]()
        self.finished, self.closed, self.doomed = True, False, False
        self.begun, self.buffer, self.unsent = time.monotonic(), bytearray(), b""
        try:
            with undisturbed():
                self._start()
        except BaseException:
            if hasattr(self, "process"):
                self.kill()
            self._let_go()
            raise
        _living.add(self)

    def _start(self) -> None:
        import subprocess

        self.owner = os.getpid()
        lifeline, self.lifeline = os.pipe()
        path = os.pathsep.join(p or str(Path.cwd()) for p in sys.path)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "sudoku_models.engine.child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, INSIDE: str(lifeline), "PYTHONPATH": path},
            pass_fds=(lifeline,),
            start_new_session=True,
            bufsize=0,
        )
        os.close(lifeline)
        assert self.process.stdin and self.process.stdout
        os.set_blocking(self.process.stdin.fileno(), False)
        self.output = self.process.stdout.fileno()

    def suits(self, able: Capabilities) -> bool:
        """Return whether a backend can be loaded beside those that have run here."""
        pairs = [pair for other in self.ran.values() for pair in ((able, other), (other, able))]
        return all(set(one.requires).isdisjoint(other.conflicts) for one, other in pairs)

    def begin(self, selection: Selection | None) -> None:
        """Start working, with a backend."""
        self.finished, self.memory, self.owed = False, 0, 0
        if selection is not None:
            self.spec = str(selection)
            self.ran[self.spec] = selection.capabilities

    def start(self, model: Model, selection: Selection, request: Request, budget: Budget) -> None:
        """Send a request, and the model if the child does not have it; OutOfTime if that takes too long."""
        self.begin(selection)
        number = model.memo.setdefault("number of the model", next(_numbers))
        sent = None if number in self.models else bare(model)
        keep(self.models, number, None)
        self.send(("run", number, sent, portable(selection), request, budget, time.monotonic()), budget)

    def send(self, message: Any, budget: Budget | None = None) -> None:
        """Write one frame; BackendCrashed if the child is gone, OutOfTime if it reads too slowly.

        A child that is not up yet gets the rest before the next frame.
        """
        from select import POLLOUT, poll

        assert self.process.stdin
        try:
            data = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
        except Exception as error:
            raise BackendFailed(f"the request cannot be sent to a child process: {error}") from error
        ready, pipe, budget = poll(), self.process.stdin.fileno(), budget or Budget()
        ready.register(pipe, POLLOUT)
        view = memoryview(self.unsent + HEADER.pack(len(data)) + data)
        try:
            while view:
                if ready.poll(1000 * LOOK):
                    view = view[os.write(pipe, view[:PORTION]) :]
                if view:
                    budget.check()
        except OSError:
            raise BackendCrashed(f"the engine's process {self.death()}") from None
        finally:
            self.unsent = bytes(view)

    def exceeds(self, memory_limit: int | None) -> bool:
        """Return whether the child and everything it started use more than this number of bytes; remembered."""
        if memory_limit is None:
            return False
        seen = tree.memory(self.process.pid) if tree.SEEN else tree.memory_by_ps(self.process.pid)
        self.memory = max(self.memory, seen)
        return self.memory > memory_limit

    def fill(self) -> None:
        """Read what the child has written."""
        data = os.read(self.output, 1 << 16)
        self.closed = not data
        self.buffer += data

    def frame(self) -> tuple[str, Any] | None:
        """Return the next frame of the current request, if it has arrived; the child's death is an error frame."""
        size = HEADER.size
        while len(self.buffer) >= size and len(self.buffer) >= (end := size + HEADER.unpack_from(self.buffer)[0]):
            try:
                kind, content = pickle.loads(memoryview(self.buffer)[size:end])
            except Exception:
                return self._garbled()
            del self.buffer[:end]
            if kind == "unreadable":  # it lacks what it was sent, so that later requests would miss it
                self.doomed, kind = True, "error"
            ended = kind in ("end", "error")
            if kind == "ready":
                self.loaded.add(content)
            elif self.abandoned:
                self.abandoned -= ended
            else:
                self.finished = ended
                return kind, content
        if len(self.buffer) >= size and HEADER.unpack_from(self.buffer)[0] > MOST:
            return self._garbled()
        return ("error", BackendCrashed(f"the engine's process {self.death()}")) if self.closed else None

    def _garbled(self) -> tuple[str, Any]:
        """Give up a child whose engine wrote into the pipe of the answers."""
        self.doomed = True
        return "error", BackendCrashed("the engine's process wrote something that is not an answer")

    def go_on(self, block: Block, budget: Budget) -> None:
        """Count a block that has come, and let the child send more."""
        self.owed += 1 if type(block) is tuple else len(block)
        if self.owed >= AHEAD // 2 and not budget.expired:
            with suppress(BackendCrashed):  # a frame will report it
                self.send(("more", self.owed))
            self.owed = 0

    def let_load(self) -> None:
        """Let a child that is not ready go on loading although the time of its run is up."""
        loading = self.spec not in self.loaded and time.monotonic() - self.begun < LOADING
        if loading and not self.finished and not self.closed:
            self.finished, self.abandoned = True, self.abandoned + 1

    def release(self) -> None:
        """Keep the child for the next run if it has finished this one, otherwise kill it."""
        with _lock:
            usable = self.finished and not self.doomed and not self.closed and self.owner == os.getpid()
            if usable and len(_idle) < IDLE and self.process.poll() is None:
                _idle.append(self)
                return
        self.kill()

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
        with undisturbed():
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


def keep(models: OrderedDict[int, T], number: int, model: T) -> None:
    """Keep a model in the order of use, and at most ``MODELS`` of them; both ends do the same."""
    models[number] = models.get(number, model)
    models.move_to_end(number)
    if len(models) > MODELS:
        models.popitem(last=False)


def bare(model: Model) -> Model:
    """Return a model without its rules and its judge, whose classes another process may not know.

    Solutions that come back are judged here, as they are checked here.
    """
    return Model(model.variables, model.constraints, model.objective) if model.rules or model.judge else model


def portable(selection: Selection) -> Any:
    """Return a form of the backend for another process: its specification, or the backend itself if it is not
    registered.
    """
    return str(selection) if _is_registered(selection) else selection


def _is_registered(selection: Selection) -> bool:
    members = getattr(selection.options, "members", None)
    if members is not None:
        return all(map(_is_registered, members))
    return selection.backend.name in names() and load(selection.backend.name) is selection.backend


_idle: list[Child] = []
_living: weakref.WeakSet[Child] = weakref.WeakSet()
_lock = threading.Lock()


def _forked() -> None:
    """Forget the parent's children, and its lock: a thread that held it does not exist in the fork."""
    global _lock
    _lock = threading.Lock()
    for child in _idle:
        child.process.returncode = 0  # it is not a child of this process: nobody waits for it here
        for pipe in (child.process.stdin, child.process.stdout):
            if pipe:
                pipe.close()
    _idle.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


def take(selection: Selection | None = None) -> Child:
    """Return a warm child that suits a backend, preferably one that has run it, or start one."""
    with _lock:
        spec, latest = str(selection), list(reversed(_idle))
        for child in sorted(latest, key=lambda child: spec not in child.ran):
            alive = child.process.poll() is None
            if alive and selection and not child.suits(selection.capabilities):
                continue
            _idle.remove(child)
            if alive:
                return child
            child.kill()
    return Child()


def is_warm(selection: Selection) -> bool:
    """Return whether a child that has run a backend is waiting for work."""
    return any(str(selection) in child.ran for child in list(_idle))


def waiting() -> frozenset[int]:
    """Return the process identifiers of the warm children that are waiting for work."""
    return frozenset(child.process.pid for child in list(_idle))


def receive(children: Collection[Child], budget: Budget, grace: float = 0.0) -> tuple[Child, str, Any]:
    """Wait for the next frame from any of the children; OutOfTime or OutOfMemory if a limit is reached first."""
    from selectors import EVENT_READ, DefaultSelector

    memory, left = budget.memory, budget.left
    deadline = None if left is None else time.monotonic() + left + grace
    with DefaultSelector() as selector:
        for child in children:
            selector.register(child.output, EVENT_READ, child)
        while True:
            for child in children:
                if (frame := child.frame()) is not None:
                    died = frame[0] == "error" and isinstance(frame[1], BackendCrashed)
                    if died and memory is not None and child.memory > memory // 2:
                        raise OutOfMemory  # most engines abort when the kernel refuses more
                    return child, *frame
            left = LOOK if deadline is None else deadline - time.monotonic()
            events = selector.select(max(0.0, min(LOOK, left)))
            if not events and (budget.cancelled or (deadline is not None and time.monotonic() >= deadline)):
                raise OutOfTime
            if any(child.exceeds(memory) for child in children):
                raise OutOfMemory
            for key, _ in events:
                key.data.fill()


def search(
    model: Model,
    members: Sequence[Selection],
    request: Request,
    budget: Budget,
    record: Record,
    won: Callable[[Selection], object] = lambda _: None,
) -> Search:
    """Yield the blocks of an engine in a child process. Of several the first to answer is followed.

    With an objective several improve side by side. Members that fail or give up drop out, and the last member's result
    counts; ``won`` is told whose answer it is. Closing the search early kills the children.
    """
    if os.name != "posix":
        raise Unsupported(f"{members[0]}: limits by a child process need Linux or macOS")
    record.isolated = True
    together = len(members) > 1 and model.objective is not None and request.limit != 1
    asked = replace(request, limit=None) if together else request  # together, not every solution is an improvement
    running: dict[Child, Selection] = {}
    try:
        for member in sorted(members, key=is_warm, reverse=True):  # so that none takes the child of another
            running[child := take(member)] = member
            child.start(model, member, asked, budget)
        return (yield from _answers(running, model, None if together else request, budget, record, won))
    except OutOfTime:
        for child in running if not budget.cancelled else ():  # what was cancelled has no limit by which it would end
            child.let_load()
        raise
    finally:
        for child in running:
            child.release()


def _answers(
    running: dict[Child, Selection],
    model: Model,
    alone: Request | None,
    budget: Budget,
    record: Record,
    won: Callable[[Selection], object],
) -> Search:
    """Yield the blocks of running members; ``alone`` is the request if one of them is to answer it."""
    several, came = len(running) > 1, 0
    grace = GRACE if any(Feature.TIME_LIMIT in member.capabilities.features for member in running.values()) else 0.0
    while True:
        child, kind, content = receive(list(running), budget, grace)
        if kind == "block":
            block, bound = content
            if several and alone:
                _follow(child, running, record)
            won(running[child])
            record.tighten(model, bound)
            came += 1 if type(block) is tuple else len(block)
            if alone and came == alone.limit:
                _await_end(child, budget, record)
            else:
                child.go_on(block, budget)
            yield block
            continue
        if kind == "end":
            record.tighten(model, content[1].bound)
        if several and _drops_out(child, running, record, kind, content):
            yield []  # what it has proved may settle the question
            continue
        if several:
            _follow(child, running, record)
        won(running[child])
        if kind == "error":
            raise failure(running[child], content)
        record.take(content[1])
        return content[0]  # type: ignore[no-any-return]


def _follow(child: Child, running: dict[Child, Selection], record: Record) -> None:
    """Kill the others, and note who won."""
    for other in [other for other in running if other is not child]:
        del running[other]
        other.kill()
    note = f"won by {running[child]}"
    record.notes += [note] * (note not in record.notes)


def _drops_out(child: Child, running: dict[Child, Selection], record: Record, kind: str, content: Any) -> bool:
    """Return whether a member failed or gave up, and others go on without it."""
    if kind == "end" and content[0].reason is Reason.EXHAUSTED:
        return False
    why = content[0].reason if kind == "end" else failure(running[child], content)
    record.notes.append(f"{running[child]} dropped out: {why}")
    if len(running) == 1:
        return False
    del running[child]
    child.release()
    return True


def _await_end(child: Child, budget: Budget, record: Record) -> None:
    """Wait for the end of a child that is asked no more; but an engine may be slow to stop, or never."""
    with suppress(OutOfTime, OutOfMemory), budget.part(STOPPING) as patience:
        _, kind, content = receive([child], patience)
        if kind == "end":
            record.take(content[1])


def failure(selection: Selection | None, content: Any) -> Exception:
    """Return the exception that an error frame describes."""
    if isinstance(content, Exception):
        return content
    return BackendFailed(f"{selection or 'a call'} failed in its process: {content}")


def call(function: Callable[[], T], budget: Budget) -> T:
    """Make a call in a child process, and return its result; OutOfTime or OutOfMemory if a limit is reached first.

    The function (which must be picklable, as its result) may run engines in children of that child. Raises an error of
    this package as it was raised there, and any other one as BackendFailed.
    """
    child = take()
    try:
        child.begin(None)
        child.send(("call", function, budget.memory), budget)
        _, kind, content = receive([child], budget, GRACE)
        if kind == "error":
            raise failure(None, content)
        result: T = content
        return result
    finally:
        child.release()


class ChildExecutor(ThreadPoolExecutor):
    """Makes up to ``jobs`` calls at the same time, each in a child process (see ``call``)."""

    def __init__(self, jobs: int) -> None:
        super().__init__(jobs, "calls")
        self._budget = Budget()

    def submit(self, function: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Make a call as soon as one of the threads is free."""
        return super().submit(call, partial(function, *args, **kwargs), self._budget)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Wait for the submitted calls; after an exception they are abandoned."""
        if kind is not None:
            self._budget.cancel()
        self.shutdown(cancel_futures=kind is not None)


def kill_all() -> None:
    """Kill every child, even those at work: their runs end with BackendCrashed. For a program that is about to exit."""
    for child in list(_living):
        if child.owner == os.getpid() and child.process.poll() is None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(child.process.pid, 9)


def close_idle() -> None:
    """Kill the warm children that are waiting for work."""
    with _lock:
        children, _idle[:] = _idle[:], []
    for child in children:
        child.kill()


atexit.register(close_idle)
