"""Compare backends: every puzzle on every backend, measured in isolation, timed by phase, cross-checked, in a
journal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy import on_first_use

if TYPE_CHECKING:
    from .comparison import Comparison, compare, resume, run
    from .journal import Journal, JournalError
    from .judge import Watch, judged, judged_all
    from .plan import TIME_LIMIT, Goal, Instance, Job, Plan, distinct, instances
    from .rows import SCHEMA, Row
    from .summary import Figures, Summary, summary_of

__all__ = [
    "SCHEMA", "TIME_LIMIT", "Comparison", "Figures", "Goal", "Instance", "Job", "Journal", "JournalError", "Plan",
    "Row", "Summary", "Watch", "compare", "distinct", "instances", "judged", "judged_all", "resume", "run",
    "summary_of",
]  # fmt: skip

# a worker that runs an engine loads neither journal nor report
__getattr__, __dir__ = on_first_use(__name__, __all__, {
    "comparison": "Comparison compare resume run",
    "journal": "Journal JournalError",
    "judge": "Watch judged judged_all",
    "plan": "Goal Instance Job Plan TIME_LIMIT distinct instances",
    "rows": "Row SCHEMA",
    "summary": "Figures Summary summary_of",
})  # fmt: skip
