"""The verbs in an event loop: the loop goes on, cancelling stops the engine, nothing is left behind."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from sudoku_models import FormatError, SolutionCount, Status, acount, asolve, asolve_many
from sudoku_models.engine import workers

pytestmark = pytest.mark.skipif(os.name != "posix", reason="only on POSIX: child processes")

SEVERAL, CLASH = "1...............", "11.............."
HARD = "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9"
SLOW = "backtracking:strategy=rescan"


def at_work() -> list[int]:
    """Return the processes in which an engine is at work."""
    return [c.process.pid for c in list(workers._living) if c.process.poll() is None and not c.finished]


def threads() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("asolve")]


async def until_at_work(n: int = 1) -> None:
    end = time.monotonic() + 300
    while len(at_work()) < n:
        assert time.monotonic() < end
        await asyncio.sleep(0.01)


def test_a_puzzle_is_solved_and_counted_while_the_loop_goes_on() -> None:
    async def main() -> tuple[Any, Any, int]:
        ticks = 0

        async def tick() -> None:
            nonlocal ticks
            while True:
                ticks += 1
                await asyncio.sleep(0)

        ticking = asyncio.create_task(tick())
        answers = await asyncio.gather(asolve(SEVERAL, unique=True), acount(SEVERAL, "backtracking"))
        ticking.cancel()
        return *answers, ticks

    solved, counted, ticks = asyncio.run(main())
    assert (solved.status, solved.unique) == (Status.SOLVED, False)
    assert counted == SolutionCount(72, True)
    assert ticks > 5
    assert threads() == []


def test_what_is_raised_reaches_the_one_who_waits() -> None:
    with pytest.raises(FormatError, match="5 characters"):
        asyncio.run(asolve("12345"))
    with pytest.raises(TypeError, match=r"unknown keyword 'speed': .* time_limit"):
        asyncio.run(asolve(SEVERAL, speed=3))
    with pytest.raises(ValueError, match="limit is 0"):
        asyncio.run(acount(SEVERAL, limit=0))


@pytest.mark.parametrize("backend", [SLOW, "cp-sat"])
def test_cancelled_the_engine_is_stopped_and_nothing_is_left_behind(backend: str) -> None:
    async def main() -> None:
        task = asyncio.create_task(acount("." * 81, backend))  # there is no end to it
        await until_at_work()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert at_work() == []
        assert threads() == []

    asyncio.run(main())


def test_a_deadline_of_asyncio_stops_the_engine() -> None:
    async def main() -> None:
        async with asyncio.timeout(0.5):
            await asolve(HARD, SLOW)

    with pytest.raises(TimeoutError):
        asyncio.run(main())
    assert at_work() == []
    assert asyncio.run(asolve(SEVERAL)).status is Status.SOLVED


def test_many_come_in_order_and_errors_in_their_place() -> None:
    puzzles = [SEVERAL, "12345", CLASH, SEVERAL]

    async def source() -> AsyncIterator[str]:
        for puzzle in puzzles:
            await asyncio.sleep(0)
            yield puzzle

    async def main(problems: Any) -> list[Any]:
        return [r async for r in asolve_many(problems, jobs=3, on_error="return")]

    for problems in (puzzles, source()):
        found = asyncio.run(main(problems))
        kinds = [getattr(r, "status", type(r).__name__) for r in found]
        assert kinds == [Status.SOLVED, "FormatError", Status.UNSATISFIABLE, Status.SOLVED]
    with pytest.raises(ValueError, match="jobs is 0"):
        asyncio.run(anext(asolve_many(puzzles, jobs=0)))  # type: ignore[arg-type]


class TestManyAsTheSynchronousVerb:
    async def all_of(self, problems: Any, **keywords: Any) -> tuple[list[Any], Exception | None]:
        found: list[Any] = []
        try:
            async for result in asolve_many(problems, "backtracking", **keywords):
                found.append(getattr(result, "status", result))
        except Exception as error:
            return found, error
        return found, None

    @pytest.mark.parametrize("jobs", [1, 3])
    def test_an_error_is_raised_in_its_turn_with_its_row(self, jobs: int) -> None:
        found, error = asyncio.run(self.all_of([SEVERAL, CLASH, "12345", SEVERAL], jobs=jobs))
        assert found == [Status.SOLVED, Status.UNSATISFIABLE]
        assert str(error).startswith("row 3: ")
        found, error = asyncio.run(self.all_of([SEVERAL, 7, SEVERAL], jobs=jobs))
        assert (found, type(error)) == ([Status.SOLVED], TypeError)
        assert getattr(error, "__notes__", None) == ["row 2"]

    @pytest.mark.parametrize("on_error", ["raise", "return"])
    def test_what_the_source_raises_comes_behind_the_results_of_those_before(self, on_error: str) -> None:
        async def coming() -> AsyncIterator[str]:
            yield SEVERAL
            yield CLASH
            raise ValueError("the source is broken")

        def at_hand() -> Iterator[str]:
            yield SEVERAL
            yield CLASH
            raise ValueError("the source is broken")

        for source in (coming(), at_hand()):
            found, error = asyncio.run(self.all_of(source, jobs=3, on_error=on_error))
            assert found == [Status.SOLVED, Status.UNSATISFIABLE]
            assert (str(error), getattr(error, "__notes__", [])) == ("the source is broken", [])

    def test_an_endless_source_is_read_no_further_than_there_are_jobs(self) -> None:
        read = 0

        def endless() -> Iterator[str]:
            nonlocal read
            while True:
                read += 1
                yield SEVERAL

        async def main() -> None:
            results = asolve_many(endless(), "backtracking", jobs=2)
            for _ in range(3):
                await anext(results)
            await results.aclose()  # type: ignore[attr-defined]

        asyncio.run(main())
        assert 3 <= read <= 3 + 2
        assert at_work() == []


def test_many_that_are_closed_early_leave_no_engine_at_work() -> None:
    async def main() -> Any:
        results = asolve_many([SEVERAL, HARD, HARD, HARD], SLOW, jobs=3)
        first = await anext(results)
        await until_at_work(1)  # on a busy machine no more are read before the first answer
        await results.aclose()  # type: ignore[attr-defined]
        assert at_work() == []
        return first

    assert asyncio.run(main()).status is Status.SOLVED
