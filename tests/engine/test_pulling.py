"""An engine in a thread: its items come as they are found, and it ends whenever the consumer does."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import closing

import pytest

from sudoku_models.engine.budget import Budget, OutOfTime
from sudoku_models.engine.pulling import AHEAD, streamed

Put = Callable[[int], bool]


@pytest.fixture(autouse=True)
def no_thread_is_left() -> Iterator[None]:
    yield
    assert "streaming" not in {thread.name for thread in threading.enumerate()}


def stream(
    work: Callable[[Put], str], stop: Callable[[], object] = int, seconds: float | None = None
) -> Generator[int, None, str]:
    clock = Budget(seconds)
    clock.start()
    return streamed("streaming", work, stop, clock)


def test_the_work_is_ahead_by_no_more_than_allowed() -> None:
    handed: list[int] = []
    enough = threading.Event()

    def work(put: Put) -> str:
        while not put(len(handed)):
            handed.append(len(handed))
            if len(handed) > AHEAD:
                enough.set()
        return "stopped"

    with closing(stream(work)) as found:
        assert next(found) == 0
        assert enough.wait(10)
    assert len(handed) in (AHEAD + 1, AHEAD + 2)


def test_what_the_work_raises_comes_behind_what_it_has_found() -> None:
    def work(put: Put) -> str:
        put(1)
        raise ArithmeticError("out of order")

    found = stream(work)
    assert next(found) == 1
    with pytest.raises(ArithmeticError, match="out of order"):
        next(found)


def test_the_time_ends_it_behind_what_was_found() -> None:
    stopped, handed = threading.Event(), threading.Event()

    def work(put: Put) -> str:
        put(1)
        put(2)
        handed.set()
        assert stopped.wait(10)
        return "stopped"

    found = stream(work, stopped.set, 0.1)
    assert next(found) == 1
    assert handed.wait(10)
    assert next(found) == 2
    with pytest.raises(OutOfTime):
        next(found)
