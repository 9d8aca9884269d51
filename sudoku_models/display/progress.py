"""A progress bar for loops in notebooks and on terminals, drawn by rich."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

T = TypeVar("T")
PER_SECOND = 4.0
"""Updates of a bar for each second: few enough for a notebook, and beside runs that are measured."""


def bar_of(what: str, width: int | None = 40, **shown: Any) -> Any:
    """Return a bar of rich for standard error, in a notebook below the cell; ``shown`` are options of ``Progress``."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn(what), BarColumn(width), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    shown |= {"refresh_per_second": PER_SECOND, "redirect_stdout": False, "redirect_stderr": False}
    return Progress(*columns, console=Console(stderr=True), **shown)


@contextmanager
def progress_bar(what: str, total: int | None, wanted: bool = True) -> Iterator[Callable[[int], None]]:
    """Show a bar if ``wanted``; yield a function to call with the amount done so far.

    In a notebook the bar appears below the cell, elsewhere on standard error. Without a ``total`` it only counts.
    """
    if not wanted:
        yield lambda done: None
        return
    with bar_of(what) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.update(task, completed=done)


def tracked(items: Iterator[T], what: str, total: int | None) -> Iterator[T]:
    """Yield items as they come, and show their number; the bar ends with the loop."""
    with progress_bar(what, total) as show:
        for number, item in enumerate(items, 1):
            show(number)
            yield item
