"""Ctrl-C held back for a moment: while a process is started or stopped, nothing may come between."""

from __future__ import annotations

import signal
import threading
from contextlib import suppress
from types import FrameType, TracebackType
from typing import Any


class Undisturbed:
    """Within the block, Ctrl-C waits until its end, where it is raised; a second one is raised at once.

    In the main thread alone: in others Python raises nothing. Where Ctrl-C is ignored, or is left to the system,
    nothing is done.
    """

    def __init__(self) -> None:
        self._before: Any = None
        self._came: tuple[int, FrameType | None] | None = None

    def __enter__(self) -> None:
        """Hold Ctrl-C back."""
        if threading.current_thread() is threading.main_thread() and callable(signal.getsignal(signal.SIGINT)):
            with suppress(ValueError):  # an interpreter beside the main one, which no signal reaches
                self._before = signal.signal(signal.SIGINT, self._hear)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, rest: TracebackType | None
    ) -> None:
        """Raise what came meanwhile, as it would have been."""
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)
        if self._came:
            self._before(*self._came)

    def _hear(self, number: int, frame: FrameType | None) -> None:
        if self._came:
            self._before(number, frame)
        self._came = number, frame
