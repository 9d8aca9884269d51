"""A clock that a test holds, in the place of the module ``time``."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest

from sudoku_models.engine import workers
from sudoku_models.engine.budget import OutOfTime


class HeldClock:
    """Time passes when the test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def perf_counter(self) -> float:
        return self.now

    def monotonic(self) -> float:
        return self.now

    def process_time(self) -> float:
        """CPU time: half of all time."""
        return self.now / 2

    def sleep(self, seconds: float) -> None:
        self.now += seconds


class Turns(HeldClock):
    """A clock that stands until another thread has had some turns beside the engine: only then is the time over."""

    PATIENCE = 60.0
    """Seconds after which the time is over in any case."""

    def __init__(self, wanted: int) -> None:
        super().__init__()
        self.wanted, self.taken = wanted, 0
        self._stop = threading.Event()
        self._end = time.monotonic() + self.PATIENCE
        self._thread = threading.Thread(target=self._take)

    def perf_counter(self) -> float:
        over = self.taken >= self.wanted or time.monotonic() > self._end
        self.now += 1e6 if over else 0.0
        return self.now

    def _take(self) -> None:
        while not self._stop.wait(0.005):
            self.taken += 1

    def __enter__(self) -> Turns:
        self._thread.start()
        return self

    def __exit__(self, *_: Any) -> None:
        self._stop.set()
        self._thread.join()


def time_is_up_behind(frames: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the time of runs in children be over when so many frames of theirs have arrived."""
    receive, left = workers.receive, iter(range(frames))

    def held(*arguments: Any) -> Any:
        if next(left, None) is None:
            raise OutOfTime
        return receive(*arguments)

    monkeypatch.setattr(workers, "receive", held)
