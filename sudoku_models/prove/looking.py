"""End a long check by the clock, and process long texts while checking it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ..engine.budget import Budget
from ..errors import FormatError, LimitReached

Look = Callable[[], None]
"""Checks the clock; an exception from it ends the work."""

SLICE = 1 << 20
"""Characters of a text, or literals of a formula, between two checks of the clock."""

_ROW = re.compile(r"[^\n]+")
_SPACE = re.compile(r"\s")


class Deadline:
    """A moment after which a call raises LimitReached, which says what was ``undone``. ``None`` never comes."""

    def __init__(self, time_limit: float | None, undone: str) -> None:
        self.undone = undone
        self._limit, self._clock = time_limit, Budget(time_limit)
        self._clock.start()

    def __call__(self) -> None:
        """Check the clock."""
        if self._clock.expired:
            raise LimitReached(f"{self.undone} within {self._limit} s", None)

    @property
    def left(self) -> float | None:
        """The seconds until then; None without a limit."""
        return self._clock.left


def until(time_limit: float | None, undone: str = "the certificate was not read") -> Deadline:
    """Return a function that raises LimitReached once ``time_limit`` seconds from now have passed.

    ``undone`` says in its message what was not finished; it may be changed as the work goes on.
    """
    return Deadline(time_limit, undone)


@contextmanager
def bounded() -> Iterator[None]:
    """Raise one clear error if a certificate needs more memory than is available."""
    try:
        yield
    except MemoryError:
        raise FormatError("the certificate needs more memory than is available") from None


def rows(text: str, look: Look) -> Iterator[tuple[int, str]]:
    """Yield the number and the text of each non-empty line, checking the clock on the way."""
    number, seen, looked = 1, 0, 0
    for row in _ROW.finditer(text):
        if row.start() > looked + SLICE:
            look()
            looked = row.start()
        number += text.count("\n", seen, row.start())
        seen = row.end()
        yield number, row[0]


class Pace:
    """Checks the clock whenever a slice of work is done, counted in literals."""

    def __init__(self, look: Look, slice_: int = 200_000) -> None:
        self._look, self._slice, self._left = look, slice_, slice_

    def spend(self, work: int) -> None:
        """Record how much work was done."""
        self._left -= work
        if self._left < 0:
            self._left = self._slice
            self._look()


def words(text: str, look: Look) -> Iterator[list[str]]:
    """Yield the words of a text, many at a time, checking the clock on the way."""
    at = 0
    while at < len(text):
        look()
        space = _SPACE.search(text, at + SLICE)
        end = space.start() if space else len(text)
        yield text[at:end].split()
        at = end
