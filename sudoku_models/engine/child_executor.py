"""An executor whose calls are made in child processes, which end with this process even if it is killed."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from functools import partial
from types import TracebackType
from typing import Any, TypeVar

from ..errors import BackendFailed
from .budget import Budget
from .isolation import receive
from .process import Child, Message, end_threads

T = TypeVar("T")


class ChildExecutor(Executor):
    """Makes up to ``jobs`` calls at the same time, each in a child process; the children are kept until it is closed.

    A call, its arguments and its result must be picklable. The engines that a call uses may run in children of that
    child. A future raises an error of this package as the call raised it, and any other error as BackendFailed.
    """

    def __init__(self, jobs: int) -> None:
        self._started: list[threading.Thread] = []
        note = self._started.append
        self._threads = ThreadPoolExecutor(jobs, "calls", initializer=lambda: note(threading.current_thread()))
        self._idle: list[Child] = []
        self._lock, self._closed = threading.Lock(), False

    def submit(self, call: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Make a call as soon as one of the children is free."""
        return self._threads.submit(self._made, partial(call, *args, **kwargs))

    def _made(self, call: Callable[[], T]) -> T:
        """Make a call in a child that waits, or in a new one."""
        child = self._waiting() or Child()
        try:
            result: T = _answer(child, call)
            return result
        finally:
            self._put_back(child)

    def _waiting(self) -> Child | None:
        """Take a child that waits; None if there is none."""
        with self._lock:
            return self._idle.pop() if self._idle else None

    def _put_back(self, child: Child) -> None:
        """Keep a child for the next call; kill it if its call did not finish, or if the executor is closed."""
        with self._lock:
            kept = child.finished and not self._closed
            if kept:
                self._idle.append(child)
        if not kept:
            child.kill()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more calls; wait for the submitted ones if ``wait`` is set, and kill the idle children.

        Without ``wait``, each other child is killed when its call has ended.
        """
        self._threads.shutdown(wait, cancel_futures=cancel_futures)
        with self._lock:
            self._closed = True
        while (child := self._waiting()) is not None:
            child.kill()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Shut down; after an exception the calls are abandoned."""
        if kind is not None:
            self._threads.shutdown(wait=False, cancel_futures=True)
            end_threads(self._started)
        self.shutdown()


def _answer(child: Child, call: Callable[[], Any]) -> Any:
    """Make a call in a child and return its result."""
    child.engage()
    child.send(("call", call))
    frame = receive([child], Budget(), None)
    assert isinstance(frame, Message)
    child.finished = not child.closed
    if frame.kind == "end":
        return frame.content
    if isinstance(frame.content, Exception):
        raise frame.content
    raise BackendFailed(f"a call failed in its process: {frame.content}")
