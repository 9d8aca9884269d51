"""Defer Ctrl-C for a moment: starting and stopping a process must not be interrupted."""

from __future__ import annotations

import signal
import threading
from contextlib import suppress
from types import FrameType, TracebackType
from typing import Any


class Undisturbed:
    """Within the block, Ctrl-C is deferred to the end of the block; a second Ctrl-C is raised immediately.

    This applies only to the main thread: Python raises nothing in others. If Ctrl-C is ignored, or left to the system,
    nothing changes.
    """

    def __init__(self) -> None:
        self._before: Any = None
        self._came: tuple[int, FrameType | None] | None = None

    def __enter__(self) -> None:
        """Defer Ctrl-C."""
        if threading.current_thread() is threading.main_thread() and callable(signal.getsignal(signal.SIGINT)):
            with suppress(ValueError):  # a subinterpreter, which receives no signals
                self._before = signal.signal(signal.SIGINT, self._hear)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, rest: TracebackType | None
    ) -> None:
        """Raise a Ctrl-C that arrived in the meantime."""
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)
        if self._came:
            self._before(*self._came)

    def _hear(self, number: int, frame: FrameType | None) -> None:
        if self._came:
            self._before(number, frame)
        self._came = number, frame
