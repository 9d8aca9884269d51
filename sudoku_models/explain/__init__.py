"""Explanations: reasons, repairs, hints, paths and ratings for every puzzle and every rule that can be declared.

>>> from sudoku_models.explain import explain, rate
>>> print(explain("11.." "...." "...." "....").repair)  # doctest: +ELLIPSIS
Without given R1C1 = 1 there is a solution, for example with R1C1 = ...
>>> print(rate("12.4" "34.2" "214." "...."))
level 1.1
"""

from .explaining import explain
from .explanation import Conflict, Explanation, NoSolution, OneSolution, Repair, SeveralSolutions, Stated
from .hinting import Hint, hint
from .ladder import Ladder, level_text
from .paths import Path, path
from .rating import Rating, rate
from .steps import Step

__all__ = [
    "Conflict",
    "Explanation",
    "Hint",
    "Ladder",
    "NoSolution",
    "OneSolution",
    "Path",
    "Rating",
    "Repair",
    "SeveralSolutions",
    "Stated",
    "Step",
    "explain",
    "hint",
    "level_text",
    "path",
    "rate",
]
