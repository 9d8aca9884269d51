"""A progress bar for loops in notebooks and on terminals, drawn by rich."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")
PER_SECOND = 4.0
"""Updates of a bar for each second, which a notebook can show."""


@contextmanager
def progress_bar(what: str, total: int | None, wanted: bool = True) -> Iterator[Callable[[int], None]]:
    """Show a bar if ``wanted``; yield a function to call with the amount done so far.

    In a notebook the bar appears below the cell, elsewhere on standard error. Without a ``total`` it only counts.
    """
    if not wanted:
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    shown = Progress(
        *columns,
        console=Console(stderr=True),
        refresh_per_second=PER_SECOND,
        redirect_stdout=False,
        redirect_stderr=False,
    )
    with shown as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.update(task, completed=done)


def tracked(items: Iterator[T], what: str, total: int | None) -> Iterator[T]:
    """Yield items as they come, and show their number; the bar ends with the loop."""
    with progress_bar(what, total) as show:
        for number, item in enumerate(items, 1):
            show(number)
            yield item
