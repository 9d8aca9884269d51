"""Ratings and paths of classic 9x9 boards: finer and faster than the general ladder, on three scales.

``rate_arrays`` rates many boards on the uniform ladder, by the size of refutations, or on the SE-like scale; ``walked``
is the path of one. The kernels (``basics`` to ``se``) are plain Python that ``machine`` compiles where llvmlite is
installed; nothing is compiled before it is asked for.

>>> from sudoku_models.explain.classic import rate_arrays
>>> easy = "...26.7.168..7..9.19...45..82.1...4...46.29...5...3.28..93...74.4..5..367.3.18..."
>>> rate_arrays([easy], scale="se").texts()
['1.2']
"""

from .rating_arrays import SCALES, STATUSES, Ratings, rate_arrays, text_of
from .walk import Staged, Walk, walked

__all__ = ["SCALES", "STATUSES", "Ratings", "Staged", "Walk", "rate_arrays", "text_of", "walked"]
