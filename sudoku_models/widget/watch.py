"""A search in a separate thread, shown as it runs: every decision if the backend reports them, otherwise solutions."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field

from ..display import seconds
from ..engine import Feature, TraceStep, select
from ..errors import SudokuModelsError
from ..puzzle import Grid, Puzzle
from ..verbs.results import Solutions
from ..verbs.solving import solutions

SHOWN = 0.05
"""Seconds between two updates of a search at full speed."""


@dataclass(frozen=True)
class View:
    """A moment of a search: the current decisions, a description, and the solution found so far."""

    text: str
    running: bool = True
    decisions: tuple[tuple[str, int], ...] = ()
    solution: Grid | None = None
    failed: bool = False


@dataclass
class SolvingWatch:
    """Solves a puzzle and looks for a second solution; ``show`` is called from the thread, also at the end.

    ``delay`` is the number of seconds to wait after a decision; with 0 the search runs at full speed and is shown about
    twenty times a second. ``time_limit`` is for backends that report no decisions: before it is reached, they cannot be
    stopped between solutions.
    """

    puzzle: Puzzle
    backend: str
    show: Callable[[View], None]
    delay: Callable[[], float] = lambda: 0.0
    time_limit: float = 60.0
    placed: int = 0
    taken_back: int = 0
    _made: dict[str, int] = field(default_factory=dict)
    _first: Grid | None = None
    _shown: float = 0.0
    _stop: threading.Event = field(default_factory=threading.Event)

    def start(self) -> threading.Thread:
        """Start the search, and return its thread."""
        thread = threading.Thread(target=self._run, name=f"watch {self.backend}", daemon=True)
        thread.start()
        return thread

    def stop(self) -> None:
        """Ask the search to end."""
        self._stop.set()

    def _run(self) -> None:
        began = time.monotonic()
        try:
            with closing(self._solutions()) as found:
                self.show(View(f"{self.backend}: searching"))
                self._first = next(found, None)
                taken = time.monotonic() - began
                another = False
                if self._first is not None and not self._stop.is_set():
                    text = f"{self._text()}a solution after {seconds(taken)}; looking for another"
                    self.show(View(text, solution=self._first))
                    another = next(found, None) is not None
                text = self._verdict(found, another, taken)
            self.show(View(text, False, solution=self._first))
        except (SudokuModelsError, ValueError) as error:
            self.show(View(str(error), False, failed=True))

    def _solutions(self) -> Solutions:
        if self.backend != "auto" and Feature.TRACE in select(self.backend).capabilities.features:
            return solutions(self.puzzle, self.backend, limit=2, trace=self._step)
        return solutions(self.puzzle, self.backend, limit=2, time_limit=self.time_limit)

    def _verdict(self, found: Solutions, another: bool, taken: float) -> str:
        outcome = found.outcome
        who = self._text(outcome.record.backend)
        if another:
            return f"{who}more than one solution, the first after {seconds(taken)}"
        if outcome.complete:
            return f"{who}the only solution, after {seconds(taken)}" if self._first else f"{who}there is no solution"
        return f"{who}{outcome.reason}; {self._known()}"

    def stopped(self) -> str:
        """Show what is known when the search is stopped."""
        return f"{self._text()}stopped; {self._known()}"

    def _known(self) -> str:
        return "a solution, perhaps not the only one" if self._first else "no solution found so far"

    def _text(self, backend: str = "") -> str:
        counted = f"{self.placed:,} placed, {self.taken_back:,} undone; " if self.placed else ""
        return f"{backend or self.backend}: {counted}"

    def _step(self, step: TraceStep) -> bool:
        if step.value is None:
            self.taken_back += 1
            del self._made[step.variable]
        else:
            self.placed += 1
            self._made[step.variable] = step.value
        pause = self.delay()
        if pause or time.monotonic() - self._shown > SHOWN:
            self._shown = time.monotonic()
            text = f"{self._text()}{len(self._made)} in place"
            self.show(View(text, True, tuple(self._made.items()), self._first))
        if pause:
            self._stop.wait(pause)
        return self._stop.is_set()
