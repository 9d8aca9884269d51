"""The program of a child process: reads requests from standard input and sends solutions to standard output.

Frames are an 8-byte length and a pickle, between processes of one user only. A thread reads the input, so that the
death of the parent (end of input) ends this process even while an engine is at work; on Linux a signal does the same
where an engine lets no other thread run.
"""

from __future__ import annotations

import os
import pickle
import queue
import select
import signal
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import Any

from . import tree, workers
from .budget import Budget, Interruption
from .contract import Ending, Reason, Request, Search
from .record import Record, Stopwatch
from .workers import AHEAD, HEADER

SLACK = 256 << 20
"""Bytes above a memory limit at which the kernel refuses more: it also counts memory that is reserved but never used.
"""


def main() -> None:
    """Serve requests until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # nothing here needs its threads, which numpy starts when loaded
    follow(int(os.environ[tree.INSIDE]))
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
        while header := stream.read(HEADER.size):
            try:
                inbox.put(pickle.loads(stream.read(HEADER.unpack(header)[0])))
            except Exception as error:
                inbox.put(("unreadable", error))
    os._exit(0)


class _Server:
    def __init__(self, output: Any, inbox: queue.SimpleQueue[Any]) -> None:
        self.output, self.inbox = output, inbox
        self.models: OrderedDict[int, Any] = OrderedDict()
        self.ready = set[str]()

    def send(self, *message: Any) -> None:
        data = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
        self.output.write(HEADER.pack(len(data)) + data)

    def serve(self, message: Any) -> None:
        """Answer one message; send back any exception."""
        kind, *content = message
        if kind == "more":
            return
        if kind == "unreadable":
            self.send(kind, f"the request cannot be read: {content[0]}")
            return
        try:
            self.send("end", self.call(*content) if kind == "call" else self.run(*content))
        except Exception as error:
            from ..errors import SudokuModelsError

            known = isinstance(error, SudokuModelsError)
            self.send("error", error if known else f"{type(error).__name__}: {error}")

    def call(self, function: Callable[[], Any], memory: int | None) -> Any:
        """Make a call; its engines may run in children of this process."""
        tree.bound_memory(None if memory is None else memory + SLACK)
        tree.inside = False
        return function()

    def run(self, number: int, model: Any, spec: Any, request: Request, budget: Budget, asked: float) -> Any:
        """Run a request and send its blocks, which nobody has checked; return ending and record."""
        from .check import guarded
        from .registry import select
        from .road import found

        workers.keep(self.models, number, model)
        tree.inside = True
        tree.bound_memory(None if budget.memory is None else budget.memory + SLACK)
        selection, record = select(spec), Record()
        self.load(str(selection), selection.capabilities.requires)
        if budget.left is not None:
            budget = Budget(max(0.0, budget.left - (time.monotonic() - asked)))
        watch = record.running = record.stopwatch()
        try:
            with budget:
                source = guarded(selection, found, self.models[number], selection, request, budget, record)
            ending = self.search(partial(guarded, selection), source, budget, record, watch)
        except Interruption as stop:
            ending = Ending.at(stop)
        except Exception as error:
            if budget.memory is None or not _starved(error):
                raise
            ending = Ending(Reason.MEMORY)
        return ending, record

    def load(self, spec: str, modules: tuple[str, ...]) -> None:
        """Import what an engine needs, and report it; errors appear in the run."""
        if spec not in self.ready:
            with suppress(Exception):
                for name in modules:
                    import_module(name)
            self.ready.add(spec)
            self.send("ready", spec)

    def search(
        self, step: Callable[..., Any], source: Search, budget: Budget, record: Record, watch: Stopwatch
    ) -> Ending:
        """Send blocks, each with the bound, while there is credit; return how the search ended."""
        ahead = 0
        try:
            while True:
                try:
                    with budget:
                        block = step(next, source)
                except StopIteration as stop:
                    ending: Ending = step(Ending.of, stop.value)
                    return ending
                finally:
                    watch.lap("run")
                self.send("block", (block, record.bound))
                ahead += 1 if type(block) is tuple else len(block)
                while ahead >= AHEAD:
                    ahead -= self.inbox.get()[1]
                watch.restart()
        finally:
            source.close()


def _starved(error: BaseException | None) -> bool:
    """Return whether an error is a lack of memory, or was caused by one."""
    while error is not None and not isinstance(error, MemoryError):
        error = error.__cause__
    return error is not None


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.exit("this program takes no arguments: it serves its parent process")
    main()
