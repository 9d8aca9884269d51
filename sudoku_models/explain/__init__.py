"""Why: reasons, repairs, hints, paths and ratings for every puzzle and every rule that can be declared.

>>> from sudoku_models.explain import explain
>>> print(explain("11.." "...." "...." "....").repair)
Without given R1C1 = 1 there is a solution, for example with R1C1 = 2.
"""

from .explaining import explain
from .explanation import Explanation, NoSolution, OneSolution, Reason, Repair, SeveralSolutions
from .parts import Stated

__all__ = ["Explanation", "NoSolution", "OneSolution", "Reason", "Repair", "SeveralSolutions", "Stated", "explain"]
