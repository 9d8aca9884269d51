"""The backend and its limits, and the log of how an answer was found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..bulk.where import Where
from ..formats import Entry
from .codes import UsageError
from .terminal import log, note_once


@dataclass(frozen=True)
class Effort:
    """The backend, its limits, and the number of puzzles solved at the same time."""

    backend: str = "auto"
    time_limit: float | None = None
    memory_limit: int | None = None
    seed: int = 0
    workers: int = 1
    jobs: int = 1

    @property
    def limits(self) -> dict[str, Any]:
        """The keyword arguments that all verbs share."""
        names = ("time_limit", "memory_limit", "seed", "workers")
        return {name: getattr(self, name) for name in names}

    @property
    def where(self) -> Where:
        """Where each puzzle is answered."""
        return Where(self.backend, self.limits, self.jobs)

    def checked(self, solutions: int | None = 1) -> Effort:
        """Refuse options that the backend does not declare, once rather than for each puzzle.

        Raises BadOption, BackendMissing or Unsupported.
        """
        self.where.checked(solutions)
        return self


def refuse(unless: bool, text: str) -> None:
    """Raise UsageError with the given text unless the condition holds."""
    if not unless:
        raise UsageError(text)


def log_error(error: Exception | None) -> None:
    """Log where an error came from."""
    log.debug("the details:", exc_info=error)


def log_record(entry: Entry, record: Any) -> None:
    """Log how an answer was found: phases, sizes, plan and notes."""
    if record is None:
        return
    where = entry.place
    if record.choice:
        note_once(f"{record.backend} was chosen: {record.choice}")
        log.info("%s: %s was chosen: %s", where, record.backend, record.choice)
    phases = ", ".join(f"{name} {phase.wall * 1e3:.3f} ms" for name, phase in record.phases.items())
    options = ",".join(f"{key}={value}" for key, value in record.options.items())
    log.info(
        "%s: backend %s%s, seed %d%s",
        where,
        record.backend,
        f":{options}" if options else "",
        record.seed,
        ", in a separate process" if record.isolated else "",
    )
    log.info("%s: %s", where, phases)
    for line in record.plan:
        log.debug("%s: plan: %s", where, line)
    if record.sizes:
        log.debug("%s: sizes: %s", where, ", ".join(f"{name} {size}" for name, size in record.sizes.items()))
    if record.unconfirmed:
        log.warning("%s: the answer is %s", where, record.unconfirmed)
    elif record.confirmed:
        log.info("%s: confirmed by %s", where, record.confirmed)
    for note in record.notes:
        log.info("%s: note: %s", where, note)
