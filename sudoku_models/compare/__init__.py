"""Every puzzle on every backend: measured apart from each other, times by phase, answers cross-checked, a journal."""

from .comparison import Comparison, compare, resume
from .journal import Journal, JournalError
from .judge import Watch, judged, judged_all
from .plan import TIME_LIMIT, Goal, Instance, Job, Plan, distinct, instances
from .rows import SCHEMA, Row
from .runs import run
from .summary import Figures, Summary, Summing, summary_of

__all__ = [
    "SCHEMA",
    "TIME_LIMIT",
    "Comparison",
    "Figures",
    "Goal",
    "Instance",
    "Job",
    "Journal",
    "JournalError",
    "Plan",
    "Row",
    "Summary",
    "Summing",
    "Watch",
    "compare",
    "distinct",
    "instances",
    "judged",
    "judged_all",
    "resume",
    "run",
    "summary_of",
]
