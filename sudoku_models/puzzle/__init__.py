"""Sudoku as data: shapes, grids, puzzles and clashes."""

from .grid import Clash, Grid, clashes
from .puzzle import Puzzle
from .shape import LARGEST_SIDE, House, Shape, default_box
from .symbols import ALPHABETS

__all__ = ["ALPHABETS", "LARGEST_SIDE", "Clash", "Grid", "House", "Puzzle", "Shape", "clashes", "default_box"]
