"""What a comparison's rows come to: standings, the virtual best solver, pairs, change since an earlier run.

The unit is the instance: repeats and seeds of one are put together first, and whatever is uncertain is resampled over
instances, the same ones for every backend. A backend with a WRONG answer takes part in nothing but its own line.
"""

from .change import Change, Changes, changes
from .hypotheses import holm, wilcoxon
from .matrix import Matrix
from .pairs import BackendPair, pairs
from .resample import Interval, Resampling
from .study import Study, study_of

__all__ = [
    "BackendPair",
    "Change",
    "Changes",
    "Interval",
    "Matrix",
    "Resampling",
    "Study",
    "changes",
    "holm",
    "pairs",
    "study_of",
    "wilcoxon",
]
