"""Many items by an executor: results in order, each as soon as it is ready, and never many items at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from typing import Any

import pytest

from sudoku_models import solve_many
from sudoku_models.bulk.mapping import Source, mapped


class AtOnce(Executor):
    """Has done its work when it is submitted."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


class Unhurried(Executor):
    """Does its work when somebody waits for it."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        class Waited(Future[Any]):
            def result(self, timeout: float | None = None) -> Any:
                return fn(*args, **kwargs)

        return Waited()


def events_of(executor: Executor, count: int, most: int) -> list[str]:
    """Return what happens in turn: items that are taken (a) and results that are given (b)."""
    events: list[str] = []

    def items() -> Iterator[int]:
        for i in range(count):
            events.append(f"a{i}")
            yield i

    for result in mapped(lambda some, _: some, Source(items()), executor, most=most):
        events.append(f"b{result}")
    return events


def test_what_is_ready_is_given_before_a_further_item_is_taken() -> None:
    assert events_of(AtOnce(), 3, 64) == ["a0", "b0", "a1", "a2", "b1", "b2"]


def test_no_more_items_than_allowed_wait_and_the_order_stays() -> None:
    assert events_of(Unhurried(), 4, 2) == ["a0", "a1", "b0", "a2", "a3", "b1", "b2", "b3"]


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_returned_error_about_a_value_has_its_row_too(jobs: int) -> None:
    rows: list[Any] = [[[0]], [[10]], 7]
    found = list(solve_many(rows, "backtracking", jobs=jobs, on_error="return"))
    assert [getattr(error, "__notes__", None) for error in found[1:]] == [["row 2"], ["row 3"]]
