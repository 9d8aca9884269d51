"""What the questions of the command line share when showing their answers."""

from __future__ import annotations

from typing import Any

from ..bulk.question import BlockAnswers
from ..engine.record import Record
from ..formats import Entry


class WithRecord:
    """Answers found by a backend, for which JSON records say how."""

    def details(self, found: Any) -> dict[str, Any]:
        """Return the fields that only JSON records have, given what a verb returned."""
        return details_of(getattr(found, "record", None))

    def detail_columns(self, answers: BlockAnswers) -> dict[str, Any]:
        """Return the same for a block."""
        from ..bulk.columns import Same

        n = len(answers["status"])
        return {name: Same(value, n) for name, value in details_of(answers.record).items()}


def details_of(record: Record | None) -> dict[str, Any]:
    """Return why a backend was chosen, what confirmed its answer, and the wall-clock seconds of each phase."""
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


def base_of(column: Any) -> Any:
    """Return the arrays of a column, without rows that are not part of them."""
    return getattr(column, "base", column)
