"""What the questions of the command line share in showing their answers."""

from __future__ import annotations

from typing import Any

from ..bulk.question import BlockAnswers
from ..engine.record import Record
from ..formats import Entry


class WithRecord:
    """BlockAnswers that came about by a backend: records of JSON say how."""

    def details(self, found: Any) -> dict[str, Any]:
        """Return the fields that only a record of JSON has, of what a verb returned."""
        return details_of(getattr(found, "record", None))

    def detail_columns(self, answers: BlockAnswers) -> dict[str, Any]:
        """Return the same for a block."""
        from ..bulk.columns import Same

        n = len(answers["status"])
        return {name: Same(value, n) for name, value in details_of(answers.record).items()}


def details_of(record: Record | None) -> dict[str, Any]:
    """Return why a backend was chosen, what confirmed its answer, and the wall seconds of each phase."""
    if record is None:
        return {"choice": "", "confirmed": "", "phases": {}}
    phases = {name: round(phase.wall, 9) for name, phase in record.phases.items()}
    return {"choice": record.choice, "confirmed": record.confirmed, "phases": phases}


def title_of(entry: Entry) -> str:
    """Say which puzzle of the input it is."""
    title = entry.puzzle.title if entry.puzzle else ""
    return f"puzzle {entry.number}" + (f" ({' '.join(title.split())})" if title else "")


def where_it_stands(entry: Entry) -> str:
    """Say where a puzzle stands, in a comment among lines."""
    return f"puzzle {entry.number}, {entry.unit} {entry.line}"


def base_of(column: Any) -> Any:
    """Return the arrays of a column, without the rows that are no part of them."""
    return getattr(column, "base", column)
