"""``bitset``: classic 9 x 9 puzzles, many at once, one search state in each lane of a vector (extra ``fast``).

Read `layout` first, then `propagation` and `split` (the rules), `driver` (the search), `bulk` (arrays and text).
`bit_words` and `vec` make vector code of the rules. Importing this package imports none of them.
"""

from .backend import BACKEND

__all__ = ["BACKEND"]
