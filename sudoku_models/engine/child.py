"""The program of a child process: reads requests from standard input and sends solutions to standard output.

Frames are an 8-byte length and a pickle, between processes of one user only. A thread reads the input, so that the
death of the parent (end of input) ends this process even while an engine is at work; on Linux a signal does the same
where an engine lets no other thread run.
"""

from __future__ import annotations

import faulthandler
import os
import pickle
import queue
import select
import signal
import struct
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from importlib import import_module
from typing import Any

from . import process, tree
from .budget import Budget, OutOfTime
from .combined_backends import Combined
from .contract import Ending, Reason
from .record import Record

_HEADER = struct.Struct("<Q")
_PATIENCE = 30.0
"""Seconds after its limit at which a child that has not been killed ends itself, whatever its engine does."""

SLACK = 256 << 20
"""Bytes above a memory limit at which the kernel refuses more: it also counts memory that is reserved but never used.
"""


def main() -> None:
    """Serve requests until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    follow(int(os.environ[process.INSIDE]))
    tree.adopt_orphans()
    output = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(os.dup(0), inbox), daemon=True).start()
    server = _Server(output, inbox)
    while True:
        server.serve(inbox.get())


def follow(lifeline: int) -> None:
    """Let the kernel kill this process and its children, even stopped ones, when the parent's end of a pipe closes.

    A parent that died before this process was ready is noticed here, since an engine may block any later check.
    """
    if sys.platform == "linux":
        import fcntl

        fcntl.fcntl(lifeline, fcntl.F_SETOWN, -os.getpgrp())
        fcntl.fcntl(lifeline, fcntl.F_SETSIG, signal.SIGKILL)
        fcntl.fcntl(lifeline, fcntl.F_SETFL, fcntl.fcntl(lifeline, fcntl.F_GETFL) | os.O_ASYNC)
    if select.select([lifeline], [], [], 0)[0]:  # nothing is ever written to it
        os._exit(0)


def _listen(fd: int, inbox: queue.SimpleQueue[Any]) -> None:
    with os.fdopen(fd, "rb") as stream:
        while header := stream.read(_HEADER.size):
            try:
                inbox.put(pickle.loads(stream.read(_HEADER.unpack(header)[0])))
            except Exception as error:
                inbox.put(("unreadable", error))
    os._exit(0)


class _Server:
    def __init__(self, output: Any, inbox: queue.SimpleQueue[Any]) -> None:
        self.output, self.inbox = output, inbox
        self.models: OrderedDict[int, Any] = OrderedDict()

    def send(self, message: Any) -> None:
        data = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
        self.output.write(_HEADER.pack(len(data)) + data)

    def serve(self, message: Any) -> None:
        """Answer one message; send back any exception."""
        if message[0] == "more":
            return
        if message[0] == "unreadable":
            self.send(("error", f"the request cannot be read: {message[1]}"))
            return
        try:
            self.send(("end", self.answer(*message)))
        except Exception as error:
            self.send(("error", _sendable(error)))

    def answer(self, kind: str, *content: Any) -> Any:
        """Answer a question, make a call, or run a request to its end."""
        if kind == "call":
            process.allow_children()
            return content[0]()
        if kind == "ask":
            question, request, asked = content
            tree.bound_memory(_most(request))
            return question(_left(request, asked))
        number, model, spec, request, credit, asked, loading = content
        stated = self.model(number, model)
        tree.bound_memory(_most(request))
        if loading:
            self.load(spec)
        return self.solve(stated, spec, _left(request, asked), credit)

    def load(self, spec: Any) -> None:
        """Import what an engine needs, and report it; errors appear in the run."""
        from .registry import select

        with suppress(Exception):
            for name in select(spec).capabilities.requires:
                import_module(name)
        self.send(("ready", str(spec)))

    def model(self, number: int, model: Any) -> Any:
        """Return the model with a number; keep a new one and drop the least recently used."""
        if model is not None:
            self.models[number] = model
        self.models.move_to_end(number)
        if len(self.models) > process.MODELS:
            self.models.popitem(last=False)
        return self.models[number]

    def solve(self, model: Any, spec: Any, request: Any, credit: int) -> Any:
        """Run the request on the same road as in the parent; send solutions, each with the bound, while there is
        credit.
        """
        from . import road

        record = Record()
        try:
            with _watched(request.time_limit):
                left = self.state(model, spec, request, record)
            run = road.run(model, spec, replace(request, time_limit=left, memory_limit=None), record)
            while (solution := _next(run, left)) is not None:
                while credit == 0:
                    credit += self.inbox.get()[1]
                credit -= 1
                self.send(("solution", (solution, run.record.bound)))
        except Exception as error:
            if request.memory_limit is None or not _starved(error):
                raise
            return Ending(Reason.MEMORY), record
        return run.ending, record

    def state(self, model: Any, spec: Any, request: Any, record: Record) -> float | None:
        """State a model to an engine and report how long that took; return the seconds that are left."""
        from . import road
        from .registry import select

        selection, limit = select(spec), request.time_limit
        clock = Budget(limit)
        if limit is None or isinstance(selection.backend, Combined):
            return clock.left
        clock.start()
        with suppress(OutOfTime):
            clock.check()
            road.prepare(model, selection, record, clock)
            if record.phases:
                self.send(("stated", record.phases))
        return clock.left


def _most(request: Any) -> int | None:
    """Return the bytes at which the kernel refuses more: somewhat above the limit, which the parent enforces."""
    return None if request.memory_limit is None else request.memory_limit + SLACK


def _starved(error: BaseException | None) -> bool:
    """Return whether an error is a lack of memory, or was caused by one."""
    while error is not None and not isinstance(error, MemoryError):
        error = error.__cause__
    return error is not None


def _left(request: Any, asked: float) -> Any:
    """Return the request with the time that is left of its limit since it was sent."""
    if request.time_limit is None:
        return request
    return replace(request, time_limit=max(0.0, request.time_limit - (time.monotonic() - asked)))


def _next(run: Any, time_limit: float | None) -> Any:
    """Pull a solution (None at the end), with a watchdog while the engine works but not while the consumer pauses."""
    with _watched(time_limit):
        return next(run, None)


@contextmanager
def _watched(time_limit: float | None) -> Iterator[None]:
    """End this process if a step takes much longer than the limit and nothing else has ended it."""
    if time_limit is not None:
        faulthandler.dump_traceback_later(time_limit + _PATIENCE, exit=True)
    try:
        yield
    finally:
        if time_limit is not None:
            faulthandler.cancel_dump_traceback_later()


def _sendable(error: Exception) -> Any:
    from ..errors import SudokuModelsError

    return error if isinstance(error, SudokuModelsError) else f"{type(error).__name__}: {error}"


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.exit("this program takes no arguments: it serves its parent process")
    main()
