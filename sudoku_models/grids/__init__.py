"""Other grid puzzles, stated with the same rules and core constraints as a Sudoku, and solved by the same verbs."""

from .latin import consecutive, futoshiki, kenken, quasigroup, towers
from .number_grids import hidato, kakuro, killer, magic_square, numbrix, str8ts
from .shading import binairo, hitori, star_battle

__all__ = [
    "binairo",
    "consecutive",
    "futoshiki",
    "hidato",
    "hitori",
    "kakuro",
    "kenken",
    "killer",
    "magic_square",
    "numbrix",
    "quasigroup",
    "star_battle",
    "str8ts",
    "towers",
]
