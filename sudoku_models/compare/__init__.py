"""Every puzzle on every backend: times by phase, answers cross-checked, figures, tables."""

from .comparison import Comparison, compare
from .plan import TIME_LIMIT, Instance, Plan, instances
from .rows import SCHEMA, Row
from .runs import run
from .summary import Figures, Summary, Summing, summary_of

__all__ = [
    "SCHEMA",
    "TIME_LIMIT",
    "Comparison",
    "Figures",
    "Instance",
    "Plan",
    "Row",
    "Summary",
    "Summing",
    "compare",
    "instances",
    "run",
    "summary_of",
]
