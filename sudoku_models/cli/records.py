"""How the answers of backends are described: their titles and places, and the fields that only JSON records have."""

from __future__ import annotations

from typing import Any

from ..bulk.question import BlockAnswers
from ..engine.record import Record
from ..formats import Entry
from .answers import details_by


def details_of_records(answers: BlockAnswers) -> dict[str, Any]:
    """Return why backends were chosen, what confirmed answers, and the wall-clock seconds of each phase, as columns."""
    return details_by(lambda found: _of_record(getattr(found, "record", None)), answers, _of_record(answers.record))


def _of_record(record: Record | None) -> dict[str, Any]:
    if record is None:
        return {"choice": "", "confirmed": "", "phases": {}}
    phases = {name: round(phase.wall, 9) for name, phase in record.phases.items()}
    return {"choice": record.choice, "confirmed": record.confirmed, "phases": phases}


def title_of(entry: Entry) -> str:
    """Return the title line of an entry: its number in the input, and its title if it has one."""
    title = entry.puzzle.title if entry.puzzle else ""
    return f"puzzle {entry.number}" + (f" ({' '.join(title.split())})" if title else "")


def where_it_stands(entry: Entry) -> str:
    """Return the place of a puzzle, for a comment among lines."""
    return f"puzzle {entry.number}, {entry.unit} {entry.line}"
