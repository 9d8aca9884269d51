"""Puzzles made for this package, each with its proved number of solutions.

>>> from sudoku_models.collection import puzzles
>>> {item.difficulty for item in puzzles(side=9)} >= {"easy", "medium", "hard"}
True
"""

from .items import DIFFICULTIES, Item, Variant, puzzles, variants

__all__ = ["DIFFICULTIES", "Item", "Variant", "puzzles", "variants"]
