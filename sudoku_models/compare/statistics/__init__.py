"""The statistics of a comparison: standings, the virtual best solver, pairs, change since an earlier run.

The unit is the instance: its repeats and seeds are combined first, and everything uncertain is resampled over
instances, the same ones for every backend. A backend with a WRONG answer appears only in its own line. Needs pandas and
scipy, the extra ``data``.
"""

from .change import Change, Changes, changes
from .study import BackendPair, Interval, Matrix, Study, holm, intervals, pairs, study_of, wilcoxon

__all__ = [
    "BackendPair",
    "Change",
    "Changes",
    "Interval",
    "Matrix",
    "Study",
    "changes",
    "holm",
    "intervals",
    "pairs",
    "study_of",
    "wilcoxon",
]
