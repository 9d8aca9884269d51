"""Puzzles made for this package, each with its proved number of solutions.

>>> from sudoku_models.collection import puzzles
>>> {item.difficulty for item in puzzles(side=9)} >= {"easy", "medium", "hard"}
True
"""

from .items import DIFFICULTIES, Item, puzzles
from .variant_items import Variant, variants

__all__ = ["DIFFICULTIES", "Item", "Variant", "puzzles", "variants"]
