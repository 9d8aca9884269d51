"""Classic 9x9 boards in arrays: ratings of many, and paths on the SE-like scale.

``rate_arrays`` rates boards on the uniform ladder or on the SE-like scale; ``walked`` is the path of one on the latter.
The kernels are plain Python, compiled where llvmlite is installed; nothing is compiled before it is asked for.

>>> from sudoku_models.explain.classic import rate_arrays
>>> easy = "...26.7.168..7..9.19...45..82.1...4...46.29...5...3.28..93...74.4..5..367.3.18..."
>>> rate_arrays([easy], scale="se").texts()
['1.2']
"""

from .ratings import SCALES, STATUSES, Ratings, Staged, Walk, rate_arrays, text_of, walked

__all__ = ["SCALES", "STATUSES", "Ratings", "Staged", "Walk", "rate_arrays", "text_of", "walked"]
