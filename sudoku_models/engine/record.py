"""The record of a run: phases with wall and CPU time, sizes, the plan, notes."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import field
from typing import TYPE_CHECKING, Any

from ..dataclass import dataclass

if TYPE_CHECKING:
    from ..model import Model


@dataclass
class Phase:
    """Seconds spent in one phase."""

    wall: float = 0.0
    cpu: float = 0.0


@dataclass
class Record:
    """How an answer was found. ``phases`` has the times of parse, lower, compile, encode, run, decode, check, confirm.

    ``bound`` is the best value of an objective that has not been ruled out; an engine updates it as it proves more.
    ``confirmed`` names the engine that confirmed what this one reported as nonexistent, or gives the reason why it is
    not confirmed; it is empty if no quirk of the engine could affect the model. ``planned`` and ``chosen`` are what
    ``plan`` and ``choice`` return, or write it: few people read these texts. ``running`` is the stopwatch of all that
    is recorded here, so that nothing is timed twice.
    """

    backend: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    phases: dict[str, Phase] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    seed: int = 0
    isolated: bool = False
    bound: int | None = None
    confirmed: str = ""
    planned: tuple[str, ...] | Callable[[], tuple[str, ...]] = ()
    chosen: str | Callable[[], str] = ""
    running: Stopwatch | None = field(default=None, compare=False)

    @property
    def plan(self) -> tuple[str, ...]:
        """What became of the constraints, and what the engine derived from them, as lines."""
        if callable(self.planned):
            self.planned = self.planned()
        return self.planned

    @property
    def choice(self) -> str:
        """Why this backend was chosen, if it was not named."""
        if callable(self.chosen):
            self.chosen = self.chosen()
        return self.chosen

    def __repr__(self) -> str:
        wall = sum(phase.wall for phase in self.phases.values())
        return f"<Record: {self.backend or 'no backend'}, {wall:.4f} s in {', '.join(self.phases) or 'no phase'}>"

    def __getstate__(self) -> dict[str, Any]:
        """Write the texts: another process does not get the functions."""
        return {**vars(self), "planned": self.plan, "chosen": self.choice, "running": None}

    def tighten(self, model: Model, bound: int | None) -> None:
        """Take over a bound if it is tighter than the one known."""
        known, objective = self.bound, model.objective
        if objective and bound is not None and (known is None or objective.improves(known, bound)):
            self.bound = bound

    def take(self, part: Record) -> None:
        """Take over what an engine recorded, but for the bound.

        The phases in another process are parts of what is timed as the run; CPU time there is not seen from here.
        """
        self.sizes = {**self.sizes, **part.sizes}
        for note in part.notes:
            if note not in self.notes:
                self.notes.append(note)
        self.isolated |= part.isolated
        self.planned = part.planned or self.planned
        for name, phase in part.phases.items() if part.phases is not self.phases else ():
            self.add(name, phase.wall, phase.cpu)
            self.add("run", -phase.wall, 0.0)

    def confirm(self, how: str) -> None:
        """Record the result of confirming; "not confirmed" is never overwritten."""
        if how and not self.unconfirmed:
            self.confirmed = how

    @property
    def unconfirmed(self) -> str:
        """Why what the engine reports as nonexistent is not confirmed, though a quirk of it could matter; or empty."""
        return self.confirmed if self.confirmed.startswith("not") else ""

    def add(self, phase: str, wall: float, cpu: float) -> None:
        entry = self.phases.setdefault(phase, Phase())
        entry.wall += wall
        entry.cpu += cpu

    def spent(self, *phases: str) -> float:
        """Return the wall seconds of the given phases."""
        return sum(self.phases[name].wall for name in phases if name in self.phases)

    def stopwatch(self) -> Stopwatch:
        """Start a stopwatch that records its laps here; in a part of a run, return the one that is running."""
        return self.running or Stopwatch(self)

    def as_dict(self) -> dict[str, Any]:
        """Return the record as plain data, fit for JSON."""
        phases = {name: {"wall": p.wall, "cpu": p.cpu} for name, p in self.phases.items()}
        names = ("backend", "options", "sizes", "notes", "seed", "isolated", "choice", "confirmed")
        plain = {key: getattr(self, key) for key in names}
        return {**plain, "plan": list(self.plan), "phases": phases}


class Stopwatch:
    """Times phases that follow one another: each ``lap`` ends one phase and begins the next."""

    __slots__ = ("_cpu", "_phases", "_wall")

    def __init__(self, record: Record) -> None:
        self._phases, self._wall, self._cpu = record.phases, time.perf_counter(), time.process_time()

    def restart(self) -> None:
        """Start a phase now, discarding the time since the last lap."""
        self._wall, self._cpu = time.perf_counter(), time.process_time()

    def lap(self, phase: str) -> None:
        """Add the time since the last lap to ``phase``."""
        wall, cpu = time.perf_counter(), time.process_time()
        entry = self._phases.get(phase)
        if entry is None:
            entry = self._phases[phase] = Phase()
        entry.wall += wall - self._wall
        entry.cpu += cpu - self._cpu
        self._wall, self._cpu = wall, cpu
