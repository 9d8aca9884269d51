"""``bitset``: classic 9 x 9 puzzles, many at once, one search state in each lane of a vector (extra ``fast``).

Read `words` first, then `rules`, `driver` (the search) and `solver` (its memory, and calls on it); `kernels` makes
vector code of the rules. `single` is the same in plain Python. Importing this package imports none of them.
"""

from .backend import BACKEND

__all__ = ["BACKEND"]
